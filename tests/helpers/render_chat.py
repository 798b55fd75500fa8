"""OpenAI chat messages of one attempt in an object with what is known of it, as many harnesses and data sets write it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Kind
from made_files import write_json
from render_harbor import called

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")


def messages_of(attempt: Attempt) -> list[dict[str, Any]]:
    """The attempt in the notation of OpenAI Chat Completions."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": attempt.instruction},
    ]
    for number, turn in enumerate(attempt.turns):
        calls = [(f"call_{number}_{at}", *called(call)) for at, call in enumerate(turn.calls)]
        message: dict[str, Any] = {"role": "assistant", "content": turn.text}
        if calls:
            message["tool_calls"] = [
                {"id": name, "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
                for name, tool, arguments in calls
            ]
        messages.append(message)
        messages += [
            {"role": "tool", "tool_call_id": f"call_{number}_{at}", "content": call.result}
            for at, call in enumerate(turn.calls)
            if call.result is not None
        ]
    return messages


def render(attempt: Attempt, folder: Path) -> Path:
    """The file."""
    row = {
        "instance_id": attempt.task,
        "model": attempt.model,
        "messages": messages_of(attempt),
        "exit_status": "submitted",
        "resolved": attempt.passed,
        "git_patch": attempt.patch,
    }
    return write_json(folder / "chat" / f"{attempt.task}.json", row)
