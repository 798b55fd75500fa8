"""Numbers steps as they are added, over a whole trajectory with continuations and subagents in place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from earned.records import Observation, Reason, Step
from earned.trajectory.completeness.results import exit_code_of, is_cut


class Mark(NamedTuple):
    """A place in the steps and reasons of a trajectory that is being read."""

    step: int
    reason: int


class Steps:
    """The steps of one trajectory as they are read, and what was found missing on the way."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.reasons: list[Reason] = []
        self.is_asked = True
        """What was asked stands among the steps, unless the beginning is missing; False where a record leaves it out."""
        self.keeps_all = False
        """What the harness summed up to save context stays in the record."""

    @property
    def next(self) -> int:
        """The index that the next step gets."""
        return len(self.steps)

    def append(self, step: Step) -> None:
        """Add a step whose index is `next`."""
        self.steps.append(step)

    def mark(self) -> Mark:
        """Where the steps stand now, to come back to."""
        return Mark(len(self.steps), len(self.reasons))

    def back_to(self, mark: Mark) -> None:
        """Take back what was added behind a mark."""
        del self.steps[mark.step :]
        del self.reasons[mark.reason :]

    def missing(self, what: str, *, step: int | None = None, acts: bool = True) -> None:
        """Note that something is missing at a step (the last one added when not given); `acts`: acts may be among it."""
        self.reasons.append(Reason(what=what, step=len(self.steps) - 1 if step is None else step, hides_acts=acts))


def acts_in(steps: Iterable[Step]) -> int:
    """Actions of the agent and its subagents; what is copied is not counted."""
    return sum(len(step.actions) for step in steps if step.actor in {"agent", "subagent"} and not step.copied)


def observation(text: str, action: int = -1, *, exit_code: int | None = None) -> Observation:
    """A result with what its text says of exit code and cuts."""
    return Observation(
        text=text, action=action, exit_code=exit_code_of(text) if exit_code is None else exit_code, truncated=is_cut(text)
    )
