"""Subagents that a call started and of which the record shows no step: what they did is hidden, and that is said.

For all formats whose reader does not look for the steps itself (Codex writes a subagent's session to a file of its own). Such a
call is known by the words of its tool's name, which name an agent or hand work over, and by an argument that says what to do.
"""

from __future__ import annotations

import re

from msgspec import DecodeError, json

from earned.records import Step
from earned.trajectory.steps import Steps

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_AGENTS = frozenset({"agent", "subagent", "subagents", "coworker", "runsubagent", "investigator"})
_HANDS_OVER = frozenset({"spawn", "delegate", "dispatch"})
_TASKS = frozenset({"task", "new task", "task tool", "launch task", "run task"})
"""Whole names."""
_OTHERWISE = frozenset(
    {"get", "list", "wait", "close", "stop", "kill", "delete", "remove", "update", "describe", "show", "find", "register"}
    | {"set", "resume", "check", "user", "human", "status", "process"}
)
"""Words of tools that deal with agents and start none, or with a person."""
_HANDED = ("transfer to ", "handoff", "hand off")
"""A handoff goes on in the same talk: what the other agent does follows, where it is recorded."""
_ASKS = (
    *("prompt", "prompts", "message", "instruction", "instructions", "task", "tasks", "description", "items", "objective"),
    *("goal", "query", "question", "request", "input"),
)
_FAILED = ("error", "failed", "unknown tool", "tool not found", "unsupported call")


def note_absent(steps: Steps) -> None:
    """Add a reason for each step that starts a subagent, where nothing of any subagent is shown or said already."""
    acting = [step for step in steps.steps if step.actions and step.actor == "agent" and not step.copied]
    last = acting[-1].index if acting else -1
    starting = [step for step in acting if _starts(step, is_last=step.index == last)]
    if not starting or any("subagent" in reason.what for reason in steps.reasons):
        return
    if any(step.actor == "subagent" and step.actions for step in steps.steps):
        return
    for step in starting:
        steps.missing("the steps of the subagent that a call started are not recorded", step=step.index)


def _starts(step: Step, *, is_last: bool) -> bool:
    for number, action in enumerate(step.actions):
        if action.kind not in ("other", "message") or not action.arguments or not _is_starter(action.tool, is_last=is_last):
            continue
        texts = [seen.text for seen in step.observations if seen.action == number]
        if _asks(action.arguments) and not any(text.lstrip().lower().startswith(_FAILED) for text in texts):
            return True
    return False


def _is_starter(tool: str, *, is_last: bool) -> bool:
    """Whether a tool of this name has somebody else do the work."""
    words = [word.lower() for word in _WORD.findall(tool.rsplit("__", 1)[-1].rsplit(".", 1)[-1])]
    if not words or not _OTHERWISE.isdisjoint(words):
        return False
    name = " ".join(words)
    if name.startswith(_HANDED):
        return is_last
    return name in _TASKS or not (_AGENTS | _HANDS_OVER).isdisjoint(words)


def _asks(arguments: str) -> bool:
    """Whether the arguments say what the subagent is to do."""
    try:
        given = json.decode(arguments)
    except (DecodeError, UnicodeEncodeError, RecursionError):
        return True
    return isinstance(given, dict) and any(given.get(key) for key in _ASKS)
