"""What a reward of tau-bench and tau2-bench says: only 1 passes, and a run that could not be graded says nothing.

After tau2-bench's `evaluator.py`: the reward is the product of those of `reward_breakdown`, and 0 for a simulation that neither
agent nor user ended. tau-bench tells its reward twice. A pass that these speak against is conflicting.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from earned.records import Outcome
from earned.records.trajectory import Status
from earned.trajectory.outcomes.verdicts import Verdict, says, verdict_of

FULL = 1 - 1e-6
"""Smallest reward that counts as 1, after the benchmark's own threshold."""
NOT_GRADED = frozenset({"infrastructure_error", "context_window_exceeded", "unexpected_error"})
"""Ends of a simulation after which tau2-bench leaves it out of its rates."""

ENDED = frozenset({"agent_stop", "user_stop"})
"""Ends after which tau2-bench gives any credit."""


def outcome_of(
    reward: float | None, place: str, *, error: str = "", ended: str = "", parts: Mapping[str, Any] | None = None
) -> Outcome:
    """The outcome of a reward that stands at `place`.

    Args:
        reward: As recorded; None when it is not.
        place: File and key.
        error: What the harness says of a run that broke off; such a run has the reward 0.
        ended: Why a simulation ended, in tau2-bench's words.
        parts: Other rewards of the same record, by their places.
    """
    made = _graded(reward, place, error=error, ended=ended)
    against = _against(ended, parts or {}) if made.status == "passed" else ""
    if not against:
        return made
    detail = f"{place} says passed; {against}"
    return Outcome(status="conflicting", reward=made.reward, maximum=made.maximum, source=place, detail=detail)


def _against(ended: str, parts: Mapping[str, Any]) -> str:
    """What else the record says against a full reward."""
    if ended and ended.rpartition(".")[2].lower() not in ENDED:
        return f"the simulation ended with {ended}, for which there is no reward"
    said = ((name, verdict_of(value)) for name, value in parts.items())
    return next((says(name, word) for name, word in said if word.status in {"failed", "partial_credit"} and _is_less(word)), "")


def _is_less(word: Verdict) -> bool:
    return word.reward is None or word.reward < FULL


def _graded(reward: float | None, place: str, *, error: str, ended: str) -> Outcome:
    """The outcome as the reward alone tells it."""
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
