"""Small files of the formats that are read, as harnesses write them, for tests of the readers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from earned.records import Skip, Trajectory
from earned.trajectory import Candidate, Outcomes, discover, read_candidate

PATCH = "diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n@@ -1,1 +1,1 @@\n-a = 1\n+a = 2\n"
TASK = "Create hello.txt with the word hello."


def write_json(path: Path, value: object) -> Path:
    """Write a document; folders above it are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_text(path: Path, text: str) -> Path:
    """Write a text; folders above it are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def call(name: str, arguments: dict[str, Any], result: str | None = "ok", *, number: int = 1) -> dict[str, Any]:
    """An ATIF agent step with one tool call and its result."""
    made: dict[str, Any] = {
        "step_id": number,
        "source": "agent",
        "message": "I go on.",
        "tool_calls": [{"tool_call_id": f"call_{number}", "function_name": name, "arguments": arguments}],
    }
    if result is not None:
        made["observation"] = {"results": [{"source_call_id": f"call_{number}", "content": result}]}
    return made


def atif(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An ATIF document: system prompt, task and the given steps, numbered."""
    told = [
        {"step_id": 1, "source": "system", "message": "You are an agent."},
        {"step_id": 2, "source": "user", "message": TASK},
    ]
    numbered = [{**step, "step_id": number} for number, step in enumerate([*told, *steps], start=1)]
    agent = {"name": "openhands", "version": "1.1.0", "model_name": "model-a"}
    return {"schema_version": "ATIF-v1.5", "session_id": "s", "agent": agent, "steps": numbered, **more}


def bash(command: str, result: str | None = "ok", *, number: int = 3) -> dict[str, Any]:
    """An ATIF step that runs a command."""
    return call("bash", {"command": command}, result, number=number)


def trial(folder: Path, *, document: Any = None, reward: Any = 1.0, name: str = "hello__abc1234", **result: Any) -> Path:
    """A Harbor trial below `folder`; `result` overrides keys of result.json. Returns the trial's folder."""
    home = folder / name
    rewards = {} if reward is None else {"reward": reward}
    base = {
        "id": "0",
        "task_name": "hello",
        "trial_name": name,
        "source": "demo-bench",
        "config": {"agent": {"name": "openhands", "model_name": "lab/model-a"}, "environment": {"type": "docker"}},
        "agent_info": {"name": "openhands", "version": "1.1.0", "model_info": {"name": "model-a", "provider": "lab"}},
        "agent_result": {"n_input_tokens": 10, "n_output_tokens": 5, "cost_usd": 0.5},
        "verifier_result": {"rewards": rewards},
        "exception_info": None,
        "started_at": "2026-01-01T00:00:00Z",
        "finished_at": "2026-01-01T00:10:00Z",
    }
    write_json(home / "result.json", {**base, **result})
    if document is None:
        document = atif(bash("echo hello > hello.txt", ""), call("finish", {}, None))
    write_json(home / "agent" / "trajectory.json", document)
    write_text(home / "verifier" / "test-stdout.txt", "1 passed\n")
    return home


def swe_agent(*turns: tuple[str, str], submission: str | None = PATCH, demo: str = "") -> dict[str, Any]:
    """A SWE-agent file of the 1.x line; a turn is an action and its observation."""
    history: list[dict[str, Any]] = [{"role": "system", "content": "You are an agent.", "message_type": "system_prompt"}]
    if demo:
        history.append({"role": "user", "content": demo, "is_demo": True})
    history.append({"role": "user", "content": TASK, "message_type": "observation", "agent": "main"})
    entries = []
    for action, observed in turns:
        history.append({"role": "assistant", "content": "t", "action": action, "agent": "main", "message_type": "action"})
        history.append({"role": "tool", "content": observed, "agent": "main", "message_type": "observation"})
        entries.append(
            {"action": action, "observation": observed, "response": "r", "thought": "t", "state": {"working_dir": "/w"}}
        )
    info = {"exit_status": "submitted", "submission": submission, "swe_agent_version": "1.0.1"}
    model = json.dumps({"agent": {"model": {"name": "model-b"}}})
    return {"trajectory": entries, "history": history, "info": info, "replay_config": model, "environment": "main"}


def mini(*turns: tuple[str, str], submission: str = PATCH) -> dict[str, Any]:
    """A mini-swe-agent file of the 2.x line in text mode."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are an agent."}, {"role": "user", "content": TASK}]
    for command, output in turns:
        text = f"I go on.\n\n```mswea_bash_command\n{command}\n```"
        messages.append({"role": "assistant", "content": text, "extra": {"actions": [{"command": command}], "timestamp": 1.5}})
        seen = f"<returncode>0</returncode>\n<output>\n{output}</output>"
        messages.append({"role": "user", "content": seen, "extra": {"returncode": 0}})
    messages.append({"role": "exit", "content": submission, "extra": {"exit_status": "Submitted", "submission": submission}})
    info = {
        "model_stats": {"instance_cost": 0.1},
        "config": {"model": {"model_name": "model-c"}, "environment_type": "docker"},
        "mini_version": "2.0.0",
        "exit_status": "Submitted",
        "submission": submission,
    }
    return {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1", "instance_id": "org__repo-1"}


def candidates(*paths: Path) -> list[Candidate]:
    """The candidates below some paths."""
    return [item for item in discover(paths) if isinstance(item, Candidate)]


def rows(*paths: Path, outcomes: Outcomes | None = None) -> list[Trajectory | Skip]:
    """Everything that reading the candidates below some paths yields."""
    return [row for item in candidates(*paths) for row in read_candidate(item, outcomes=outcomes)]


def trajectories(*paths: Path) -> list[Trajectory]:
    """The trajectories below some paths; anything skipped fails the test."""
    made = rows(*paths)
    skipped = [row for row in made if isinstance(row, Skip)]
    assert not skipped, skipped
    return [row for row in made if isinstance(row, Trajectory)]


def only(path: Path) -> Trajectory:
    """The one trajectory below a path."""
    (made,) = trajectories(path)
    return made
