"""What the scorers of an Inspect sample said: one score for each scorer, or for each key of a scorer that gives several values.

Inspect has no boolean of its own (`scorer/_metric.py`). `"C"`, `true`, 1 and the words for it are full credit; `"I"`, `false`
and 0 are none; `"P"` and what lies between are partial. `"N"` (no answer), NaN (unscored) and numbers whose maximum nobody
states say nothing: where one score of a scorer is above 1 anywhere in the log, none of its numbers does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from earned.records import Score
from earned.records.trajectory import Status
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.formats.inspect.records import Header, Sample, ScoreValue

_PASSED = frozenset({"c", "correct", "true", "yes", "pass", "passed"})
_FAILED = frozenset({"i", "incorrect", "false", "no", "fail", "failed"})
_PLACEHOLDERS = frozenset({"88F74D2C", ""})
"""Names of the only scorer in logs from before scorers had names."""


class Value(NamedTuple):
    """One value that a scorer gave."""

    name: str
    """Of the score."""
    pointer: str
    """Below the sample's `scores`."""
    value: Any
    is_edited: bool


def scores_of(sample: Sample, header: Header, place: str, is_over_one: Callable[[str], bool]) -> tuple[Score, ...]:
    """The scores of a sample; none where it was not scored.

    Args:
        sample: The sample.
        header: Of its log.
        place: Pointer to the sample.
        is_over_one: Whether a score of this name is above 1 in any sample of the log.
    """
    void = "the sample was invalidated after the run" if sample.invalidation else ""
    return tuple(_score(value, place, void, is_over_one) for value in values_of(sample, header))


def values_of(sample: Sample, header: Header) -> Iterator[Value]:
    """Each value that a scorer gave to a sample."""
    for key, said in _said(sample).items():
        name, value, edited = _name(key, header), said.value, bool(said.history)
        if isinstance(value, dict):
            yield from (Value(f"{name}/{inner}", f"{key}/value/{inner}", item, edited) for inner, item in value.items())
        elif isinstance(value, list):
            yield from (Value(f"{name}/{at}", f"{key}/value/{at}", item, edited) for at, item in enumerate(value))
        else:
            yield Value(name, f"{key}/value", value, edited)


def number_in(value: Any) -> float | None:
    """The finite number that a value is or spells; None for words, grades and truths."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _said(sample: Sample) -> dict[str, ScoreValue]:
    named = dict(sample.scores or {})
    if sample.score is not None:
        named.setdefault("", sample.score)
    return named


def _name(name: str, header: Header) -> str:
    if name not in _PLACEHOLDERS:
        return name
    results = header.results
    listed = [*(results.scores or ()), results.scorer] if results is not None else []
    return next((score.name for score in listed if score is not None and score.name), "score")


def _score(value: Value, place: str, void: str, is_over_one: Callable[[str], bool]) -> Score:
    status, reward, maximum, detail = _read(value.value)
    if maximum is not None and number_in(value.value) is not None and is_over_one(value.name):
        status, maximum = "unknown", None
        detail = f"scored {reward:g}; other scores of the log are above 1, so that the scale is not known"
    if void:
        status, maximum = "unknown", 1.0
    edited = "the score was edited after the run" if value.is_edited else ""
    return Score(
        name=value.name,
        status=status,
        reward=reward,
        maximum=maximum,
        source=f"{place}/scores/{value.pointer}",
        detail="; ".join(filter(None, (void, detail, edited))),
    )


def _read(value: Any) -> tuple[Status, float | None, float | None, str]:
    """Status, reward, maximum and what is to be said of it."""
    if isinstance(value, bool):
        return ("passed", 1.0, 1.0, "") if value else ("failed", 0.0, 1.0, "")
    if isinstance(value, str):
        return _read_word(value)
    if isinstance(value, (int, float)):
        return _read_number(value)
    if value is None:
        return "unknown", None, None, "the scorer gave no value"
    return "unknown", None, None, f"a score of {as_json(value)[:60]} is no number and no grade"


def _read_word(value: str) -> tuple[Status, float | None, float | None, str]:
    word = value.strip().lower()
    if word in _PASSED:
        return "passed", 1.0, 1.0, ""
    if word in _FAILED:
        return "failed", 0.0, 1.0, ""
    if word in {"p", "partial"}:
        return "partial_credit", 0.5, 1.0, f"scored {value.strip()}"
    if word in {"n", "noanswer"}:
        return "unknown", None, None, f"scored {value.strip()}: no answer"
    try:
        return _read_number(float(word))
    except ValueError:
        return "unknown", None, None, f"a score of {value[:60]!r} is no number and no known grade"


def _read_number(value: float) -> tuple[Status, float | None, float | None, str]:
    try:
        reward = float(value)
    except OverflowError:
        return "unknown", None, None, "a score beyond all numbers"
    if not math.isfinite(reward):
        return "unknown", None, None, f"scored {reward}: not scored"
    if reward in {0.0, 1.0}:
        return ("passed" if reward else "failed"), reward, 1.0, ""
    if 0 < reward < 1:
        return "partial_credit", reward, 1.0, f"scored {reward:g} of 1"
    return "unknown", reward, None, f"scored {reward:g}, of which no maximum is recorded"
