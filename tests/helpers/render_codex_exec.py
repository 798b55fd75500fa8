"""What `codex exec --json` prints (0.46), with a SWE-bench report in a folder beside it. The prompt is not in it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Kind
from render_codex import SESSION, write_lines, write_outcome
from render_reports import write_report

TOOLS: tuple[Kind, ...] = ("bash",)
HOLDS_VERIFIER = True
HOLDS_INSTRUCTION = False


def item(kind: str, number: int, state: str = "completed", **more: Any) -> dict[str, Any]:
    """One line about an item."""
    return {"type": f"item.{state}", "item": {"id": f"item_{number}", "type": kind, **more}}


def command(number: int, text: str, result: str | None, code: int = 0) -> list[dict[str, Any]]:
    """A command that started, and has ended where there is a result."""
    shown = f"bash -lc {shlex.quote(text)}"
    begun: dict[str, Any] = {"command": shown, "aggregated_output": "", "exit_code": None, "status": "in_progress"}
    made = [item("command_execution", number, "started", **begun)]
    if result is not None:
        ended: dict[str, Any] = {"command": shown, "aggregated_output": result, "exit_code": code, "status": "completed"}
        made.append(item("command_execution", number, **ended))
    return made


def lines(attempt: Attempt) -> list[dict[str, Any]]:
    """The log. Codex tells of a command when it starts and when it has ended."""
    made: list[dict[str, Any]] = [{"type": "thread.started", "thread_id": SESSION}, {"type": "turn.started"}]
    number = 0
    for turn in attempt.turns:
        made.append(item("agent_message", number, text=turn.text))
        for call in turn.calls:
            number += 1
            made += command(number, call.command, call.result)
        number += 1
    usage = {"input_tokens": 1200, "cached_input_tokens": 800, "output_tokens": 90}
    return [*made, {"type": "turn.completed", "usage": usage}]


def render(attempt: Attempt, folder: Path) -> Path:
    """The folder of both."""
    home = folder / "codex-exec" / attempt.task
    write_lines(home / f"{attempt.task}.jsonl", lines(attempt))
    write_outcome(attempt, home)
    write_report(attempt, folder)
    return folder
