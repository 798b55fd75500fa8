"""A Harbor trial with the agent's ATIF document and the verifier's reward."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from made_attempt import Attempt, Call, Kind
from made_files import trial, write_text

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")
HOLDS_VERIFIER = True


def document(attempt: Attempt) -> dict[str, Any]:
    """The attempt as an ATIF document."""
    steps: list[dict[str, Any]] = [
        {"step_id": 1, "source": "system", "message": "You are an agent."},
        {"step_id": 2, "source": "user", "message": attempt.instruction},
    ]
    for turn in attempt.turns:
        number = len(steps) + 1
        calls = [
            {"tool_call_id": f"call_{number}_{at}", "function_name": name, "arguments": arguments}
            for at, (name, arguments) in enumerate(map(called, turn.calls))
        ]
        results = [
            {"source_call_id": f"call_{number}_{at}", "content": call.result}
            for at, call in enumerate(turn.calls)
            if call.result is not None
        ]
        step: dict[str, Any] = {"step_id": number, "source": "agent", "message": turn.text}
        if calls:
            step |= {"tool_calls": calls, "observation": {"results": results}}
        steps.append(step)
    agent = {"name": "pocket-agent", "version": "1.0.0", "model_name": attempt.model}
    return {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": agent, "steps": steps}


def called(call: Call) -> tuple[str, dict[str, Any]]:
    """Name and arguments of a call as most harnesses name them."""
    if call.kind == "bash":
        return "bash", {"command": call.command}
    if call.kind == "write":
        return "write_file", {"path": call.path, "content": call.new}
    return "str_replace", {"path": call.path, "old_str": call.old, "new_str": call.new}


def render(attempt: Attempt, folder: Path) -> Path:
    """The trial's folder."""
    home = trial(
        folder,
        document=document(attempt),
        reward=1.0 if attempt.passed else 0.0,
        name=f"{attempt.task}__abc1234",
        task_name=attempt.task,
        agent_info={"name": "pocket-agent", "version": "1.0.0", "model_info": {"name": attempt.model, "provider": "lab"}},
    )
    if attempt.verifier:
        write_text(home / "verifier" / "test-stdout.txt", attempt.verifier)
    if attempt.patch:
        write_text(home / "artifacts" / "submission.patch", attempt.patch)
    return home
