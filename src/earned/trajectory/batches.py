"""Calls that are several calls in one: `multi_tool_use.parallel`, `batch`. Each of the inner ones is an action of its own.

One result came back for all of them, so it answers the step (`action=-1`). Done once for all formats, when everything was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from earned.records import Action, Step
from earned.trajectory.decode.messages import decoded_arguments
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.tools import action_of, plain_name

_BATCHES = frozenset({"parallel", "batch", "multi_tool", "multi_tool_call", "batch_tool", "parallel_tool_calls"})
_LISTS = ("tool_uses", "tool_calls", "invocations", "calls", "tools")
_NAMES = ("recipient_name", "tool_name", "tool", "name")
_GIVEN = ("parameters", "arguments", "args", "input")


def unfold(steps: list[Step], oddities: Oddities) -> None:
    """Put the calls of each batch in its place, and name calls whose arguments are no valid JSON."""
    for number, step in enumerate(steps):
        for action in step.actions:
            if not action.arguments:
                continue
            if action.kind == "other":
                if plain_name(action.tool) in _BATCHES:
                    steps[number] = _unfolded(step, oddities)
                    break
            elif action.command and _is_broken(action.arguments):
                oddities.add(f"the arguments of a call of {action.tool[:50]} are no valid JSON", step.source)


def _is_broken(arguments: str) -> bool:
    if arguments[:1] != "{":
        return False
    try:
        msgspec.json.decode(arguments, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return True
    return False


def _unfolded(step: Step, oddities: Oddities) -> Step:
    actions: list[Action] = []
    places: list[int] = []
    """Where each action stands now; -1 for one that became several."""
    for action in step.actions:
        inner = _inner_actions(action, oddities, step.source)
        places.append(len(actions) if len(inner) == 1 else -1)
        actions += inner
    observations = tuple(
        replace(item, action=places[item.action]) if 0 <= item.action < len(places) else item for item in step.observations
    )
    return replace(step, actions=tuple(actions), observations=observations)


def _inner_actions(action: Action, oddities: Oddities, place: str) -> Sequence[Action]:
    """The calls that one call holds, what is no call among them as a loss; itself when it holds none."""
    if action.kind != "other" or plain_name(action.tool) not in _BATCHES:
        return (action,)
    given = decoded_arguments(action.arguments)
    listed = _listed(given if isinstance(given, dict) else {})
    inner = [call for item in listed if (call := _call(item)) is not None]
    if not inner:
        return (action,)
    for _ in range(len(listed) - len(inner)):
        oddities.lose(place)
    call_id = action.call_id if len(inner) == 1 else ""
    made = [action_of(name, arguments, call_id) for name, arguments in inner]
    return [item if item.cwd or not action.cwd else replace(item, cwd=action.cwd) for item in made]


def _listed(given: dict[str, Any]) -> list[Any]:
    return next((value for key in _LISTS if isinstance(value := given.get(key), list)), [])


def _call(item: Any) -> tuple[str, Any] | None:
    """Name and arguments of one call of a list; None for what is no call."""
    call = item.get("function") if isinstance(item, dict) and isinstance(item.get("function"), dict) else item
    if not isinstance(call, dict):
        return None
    name = next((value for key in _NAMES if isinstance(value := call.get(key), str)), "")
    arguments = next((call[key] for key in _GIVEN if key in call), None)
    return (name, decoded_arguments(arguments)) if name else None
