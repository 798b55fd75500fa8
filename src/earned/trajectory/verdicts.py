"""A verdict as people and verifiers write it: true, `resolved`, 1, 0.5, NaN. Full credit passes, nothing else does."""

from __future__ import annotations

import math
from typing import NamedTuple

from earned.records.trajectory import Status

PASSED = frozenset({"true", "yes", "y", "pass", "passed", "resolved", "solved", "correct", "success"})
FAILED = frozenset({"false", "no", "n", "fail", "failed", "unresolved", "unsolved", "not resolved", "incorrect", "failure"})


class Verdict(NamedTuple):
    """What one value says."""

    status: Status
    reward: float | None = None
    detail: str = ""


def verdict_of(value: object) -> Verdict:
    """The verdict of a value: of truths and words, and of numbers as rewards from 0 to 1."""
    if isinstance(value, bool):
        return Verdict("passed" if value else "failed")
    if isinstance(value, (int, float)):
        return _reward(value)
    if not isinstance(value, str):
        return Verdict("unknown")
    text = " ".join(value.split()).lower().replace("_", " ")
    if text in PASSED:
        return Verdict("passed")
    if text in FAILED:
        return Verdict("failed")
    return _number(text)


def _number(text: str) -> Verdict:
    try:
        return _reward(float(text.replace(",", ".")) if len(text) < 40 else math.nan)
    except ValueError:
        return Verdict("unknown")


def _reward(value: float) -> Verdict:
    try:
        reward = float(value)
    except OverflowError:
        reward = math.inf
    if math.isnan(reward):
        return Verdict("unknown", detail="the reward is not a number")
    if not 0 <= reward <= 1:
        return Verdict("unknown", detail=f"the reward {reward:g} lies outside of 0 to 1")
    if reward in (0, 1):
        return Verdict("passed" if reward else "failed", reward)
    return Verdict("partial_credit", reward, f"reward {reward:g} of 1")
