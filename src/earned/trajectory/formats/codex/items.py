"""Items of a turn as calls and results: of `codex exec --json`, and of the events that new builds write into rollouts."""

from __future__ import annotations

from typing import Any

from earned.records import Action
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.decode.messages import content_text
from earned.trajectory.formats.codex.calls import change_action, server_action, unwrapped, web_action
from earned.trajectory.formats.codex.records import TurnItem
from earned.trajectory.formats.codex.turns import Result

_NAMES = {
    "CommandExecution": "command_execution",
    "FileChange": "file_change",
    "McpToolCall": "mcp_tool_call",
    "DynamicToolCall": "mcp_tool_call",
    "WebSearch": "web_search",
    "CollabAgentToolCall": "collab_tool_call",
}

_CODES = {"completed": 0, "failed": 1, "declined": 1}
"""Whether files were changed, as an exit code."""


def kind_of(item: TurnItem) -> str:
    """What the item is, in the words of `codex exec --json`."""
    name = item.type or ""
    if name == "Extension":
        return "web_search" if item.kind == "web.search" else ""
    return _NAMES.get(name, name)


def action_of_item(item: TurnItem, kind: str, cwd: str) -> Action | None:
    """The call that an item is; None when it is none."""
    call_id = item.id or ""
    if kind == "command_execution":
        return Action(kind="shell", tool="exec_command", call_id=call_id, command=unwrapped(item.command), cwd=item.cwd or cwd)
    if kind == "file_change":
        return change_action(item.changes, call_id, cwd)
    if kind == "mcp_tool_call":
        return server_action(item.server, item.tool, item.arguments, call_id)
    if kind == "web_search":
        return web_action(item.action, item.query or "", call_id)
    if kind == "collab_tool_call":
        return _agents_action(item, call_id)
    if kind == "todo_list":
        return Action(kind="message", tool=kind, arguments=as_json(item.items))
    return None


def _agents_action(item: TurnItem, call_id: str) -> Action:
    """Work given to other agents, or waiting for them."""
    asked = {"prompt": item.prompt, "receiver_thread_ids": item.receiver_thread_ids}
    return Action(kind="message", tool=item.tool or "collab", call_id=call_id, arguments=as_json(asked))


def result_of_item(item: TurnItem, kind: str) -> Result | None:
    """What came back; None where the item holds nothing of it."""
    if kind == "command_execution":
        return Result(item.aggregated_output or "", item.exit_code, is_plain=False)
    if kind == "mcp_tool_call":
        return _server_result(item.result, item.error)
    if kind == "collab_tool_call":
        return Result(as_json(item.agents_states)) if item.agents_states else None
    if kind == "file_change":
        return Result("" if item.error is None else error_text(item.error), _CODES.get(str(item.status)), is_plain=False)
    if kind == "web_search" and item.results:
        return Result(content_text(item.results))
    return None


def _server_result(result: Any, error: Any) -> Result | None:
    """A server's answer: content, or an error; either may be within `Ok` or `Err`."""
    given = result
    if isinstance(result, dict) and len(result) == 1 and ("Ok" in result or "Err" in result):
        given, error = result.get("Ok"), result.get("Err", error)
    if given is None:
        return None if error is None else Result(error_text(error))
    content = given.get("content", given) if isinstance(given, dict) else given
    return Result(content_text(content))


def server_result(result: Any) -> Result | None:
    """The same of an event."""
    return _server_result(result, None)


def error_text(error: Any) -> str:
    """The message of an error, which is text or an object."""
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else as_json(message)
