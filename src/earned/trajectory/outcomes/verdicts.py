"""A verdict as people and verifiers write it: true, `resolved`, 1, 0.5, NaN. Full credit passes, nothing else does."""

from __future__ import annotations

import math
import re
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
_MAXIMA = {
    "reward": ("max_reward", "maximum_reward", "reward_max"),
    "score": ("max_score", "maximum_score", "score_max"),
}
_ANY_MAXIMA = ("max", "maximum", "out_of", "points_possible", "possible_points", "max_points")
MAXIMA = (*_MAXIMA["reward"], *_MAXIMA["score"], *_ANY_MAXIMA)
"""Keys of what a reward or score is at most."""
COUNTS = (
    *("failed", "total", "errors", "skipped", "not_passed", "failures"),
    *("n_failed", "n_total", "num_failed", "num_total", "failed_tests", "tests_failed", "failed_count", "total_count"),
    *("tests", "n_tests", "num_tests", "total_tests", "tests_total", "test_count", "num_cases", "total_cases"),
)
"""Keys of numbers beside which a number of `passed` is one of tests."""
VALID = ("reward_valid", "valid", "is_valid")
"""Keys that say whether what was graded counts."""
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
"""A comma between digits in threes, which may part thousands or be that of a decimal number."""


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
    if void := void_by(row):
        return first, Verdict("unknown", detail=f"{void} says that it does not count")
    bare = max((word.bare for _, word in said if word.bare is not None), default=None)
    words = [(name, word) for name, word in known if word.bare is None]
    otherwise = agreed(words).status if words and words[0][0] == first else "unknown"
    return first, agreed(known)._replace(bare=bare, otherwise=otherwise)


def agreed(said: Sequence[tuple[str, Verdict]]) -> Verdict:
    """What the known words of one record say together, each with its place: they agree, or conflict and both are named."""
    torn = next((word for _, word in said if word.status == "conflicting"), None)
    if torn is not None:
        return torn
    first, verdict = said[0]
    against = next(((name, word) for name, word in said if (word.status == "passed") != (verdict.status == "passed")), None)
    if against:
        return Verdict("conflicting", verdict.reward, f"{says(first, verdict)}; {says(*against)}")
    return next((word for _, word in said if word.status == "partial_credit"), verdict)


def says(place: str, word: Verdict) -> str:
    """What stands at a place, in words."""
    return f"{place} says {'partial credit' if word.status == 'partial_credit' else word.status}"


def void_by(row: Mapping[str, Any]) -> str:
    """The key by which a row says that what was graded does not count; empty where none does."""
    return next((name for name in VALID if name in row and verdict_of(row[name]).status == "failed"), "")


def denied_by(row: Mapping[str, Any]) -> str:
    """What a report's own account of the tests or of the patch says against a pass; empty where nothing does."""
    if row.get("patch_exists") is False or row.get("patch_is_None") is True:
        return "there was no patch"
    tests = row.get("tests_status")
    for name in ("FAIL_TO_PASS", "PASS_TO_PASS"):
        wanted = tests.get(name) if isinstance(tests, dict) else None
        if isinstance(wanted, dict) and isinstance(wanted.get("failure"), list) and wanted["failure"]:
            return f"tests that must pass failed ({name})"
    return ""


def is_count(row: Mapping[str, Any], name: str) -> bool:
    """Whether the number that a row has under a word such as `passed` is one of tests, as others beside it tell."""
    if isinstance(row[name], bool) or _figure(row[name]) is None:
        return False
    return any(_figure(row.get(other)) is not None for other in (*COUNTS, *_ANY_MAXIMA))


def maximum_of(row: Mapping[str, Any], name: str) -> float | None:
    """What a row states that its reward or score is at most: NaN where that is no number, None where nothing is stated."""
    other = REWARDS[1 - REWARDS.index(name)]
    names = (*_MAXIMA[name], *_ANY_MAXIMA, *(_MAXIMA[other] if _figure(row.get(other)) is None else ()))
    stated = next((row[key] for key in names if row.get(key) not in (None, "")), None)
    if stated is None:
        return None
    number = _figure(stated)
    return math.nan if number is None else number


def credit_of(row: Mapping[str, Any], name: str) -> Verdict:
    """What the reward or score of a row says, against its maximum where one is stated; a `total` may be one."""
    value, number, maximum = row[name], _figure(row[name]), maximum_of(row, name)
    if number is None or isinstance(value, bool):
        return verdict_of(value)
    total = _figure(row.get("total")) if maximum is None and name == "score" else None
    if total is not None and number > 1:
        maximum = total
    elif total not in (None, 1) and number:
        return Verdict("unknown", detail=f"whether the {name} {number:g} is one of 1 or of a total of {total:g} is not said")
    if maximum is None:
        return verdict_of(value)
    if not (maximum > 0 and math.isfinite(maximum)):
        return Verdict("unknown", detail=f"the maximum of the {name} is no positive number")
    if not 0 <= number <= maximum:
        return Verdict("unknown", detail=f"the {name} {number:g} lies outside of 0 to {maximum:g}")
    return _reward(number / maximum)._replace(bare=None)


def _word_of(row: Mapping[str, Any], name: str) -> Verdict:
    if name in REWARDS:
        return credit_of(row, name)
    return Verdict("unknown", detail=f"{name} is a count and no verdict") if is_count(row, name) else verdict_of(row[name])


def _figure(value: object) -> float | None:
    """A number, or a text that is one; None for truths, and for what may be one number or another."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or (isinstance(value, str) and len(value) > 40):
        return None
    text = value.strip() if isinstance(value, str) else ""
    if _THOUSANDS.fullmatch(text):
        return None
    try:
        return float(text.replace(",", ".") if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return None


def verdict_of(value: object) -> Verdict:
    """The verdict of a value: of truths and words, and of numbers as rewards from 0 to 1."""
    if isinstance(value, Repeated):
        said = [verdict_of(item) for item in value.values]
        is_torn = len({word.status == "passed" for word in said}) > 1
        return Verdict("conflicting", detail="the name stands there more than once and says otherwise") if is_torn else said[0]
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
    if _THOUSANDS.fullmatch(text[:40]):
        return Verdict("unknown", detail=f"whether {text[:40]} has thousands or decimals is not said", bare=_thousands(text))
    number = _figure(text)
    return Verdict("unknown") if number is None else _reward(number)


def _thousands(text: str) -> float:
    return float(text[:40].replace(",", ""))


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
