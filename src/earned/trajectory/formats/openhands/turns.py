"""Which result answers which call of an OpenHands record: events become turns, whatever the order in which they stand.

A result names its call by the call's event or by the id that the model gave it. One that stands before its call waits for
it; one whose call never comes stays where it is, and the record is said to lack the call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from operator import itemgetter

import msgspec

from earned.records import Action, Observation, Step
from earned.records.trajectory import Actor
from earned.trajectory.steps import Steps

Id = int | str | None
"""What names an event, or a call of the model."""


class Turn(msgspec.Struct, gc=False):
    """A step while its results are still coming."""

    actor: Actor
    source: str
    native_id: Id = None
    time: str | None = None
    subagent: str = ""
    text: str = ""
    more: list[str] | None = None
    """Texts of further calls of the same answer."""
    reasoning: str = ""
    copied: bool = False
    response: str = ""
    """Id of the model's answer that made the calls; empty where it is not recorded."""
    actions: list[Action] = []
    observations: list[Observation] = []
    is_stray: bool = False
    """A result without a call so far."""
    is_moved: bool = False
    """Its result was given to its call."""
    at: int = -1
    """Index of the step that it became."""

    def step(self, index: int) -> Step:
        """The turn as a record."""
        self.at = index
        return Step(
            index=index,
            actor=self.actor,
            native_id="" if self.native_id is None else str(self.native_id),
            time=self.time or "",
            text="\n".join(filter(None, (self.text, *self.more))) if self.more else self.text,
            reasoning=self.reasoning,
            actions=tuple(self.actions),
            observations=tuple(self.observations),
            subagent=self.subagent,
            copied=self.copied,
            source=self.source,
        )


def exit_code(value: int | None) -> int | None:
    """An exit code as recorded: -1 says that the command still runs, and beyond any system's range it is none."""
    return value if value is not None and value != -1 and -(1 << 31) <= value < 1 << 32 else None


Place = tuple[Turn, int]
"""A call: its turn and its number there."""


def _is_one(before: Turn, turn: Turn) -> bool:
    """Whether a turn goes on with the one before: what it adds to its text is added there."""
    if before.response != turn.response or before.subagent != turn.subagent or before.actor != turn.actor:
        return False
    if turn.text and turn.text != (before.more[-1] if before.more else before.text):
        before.more = before.more or []
        before.more.append(turn.text)
    return True


class Turns:
    """The turns of one attempt, in the order in which they began."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        self._by_event: dict[Id, Place] = {}
        self._by_call: dict[Id, Place] = {}
        self._early: dict[tuple[str, Id], list[Turn]] = {}
        """Results that stood before their call, by the event or the call that they name."""
        self._open: Place | None = None

    def __len__(self) -> int:
        return len(self._turns)

    def tell(self, turn: Turn) -> Turn:
        """Add a turn."""
        self._turns.append(turn)
        return turn

    def act(self, turn: Turn, action: Action, event: Id, call: Id) -> Turn:
        """Add a call: to the turn before where both come from one answer of the model, else as a turn of its own.

        `event` and `call` are what results may name it by; None and empty text name nothing.
        """
        if turn.response and self._turns and _is_one(self._turns[-1], turn):
            turn = self._turns[-1]
        else:
            self._turns.append(turn)
        place = self._open = turn, len(turn.actions)
        turn.actions.append(action)
        if event is not None:
            self._by_event[event] = place
        if call:
            self._by_call[call] = place
        if self._early:
            self._catch_up(place, event, call)
        return turn

    def _catch_up(self, place: Place, event: Id, call: Id) -> None:
        """Results that stood before their call."""
        for stray in (*self._early.pop(("event", event), ()), *self._early.pop(("call", call), ())):
            if not stray.is_moved:
                stray.is_moved = True
                seen = stray.observations[0]
                self.answer(place, seen.text, exit_code=seen.exit_code, truncated=seen.truncated)

    def called(self, event: Id, call: Id) -> Place | None:
        """The call that a result names, as far as it was seen."""
        found = self._by_event.get(event) if event is not None else None
        return found or (self._by_call.get(call) if call else None)

    @property
    def last(self) -> Place | None:
        """The last call, as long as it has no result."""
        return self._open

    def answer(self, place: Place, text: str, *, exit_code: int | None = None, truncated: bool = False) -> None:
        """Give a result to a call."""
        turn, number = place
        turn.observations.append(Observation(text=text, action=number, exit_code=exit_code, truncated=truncated))
        if place is self._open:
            self._open = None

    def stray(self, turn: Turn, seen: Observation, event: Id, call: Id) -> None:
        """Keep a result whose call was not seen so far, as a turn of its own until it comes."""
        turn.observations.append(seen)
        self._turns.append(turn)
        for key in (("event", event), ("call", call)):
            if key[1] not in (None, ""):
                turn.is_stray = True
                self._early.setdefault(key, []).append(turn)

    def into(self, steps: Steps, *, lacks: str, blocks: Sequence[tuple[str, Turns]] = ()) -> None:
        """Append the turns as steps.

        Args:
            steps: Where they go.
            lacks: What is said of each result whose call is not there.
            blocks: Turns of subagents, each with the time at which it began: they come before the first later turn.
        """
        waiting = deque(sorted(blocks, key=itemgetter(0)))
        for turn in self._turns:
            while waiting and turn.time and waiting[0][0] < turn.time:
                waiting.popleft()[1].into(steps, lacks=lacks)
            if turn.is_moved:
                continue
            steps.append(turn.step(steps.next))
            if turn.is_stray:
                steps.missing(lacks)
        for _, others in waiting:
            others.into(steps, lacks=lacks)
