"""Numbers steps as they are added, over a whole trajectory with continuations and subagents in place."""

from __future__ import annotations

from earned.records import Observation, Reason, Step
from earned.trajectory.results import exit_code_of, is_cut


class Steps:
    """The steps of one trajectory as they are read, and what was found missing on the way."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.reasons: list[Reason] = []

    @property
    def next(self) -> int:
        """The index that the next step gets."""
        return len(self.steps)

    def append(self, step: Step) -> None:
        """Add a step whose index is `next`."""
        self.steps.append(step)

    def missing(self, what: str, *, step: int | None = None, acts: bool = True) -> None:
        """Note that something is missing at a step (the last one added when not given); `acts`: acts may be among it."""
        self.reasons.append(Reason(what=what, step=len(self.steps) - 1 if step is None else step, hides_acts=acts))


def observation(text: str, action: int = -1, *, exit_code: int | None = None) -> Observation:
    """A result with what its text says of exit code and cuts."""
    return Observation(
        text=text, action=action, exit_code=exit_code_of(text) if exit_code is None else exit_code, truncated=is_cut(text)
    )
