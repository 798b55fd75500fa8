"""Every byte of an input is read through here: whole files up to a limit, their beginnings, and streams of long ones.

A file may lie in an archive, and may be compressed as a whole (`places`): then what it holds is read.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

import msgspec

from earned.errors import FormatError
from earned.trajectory.sources.archives.codecs import codec_of
from earned.trajectory.sources.archives.content import Content, stream_of
from earned.trajectory.sources.archives.unpacked import Unpacked
from earned.trajectory.sources.limits import CHUNK, MAX_DOCUMENT
from earned.trajectory.sources.places import FLAGS, MAGIC, as_os_error, content_of

__all__ = [
    "CHUNK",
    "MAX_DOCUMENT",
    "Block",
    "Line",
    "blocks_of",
    "content_digest",
    "lines_in",
    "lines_of",
    "long_lines_of",
    "open_mapped",
    "open_stream",
    "read_bytes",
    "read_start",
]


RELEASED = 16 * 1024 * 1024
"""Bytes of a mapped file behind which what was read is given back."""
PART = 128 * 1024
"""Bytes read at once of a file of lines: what is decoded then still lies in the processor's cache."""
SHORT = 8
"""Bytes of a line in blocks that are mostly line ends: less than any record takes."""

_FILLED = re.compile(rb"[^\s][^\n]*")
_SPACE = re.compile(rb"\s*")
_SPACES = b" \t\n\r\v\f"


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


class Block(msgspec.Struct, frozen=True, gc=False):
    """Some lines of a file of lines, one after another and each of them whole."""

    number: int
    """Of the first."""
    offset: int
    """Of the first byte."""
    data: bytes
    """With line ends; empty for a single line that is longer than the limit."""
    size: int
    """In bytes; of a line that is longer than the limit, without its line end."""
    is_ended: bool
    """Whether the last one has a line end: False only at the end of a file."""
    ends: int
    """Line ends in `data`."""


def read_bytes(path: str, *, limit: int = MAX_DOCUMENT) -> bytes:
    """All bytes of a regular file. Raises FormatError (`too_large`, `unreadable`)."""
    try:
        data = _on_disk(path, limit)
        return _whole(content_of(path), limit) if codec_of(data[:MAGIC]) is not None else data
    except NotADirectoryError:
        return _in_archive(path, limit)
    except OSError as error:
        raise FormatError(f"the file cannot be opened: {error.strerror or error}") from error


def _on_disk(path: str, limit: int) -> bytes:
    descriptor = os.open(path, FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise FormatError("expected a regular file, found a device, pipe or folder")
        if status.st_size > limit:
            raise FormatError(f"expected at most {limit} bytes, found {status.st_size}", slug="too_large")
        return os.read(descriptor, status.st_size)
    finally:
        os.close(descriptor)


def _in_archive(path: str, limit: int) -> bytes:
    try:
        return _whole(content_of(path), limit)
    except OSError as error:
        raise FormatError(f"the file cannot be opened: {error.strerror or error}") from error


def _whole(content: Content, limit: int) -> bytes:
    """All bytes of a content, unpacked no further than the limit."""
    known = content.declared() if isinstance(content, Unpacked) else content.length()
    if known is not None and known > limit:
        raise FormatError(f"expected at most {limit} bytes, found {known}", slug="too_large")
    data = content.read_at(0, limit + 1)
    if len(data) > limit:
        raise FormatError(f"expected at most {limit} bytes, found more", slug="too_large")
    return data


def read_start(path: str, amount: int) -> bytes:
    """At most `amount` bytes from the start of a file. Raises OSError, also for what cannot be unpacked."""
    try:
        descriptor = os.open(path, FLAGS)
    except NotADirectoryError:
        return _start_of_content(path, amount)
    try:
        data = os.read(descriptor, min(amount, os.fstat(descriptor).st_size))
    finally:
        os.close(descriptor)
    return data if codec_of(data[:MAGIC]) is None else _start_of_content(path, amount)


def _start_of_content(path: str, amount: int) -> bytes:
    try:
        return content_of(path).read_at(0, amount)
    except FormatError as error:
        raise as_os_error(error) from error


@contextmanager
def open_stream(path: str) -> Iterator[BinaryIO]:
    """A regular file as a buffered, seekable stream. Raises FormatError when it cannot be opened.

    Only for a file on disk that is not compressed it has a descriptor.
    """
    try:
        descriptor = os.open(path, FLAGS)
    except NotADirectoryError:
        with stream_of(_content(path)) as stream:
            yield stream
        return
    except OSError as error:
        raise FormatError(f"the file cannot be opened: {error.strerror or error}") from error
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise FormatError("expected a regular file, found a device, pipe or folder")
        if codec_of(os.pread(descriptor, MAGIC, 0)) is None:
            yield stream
            return
    with stream_of(_content(path)) as stream:
        yield stream


def _content(path: str) -> Content:
    try:
        return content_of(path)
    except OSError as error:
        raise FormatError(f"the file cannot be opened: {error.strerror or error}") from error


@contextmanager
def open_mapped(path: str) -> Iterator[bytes | mmap.mmap]:
    """All bytes of a regular file to look around in, without holding them: mapped where it lies on disk as it is.

    Raises FormatError, also (`too_large`) for one above MAX_DOCUMENT bytes that would have to be unpacked.
    """
    with open_stream(path) as stream:
        try:
            descriptor = stream.fileno()
        except OSError:
            yield _whole(_content(path), MAX_DOCUMENT)
            return
        if not os.fstat(descriptor).st_size:
            yield b""
            return
        mapped = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        try:
            yield mapped
        finally:
            with suppress(BufferError):  # a view that an error on its way up still holds; the map goes with it
                mapped.close()


def content_digest(path: str) -> bytes:
    """sha256 of what a file holds. Raises FormatError."""
    digest = hashlib.sha256()
    with open_stream(path) as stream:
        while data := stream.read(CHUNK):
            digest.update(data)
    return digest.digest()


def lines_of(stream: BinaryIO, *, limit: int = MAX_DOCUMENT) -> Iterator[Line]:
    """The lines of a stream, never more than one of at most `limit` bytes held; longer ones come empty, with their size.

    Lines of nothing but white space are counted, and not given.
    """
    for block in blocks_of(stream, limit=limit):
        yield from lines_in(block, limit=limit)


def blocks_of(stream: BinaryIO, *, limit: int = MAX_DOCUMENT) -> Iterator[Block]:
    """A stream cut behind the last line that ends within each part that is read, for readers that decode lines together."""
    number, offset, held = 1, 0, 0
    parts: list[bytes] = []
    while chunk := stream.read(PART):
        if held > limit:
            end = chunk.find(b"\n")
            if end < 0:
                held += len(chunk)
                continue
            yield Block(number, offset, b"", held + end, is_ended=True, ends=0)
            number, offset, held = number + 1, offset + held + end + 1, 0
            chunk = chunk[end + 1 :]
        end = chunk.rfind(b"\n") + 1
        if end:
            parts.append(chunk[:end])
            data = b"".join(parts)
            ends = data.count(b"\n")
            yield Block(number, offset, data, len(data), is_ended=True, ends=ends)
            number, offset = number + ends, offset + len(data)
            parts, held = [], 0
        if end < len(chunk):
            parts.append(chunk[end:] if end else chunk)
            held += len(parts[-1])
            if held > limit:
                parts.clear()
    if held:
        yield Block(number, offset, b"".join(parts), held, is_ended=False, ends=0)


def lines_in(block: Block, *, limit: int = MAX_DOCUMENT, blanks: bool = False) -> Iterator[Line]:
    """The lines of a block, those over the limit empty; those of white space only with `blanks`."""
    if not block.data:
        yield Line(block.number, block.offset, b"", block.size, block.is_ended)
        return
    if not blanks and block.ends * SHORT > block.size:
        yield from _filled_lines(block, limit)
        return
    offset = block.offset
    lines = block.data.split(b"\n")
    last = lines.pop()
    for number, data in enumerate(lines, start=block.number):
        size = len(data)
        if blanks or (data and not data.isspace()):
            yield Line(number, offset, data if size <= limit else b"", size, True)  # noqa: FBT003 - three times as fast as by name
        offset += size + 1
    if last and (blanks or not last.isspace()):
        yield Line(block.number + len(lines), offset, last if len(last) <= limit else b"", len(last), is_ended=False)


def _filled_lines(block: Block, limit: int) -> Iterator[Line]:
    """The lines of a block that hold more than white space: the others cost nothing each."""
    number, done = block.number, 0
    for found in _FILLED.finditer(block.data):
        start = block.data.rfind(b"\n", done, found.start()) + 1 or done
        number += block.data.count(b"\n", done, start)
        done, size = found.end(), found.end() - start
        is_ended = block.is_ended or done < len(block.data)
        yield Line(number, block.offset + start, block.data[start:done] if size <= limit else b"", size, is_ended)


def long_lines_of(path: str, *, limit: int = MAX_DOCUMENT) -> Iterator[Line]:
    """The same of a file whose lines are long, such as one attempt each: mapped where it lies on disk, copied once.

    Those of white space only are counted, and not given. Raises FormatError when it cannot be opened.
    """
    with open_stream(path) as stream:
        try:
            descriptor = stream.fileno()
        except OSError:
            yield from lines_of(stream, limit=limit)
            return
        if os.fstat(descriptor).st_size:
            with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as mapped:
                yield from _mapped_lines(mapped, limit)


def _mapped_lines(mapped: mmap.mmap, limit: int) -> Iterator[Line]:
    number = start = kept = 0
    end = len(mapped)
    while start < end:
        if mapped[start] in _SPACES:
            number, start = _behind_blanks(mapped, number, start)
            if start == end:
                return
        found = mapped.find(b"\n", start)
        stop = end if found < 0 else found
        number += 1
        size = stop - start
        yield Line(number, start, mapped[start:stop] if size <= limit else b"", size, is_ended=found >= 0)
        start = stop + 1
        if start - kept > RELEASED and hasattr(mmap, "MADV_DONTNEED"):
            done = start // mmap.PAGESIZE * mmap.PAGESIZE
            mapped.madvise(mmap.MADV_DONTNEED, kept, done - kept)
            kept = done


def _behind_blanks(mapped: mmap.mmap, number: int, start: int) -> tuple[int, int]:
    """Number of the last line of white space only from a place on, and where the next line begins."""
    found = _SPACE.match(mapped, start)
    stop = found.end() if found is not None else start
    begin = stop if stop == len(mapped) else mapped.rfind(b"\n", start, stop) + 1 or start
    number += sum(mapped[at : min(at + CHUNK, begin)].count(b"\n") for at in range(start, begin, CHUNK))
    return number, begin
