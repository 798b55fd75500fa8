"""What lies below the paths of a call, with every copy of an earlier input named as one, and our own output left out."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import msgspec

from earned.errors import FormatError, InputError
from earned.flows.near import with_contested
from earned.records import Companion, Skip
from earned.trajectory import Candidate, discover, load_format
from earned.trajectory.identity import run_of
from earned.trajectory.sources import places
from earned.trajectory.sources.files import content_digest

_NAMED = -1
"""Instead of an offset: the content of the first of this shape is among the places."""


def found_below(paths: Sequence[Path], *, leave_out: Sequence[Path] = ()) -> Iterator[Candidate | Companion | Skip]:
    """Every file and folder below `paths`, in order; a candidate of the same bytes and names as an earlier one, in a folder of
    the same name, is a `duplicate`. What else is an attempt that was met before is seen when it is read.

    What lies at or below `leave_out` (the audit folder, when it stands among the inputs) is not there for us. Raises InputError
    as `discover` does.
    """
    ours = _shown_places(paths, leave_out)
    with tempfile.TemporaryFile() as spool:
        yield from with_contested(_named_once(discover(paths), _Duplicates(spool), ours))


def _named_once(
    found: Iterator[Candidate | Companion | Skip], duplicates: _Duplicates, ours: Sequence[str]
) -> Iterator[Candidate | Companion | Skip]:
    for item in found:
        if any(item.path == place or item.path.startswith(f"{place}/") for place in ours):
            continue
        twin = duplicates.twin_of(item) if isinstance(item, Candidate) else ""
        if isinstance(item, Candidate) and twin:
            detail = f"the same source bytes as {twin}"
            yield Skip(path=item.given, member=item.member, reason="duplicate", detail=detail)
        else:
            yield item


def nothing_recognised(paths: Sequence[Path], seen: Sequence[str]) -> InputError:
    """The error of a call that has nothing to read; `seen` says of some files what they were taken for."""
    named = ", ".join(str(path) for path in paths)
    taken = "; ".join(seen) or "only files that accompany trajectories"
    return InputError(
        f"Expected trajectories in {named}; found none ({taken}). `earned read` says of each file what it was taken for.",
        slug="nothing-recognised",
    )


def _shown_places(paths: Sequence[Path], leave_out: Sequence[Path]) -> tuple[str, ...]:
    """The places as discovery shows them: joined to each path of the call that they lie below."""
    return tuple(
        str(path / place.resolve().relative_to(path.resolve()))
        for path in paths
        for place in leave_out
        if place.resolve().is_relative_to(path.resolve()) and place.resolve() != path.resolve()
    )


class _Duplicates:
    """Candidates whose source files hold the same bytes and that have the same names; files are read only when sizes agree.

    Candidates wait on a temporary file, so that what is held of each is a short digest and a number.
    """

    def __init__(self, spool: IO[bytes]) -> None:
        self._spool = spool
        self._first: dict[bytes, int] = {}
        self._places: dict[bytes, str] = {}

    def twin_of(self, candidate: Candidate) -> str:
        """Place of an earlier candidate with the same content; empty when there is none."""
        if not any(_size(candidate, path) > 0 for path in candidate.files):
            return ""  # nothing was recorded, so nothing says that two attempts are one
        shape = _shape(candidate)
        offset = self._first.get(shape)
        if offset is None:
            self._first[shape] = self._kept(candidate)
            return ""
        if offset != _NAMED:
            first = self._again(offset)
            self._places[_content(first)] = first.path
            self._first[shape] = _NAMED
        content = _content(candidate)
        if content in self._places:
            return self._places[content]
        self._places[content] = candidate.path
        return ""

    def _kept(self, candidate: Candidate) -> int:
        offset = self._spool.seek(0, os.SEEK_END)
        line = msgspec.msgpack.encode(candidate)
        self._spool.write(len(line).to_bytes(8, "little") + line)
        return offset

    def _again(self, offset: int) -> Candidate:
        self._spool.seek(offset)
        length = int.from_bytes(self._spool.read(8), "little")
        return msgspec.msgpack.decode(self._spool.read(length), type=Candidate)


def _shape(candidate: Candidate) -> bytes:
    parts = [candidate.format, *(str(_size(candidate, path)) for path in candidate.files)]
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=16).digest()


def _content(candidate: Candidate) -> bytes:
    named = load_format(candidate.format).names_of
    names = named(candidate) if named is not None else ()
    run = run_of(Path(candidate.path).absolute().as_posix())
    digest = hashlib.sha256("\0".join((candidate.format, *run, *names)).encode("utf-8", "surrogateescape"))
    for path in candidate.files:
        try:
            digest.update(content_digest(path))
        except FormatError:
            digest.update(os.fsencode(path))  # unreadable: a duplicate of nothing
    return digest.digest()


def _size(candidate: Candidate, path: str) -> int:
    """Bytes of a file; of one that is a trajectory by itself those that it holds, should it be compressed."""
    try:
        return places.content_size(path) if path == candidate.path else places.size(path)
    except OSError:
        return -1
