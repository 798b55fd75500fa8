"""Files of OpenHands events, of either version: a list in one document, one event a line, one event a file.

What is cut off or broken is read as far as it goes, and the record is said to lack the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from earned.errors import FormatError
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.spans import elements
from earned.trajectory.reading import Reading

E = TypeVar("E")
MAX_EVENT = 64 * 1024 * 1024
"""Bytes of one event on a line or in a file of its own."""
_NUMBERED = re.compile(r"^(?:event[-_])?(\d{1,12})(?:[-_][^/]*)?\.json$")

Missing = Callable[[str], None]
"""Notes what the record lacks."""


class Numbered(NamedTuple):
    """A file of one event."""

    number: int
    path: str


def numbered(paths: Iterable[tuple[str, str]]) -> list[Numbered]:
    """Files of one event each, by their number and not by their name; of `paths`: name without folder, path."""
    found = [(_NUMBERED.match(name), path) for name, path in paths]
    return sorted(Numbered(int(match.group(1)), path) for match, path in found if match is not None)


def is_event_name(name: str) -> bool:
    """Whether a file's name is that of one event's file."""
    return _NUMBERED.match(name) is not None


def from_array(data: bytes, kind: type[E], oddities: Oddities, place: str, missing: Missing) -> Iterator[tuple[E, str]]:
    """The elements of a document that is broken as a whole, each with its pointer, as far as they can be read.

    Raises FormatError when no list begins there.
    """
    number = -1
    try:
        for number, span in enumerate(elements(data)):
            if not span.is_whole:
                missing("the file ends within an event")
                return
            try:
                yield decode_as(data[span.start : span.end], kind, oddities, place=f"{place}/{number}"), f"{place}/{number}"
            except FormatError as error:
                missing(f"event {number} cannot be read: {error}")
    except FormatError as error:
        if number < 0:
            raise
        missing(f"what follows event {number} cannot be read: {error}")
        return
    if not data.rstrip().endswith(b"]"):
        missing("the file ends within its list of events")


def from_lines(reading: Reading, path: str, kind: type[E], missing: Missing) -> Iterator[tuple[E, str]]:
    """The events of a file with one a line, each with its place. Raises FormatError when no line can be read."""
    place, read, broken = place_in(reading.candidate, path), 0, 0
    first = ""
    for line in reading.lines(path, limit=MAX_EVENT):
        if line.size == len(line.data) and not line.data.strip():
            continue
        try:
            event = decode_as(line.data, kind, reading.oddities, place=f"{place}#line {line.number}")
        except FormatError as error:
            broken += 1
            first = first or f"line {line.number} is no event: {error}"
            if not line.is_ended:
                missing("the file ends within a line")
            continue
        read += 1
        yield event, f"{place}#line {line.number}"
    if broken and not read:
        raise FormatError(first)
    if broken:
        reading.oddities.add(f"{broken} lines are no events; {first}", path)


def from_files(
    reading: Reading, files: Sequence[Numbered], kind: type[E], missing: Missing, *, from_start: bool = True
) -> Iterator[tuple[E, str]]:
    """The events of files with one each, in order of their numbers, each with its place; numbers left out are missing.

    Raises FormatError when none can be read.
    """
    read, expected = 0, 0 if from_start else files[0].number if files else 0
    fault: FormatError | None = None
    for number, path in files:
        if number > expected:
            missing(_gap(expected, number - 1))
        expected = max(expected, number + 1)
        try:
            event = decode_as(reading.source(path, limit=MAX_EVENT), kind, reading.oddities, place=path)
        except FormatError as error:
            fault = fault or FormatError(f"{_below(reading.candidate, path)}: {error}", slug=error.slug, offset=error.offset)
            missing(f"event {number} cannot be read: {error}")
            continue
        read += 1
        yield event, _below(reading.candidate, path)
    if fault is not None and not read:
        raise fault


def _gap(first: int, last: int) -> str:
    named = f"event {first} is" if first == last else f"events {first} to {last} are"
    return f"{named} not among the files"


def _below(candidate: Candidate, path: str) -> str:
    return path.removeprefix(f"{candidate.path}/")
