"""What the scorers of an Inspect sample said: one score for each scorer, or for each key of a scorer that gives several values.

Inspect has no boolean of its own (`scorer/_metric.py`). `"C"`, `true`, 1 and the words for it are full credit; `"I"`, `false`
and 0 are none; `"P"` and what lies between are partial. `"N"` (no answer), NaN (unscored) and numbers whose maximum nobody
states say nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from earned.records import Score
from earned.records.trajectory import Status
from earned.trajectory.formats.inspect.records import Header, Sample, ScoreValue
from earned.trajectory.lenient import as_json

_PASSED = frozenset({"c", "correct", "true", "yes", "pass", "passed"})
_FAILED = frozenset({"i", "incorrect", "false", "no", "fail", "failed"})
_PLACEHOLDERS = frozenset({"88F74D2C", ""})
"""Names of the only scorer in logs from before scorers had names."""


def scores_of(sample: Sample, header: Header, place: str) -> tuple[Score, ...]:
    """The scores of a sample; none where it was not scored. `place`: pointer to the sample."""
    named = dict(sample.scores or {})
    if sample.score is not None:
        named.setdefault("", sample.score)
    void = "the sample was invalidated after the run" if sample.invalidation else ""
    return tuple(
        score for name, said in named.items() for score in _of_scorer(_name(name, header), said, f"{place}/scores/{name}", void)
    )


def _name(name: str, header: Header) -> str:
    if name not in _PLACEHOLDERS:
        return name
    results = header.results
    listed = [*(results.scores or ()), results.scorer] if results is not None else []
    return next((score.name for score in listed if score is not None and score.name), "score")


def _of_scorer(name: str, said: ScoreValue, place: str, void: str) -> Iterator[Score]:
    if isinstance(said.value, dict):
        values = [(f"{name}/{key}", f"/{key}", value) for key, value in said.value.items()]
    elif isinstance(said.value, list):
        values = [(f"{name}/{number}", f"/{number}", value) for number, value in enumerate(said.value)]
    else:
        values = [(name, "", said.value)]
    edited = "the score was edited after the run" if said.history else ""
    for key, pointer, value in values:
        status, reward, maximum, detail = _read(value)
        yield Score(
            name=key,
            status="unknown" if void else status,
            reward=reward,
            maximum=maximum,
            source=f"{place}/value{pointer}",
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
