"""Commands that Terminus writes into its messages, as JSON or XML, for the terminal that it types into."""

from __future__ import annotations

import re

import msgspec

from earned.records import Action
from earned.trajectory.tools import action_of

_TERMINUS_XML = re.compile(r"<keystrokes[^>]{0,200}>([^<]{0,20000})</keystrokes>")


def terminus_actions(message: str) -> tuple[Action, ...]:
    """Commands that a terminal agent wrote into its message as JSON or XML, where no tool calls are recorded."""
    commands, done = _terminus_json(message)
    if not commands and "<keystrokes" in message:
        commands = _TERMINUS_XML.findall(message)
        done = "<task_complete>true" in message
    actions = [action_of("bash_command", {"keystrokes": command}) for command in commands]
    if done:
        actions.append(action_of("mark_task_complete", {}))
    return tuple(actions)


def _terminus_json(message: str) -> tuple[list[str], bool]:
    start, end = message.find("{"), message.rfind("}")
    if start < 0 or end < start:
        return [], False
    try:
        value = msgspec.json.decode(message[start : end + 1])
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return [], False
    listed = value.get("commands") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return [], False
    commands = [item.get("keystrokes") for item in listed if isinstance(item, dict)]
    return [command for command in commands if isinstance(command, str)], value.get("task_complete") in (True, "true")
