"""What a reward of tau-bench and tau2-bench says: only 1 passes, and a run that could not be graded says nothing."""

from __future__ import annotations

import math

from earned.records import Outcome
from earned.records.trajectory import Status

FULL = 1 - 1e-6
"""Smallest reward that counts as 1, after the benchmark's own threshold."""
NOT_GRADED = frozenset({"infrastructure_error", "context_window_exceeded", "unexpected_error"})
"""Ends of a simulation after which tau2-bench leaves it out of its rates."""


def outcome_of(reward: float | None, place: str, *, error: str = "", ended: str = "") -> Outcome:
    """The outcome of a reward that stands at `place`.

    Args:
        reward: As recorded; None when it is not.
        place: File and key.
        error: What the harness says of a run that broke off; such a run has the reward 0.
        ended: Why a simulation ended, in tau2-bench's words.
    """
    if ended in NOT_GRADED:
        return Outcome(source=place, detail=f"the simulation ended with {ended} and is not graded")
    if reward is None:
        return Outcome(source=place, detail="no reward is recorded")
    if not math.isfinite(reward):
        return Outcome(source=place, detail="the reward is not a finite number")
    if not 0 <= reward <= 1 / FULL:
        return Outcome(reward=reward, source=place, detail=f"expected a reward from 0 to 1, found {reward:g}")
    if reward >= FULL:
        return Outcome(status="passed", reward=reward, maximum=min(reward, 1.0), source=place)
    status: Status = "partial_credit" if reward > 0 else "failed"
    detail = f"the run ended with an error: {error[:200]}" if error else ""
    return Outcome(status=status, reward=reward, maximum=1.0, source=place, detail=detail)
