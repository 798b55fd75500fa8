"""Attempts that no agent made: what was done in them is the harness's act, and of an agent nothing is shown."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from earned.records import Completeness, Reason, Step


def as_harness(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same steps with what was done as the harness's."""
    return tuple(
        msgspec.structs.replace(step, actor="harness", subagent="")
        if step.actor in ("agent", "subagent", "environment")
        else step
        for step in steps
    )


def without_agent(why: str, reasons: Sequence[Reason]) -> Completeness:
    """The completeness of such a trial: of an agent nothing is shown."""
    return Completeness(grade="none", reasons=(Reason(what=why), *reasons[:1]))
