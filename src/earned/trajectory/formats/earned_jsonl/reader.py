"""Our own export (`earned read --export`): one trajectory a line, given back as it was written.

Read strictly, since we wrote it. A line of another version of the records, or one that anyone changed into what no reader
gives, is put right and named, or refused with the reason (`earned_sound.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from earned.errors import FormatError
from earned.records import SCHEMA, Oddity, Skip, Trajectory
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.format import Format
from earned.trajectory.formats.earned_jsonl.sound import sound
from earned.trajectory.peek import Head
from earned.trajectory.sources.files import Line, lines_of, open_stream

VERSION = 2
READ_BACK = "read from an export of earned"
"""The oddity that says where a trajectory was read back: all else is as it was exported."""
_BYTE = re.compile(r"\(byte (\d+)\)")
_FIELDS = Trajectory.__struct_fields__


class Exported(Trajectory, frozen=True, kw_only=True):
    """One line."""

    schema: Any = SCHEMA


class _Version(msgspec.Struct):
    """What is looked at of a line that does not hold a trajectory of this version."""

    schema: Any = SCHEMA


_decode = msgspec.json.Decoder(Exported).decode
_decode_version = msgspec.json.Decoder(_Version).decode


def _read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    file = candidate.files[0] if candidate.files else candidate.path
    place = place_in(candidate, file)
    seen: set[int] = set()
    is_any = False
    with open_stream(file) as stream:
        for line in lines_of(stream):
            if not line.data.strip() and (line.data or not line.size):
                continue
            is_any = True
            found = _one(candidate, line, f"{place}#line {line.number}")
            if isinstance(found, Trajectory):
                number = hash((found.id, found.source.place))
                if number in seen:
                    found = _skip(candidate, line, "duplicate", "the same trajectory as on an earlier line")
                seen.add(number)
            yield found
    if not is_any:
        raise FormatError("expected one trajectory a line, found no line")


def _one(candidate: Candidate, line: Line, place: str) -> Trajectory | Skip:
    """The trajectory of one line, with the note of where it was read back."""
    if not line.data:
        return _skip(candidate, line, "too_large", f"the line has {line.size} bytes")
    try:
        made, repairs = sound(_decoded(line))
    except FormatError as error:
        offset = line.offset + (error.offset or 0)
        return msgspec.structs.replace(_skip(candidate, line, "unreadable", str(error)), offset=offset)
    kept = tuple(item for item in made.oddities if item.what != READ_BACK)
    notes = tuple(Oddity(what=what, place=place) for what in (READ_BACK, *repairs))
    return msgspec.structs.replace(made, oddities=kept + notes)


def _skip(candidate: Candidate, line: Line, reason: Any, detail: str) -> Skip:
    return Skip(path=candidate.path, member=f"line {line.number}", reason=reason, detail=detail, offset=line.offset)


def _decoded(line: Line) -> Trajectory:
    """The record of a line. Raises FormatError."""
    try:
        exported = _decode(line.data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _check_version(line.data)
        found = _BYTE.search(str(error))
        raise FormatError(f"no trajectory: {error}", offset=int(found.group(1)) if found else None) from error
    _check_schema(exported.schema)
    return Trajectory(**{name: getattr(exported, name) for name in _FIELDS})


def _check_version(data: bytes) -> None:
    try:
        version = _decode_version(data).schema
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    _check_schema(version)


def _check_schema(version: Any) -> None:
    if version != SCHEMA or isinstance(version, (bool, float)):
        found = str(version)[:40]
        raise FormatError(f"expected records of schema {SCHEMA}, found {found}: read them with the version that wrote them")


def _recognise(head: Head) -> str:
    if head.shape in {"object", "lines"} and head.has("/id", "/source/path", "/source/format", "/source/reader_version"):
        schema = head.value("/schema")
        return f"a trajectory as earned exports it, schema {schema}" if schema else "a trajectory as earned exports it"
    return ""


FORMAT = Format(name="earned", version=VERSION, read=_read, recognise=_recognise)
