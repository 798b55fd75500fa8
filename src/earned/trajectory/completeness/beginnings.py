"""Whether a record begins in the middle: the agent acts, or a result comes, before anything was asked.

For all formats that record what was asked in its place among the steps. A greeting asks for nothing and does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from earned.records import Step
from earned.trajectory.steps import Steps


def note_late_beginning(steps: Steps) -> None:
    """Add a reason where the first thing recorded is an act or a result, unless it is said that something is missing there."""
    found = _first(steps.steps)
    if found is None:
        return
    step, what = found
    if not any(reason.hides_acts and reason.step <= step.index for reason in steps.reasons):
        steps.missing(f"the beginning is not recorded: {what} comes before anything was asked", step=-1)


def _first(steps: Iterable[Step]) -> tuple[Step, str] | None:
    """What comes first; None where that is what was asked, or where nothing was done."""
    for step in steps:
        if step.copied or step.actor in ("harness", "grader"):
            continue
        if step.actor == "user":
            return None
        if step.actions:
            return step, "an act"
        if step.observations:
            return step, "a result"
    return None
