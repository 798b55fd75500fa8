"""Which result answers which call of an OpenHands record: events become turns, whatever the order in which they stand.

A result names its call by the call's event or by the id that the model gave it. One that stands before its call waits for
it; one whose call never comes stays where it is, and the record is said to lack the call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from operator import itemgetter

from earned.records import Action, Observation, Step
from earned.records.trajectory import Actor
from earned.trajectory.steps import Steps

Key = tuple[str, int | str]
"""What names a call: (`event` or `call`, id)."""


class Turn:
    """A step while its results are still coming."""

    __slots__ = (
        "actions",
        "actor",
        "at",
        "copied",
        "is_moved",
        "is_stray",
        "native_id",
        "observations",
        "reasoning",
        "response",
        "source",
        "subagent",
        "text",
        "time",
    )

    def __init__(self, actor: Actor, source: str, native_id: str = "", time: str = "", subagent: str = "") -> None:
        self.actor: Actor = "subagent" if subagent else actor
        self.at = -1
        """Index of the step that it became."""
        self.source = source
        self.native_id = native_id
        self.time = time
        self.subagent = subagent
        self.text = ""
        self.reasoning = ""
        self.actions: list[Action] = []
        self.observations: list[Observation] = []
        self.copied = False
        self.response = ""
        """Id of the model's answer that made the calls; empty where it is not recorded."""
        self.is_stray = False
        """A result without a call so far."""
        self.is_moved = False
        """Its result was given to its call."""

    def step(self, index: int) -> Step:
        """The turn as a record."""
        self.at = index
        return Step(
            index=index,
            actor=self.actor,
            native_id=self.native_id,
            time=self.time,
            text=self.text,
            reasoning=self.reasoning,
            actions=tuple(self.actions),
            observations=tuple(self.observations),
            subagent=self.subagent,
            copied=self.copied,
            source=self.source,
        )


def _is_one(before: Turn, turn: Turn) -> bool:
    """Whether a turn goes on with the one before: what it adds to its text is added there."""
    if before.response != turn.response or before.subagent != turn.subagent or before.actor != turn.actor:
        return False
    if turn.text and turn.text != before.text:
        before.text = f"{before.text}\n{turn.text}" if before.text else turn.text
    return True


class Turns:
    """The turns of one attempt, in the order in which they began."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []
        self._calls: dict[Key, tuple[Turn, int]] = {}
        self._early: dict[Key, list[Turn]] = {}
        self._open: tuple[Turn, int] | None = None

    def __len__(self) -> int:
        return len(self._turns)

    def tell(self, turn: Turn) -> Turn:
        """Add a turn."""
        self._turns.append(turn)
        return turn

    def act(self, turn: Turn, action: Action, keys: Iterable[Key]) -> Turn:
        """Add a call: to the turn before where both come from one answer of the model, else as a turn of its own."""
        if self._turns and turn.response and _is_one(self._turns[-1], turn):
            turn = self._turns[-1]
        else:
            self.tell(turn)
        number = len(turn.actions)
        turn.actions.append(action)
        self._open = turn, number
        for key in keys:
            self._calls[key] = turn, number
            if self._early:
                self._catch_up(key, turn, number)
        return turn

    def _catch_up(self, key: Key, turn: Turn, number: int) -> None:
        """Results that stood before their call."""
        for stray in self._early.pop(key, ()):
            if not stray.is_moved:
                stray.is_moved = True
                self._answer(turn, number, stray.observations[0])

    def answered_by(self, keys: Iterable[Key]) -> tuple[Turn, int] | None:
        """The call that one of these keys names, as far as it was seen."""
        return next((self._calls[key] for key in keys if key in self._calls), None)

    def result(self, seen: Observation, keys: Iterable[Key], stray: Turn) -> None:
        """Give a result to its call; `stray` is the turn that it is until the call comes."""
        named = tuple(keys)
        call = self.answered_by(named)
        if call is not None:
            self._answer(*call, seen)
            return
        stray.observations.append(seen)
        stray.is_stray = bool(named)
        self.tell(stray)
        for key in named:
            self._early.setdefault(key, []).append(stray)

    def result_of_last(self, seen: Observation, stray: Turn) -> None:
        """Give a result that names no call to the last call without one."""
        if self._open is not None:
            self._answer(*self._open, seen)
            return
        stray.observations.append(seen)
        self.tell(stray)

    def _answer(self, turn: Turn, number: int, seen: Observation) -> None:
        turn.observations.append(Observation(text=seen.text, action=number, exit_code=seen.exit_code, truncated=seen.truncated))
        if self._open is not None and self._open == (turn, number):
            self._open = None

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
