"""Codex sessions made of a few lines, and what was read of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from made_files import only
from render_codex import context, line, message, meta, write_lines

from earned.records import Action, Observation, Step, Trajectory

PATCH = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** End Patch"
HEADER = "Exit code: 1\nWall time: 0.1 seconds\nOutput:\n"
UNIFIED = "Chunk ID: ab12cd\nWall time: 0.0512 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\n"
TASK = message("user", "Fix the bug.")


def item(payload: dict[str, Any], second: int = 1) -> dict[str, Any]:
    return line("response_item", payload, second=second)


def event(kind: str, second: int = 1, **payload: Any) -> dict[str, Any]:
    return line("event_msg", {"type": kind, **payload}, second=second)


def function(name: str, arguments: Any, call_id: str = "c1", **more: Any) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"type": "function_call", "name": name, "arguments": text, "call_id": call_id, **more}


def output(text: Any, call_id: str = "c1") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def custom(name: str, text: str, call_id: str = "c1") -> list[dict[str, Any]]:
    return [item({"type": "custom_tool_call", "status": "completed", "call_id": call_id, "name": name, "input": text})]


def custom_output(text: Any, call_id: str = "c1") -> dict[str, Any]:
    return item({"type": "custom_tool_call_output", "call_id": call_id, "output": text})


def read(folder: Path, *made: dict[str, Any], name: str = "rollout-2026-01-05T10-00-00-x.jsonl") -> Trajectory:
    return only(write_lines(folder / name, list(made)))


def session(folder: Path, *made: dict[str, Any], **more: Any) -> Trajectory:
    """A session that begins as usual, then these lines."""
    return read(folder, meta(**more), context(), item(TASK, 0), *made)


def agents(made: Trajectory) -> list[Step]:
    return [step for step in made.steps if step.actor in {"agent", "subagent"} and not step.copied]


def act(made: Trajectory) -> Action:
    (action,) = [action for step in agents(made) for action in step.actions]
    return action


def result(made: Trajectory) -> Observation:
    (found,) = [found for step in made.steps for found in step.observations]
    return found


def acts(made: Trajectory) -> list[str]:
    return [action.text for step in agents(made) for action in step.actions]


OWN = [item(TASK, 8), item(function("shell", {"command": "new"}), 9), item(output("y"), 10)]
