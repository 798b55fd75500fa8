"""Every byte of an input is read through here: whole files up to a limit, their beginnings, and streams of long ones."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import msgspec

from earned.errors import FormatError

MAX_DOCUMENT = 256 * 1024 * 1024
"""Bytes of one JSON document that is decoded whole. A million plain steps are about 200 MB."""
CHUNK = 128 * 1024
"""Bytes read at once of a file of lines: what is cut into lines is then still in the processor's cache."""
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# A pipe without a writer is opened at once, to be refused; a descriptor costs half of a file object.


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line of a file of lines."""

    number: int
    """From 1."""
    offset: int
    """Of its first byte."""
    data: bytes
    """Without its line end; empty where it is longer than the limit."""
    size: int
    """In bytes, without its line end."""
    is_ended: bool
    """Whether a line end follows: False only for the last line of a file, which may be cut off."""


def read_bytes(path: str, *, limit: int = MAX_DOCUMENT) -> bytes:
    """All bytes of a regular file. Raises FormatError (`too_large`, `unreadable`)."""
    try:
        descriptor = os.open(path, _FLAGS)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise FormatError("expected a regular file, found a device, pipe or folder")
            if status.st_size > limit:
                raise FormatError(f"expected at most {limit} bytes, found {status.st_size}", slug="too_large")
            return os.read(descriptor, status.st_size)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise FormatError(f"the file cannot be opened: {error.strerror or error}") from error


def read_start(path: str, amount: int) -> bytes:
    """At most `amount` bytes from the start of a file. Raises OSError."""
    descriptor = os.open(path, _FLAGS)
    try:
        return os.read(descriptor, min(amount, os.fstat(descriptor).st_size))
    finally:
        os.close(descriptor)


@contextmanager
def open_stream(path: str) -> Iterator[BinaryIO]:
    """A regular file as a buffered, seekable stream. Raises FormatError when it cannot be opened."""
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        raise FormatError(f"the file cannot be opened: {error.strerror or error}") from error
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise FormatError("expected a regular file, found a device, pipe or folder")
        yield stream


def lines_of(stream: BinaryIO, *, limit: int = MAX_DOCUMENT) -> Iterator[Line]:
    """The lines of a stream, never more than one of at most `limit` bytes held; longer ones come empty, with their size."""
    number = offset = held = 0
    parts: list[bytes] = []
    while chunk := stream.read(CHUNK):
        ended = chunk.split(b"\n")
        last = ended.pop()
        for data in ended:
            size = held + len(data)
            whole = b"" if size > limit else b"".join((*parts, data)) if parts else data
            if held:
                parts.clear()
                held = 0
            number += 1
            yield Line(number, offset, whole, size, True)  # noqa: FBT003 - positions are three times as fast as names
            offset += size + 1
        if last:
            held += len(last)
            parts.append(last)
            if held > limit:
                parts.clear()
    if held:
        yield Line(number + 1, offset, b"".join(parts), held, False)  # noqa: FBT003 - as above
