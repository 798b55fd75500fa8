"""Whether a row of messages says unmistakably what the benchmark's verifier said.

A boolean `passed`, `resolved` or `is_resolved` (0 and 1 too) of the row, or of an object in it that holds an evaluation, is the
verifier's word; 1 and 0 beside numbers of tests are counts, and none. A `reward` is it where its scale is known: against a
maximum that the row names, or on the scale from 0 to 1 that every reward of the file keeps to. `success` alone is not: some
write it for a run that ended without an error. Words such as `submitted`, `status` and `score` say nothing of the verifier's.
More speaks against a pass than for one: the word as text, a nested reward below its maximum, failed tests of a report.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from earned.records import Outcome
from earned.records.trajectory import Status
from earned.trajectory.formats.chat.row import EVALUATIONS, PLACES, Row, places_of
from earned.trajectory.outcomes.verdicts import (
    COUNTS,
    MAXIMA,
    REWARDS,
    VALID,
    Verdict,
    agreed,
    credit_of,
    denied_by,
    is_count,
    maximum_of,
    says,
    verdict_of,
    void_by,
)
from earned.trajectory.sources.files import open_stream

VERDICTS = ("passed", "resolved", "is_resolved")
_BESIDE = (*VERDICTS, *REWARDS, *MAXIMA, *COUNTS, *VALID, "tests_status", "patch_exists")
"""What is looked at of a row; of objects in it everything."""
_INNER = "reward_info"
"""An object in which tau-bench keeps what its evaluator said."""
CHUNK = 4 * 1024 * 1024
_KEY = b'"reward"'
_VALUE = re.compile(rb"[ \t\r\n]{0,20}:[ \t\r\n]{0,20}(-?[0-9][0-9.eE+-]{0,30})")
_OVERLAP = 100


class _Told(NamedTuple):
    """The row, or an object in it, as far as it may speak of the outcome."""

    place: str
    given: dict[str, Any]
    words: tuple[str, ...]
    """Keys that hold a verifier's word here."""


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
    told = list(_told(row, place))
    made = _stated(row, told, place, scale)
    if made.status == "unknown":
        return made
    void = next((f"{part.place}{name}" for part in told if (name := void_by(part.given))), "")
    if void:
        return Outcome(reward=made.reward, source=made.source, detail=f"{void} says that the outcome does not count")
    against = next(_denials(told), "") if made.status == "passed" else ""
    if not against:
        return made
    detail = f"{made.source} says passed; {against}"
    return Outcome(status="conflicting", reward=made.reward, maximum=made.maximum, source=made.source, detail=detail)


def _told(row: Row, place: str) -> Iterator[_Told]:
    parts = [_Told(f"{place}/", {name: getattr(row, name) for name in _BESIDE}, VERDICTS)]
    for name, nested in places_of(row, PLACES):
        parts.append(_Told(f"{place}/{name}/", nested, (*VERDICTS, "success") if name in EVALUATIONS else VERDICTS))
    inner = [(part.place, part.given.get(_INNER)) for part in parts] + [(f"{place}/", row.reward_info)]
    yield from parts
    yield from (_Told(f"{above}{_INNER}/", given, ()) for above, given in inner if isinstance(given, dict))


def _stated(row: Row, told: list[_Told], place: str, scale: RewardScale | None) -> Outcome:
    """What reward and words say together."""
    said = [(f"{part.place}{name}", word) for part in told for name, word in _words(part)]
    reward = _number(row.reward)
    graded = None if reward is None else _graded(reward, maximum_of(told[0].given, "reward"), place, scale)
    if graded is not None and graded.status != "unknown":
        return _agreed([(graded.source, Verdict(graded.status)), *said], graded)
    if reward is not None and graded is not None and not math.isfinite(reward):
        return graded
    if said:
        first = Outcome(status=said[0][1].status, source=said[0][0], reward=None if graded is None else graded.reward)
        return _agreed(said, first)
    if graded is not None:
        return graded
    if row.reward is not None:
        return Outcome(detail="the reward is no number", source=f"{place}/reward")
    if isinstance(row.success, bool):
        detail = "`success` may only say that the run ended without an error; name the outcome with --outcomes"
        return Outcome(detail=detail, source=f"{place}/success")
    return Outcome()


def _words(part: _Told) -> Iterator[tuple[str, Verdict]]:
    """Every true and false of a verifier in one object, also as 1 and 0; another number, such as -1, is no word."""
    for name in part.words:
        value = part.given.get(name)
        if isinstance(value, (bool, int, float)) and value in {0, 1} and not is_count(part.given, name):
            yield name, Verdict("passed" if value else "failed")


def _denials(told: list[_Told]) -> Iterator[str]:
    """All that speaks against a pass, in words."""
    for part in told:
        for name in part.words:
            word = verdict_of(part.given.get(name))
            if word.status in {"failed", "partial_credit"} and not is_count(part.given, name):
                yield says(f"{part.place}{name}", word)
        for name in REWARDS:
            if name not in part.given or (name == "score" and maximum_of(part.given, name) is None):
                continue
            credit = credit_of(part.given, name)
            if credit.status in {"failed", "partial_credit"}:
                yield says(f"{part.place}{name}", credit)
            elif not 0 <= (number := _number(part.given[name]) or 0) < math.inf:
                yield f"{part.place}{name} is {number:g}"
        if against := denied_by(part.given):
            yield f"{part.place.rstrip('/')} says that {against}"


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return float(value)
    try:
        return float(value) if isinstance(value, (int, float)) else None
    except OverflowError:
        return math.inf


def _graded(reward: float, maximum: float | None, place: str, scale: RewardScale | None) -> Outcome:
    source = f"{place}/reward"
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
    if reward > maximum:
        return Outcome(reward=reward, detail=f"the reward {reward:g} lies above its maximum {maximum:g}", source=source)
    status: Status = "passed" if reward == maximum else "partial_credit" if reward > 0 else "failed"
    return Outcome(status=status, reward=reward, maximum=maximum, source=source)


def _agreed(said: list[tuple[str, Verdict]], first: Outcome) -> Outcome:
    """The first of what was said, unless another differs from it."""
    together = agreed(said)
    if together.status != "conflicting":
        return first
    return Outcome(
        status="conflicting", reward=first.reward, maximum=first.maximum, source=first.source, detail=together.detail
    )
