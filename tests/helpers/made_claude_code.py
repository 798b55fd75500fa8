"""Lines of Claude Code's session files and streams, as small as they can be, for tests of the readers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from made_files import write_text

SESSION = "11111111-2222-4333-8444-555555555555"


def user(uuid: str, content: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    """A line in the user's place."""
    return _line("user", uuid, parent, {"role": "user", "content": content}, more)


def agent(uuid: str, *blocks: dict[str, Any], parent: str | None = None, message: str = "", **more: Any) -> dict[str, Any]:
    """A line of the model's answer; `message`: its id."""
    told = {"id": message or f"msg_{uuid}", "type": "message", "role": "assistant", "model": more.pop("model", "model-a")}
    usage = more.pop("usage", {"input_tokens": 1, "output_tokens": 2})
    return _line("assistant", uuid, parent, {**told, "content": list(blocks), "usage": usage}, more)


def _line(kind: str, uuid: str, parent: str | None, message: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    shared = {"parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": "/w", "sessionId": SESSION}
    return {**shared, "version": "2.1.19", "type": kind, "message": message, "uuid": uuid, **more}


def said(text: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": text}


def use(name: str, arguments: dict[str, Any], call: str = "c1", kind: str = "tool_use") -> dict[str, Any]:
    """A block that calls a tool."""
    return {"type": kind, "id": call, "name": name, "input": arguments}


def bash(command: str, call: str = "c1", **more: Any) -> dict[str, Any]:
    """A block that runs a command."""
    return use("Bash", {"command": command, **more}, call)


def result(content: Any, call: str = "c1", **more: Any) -> dict[str, Any]:
    """A block that answers a call."""
    return {"type": "tool_result", "tool_use_id": call, "content": content, **more}


def answered(uuid: str, content: Any, parent: str, call: str = "c1", **more: Any) -> dict[str, Any]:
    """A line with one result; `is_error` goes into the block."""
    inner = {"is_error": more.pop("is_error")} if "is_error" in more else {}
    return user(uuid, [result(content, call, **inner)], parent, **more)


def ran(stdout: str = "", **more: Any) -> dict[str, Any]:
    """The structured twin of a command's result."""
    return {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False, **more}


def write_lines(path: Path, lines: Iterable[dict[str, Any] | str]) -> Path:
    """A file of lines; what is text stands as it is."""
    return write_text(path, "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))


def event(kind: str, **more: Any) -> dict[str, Any]:
    """A line of a stream."""
    return {"type": kind, "session_id": "s1", **more}


def init(**more: Any) -> dict[str, Any]:
    """The line that begins a stream."""
    told = {"cwd": "/w", "tools": ["Bash"], "model": "model-a", "claude_code_version": "2.1.19"}
    return event("system", subtype="init", **{**told, **more})


def streamed(line: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A session's line as a stream prints it."""
    return event(line["type"], message=line["message"], uuid=line["uuid"], **{"parent_tool_use_id": None, **more})


def ended(**more: Any) -> dict[str, Any]:
    """The line that ends a stream."""
    told = {"is_error": False, "num_turns": 1, "result": "Done.", "total_cost_usd": 0.5}
    return event("result", subtype="success", **{**told, **more})
