"""What a file is that belongs to trajectories without being one: a report, predictions, a patch, a configuration, a log.

Told by content where content decides, by name for plain text.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from earned.trajectory.outcomes.evaluations import is_evaluation
from earned.trajectory.peek import Head

_NAMES = {
    "args.yaml": "config",
    "config.yaml": "config",
    "metadata.yaml": "config",
    "run_batch.config.yaml": "config",
    "run_batch_exit_statuses.yaml": "log",
    "job.log": "log",
    "trial.log": "log",
    "tb.lock": "config",
    "test_output.txt": "test_output",
    "eval.sh": "evaluation_script",
    "readme.md": "documentation",
    "license": "documentation",
    "instruction.md": "config",
    "base_commit": "config",
    "allowed.txt": "config",
    "repo.bundle": "repository",
}
_SUFFIXES = {
    ".patch": "patch",
    ".diff": "patch",
    ".pred": "predictions",
    ".log": "log",
    ".yaml": "config",
    ".yml": "config",
    ".toml": "config",
}


def companion_kind(head: Head) -> str:
    """The kind of companion, or empty text."""
    if is_evaluation(head):
        return "outcomes"
    return report_kind(head) or _structured(head) or _plain(head)


def report_kind(head: Head) -> str:
    """The kind of a file that holds outcomes, or empty text."""
    if head.shape != "object":
        return ""
    if head.has("/resolved_ids") or head.has("/ids_resolved") or head.has("/unresolved_ids") or head.has("/completed_ids"):
        return "run_report"
    if head.has("/total_instances") and head.has("/submitted_instances"):
        return "run_report"
    if head.value("/resolved") == "[" and "/messages" not in head.values:
        return "run_report"
    if head.value("/resolved") in {"true", "false", "True", "False"} and _instance(head, ""):
        return "instance_report"
    top = [path for path in head.values if path.count("/") == 1]
    if len(top) == 1 and _instance(head, top[0]):
        return "instance_report"
    return _mapping(head, top)


def _instance(head: Head, under: str) -> bool:
    return any(head.has(f"{under}/{key}") for key in ("patch_successfully_applied", "tests_status", "patch_exists"))


def _mapping(head: Head, top: list[str]) -> str:
    """`id -> bool` files; other files of flat booleans are told apart by their name."""
    literals = {"true", "false", "null", "True", "False", "None"}
    if top and all(head.values[path] in literals for path in top[:-1]) and head.values[top[-1]] in {*literals, ""}:
        name = PurePosixPath(head.path).name
        return "outcomes" if name in {"eval_results.json", "outcomes.json", "results.json"} or len(top) > 1 else ""
    if PurePosixPath(head.path).name == "outcomes.json":
        return "outcomes"
    return ""


def _structured(head: Head) -> str:
    """Predictions, configurations and results of jobs."""
    pairs = (("/instance_id", "/model_patch"), ("/*/instance_id", "/*/model_patch"), ("/*/patch", "/*/prefix"))
    if any(head.has(*pair) for pair in pairs):
        return "predictions"
    if head.has("/leafUuid", "/summary") or head.has("/entries/*/sessionId") or head.has("/display", "/project"):
        return "session_index"  # Claude Code's lists of sessions and prompts
    if head.has("/trajectory_id", "/attempt_index", "/outcome_source"):
        return "audit_export"  # labels without steps
    if head.shape == "object":
        inner = {path.rsplit("/", 1)[-1] for path in head.values if path.count("/") == 2}
        if {"instance_id", "model_patch"} <= inner or {"model_name_or_path", "model_patch"} <= inner:
            return "predictions"
        if head.has("/n_total_trials", "/stats"):
            return "job_result"
        if head.has("/mean_coverage") or head.has("/all/mean_coverage") or head.has("/directory", "/timestamp", "/summary"):
            return "statistics"
        if head.has("/patch_is_None") or head.has("/FAIL_TO_PASS"):
            return "instance_report"
        if head.has("/max_tool_calls", "/tool_output_cap") or head.has("/agentType", "/description"):
            return "config"
        if (
            head.has("/run_id", "/agent_name")
            or head.has("/lockfile_version")
            or head.has("/eval_output_dir", "/max_iterations")
        ):
            return "config"
        if head.has("/agents") or head.has("/n_concurrent_trials") or head.has("/agent", "/environment"):
            return "config"
        if head.has("/trials") or (PurePosixPath(head.path).name in {"config.json", "lock.json", "manifest.json"}):
            return "config"
    return ""


def _plain(head: Head) -> str:
    name = PurePosixPath(head.path).name.lower()
    if name in _NAMES:
        return _NAMES[name]
    if PurePosixPath(head.path).parent.name == "tool-results":
        return "tool_result"  # Claude Code keeps large ones beside the session
    if head.shape == "text" and head.text.lstrip().startswith(("diff --git ", "--- a/")):
        return "patch"
    return _SUFFIXES.get(PurePosixPath(name).suffix, "") if head.shape in {"text", "empty", "object"} else ""
