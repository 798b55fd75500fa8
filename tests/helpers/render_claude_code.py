"""A Claude Code session file as version 2.1 writes one, with the outcome in a SWE-bench report in a folder beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Call, Kind
from made_files import write_text
from render_reports import write_report

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")

HOLDS_VERIFIER = True

SESSION = "0b2f3c1e-5f1a-4a8e-9d57-3f6f1f0c9a11"
VERSION = "2.1.19"
USAGE = {"input_tokens": 4, "cache_creation_input_tokens": 120, "cache_read_input_tokens": 9000, "output_tokens": 30}


def called(call: Call) -> tuple[str, dict[str, Any]]:
    """Name and arguments of a call."""
    if call.kind == "bash":
        return "Bash", {"command": call.command, "description": "Run it"}
    if call.kind == "write":
        return "Write", {"file_path": call.path, "content": call.new}
    return "Edit", {"file_path": call.path, "old_string": call.old, "new_string": call.new, "replace_all": False}


def twin_of(call: Call) -> dict[str, Any]:
    """The structured twin of a call's result."""
    if call.kind == "bash":
        return {"stdout": call.result or "", "stderr": "", "interrupted": False, "isImage": False}
    if call.kind == "write":
        return {"type": "create", "filePath": call.path, "content": call.new, "structuredPatch": [], "originalFile": None}
    told = {"filePath": call.path, "oldString": call.old, "newString": call.new, "originalFile": call.old}
    return {**told, "structuredPatch": [], "userModified": False, "replaceAll": False}


def lines(attempt: Attempt) -> list[dict[str, Any]]:
    """The session's lines: each block of an answer on one of its own, a result linked to the line of its call."""
    made: list[dict[str, Any]] = [
        {"type": "queue-operation", "operation": "dequeue", "timestamp": at(0), "sessionId": SESSION},
    ]
    parent: str | None = None

    def add(kind: str, message: dict[str, Any], follows: str | None, **more: Any) -> str:
        uuid = f"00000000-0000-4000-8000-{len(made):012d}"
        shared = {"isSidechain": False, "userType": "external", "cwd": "/app", "sessionId": SESSION, "version": VERSION}
        line = {"parentUuid": follows, **shared, "gitBranch": "main", "type": kind, "message": message, **more}
        made.append({**line, "uuid": uuid, "timestamp": at(len(made))})
        return uuid

    parent = add("user", {"role": "user", "content": attempt.instruction}, None)
    for number, turn in enumerate(attempt.turns):
        shared = {"id": f"msg_{number:04d}", "model": attempt.model, "type": "message", "role": "assistant", "usage": USAGE}
        if turn.text:
            parent = add(
                "assistant", {**shared, "content": [{"type": "text", "text": turn.text}]}, parent, requestId=f"req_{number}"
            )
        waiting: list[tuple[str, str, Call]] = []
        for place, call in enumerate(turn.calls):
            name, arguments = called(call)
            use = {"type": "tool_use", "id": f"toolu_{number}_{place}", "name": name, "input": arguments}
            parent = add("assistant", {**shared, "content": [use]}, parent, requestId=f"req_{number}")
            waiting.append((parent, str(use["id"]), call))
        for source, name, call in waiting:
            if call.result is not None:
                result = {"tool_use_id": name, "type": "tool_result", "content": call.result, "is_error": False}
                parent = add("user", {"role": "user", "content": [result]}, source, toolUseResult=twin_of(call))
    return made


def at(seconds: int) -> str:
    """A time of the session."""
    return f"2026-01-31T{10 + seconds // 3600 % 14:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000Z"


def render(attempt: Attempt, folder: Path) -> Path:
    """The folder of both."""
    written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines(attempt))
    write_text(folder / "claude" / attempt.task / f"{attempt.task}.jsonl", written)
    write_report(attempt, folder)
    return folder
