"""Records on a temporary file, in the order in which they came: of each nothing is held in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from types import TracebackType
from typing import Generic, Self, TypeVar

import msgspec

Record = TypeVar("Record", bound=msgspec.Struct)
_SIZE = 8
"""Bytes before each record that say its length, behind the one that says its type."""


class Spool(Generic[Record]):
    """What was appended, to be gone through as often as one likes. Appending and going through do not disturb each other."""

    def __init__(self, *types: type[Record]) -> None:
        """`types` are all that will be appended."""
        self._types = types
        self._decoders = [msgspec.msgpack.Decoder(kind) for kind in types]
        self._encoder = msgspec.msgpack.Encoder()
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the spool
        self._end = 0
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __len__(self) -> int:
        return self._count

    def append(self, record: Record) -> None:
        """Keep one record."""
        data = self._encoder.encode(record)
        self._file.seek(self._end)
        self._file.write(bytes([self._types.index(type(record))]) + len(data).to_bytes(_SIZE, "little") + data)
        self._end = self._file.tell()
        self._count += 1

    def __iter__(self) -> Iterator[Record]:
        at = 0
        while at < self._end:
            self._file.seek(at)
            head = self._file.read(1 + _SIZE)
            length = int.from_bytes(head[1:], "little")
            yield self._decoders[head[0]].decode(self._file.read(length))
            at += 1 + _SIZE + length
