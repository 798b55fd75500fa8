"""Which steps of a rollout repeat the history of another session: forks, subagents begun from their parent's talk, resumes.

A copied line is told by its ordinal where the file says from which on the history is its own, or by a time before the session
began. Old forks write their parent's history anew, all at once: there everything up to the agent's last step before the first
pause is copied, since no model answers that quickly. Behind a repeated `session_meta` the steps that repeat the session's own
first steps, one after another, are copied. A fork with a `history_base` copies nothing: it names the file that it continues.
"""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from earned.records import Step
from earned.trajectory.formats.codex.line_records import Head
from earned.trajectory.steps import Steps

PAUSE = 0.25
"""Seconds between two lines of which the second was not written with the first: no model answers within it, no copy waits."""


class Copies:
    """Looks at the heads of sessions, and at the lines of forks, in order."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._own: Head | None = None
        self._first_ordinal: int | None = None
        self._first = 0
        """Of this session's steps."""
        self._unsettled = 0
        """First step of what may be copied."""
        self._burst: float | None = None
        self._again: list[int] = []
        self.is_fork = False
        """Whether lines have to be told by their ordinal or their time (still)."""

    def meet(self, head: Head) -> bool:
        """A `session_meta`; whether it is the session's own for the first time. Steps that are open must be closed."""
        if self._own is None:
            self._own = head
            self._first = self._unsettled = self._steps.next
            self._first_ordinal = head.subagent_history_start_ordinal
            self.is_fork = bool((head.forked_from_id and not head.history_base) or self._first_ordinal)
            return True
        if head.id == self._own.id:
            self._again.append(self._steps.next)
        elif not self.is_fork:
            self.is_fork = True
            self._unsettled = self._steps.next
        return False

    def is_copied(self, time: str, ordinal: int | None) -> bool:
        """Whether a line of a fork is copied, as its ordinal or its time tells."""
        if self._own is None:
            return False
        if self._first_ordinal is not None and ordinal is not None:
            return ordinal < self._first_ordinal
        began = self._own.timestamp or ""
        return len(time) == len(began) and time < began

    def pauses(self, time: str) -> bool:
        """Whether the copying of an old fork ends before a line of this time."""
        if self._first_ordinal is not None or self.is_copied(time, None):
            return False
        now = _seconds(time)
        if now is None:
            return False
        last, self._burst = self._burst, now
        return last is not None and now - last > PAUSE

    def settle(self) -> bool:
        """Mark what an old fork copied, once it has ended; whether that was anything. Steps that are open must be closed."""
        listed = self._steps.steps
        was_fork, self.is_fork = self.is_fork, False
        if not was_fork or self._first_ordinal is not None:
            return False
        last = len(listed) - 1
        while last >= self._unsettled and listed[last].actor not in {"agent", "subagent"}:
            last -= 1
        for at in range(self._unsettled, last + 1):
            listed[at] = replace(listed[at], copied=True)
        return last >= self._unsettled

    def finish(self) -> None:
        """After the last line: mark what was said again behind repeated heads."""
        self.settle()
        listed = self._steps.steps
        ends = [*self._again[1:], len(listed)]
        for start, end in zip(self._again, ends, strict=False):
            for at in range(start, end):
                first = self._first + at - start
                if first >= start or not _is_same(listed[first], listed[at]):
                    break
                listed[at] = replace(listed[at], copied=True)


def _is_same(first: Step, again: Step) -> bool:
    if (first.actor, first.text, len(first.actions)) != (again.actor, again.text, len(again.actions)):
        return False
    return all(one.call_id == two.call_id for one, two in zip(first.actions, again.actions, strict=True))


def _seconds(time: str) -> float | None:
    """A time as seconds; None when it is none."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (ValueError, OverflowError):
        return None
