"""An MCP-Atlas table of one attempt, joined with its task and scored, as the scoring step writes it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Call, Kind

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")

HOLDS_PATCH = False


def _called(call: Call) -> tuple[str, dict[str, Any]]:
    if call.kind == "bash":
        return "cli-mcp-server_run_command", {"command": call.command}
    if call.kind == "write":
        return "filesystem_write_file", {"path": call.path, "content": call.new}
    return "filesystem_edit_file", {"path": call.path, "edits": [{"oldText": call.old, "newText": call.new}]}


def conversation(attempt: Attempt) -> list[dict[str, Any]]:
    """What agent and tools said; the harness leaves the prompt out."""
    messages: list[dict[str, Any]] = []
    for number, turn in enumerate(attempt.turns):
        calls = [(f"call_{number}_{at}", call) for at, call in enumerate(turn.calls)]
        functions = [(name, *_called(call)) for name, call in calls]
        message: dict[str, Any] = {"role": "assistant", "content": turn.text}
        if functions:
            message["tool_calls"] = [
                {"id": name, "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
                for name, tool, arguments in functions
            ]
        messages.append(message)
        messages += [
            {"role": "tool", "content": [{"type": "text", "text": call.result}], "tool_call_id": name}
            for name, call in calls
            if call.result is not None
        ]
    return messages


def render(attempt: Attempt, folder: Path) -> Path:
    """The file."""
    answers = [turn.text for turn in attempt.turns if turn.text]
    row = {
        "TASK": attempt.task,
        "ENABLED_TOOLS": json.dumps(["filesystem_write_file"]),
        "PROMPT": attempt.instruction,
        "GTFA_CLAIMS": "['One.']",
        "raw_conversation_history": json.dumps(conversation(attempt)),
        "response": answers[-1] if answers else "",
        "coverage_score": "1.0" if attempt.passed else "0.5",
        "total_claims": "1",
    }
    path = folder / "atlas" / f"scored_{attempt.model}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(row), lineterminator="\n")
        table.writeheader()
        table.writerow(row)
    return path
