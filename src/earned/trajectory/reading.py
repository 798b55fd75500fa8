"""What the reading of one candidate leaves behind: which files were read, with digests, and what was odd in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, TypeVar, cast

import msgspec

from earned.errors import FormatError
from earned.records import Source, SourceFile
from earned.trajectory.candidate import Candidate, path_below
from earned.trajectory.decode.document import as_text, decode_as
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.repeated import note_repeated
from earned.trajectory.sources.files import MAX_DOCUMENT, Block, Line, blocks_of, lines_in, open_stream, read_bytes, read_start

T = TypeVar("T")
UNDECODED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are not what they should be."""


class Reading:
    """One reader's view of one candidate. Only files that discovery listed can be opened."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.oddities = Oddities()
        self.also = ""
        """Which of several files the steps are from, where that was decided while reading."""
        self._files = frozenset(candidate.files)
        self._sources: dict[str, SourceFile] = {}

    def source(self, path: str, *, limit: int = MAX_DOCUMENT) -> bytes:
        """Bytes of a file that makes the trajectory; its digest enters the id. Raises FormatError."""
        self._check(path)
        data = read_bytes(path, limit=limit)
        self._sources[path] = SourceFile(path=path, digest=hashlib.sha256(data).hexdigest(), size=len(data))
        return data

    def lines(self, path: str, *, limit: int = MAX_DOCUMENT) -> Iterator[Line]:
        """The lines of a source file that holds one trajectory, one at a time; once all were read its digest enters the id.

        Raises FormatError when it cannot be opened.
        """
        for block in self.blocks(path, limit=limit):
            yield from lines_in(block, limit=limit)

    def blocks(self, path: str, *, limit: int = MAX_DOCUMENT) -> Iterator[Block]:
        """The same in blocks, for readers that decode many lines at once."""
        self._check(path)
        with open_stream(path) as stream:
            counted = _Digesting(stream)
            yield from blocks_of(cast("BinaryIO", counted), limit=limit)
        self._sources[path] = SourceFile(path=path, digest=counted.digest.hexdigest(), size=counted.size)

    def records(
        self, path: str, decode: Callable[[bytes], T], odd: Callable[[Line], Iterable[T]], *, limit: int = MAX_DOCUMENT
    ) -> Iterator[tuple[int, T]]:
        """The records of a source file of lines, each with the number of its line.

        Args:
            path: As for `lines`.
            decode: The record of a line; raises what msgspec raises.
            odd: The records of a line that it refuses.
            limit: Bytes of a line.
        """
        for block in self.blocks(path, limit=limit):
            together = _decoded(block, decode, limit)
            if together is not None:
                yield from enumerate(together, block.number)
                continue
            for line in lines_in(block, limit=limit):
                try:
                    record = decode(line.data)
                except UNDECODED:
                    yield from ((line.number, record) for record in odd(line))
                else:
                    yield line.number, record

    def piece(self, path: str, data: bytes | memoryview) -> None:
        """Note that these bytes of a file of several trajectories make this one: their digest enters its id, not the file's."""
        self._check(path)
        self._sources[path] = SourceFile(path=path, digest=hashlib.sha256(data).hexdigest(), size=len(data))

    def has_read(self, path: str) -> bool:
        """Whether a file was read to its end."""
        return path in self._sources

    def pieces(self, path: str, digest: str, size: int) -> None:
        """The same for bytes that were digested as they were read, from several places of the file."""
        self._check(path)
        self._sources[path] = SourceFile(path=path, digest=digest, size=size)

    def document(self, path: str, kind: type[T]) -> T:
        """A source file decoded as a `kind`. Raises FormatError."""
        return decode_as(self.source(path), kind, self.oddities, place=path)

    def text(self, path: str, *, limit: int = MAX_DOCUMENT) -> str:
        """A source file as text. Raises FormatError."""
        return as_text(self.source(path, limit=limit), self.oddities, place=path)

    def _check(self, path: str) -> None:
        if path not in self._files:
            raise FormatError(f"the record names a file that is not part of it: {path}")

    def outcome_bytes(self, path: str, *, limit: int = MAX_DOCUMENT) -> bytes:
        """Bytes of a file that holds the verifier's word; it never enters the id. Raises FormatError."""
        if path not in self.candidate.outcome_files:
            raise FormatError(f"the record names an outcome file that is not part of it: {path}")
        return read_bytes(path, limit=limit)

    def start_of(self, path: str, limit: int) -> tuple[str, bool] | None:
        """The text of a file of any size up to `limit` bytes, and whether it is cut there; None when it is no text.

        It never enters the id. Where it cannot be opened, an oddity says so.
        """
        try:
            data = read_start(path, limit + 1)
        except OSError as error:
            self.oddities.add(f"cannot be opened: {error.strerror}", path)
            return None
        if b"\0" in data[:4096]:
            return None
        is_cut = len(data) > limit
        return as_text(data[:limit], Oddities() if is_cut else self.oddities, place=path), is_cut

    def outcome_document(self, path: str, kind: type[T]) -> T:
        """An outcome file decoded as a `kind`. Raises FormatError."""
        lost = self.oddities.lost
        data = self.outcome_bytes(path)
        made = decode_as(data, kind, self.oddities, place=path)
        note_repeated(data, self.oddities, path)
        self.oddities.lost = lost  # no act stands in it
        return made

    def result_document(self, name: str, kind: type[T]) -> T:
        """The outcome file that the attempt's folder calls `name`; an empty record where there is none. Raises FormatError."""
        path = next((path for path in self.candidate.outcome_files if path_below(self.candidate.path, path) == name), None)
        if path is None:
            return kind()
        try:
            return self.outcome_document(path, kind)
        except FormatError as error:
            raise FormatError(f"{name}: {error}", slug=error.slug, offset=error.offset) from error

    def provenance(self, *, version: int, member: str = "") -> Source:
        """The record of where the trajectory came from, after all its files were read; `member` of a file of several."""
        return Source(
            path=self.candidate.given,
            format=self.candidate.format,
            reader_version=version,
            member=self.candidate.inner(self.candidate.path, member),
            sample=member,
            files=tuple(self._sources[path] for path in sorted(self._sources)),
            recognised="; ".join(text for text in (self.candidate.recognised, self.also) if text),
        )


def names_recorded(candidate: Candidate, name: str, kind: type[T], names_in: Callable[[T], tuple[str, ...]]) -> tuple[str, ...]:
    """What the outcome file `name` of an attempt's folder calls the attempt; nothing where it is not there or not readable."""
    reading = Reading(candidate)
    for path in candidate.outcome_files:
        if path_below(candidate.path, path) == name:
            try:
                return names_in(reading.outcome_document(path, kind))
            except FormatError:
                return ()
    return ()


def _decoded(block: Block, decode: Callable[[bytes], T], limit: int) -> list[T] | None:
    """The records of a block, one a line; None where a line of it is none."""
    lines = block.data.split(b"\n") if block.size <= limit else []
    if block.is_ended and lines:
        lines.pop()
    try:
        return [decode(line) for line in lines] or None
    except UNDECODED:
        return None


class _Digesting:
    """A stream that digests what is read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.digest = hashlib.sha256()
        self.size = 0

    def read(self, amount: int) -> bytes:
        """As of the stream."""
        data = self._stream.read(amount)
        self.digest.update(data)
        self.size += len(data)
        return data


def trajectory_id(source: Source, names: Sequence[str] = ()) -> str:
    """sha256 over format, sample and the digests of every source file: the same content has the same id anywhere.

    Where nothing was recorded, the attempt's `names` tell it from others, or its place where it has none.
    """
    parts = [source.format, source.sample, *sorted(file.digest for file in source.files)]
    if not any(file.size for file in source.files):
        parts += names or [source.place]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
