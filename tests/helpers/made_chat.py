"""Chat messages in the notation of OpenAI, and what a reader made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from made_files import TASK, only, write_json

from earned.records import Step, Trajectory

USER = {"role": "user", "content": TASK}


def call(name: str, arguments: Any, call_id: str = "c1") -> dict[str, Any]:
    """One entry of `tool_calls`."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def says(*calls: dict[str, Any], text: str | None = None, **more: Any) -> dict[str, Any]:
    """An assistant's message with calls."""
    return {"role": "assistant", "content": text, "tool_calls": list(calls), **more}


def result(text: Any, call_id: str = "c1") -> dict[str, Any]:
    """The result of a call."""
    return {"role": "tool", "tool_call_id": call_id, "content": text}


BASH = says(call("bash", '{"command": "ls"}'))
PLAIN = [{"role": "system", "content": "You act."}, USER, BASH, result("a.py"), {"role": "assistant", "content": "Done."}]


def own(made: Trajectory) -> list[Step]:
    """The agent's steps."""
    return [step for step in made.steps if step.actor == "agent"]


def acts(made: Trajectory) -> list[tuple[str, str]]:
    """Every act of the agent with what answered it."""
    return [
        (action.text, "|".join(item.text for item in step.observations if item.action == number))
        for step in own(made)
        for number, action in enumerate(step.actions)
    ]


def read(tmp_path: Path, *messages: Any, **around: Any) -> Trajectory:
    """The one trajectory of some messages, in an object when something stands around them."""
    value: Any = {"messages": list(messages), **around} if around else list(messages)
    return only(write_json(tmp_path / "a.json", value))
