"""Subagents that a call started and of which the record shows no step: what they did is hidden, and that is said.

For all formats whose reader does not look for the steps itself (Codex writes a subagent's session to a file of its own).
"""

from __future__ import annotations

from msgspec import DecodeError, json

from earned.records import Step
from earned.trajectory.steps import Steps
from earned.trajectory.tools import plain_name

_STARTERS = frozenset(
    {"spawn_agent", "task", "agent", "delegate", "subagent", "run_subagent", "dispatch_agent", "launch_agent"}
)
_ASKS = ("prompt", "message", "instruction", "instructions", "task", "description", "items")
_FAILED = ("error", "failed", "unknown tool", "tool not found", "unsupported call")


def note_absent(steps: Steps) -> None:
    """Add a reason for each step that starts a subagent, where nothing of any subagent is shown or said already."""
    starting = [step for step in steps.steps if step.actions and step.actor == "agent" and not step.copied and _starts(step)]
    if not starting or any("subagent" in reason.what for reason in steps.reasons):
        return
    if any(step.actor == "subagent" and step.actions for step in steps.steps):
        return
    for step in starting:
        steps.missing("the steps of the subagent that a call started are not recorded", step=step.index)


def _starts(step: Step) -> bool:
    for number, action in enumerate(step.actions):
        if action.kind not in ("other", "message") or not action.arguments or plain_name(action.tool) not in _STARTERS:
            continue
        texts = [seen.text for seen in step.observations if seen.action == number]
        if _asks(action.arguments) and not any(text.lstrip().lower().startswith(_FAILED) for text in texts):
            return True
    return False


def _asks(arguments: str) -> bool:
    """Whether the arguments say what the subagent is to do."""
    try:
        given = json.decode(arguments)
    except (DecodeError, UnicodeEncodeError, RecursionError):
        return True
    return isinstance(given, dict) and any(given.get(key) for key in _ASKS)
