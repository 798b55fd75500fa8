"""The messages of one attempt as the Anthropic interface takes them, with the outcome in a SWE-bench report beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from made_attempt import Attempt, Kind
from made_files import write_json
from render_harbor import called
from render_reports import write_report

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")

HOLDS_VERIFIER = True


def render(attempt: Attempt, folder: Path) -> Path:
    """The folder of both."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": attempt.instruction}]
    for number, turn in enumerate(attempt.turns):
        blocks: list[dict[str, Any]] = [{"type": "text", "text": turn.text}] if turn.text else []
        results: list[dict[str, Any]] = []
        for at, call in enumerate(turn.calls):
            name, arguments = called(call)
            blocks.append({"type": "tool_use", "id": f"toolu_{number}_{at}", "name": name, "input": arguments})
            if call.result is not None:
                shown = [{"type": "text", "text": call.result}]
                results.append({"type": "tool_result", "tool_use_id": f"toolu_{number}_{at}", "content": shown})
        messages.append({"role": "assistant", "content": blocks or [{"type": "text", "text": " "}]})
        if results:
            messages.append({"role": "user", "content": results})
    row = {
        "instance_id": attempt.task,
        "model": attempt.model,
        "system": "You are an agent.",
        "messages": messages,
        "git_patch": attempt.patch,
    }
    write_json(folder / "chat" / attempt.task / f"{attempt.task}.json", row)
    write_report(attempt, folder)
    return folder
