"""The acts of two records held side by side: whether both are of one run, and which acts only one of them tells.

Harnesses write one act differently: a shell's wrapper, a patch in a here-document, a changed file without its text. So acts are
compared by their command without its blanks, by the names of the files that they change or read, by their URL or query; and an
act that stands within one that the other record alone tells is told there.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from earned.records import Action, Step
from earned.trajectory.tools import plain_name

K = TypeVar("K")
MAX_TEXT = 4000
"""Characters of an act that are compared."""
MAX_WITHIN = 200
"""Acts that are looked for within others; more than these are counted as not told."""
MAX_OTHERS = 4 * 1024 * 1024
"""Characters of those others."""
_SAID = frozenset({"message", "submit"})
"""Kinds that harnesses record or leave out as they please."""
_FREE = "other"
"""Kind of the tools that harnesses name as they please, such as lists of things to do: they tell runs apart, and no gap."""


class Act(NamedTuple):
    """What is compared of one act."""

    kind: str
    text: str


Acts = Counter[Act]
Calls = Counter[tuple[str, Act]]
"""Acts with what is theirs alone: the id of the call, else how its result begins."""


def acts_of(steps: Iterable[Step]) -> tuple[Acts, Calls]:
    """The acts of the agent and its subagents; what is copied is not counted."""
    acts: Acts = Counter()
    calls: Calls = Counter()
    for step in steps:
        if step.actor in {"agent", "subagent"} and not step.copied:
            for number, action in enumerate(step.actions):
                if action.kind not in _SAID:
                    act = _act(action)
                    acts[act] += 1
                    calls[action.call_id or _result(step, number), act] += 1
    return acts, calls


def _act(action: Action) -> Act:
    if action.edits:
        return Act("change", _names([edit.path for edit in action.edits]))
    if action.kind == _FREE:
        return Act(_FREE, f"{plain_name(action.tool)} {action.arguments}"[:MAX_TEXT])
    if action.paths and not (action.command or action.query):
        return Act(action.kind, _names(action.paths))
    return Act("command" if action.command else action.kind, " ".join(action.text[:MAX_TEXT].split()))


def _names(paths: Sequence[str]) -> str:
    return " ".join(sorted({posixpath.basename(path.rstrip("/")) for path in paths}))[:MAX_TEXT]


def _result(step: Step, number: int) -> str:
    return next((item.text[:MAX_WITHIN] for item in step.observations if item.action == number), "")


def share_a_run(one: Counter[K], other: Counter[K]) -> bool:
    """Whether at least half of what the shorter record tells stands in the longer one, too."""
    smaller = min(one.total(), other.total())
    return smaller > 0 and 2 * (one & other).total() >= smaller


def untold(taken: Acts, other: Acts) -> list[Act]:
    """The acts of another record that the one that was taken does not tell, in order."""
    left = [act for act in (other - taken).elements() if act.kind != _FREE]
    if not left:
        return []
    alone = "\n".join(act.text for act in taken - other)[:MAX_OTHERS]
    return [act for number, act in enumerate(left) if number >= MAX_WITHIN or not _is_within(act, alone)]


def _is_within(act: Act, text: str) -> bool:
    if act.kind == "change":
        return all(name in text for name in act.text.split())
    return act.text in text
