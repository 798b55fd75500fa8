"""Bytes that can be read at any place: those of a file on disk, a part of others, and either of them as a stream.

Files are read by `pread`, so that what a process inherits from its parent has no position that both would move.
"""

from __future__ import annotations

import io
import os
import weakref
import zlib
from typing import BinaryIO, Protocol, cast

from earned.errors import FormatError

BUFFER = 256 * 1024


class Content(Protocol):
    """Some bytes, wherever they lie."""

    def read_at(self, offset: int, amount: int) -> bytes:
        """The bytes from `offset` on; fewer than `amount` only where they end. Raises FormatError for damaged ones."""

    def length(self) -> int:
        """How many there are; of some packed ones that is known only after they were all unpacked. Raises FormatError."""


class DiskFile:
    """A file on disk; its descriptor is closed with the object."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._size = os.fstat(descriptor).st_size
        weakref.finalize(self, os.close, descriptor)

    def read_at(self, offset: int, amount: int) -> bytes:
        """As of a Content."""
        try:
            data = os.pread(self._descriptor, amount, offset)
            while len(data) < amount and (more := os.pread(self._descriptor, amount - len(data), offset + len(data))):
                data += more
        except OSError as error:
            raise FormatError(f"the file cannot be read: {error.strerror}", offset=offset) from error
        return data

    def length(self) -> int:
        """As of a Content."""
        return self._size


class Part:
    """A part of other bytes, compared with its checksum when it was read from its beginning to its end."""

    def __init__(self, content: Content, start: int, size: int, checksum: int | None = None) -> None:
        self._content, self._start, self._size, self._expected = content, start, size, checksum
        self._summed = self._checksum = 0

    def read_at(self, offset: int, amount: int) -> bytes:
        """As of a Content."""
        wanted = max(0, min(amount, self._size - offset))
        data = self._content.read_at(self._start + offset, wanted)
        if len(data) < wanted:
            raise FormatError("the archive ends before this member does", offset=self._start + offset + len(data))
        if offset == 0:
            self._summed = self._checksum = 0
        if self._expected is not None and offset == self._summed:
            self._checksum = zlib.crc32(data, self._checksum)
            self._summed += len(data)
            if self._summed == self._size and self._checksum != self._expected:
                raise FormatError("its checksum is not the one that the archive declares", offset=self._start)
        return data

    def length(self) -> int:
        """As of a Content."""
        return self._size


class _Stream(io.RawIOBase):
    """Content as a file object."""

    def __init__(self, content: Content) -> None:
        self._content, self._at = content, 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes."""
        return True

    def tell(self) -> int:
        """As of a file."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """As of a file. Raises FormatError when the end is asked for and cannot be found."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at}
        self._at = max(0, offset + (base[whence] if whence in base else self._content.length()))
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # typeshed wants any writable buffer
        """As of a file. Raises FormatError."""
        data = self._content.read_at(self._at, len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def stream_of(content: Content) -> BinaryIO:
    """The bytes as a buffered, seekable stream; reading it raises FormatError where they are damaged."""
    return cast("BinaryIO", io.BufferedReader(_Stream(content), BUFFER))
