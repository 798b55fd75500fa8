"""What the verifier of a trial left of its own beside Harbor's result: `reward.txt`, `reward.json`, `ctrf.json`.

After harbor 0.26.0 (`harbor/verifier/verifier.py`): the reward is read from one of the first two, so a reward in the result
that none of them says is no known outcome. What else speaks against a full reward grades nothing, the other of the two files
and the report of the tests (Common Test Report Format): a task's own rule may give it although tests failed, and a reward may
have been written over. That is said beside the outcome and does not change it: what got full credit is judged, with these files
as evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from earned.errors import FormatError
from earned.trajectory.decode.document import as_text
from earned.trajectory.formats.harbor.outcome import Left, number
from earned.trajectory.reading import Reading

MAX_REWARD = 64 * 1024
"""Bytes of a file that holds a reward."""
SHOWN = 60
"""Characters that are shown of what is no reward."""
NAMED = 3
"""Failed tests that are named."""


class Summary(msgspec.Struct):
    """Counts of a report."""

    tests: int | None = None
    failed: int | None = None


class Test(msgspec.Struct):
    """One test of a report."""

    name: str | None = None
    status: str | None = None


class Results(msgspec.Struct):
    """The results of a report."""

    summary: Summary | None = None
    tests: list[Test] | None = None


class Report(msgspec.Struct):
    """A report of tests."""

    results: Results | None = None


def rewards_left(reading: Reading, files: Mapping[str, str], stage: str) -> Iterator[Left]:
    """The rewards that the verifier of a stage left, in words where they are none; `files`: name below the trial -> path."""
    for name, read in ((f"{stage}verifier/reward.json", _of_json), (f"{stage}verifier/reward.txt", _of_text)):
        path = files.get(name)
        if path is None:
            continue
        try:
            text = as_text(reading.outcome_bytes(path, limit=MAX_REWARD), reading.oddities, place=path)
        except FormatError as error:
            yield Left(name, None, str(error))
            continue
        yield Left(name, read(text), " ".join(text[: 2 * SHOWN].split())[:SHOWN] or "nothing")


def _of_text(text: str) -> float | None:
    try:
        return number(float(text.strip()))
    except ValueError:
        return None


def _of_json(text: str) -> float | None:
    try:
        value: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    return number(value.get("reward") if isinstance(value, dict) else value)


def failed_tests(reading: Reading, files: Mapping[str, str], stage: str) -> str:
    """What the report of a stage's tests says of failed ones; empty where it is not there, or none failed."""
    name = f"{stage}verifier/ctrf.json"
    path = files.get(name)
    if path is None:
        return ""
    try:
        results = reading.outcome_document(path, Report).results or Results()
    except FormatError as error:
        reading.oddities.add(f"the report of the tests cannot be read: {error}", path)
        return ""
    summary, tests = results.summary or Summary(), results.tests or []
    failed = [test.name or "a test" for test in tests if test.status == "failed"]
    count = max(summary.failed or 0, len(failed))
    if not count:
        return ""
    named = f" ({', '.join(failed[:NAMED])}{', …' if count > NAMED else ''})" if failed else ""
    return f"{name} says that {count} of {max(summary.tests or 0, len(tests), count)} tests failed{named}"
