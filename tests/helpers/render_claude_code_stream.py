"""What `claude -p --output-format stream-json --replay-user-messages` prints, with a SWE-bench report in a folder beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Kind
from made_files import write_text
from render_claude_code import SESSION, USAGE, VERSION, called, twin_of
from render_reports import write_report

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")

HOLDS_VERIFIER = True


def lines(attempt: Attempt) -> list[dict[str, Any]]:
    """The stream's lines."""
    start = {"type": "system", "subtype": "init", "cwd": "/app", "session_id": SESSION, "tools": ["Bash", "Edit", "Write"]}
    told = {"mcp_servers": [], "model": attempt.model, "permissionMode": "bypassPermissions", "claude_code_version": VERSION}
    made: list[dict[str, Any]] = [{**start, **told, "uuid": uuid(0)}]

    def add(kind: str, message: dict[str, Any], **more: Any) -> None:
        line = {"type": kind, "message": message, "parent_tool_use_id": None, "session_id": SESSION, **more}
        made.append({**line, "uuid": uuid(len(made))})

    add("user", {"role": "user", "content": attempt.instruction}, isReplay=True)
    for number, turn in enumerate(attempt.turns):
        shared = {"id": f"msg_{number:04d}", "model": attempt.model, "type": "message", "role": "assistant", "usage": USAGE}
        if turn.text:
            add("assistant", {**shared, "content": [{"type": "text", "text": turn.text}]})
        for place, call in enumerate(turn.calls):
            name, arguments = called(call)
            use = {"type": "tool_use", "id": f"toolu_{number}_{place}", "name": name, "input": arguments}
            add("assistant", {**shared, "content": [use]})
        for place, call in enumerate(turn.calls):
            if call.result is not None:
                name = f"toolu_{number}_{place}"
                result = {"tool_use_id": name, "type": "tool_result", "content": call.result, "is_error": False}
                add("user", {"role": "user", "content": [result]}, tool_use_result=twin_of(call))
    end = {"type": "result", "subtype": "success", "is_error": False, "num_turns": len(attempt.turns), "result": "Done."}
    made.append({**end, "session_id": SESSION, "total_cost_usd": 0.25, "usage": USAGE, "permission_denials": []})
    return made


def uuid(number: int) -> str:
    """Of a line."""
    return f"00000000-0000-4000-9000-{number:012d}"


def render(attempt: Attempt, folder: Path) -> Path:
    """The folder of both."""
    written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(attempt))
    write_text(folder / "stream" / attempt.task / f"{attempt.task}.jsonl", written)
    write_report(attempt, folder)
    return folder
