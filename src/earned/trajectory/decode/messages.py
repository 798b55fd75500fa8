"""Shapes of chat messages that several formats share: content as text, tool calls in the OpenAI notation."""

from __future__ import annotations

from typing import Any

import msgspec

from earned.records import Action
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.tools import action_of


def content_text(content: Any) -> str:
    """Text of a message's content: a text, a list of parts, or anything else as JSON. Images are named in brackets."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if not isinstance(content, list):
        return as_json(content)
    return "\n".join(_part(part) for part in content)


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return as_json(part)
    for key in ("text", "output_text", "content", "refusal"):
        value = part.get(key)
        if isinstance(value, str):
            return value
    return f"[{part.get('type', 'part')}]"


def decoded_arguments(value: Any) -> Any:
    """Arguments of a call: JSON text decoded, anything else as it is; text that is no JSON stays text."""
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return value


def tool_call_action(call: Any) -> Action:
    """The action of one tool call: `{id, function: {name, arguments}}`, or the same without `function`."""
    if not isinstance(call, dict):
        return Action(kind="other", arguments=as_json(call))
    function = call.get("function")
    inner = function if isinstance(function, dict) else call
    name, call_id = inner.get("name"), call.get("call_id") or call.get("id")
    arguments = decoded_arguments(inner.get("arguments", inner.get("input")))
    return action_of(name if isinstance(name, str) else "", arguments, call_id=call_id if isinstance(call_id, str) else "")
