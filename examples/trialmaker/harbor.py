"""Writes attempts as the job and trial folders of the Harbor harness."""

from __future__ import annotations

import hashlib
import json
import random
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

AGENT = "pocket-agent"
AGENT_VERSION = "0.4.1"
MODEL = "small-coder-2"
PROVIDER = "lab"
DATASET = "library-repairs"
TOOLS = (
    ("bash", "Run a command in a bash shell.", ("command",)),
    (
        "str_replace_editor",
        "Create a file or replace a passage of one.",
        ("command", "path", "file_text", "old_str", "new_str"),
    ),
)


@dataclass(frozen=True, kw_only=True)
class Trial:
    """All that a finished trial left behind."""

    name: str
    task: str
    schema: str
    steps: list[dict[str, Any]]
    began: datetime
    ended: datetime
    verifier: dict[str, str]
    """File name in `verifier/` to text."""
    rewards: dict[str, float]
    patch: str | None
    """The collected submission; None when the trial kept no artifact."""


def trial_name(task: str, rng: random.Random) -> str:
    """Task name, two underscores and seven letters or digits, as the harness makes them."""
    alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    return f"{task[:32]}__{''.join(rng.choice(alphabet) for _ in range(7))}"


def read_rewards(verifier: dict[str, str]) -> dict[str, float]:
    """The reward as releases of the harness before the reset of stale files read it: the JSON file first."""
    if "reward.json" in verifier:
        return {str(key): float(value) for key, value in json.loads(verifier["reward.json"]).items()}
    return {"reward": float(verifier["reward.txt"])}


def write_trial(job: Path, trial: Trial) -> None:
    """Write one trial folder."""
    folder = job / trial.name
    _json(folder / "config.json", _trial_config(job.name, trial))
    _json(folder / "result.json", _trial_result(job.name, trial))
    _text(folder / "trial.log", "")
    _json(folder / "agent" / "trajectory.json", _trajectory(trial))
    for name, text in trial.verifier.items():
        _text(folder / "verifier" / name, text)
    if trial.patch is not None:
        _text(folder / "artifacts" / "submission.patch", trial.patch)
        _json(folder / "artifacts" / "manifest.json", [_artifact()])


def write_job(job: Path, trials: list[Trial]) -> None:
    """Write the files of the job itself, after its trials."""
    ordered = sorted(trials, key=lambda trial: trial.name)
    _json(job / "config.json", _job_config(job.name, ordered))
    _json(job / "result.json", _job_result(job.name, ordered))
    _text(job / "job.log", "")


def _trajectory(trial: Trial) -> dict[str, Any]:
    agent_steps = [step for step in trial.steps if step["source"] == "agent"]
    document: dict[str, Any] = {
        "schema_version": trial.schema,
        "session_id": _identity("session", trial.name),
        "agent": {
            "name": AGENT,
            "version": AGENT_VERSION,
            "model_name": f"{PROVIDER}/{MODEL}",
            "tool_definitions": [_tool(*tool) for tool in TOOLS],
        },
        "steps": trial.steps,
        "final_metrics": {
            "total_prompt_tokens": sum(step["metrics"]["prompt_tokens"] for step in agent_steps),
            "total_completion_tokens": sum(step["metrics"]["completion_tokens"] for step in agent_steps),
            "total_steps": len(trial.steps),
        },
    }
    if trial.schema == "ATIF-v1.7":
        document["trajectory_id"] = _identity("trajectory", trial.name)
    return document


def _tool(name: str, description: str, parameters: tuple[str, ...]) -> dict[str, Any]:
    shape = {"type": "object", "properties": {key: {"type": "string"} for key in parameters}, "required": [parameters[0]]}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": shape}}


def _agent_config() -> dict[str, Any]:
    return {
        "name": AGENT,
        "import_path": None,
        "model_name": f"{PROVIDER}/{MODEL}",
        "override_timeout_sec": None,
        "override_setup_timeout_sec": None,
        "max_timeout_sec": None,
        "kwargs": {},
        "mcp_servers": [],
    }


def _environment_config() -> dict[str, Any]:
    return {
        "type": "docker",
        "import_path": None,
        "force_build": False,
        "delete": True,
        "override_cpus": None,
        "override_memory_mb": None,
        "override_storage_mb": None,
        "override_gpus": None,
        "mounts": None,
        "kwargs": {},
    }


def _verifier_config() -> dict[str, Any]:
    return {"override_timeout_sec": None, "max_timeout_sec": None, "disable": False}


def _artifact() -> dict[str, Any]:
    return {
        "source": "/logs/artifacts/submission.patch",
        "destination": "artifacts/submission.patch",
        "type": "file",
        "status": "ok",
        "service": None,
        "exclude": None,
    }


def _artifact_config(trial: Trial) -> list[dict[str, str]]:
    if trial.patch is None:
        return []
    return [{"source": "/logs/artifacts/submission.patch", "destination": "submission.patch"}]


def _task_config(task: str) -> dict[str, Any]:
    return {"path": f"tasks/{task}", "git_url": None, "git_commit_id": None, "overwrite": False, "source": DATASET}


def _trial_config(job: str, trial: Trial) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "task": _task_config(trial.task),
        "trial_name": trial.name,
        "trials_dir": f"jobs/{job}",
        "timeout_multiplier": 1.0,
        "agent": _agent_config(),
        "environment": _environment_config(),
        "verifier": _verifier_config(),
        "artifacts": _artifact_config(trial),
        "job_id": _identity("job", job),
    }


def _trial_result(job: str, trial: Trial) -> dict[str, Any]:
    setup, ready = trial.began - timedelta(seconds=48), trial.began - timedelta(seconds=11)
    graded = trial.ended + timedelta(seconds=9)
    usage = _trajectory(trial)["final_metrics"]
    return {
        "schema_version": 1,
        "id": _identity("trial", trial.name),
        "task_name": trial.task,
        "trial_name": trial.name,
        "trial_uri": f"jobs/{job}/{trial.name}",
        "task_id": {"path": f"tasks/{trial.task}"},
        "source": DATASET,
        "task_checksum": hashlib.sha256(trial.task.encode()).hexdigest(),
        "config": _trial_config(job, trial),
        "agent_info": {"name": AGENT, "version": AGENT_VERSION, "model_info": {"name": MODEL, "provider": PROVIDER}},
        "agent_result": {
            "n_input_tokens": usage["total_prompt_tokens"],
            "n_cache_tokens": None,
            "n_output_tokens": usage["total_completion_tokens"],
            "cost_usd": None,
            "rollout_details": None,
            "metadata": None,
        },
        "verifier_result": {"rewards": trial.rewards},
        "verifier_environment_mode": "shared",
        "exception_info": None,
        "started_at": _time(setup),
        "finished_at": _time(graded),
        "environment_setup": _span(setup, ready),
        "agent_setup": _span(ready, trial.began),
        "agent_execution": _span(trial.began, trial.ended),
        "verifier": _span(trial.ended, graded),
        "step_results": None,
        "reward_valid": True,
    }


def _job_config(job: str, trials: list[Trial]) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "job_name": job,
        "jobs_dir": "jobs",
        "n_attempts": 1,
        "timeout_multiplier": 1.0,
        "debug": False,
        "n_concurrent_trials": 1,
        "quiet": False,
        "environment": _environment_config(),
        "verifier": _verifier_config(),
        "metrics": [],
        "agents": [_agent_config()],
        "datasets": [],
        "tasks": [_task_config(task) for task in sorted({trial.task for trial in trials})],
        "artifacts": [],
    }


def _job_result(job: str, trials: list[Trial]) -> dict[str, Any]:
    scores: dict[str, list[str]] = {}
    for trial in trials:
        scores.setdefault(str(trial.rewards["reward"]), []).append(trial.name)
    mean = sum(trial.rewards["reward"] for trial in trials) / len(trials)
    evaluation = {
        "n_trials": len(trials),
        "n_errors": 0,
        "metrics": [{"mean": mean}],
        "pass_at_k": {},
        "reward_stats": {"reward": scores},
        "exception_stats": {},
    }
    return {
        "schema_version": 1,
        "id": _identity("job", job),
        "started_at": _time(min(trial.began for trial in trials) - timedelta(seconds=50)),
        "updated_at": _time(max(trial.ended for trial in trials) + timedelta(seconds=10)),
        "finished_at": _time(max(trial.ended for trial in trials) + timedelta(seconds=10)),
        "n_total_trials": len(trials),
        "stats": {
            "n_completed_trials": len(trials),
            "n_errored_trials": 0,
            "n_running_trials": 0,
            "n_pending_trials": 0,
            "n_cancelled_trials": 0,
            "n_retries": 0,
            "evals": {f"{AGENT}__{MODEL}__{DATASET}": evaluation},
        },
    }


def _identity(kind: str, name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{kind}/{name}"))


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000000Z")


def _span(start: datetime, stop: datetime) -> dict[str, str]:
    return {"started_at": _time(start), "finished_at": _time(stop)}


def _json(path: Path, document: Any) -> None:
    _text(path, json.dumps(document, indent=4, ensure_ascii=False) + "\n")


def _text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
