"""Whether a row of messages says unmistakably what the benchmark's verifier said.

A boolean `passed`, `resolved` or `is_resolved` (0 and 1 too) of the row, or of an object in it that holds an evaluation, is the
verifier's word; 1 and 0 beside numbers of `failed` or `total` are counts, and none. A `reward` is it where its scale is known:
against a maximum that the row names, or on the scale from 0 to 1 that every reward of the file keeps to. `success` alone is
not: harnesses write it for a run that ended without an error. Words such as `submitted`, `status` and `score` say nothing of
the verifier's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from earned.records import Outcome
from earned.records.trajectory import Status
from earned.trajectory.formats.chat.row import EVALUATIONS, PLACES, Row, places_of
from earned.trajectory.sources.files import open_stream

VERDICTS = ("passed", "resolved", "is_resolved")
_COUNTS = ("failed", "total")
"""Numbers beside `passed` that say that it is a number of tests."""
CHUNK = 4 * 1024 * 1024
_KEY = b'"reward"'
_VALUE = re.compile(rb"[ \t\r\n]{0,20}:[ \t\r\n]{0,20}(-?[0-9][0-9.eE+-]{0,30})")
_OVERLAP = 100


class RewardScale:
    """Whether the rewards of a file all lie between 0 and 1; the file is gone through once, when it is asked first."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._is_unit: bool | None = None

    @property
    def is_unit(self) -> bool:
        """Whether no reward of the file lies outside of 0 to 1."""
        if self._is_unit is None:
            with open_stream(self._path) as stream:
                self._is_unit = all(0 <= reward <= 1 for reward in _rewards(stream))
        return self._is_unit


def _rewards(stream: BinaryIO) -> Iterator[float]:
    kept = b""
    while chunk := stream.read(CHUNK):
        window = kept + chunk
        at = window.find(_KEY)
        while at >= 0:
            found = _VALUE.match(window, at + len(_KEY))
            if found is not None:
                yield _written(found.group(1))
            at = window.find(_KEY, at + len(_KEY))
        kept = window[-_OVERLAP:]


def _written(number: bytes) -> float:
    try:
        return float(number)
    except ValueError:
        return math.nan


def outcome_of(row: Row, place: str, scale: RewardScale | None = None) -> Outcome:
    """The outcome that a row at `place` records; `scale` is that of its file, None when the row is alone."""
    said = list(_verdicts(row))
    reward = _number(row.reward)
    graded = None if reward is None else _graded(reward, row, place, scale)
    if graded is not None and graded.status != "unknown":
        return _with_verdicts(graded, said, place)
    if reward is not None and graded is not None and not math.isfinite(reward):
        return graded
    if said:
        return _agreed(said, place, None if graded is None else graded.reward)
    if graded is not None:
        return graded
    if row.reward is not None:
        return Outcome(detail="the reward is no number", source=f"{place}/reward")
    if isinstance(row.success, bool):
        detail = "`success` may only say that the run ended without an error; name the outcome with --outcomes"
        return Outcome(detail=detail, source=f"{place}/success")
    return Outcome()


def _verdicts(row: Row) -> Iterator[tuple[str, bool]]:
    """Every boolean of a verifier that the row holds, with its key."""
    here = {name: getattr(row, name) for name in (*VERDICTS, *_COUNTS, "score", "max_score")}
    yield from _words(here, VERDICTS, "")
    for place, nested in places_of(row, PLACES):
        names = (*VERDICTS, "success") if place in EVALUATIONS else VERDICTS
        yield from _words(nested, names, f"{place}/")


def _words(given: dict[str, Any], names: tuple[str, ...], place: str) -> Iterator[tuple[str, bool]]:
    """The verifier's words in one object; a reward or score in it that is not full credit is one against them."""
    are_counts = any(_is_count(given.get(name)) for name in _COUNTS)
    found = [(name, word) for name in names if (word := _word(given.get(name))) is not None]
    found = [(name, word) for name, word in found if isinstance(given[name], bool) or not are_counts]
    yield from ((f"{place}{name}", word) for name, word in found)
    if any(word for _, word in found):
        for name, most in (("reward", "max_reward"), ("reward", "max_score"), ("score", "max_score")):
            reward, maximum = _number(given.get(name)), _number(given.get(most, 1 if most == "max_reward" else None))
            if reward is not None and maximum is not None and not maximum <= reward < math.inf:
                yield f"{place}{name}", False
                return


def _is_count(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _word(value: Any) -> bool | None:
    """True and false, also as 1 and 0; anything else, such as -1 for an error, is no word."""
    if isinstance(value, bool):
        return value
    return bool(value) if isinstance(value, (int, float)) and value in {0, 1} else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return float(value)
    try:
        return float(value) if isinstance(value, (int, float)) else None
    except OverflowError:
        return math.inf


def _graded(reward: float, row: Row, place: str, scale: RewardScale | None) -> Outcome:
    source = f"{place}/reward"
    maximum = _number(row.max_reward if row.max_reward is not None else row.max_score)
    if not math.isfinite(reward):
        return Outcome(detail="the reward is not a finite number", source=source)
    if maximum is None:
        if not 0 <= reward <= 1:
            return Outcome(
                reward=reward, detail=f"a reward of {reward:g} on a scale that the record does not name", source=source
            )
        if scale is not None and not scale.is_unit:
            detail = "other rewards of the file lie outside of 0 to 1, so that 1 may not be full credit"
            return Outcome(reward=reward, detail=detail, source=source)
        maximum = 1.0
    if not math.isfinite(maximum) or maximum <= 0:
        return Outcome(reward=reward, detail="the maximum of the reward is no positive number", source=source)
    status: Status = "passed" if reward >= maximum else "partial_credit" if reward > 0 else "failed"
    return Outcome(status=status, reward=reward, maximum=maximum, source=source)


def _agreed(said: list[tuple[str, bool]], place: str, reward: float | None) -> Outcome:
    key, passed = said[0]
    if any(word != passed for _, word in said):
        detail = "; ".join(f"{place}/{name} says {'passed' if word else 'failed'}" for name, word in said[:4])
        return Outcome(status="conflicting", source=f"{place}/{key}", detail=detail, reward=reward)
    return Outcome(status="passed" if passed else "failed", source=f"{place}/{key}", reward=reward)


def _with_verdicts(graded: Outcome, said: list[tuple[str, bool]], place: str) -> Outcome:
    """A reward and booleans beside it: they agree, or the outcome is conflicting."""
    against = [name for name, word in said if word != (graded.status == "passed")]
    if not against:
        return graded
    word = "failed" if graded.status == "passed" else "passed"
    return Outcome(
        status="conflicting",
        reward=graded.reward,
        maximum=graded.maximum,
        source=graded.source,
        detail=f"{graded.source} says {graded.status}; {place}/{against[0]} says {word}",
    )
