"""One turn of an Inspect transcript in the making: its results come later than its calls."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from earned.records import Action, Observation, Step
from earned.records.trajectory import Actor
from earned.trajectory.steps import observation


class Turn:
    """A step in the making: results come later than calls."""

    __slots__ = ("actions", "actor", "codes", "copied", "native", "place", "reasoning", "results", "subagent", "text", "time")

    def __init__(self, actor: Actor, text: str, place: str, *, subagent: str = "", time: str = "", native: str = "") -> None:
        self.actor, self.text, self.place, self.subagent, self.time, self.native = actor, text, place, subagent, time, native
        self.reasoning = ""
        self.copied = False
        self.actions: tuple[Action, ...] = ()
        self.results: list[Observation] = []
        self.codes: dict[int, list[int | None]] = {}
        """Exit codes of what ran for each call."""

    def step(self, index: int) -> Step:
        """The step, as it stands when everything was read."""
        results = self.results
        if self.codes:
            results = [_coded(item, self.codes.get(item.action, []), self.actions) for item in results]
        return Step(
            index=index,
            actor=self.actor,
            native_id=self.native,
            time=self.time,
            text=self.text,
            reasoning=self.reasoning,
            actions=self.actions,
            observations=tuple(results),
            subagent=self.subagent,
            copied=self.copied,
            source=self.place,
        )


def _coded(item: Observation, codes: Sequence[int | None], actions: Sequence[Action]) -> Observation:
    """A result with its exit code, where exactly one program ran for a command."""
    if len(codes) != 1 or item.exit_code is not None or actions[item.action].kind not in {"shell", "code"}:
        return item
    return msgspec.structs.replace(item, exit_code=codes[0])


def result(text: str, fault: str | None, number: int) -> Observation:
    """A result; an error that the tool reported is what the agent was told."""
    return observation(f"{text}\n{fault}" if text and fault else fault or text, number)
