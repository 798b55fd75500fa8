"""Rows in the order of their keys, however many: what is more than memory should hold waits on disk, in sorted runs."""

from __future__ import annotations

import heapq
import os
import tempfile
from collections.abc import Iterator
from operator import itemgetter
from types import TracebackType
from typing import IO, NamedTuple, Self

import msgspec

LIMIT = 16 * 1024 * 1024
"""Bytes of rows that are held."""
READ = 64 * 1024
"""Bytes of each run that are read at once."""
_SIZE = 4
_OVERHEAD = 400
"""Bytes that a held row takes beside its own: the key and the objects."""

Key = tuple[str | int, ...]


class _Span(NamedTuple):
    """Where a run lies in the file."""

    start: int
    end: int


class Sorter:
    """Rows of bytes, each with a key; equal keys stay in the order in which they were added."""

    def __init__(self, *, limit: int | None = None) -> None:
        """`limit`: bytes of rows that are held (LIMIT when not given)."""
        self._limit = LIMIT if limit is None else limit
        self._held: list[tuple[Key, bytes]] = []
        self._size = 0
        self._runs: list[_Span] = []
        self._file: IO[bytes] | None = None
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, key: Key, row: bytes) -> None:
        """Keep one row."""
        self._held.append((key, row))
        self._size += len(row) + _OVERHEAD
        self.count += 1
        if self._size > self._limit:
            self._spill()

    def __iter__(self) -> Iterator[tuple[Key, bytes]]:
        """Keys and rows in order; once, when all were added."""
        self._held.sort(key=itemgetter(0))
        return heapq.merge(*map(self._read, self._runs), iter(self._held), key=itemgetter(0))

    def _spill(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the sorter
        self._held.sort(key=itemgetter(0))
        start = self._file.seek(0, os.SEEK_END)
        encode = msgspec.msgpack.Encoder().encode
        for pair in self._held:
            data = encode(pair)
            self._file.write(len(data).to_bytes(_SIZE, "little") + data)
        self._file.flush()
        self._runs.append(_Span(start, self._file.tell()))
        self._held, self._size = [], 0

    def _read(self, span: _Span) -> Iterator[tuple[Key, bytes]]:
        assert self._file is not None  # noqa: S101  # there is no run without it
        decode = msgspec.msgpack.Decoder(tuple[Key, bytes]).decode
        buffer, place, at = b"", 0, span.start
        while True:
            length = _SIZE + (int.from_bytes(buffer[place : place + _SIZE], "little") if len(buffer) - place >= _SIZE else 0)
            if len(buffer) - place >= length > _SIZE:
                yield decode(buffer[place + _SIZE : place + length])
                place += length
                continue
            if at == span.end:
                return
            more = os.pread(self._file.fileno(), min(max(READ, length), span.end - at), at)
            buffer, place, at = buffer[place:] + more, 0, at + len(more)
