"""A verdict as people and verifiers write it: true, `resolved`, 1, 0.5, NaN. Full credit passes, nothing else does."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from earned.records.trajectory import Status

PASSED = frozenset({"true", "yes", "y", "pass", "passed", "resolved", "solved", "correct", "success"})
FAILED = frozenset({"false", "no", "n", "fail", "failed", "unresolved", "unsolved", "not resolved", "incorrect", "failure"})


class Verdict(NamedTuple):
    """What one value says."""

    status: Status
    reward: float | None = None
    detail: str = ""
    bare: float | None = None
    """A number without a stated maximum that it rests on, among others."""
    otherwise: Status = "unknown"
    """The status without that number."""


REWARDS = ("reward", "score")
_MAXIMA = {"reward": ("max_reward", "maximum_reward"), "score": ("max_score", "maximum_score")}
MAXIMA = tuple(name for names in _MAXIMA.values() for name in names)
_COUNTS = ("failed", "total", "errors", "skipped", "n_failed", "n_total", "num_failed", "num_total", "tests", "n_tests")


class Repeated(NamedTuple):
    """Values of a key that stands several times in one object and does not always say the same."""

    values: tuple[Any, ...]


def verdict_of_row(row: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Verdict] | None:
    """The name of the first word of a row, and what all its words say: they agree, or the row is conflicting.

    None where it has no such word. Where the first says nothing, the row says nothing.
    """
    said = [(name, _word_of(row, name)) for name in names if name in row]
    if not said:
        return None
    first, verdict = said[0]
    known = [(name, word) for name, word in said if word.status != "unknown"]
    if verdict.status == "unknown":
        return said[0]
    bare = max((word.bare for _, word in said if word.bare is not None), default=None)
    words = [(name, word) for name, word in known if word.bare is None]
    otherwise = _agreed(words).status if words and words[0][0] == first else "unknown"
    return first, _agreed(known)._replace(bare=bare, otherwise=otherwise)


def _agreed(said: Sequence[tuple[str, Verdict]]) -> Verdict:
    torn = next((word for _, word in said if word.status == "conflicting"), None)
    if torn is not None:
        return torn
    first, verdict = said[0]
    against = next((name for name, word in said if (word.status == "passed") != (verdict.status == "passed")), "")
    if against:
        return Verdict("conflicting", detail=f"{first} and {against} of one row say passed and not passed")
    return next((word for _, word in said if word.status == "partial_credit"), verdict)


def _word_of(row: Mapping[str, Any], name: str) -> Verdict:
    value = row[name]
    if name not in REWARDS:
        is_count = not isinstance(value, bool) and _figure(value) is not None
        if is_count and any(_figure(row.get(other)) is not None for other in _COUNTS):
            return Verdict("unknown", detail=f"{name} is a count and no verdict")
        return verdict_of(value)
    number = _figure(value)
    maximum = next((_figure(row[other]) for other in _MAXIMA[name] if other in row), None)
    if number is None or isinstance(value, bool) or maximum is None:
        return verdict_of(value)
    if not (maximum > 0 and math.isfinite(maximum) and 0 <= number <= maximum):
        return Verdict("unknown", detail=f"the {name} {number:g} lies outside of 0 to {maximum:g}")
    return _reward(number / maximum)._replace(bare=None)


def _figure(value: object) -> float | None:
    """A number, or a text that is one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or (isinstance(value, str) and len(value) > 40):
        return None
    try:
        return float(value.strip().replace(",", ".") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None


def verdict_of(value: object) -> Verdict:
    """The verdict of a value: of truths and words, and of numbers as rewards from 0 to 1."""
    if isinstance(value, Repeated):
        said = [verdict_of(item) for item in value.values]
        is_torn = len({word.status == "passed" for word in said}) > 1
        return Verdict("conflicting", detail="the key stands there again and says otherwise") if is_torn else said[0]
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
        return Verdict(
            "unknown", detail=f"the reward {reward:g} lies outside of 0 to 1", bare=reward if math.isfinite(reward) else None
        )
    if reward in (0, 1):
        return Verdict("passed" if reward else "failed", reward, bare=reward)
    return Verdict("partial_credit", reward, f"reward {reward:g} of 1", bare=reward)
