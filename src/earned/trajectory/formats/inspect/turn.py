"""One turn of an Inspect transcript in the making: its results come later than its calls."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from earned.records import Action, Observation, Step
from earned.records.trajectory import Actor
from earned.trajectory.steps import observation


class Turn(msgspec.Struct):
    """What becomes a step."""

    actor: Actor
    text: str
    source: str
    subagent: str = ""
    time: str = ""
    native: str = ""
    reasoning: str = ""
    copied: bool = False
    actions: tuple[Action, ...] = ()
    results: list[Observation] = []
    codes: dict[int, list[int | None]] | None = None
    """Exit codes of what ran for each call."""

    def step(self, index: int) -> Step:
        """The step, as it stands when everything was read."""
        results = self.results
        if self.codes:
            results = [_coded(item, self.codes.get(item.action, ()), self.actions) for item in results]
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
            source=self.source,
        )


def _coded(item: Observation, codes: Sequence[int | None], actions: Sequence[Action]) -> Observation:
    """A result with its exit code, where exactly one program ran for a command."""
    if len(codes) != 1 or item.exit_code is not None or actions[item.action].kind not in {"shell", "code"}:
        return item
    return Observation(text=item.text, action=item.action, exit_code=codes[0], truncated=item.truncated)


def result(text: str, fault: str | None, number: int) -> Observation:
    """A result; an error that the tool reported is what the agent was told."""
    return observation(f"{text}\n{fault}" if text and fault else fault or text, number)
