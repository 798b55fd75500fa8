"""ZIP archives as they are found: members are listed and read one at a time, within limits, and never written to disk.

Layout after APPNOTE 6.3.10. `zipfile` is not used: it cannot read zstd members below Python 3.14 nor those of several frames,
gives up an archive for the name of one member, and builds an object for each member before it can be asked how many there are.
What a hostile archive can do (names that lead out of a folder, names twice, members that share their bytes, encryption, sizes
that are not those declared) costs the member or the archive, with a reason.
"""

from __future__ import annotations

import io
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import BinaryIO, NamedTuple, cast

from earned.errors import FormatError
from earned.trajectory.sources.limits import CHUNK, MAX_DOCUMENT, MAX_RATIO, RATIO_FROM

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAGIC = b"PK\x03\x04"
"""First bytes of a ZIP with members."""
MAX_MEMBERS = 500_000
"""A log of ten thousand samples in chunks has about 200,000; the list of this many takes 200 MB."""
MAX_DIRECTORY = 256 * 1024 * 1024
"""Bytes of the list of members."""
SHOWN_NAMES = 200
"""Names that tell what an archive holds."""

_END, _END64, _LOCATOR64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_ENTRY, _LOCAL = struct.Struct("<4s6H3L5H2L"), struct.Struct("<4s5H3L2H")
_MAX_COMMENT = 65_535
_IN_EXTRA = 0xFFFF_FFFF
_STORED, _DEFLATED, _ZSTD = 0, 8, 93
_LINK = 0o120_000
_DAMAGED = "the list of the archive's members is damaged"


class Member(NamedTuple):
    """One file in an archive."""

    name: str
    size: int
    """In bytes, as declared."""
    packed: int
    """Bytes that it takes in the archive."""
    method: int
    checksum: int
    header: int
    """Offset of its local header."""
    refused: str
    """Why it is not read; empty when it may be."""


class _Directory(NamedTuple):
    """Where the list of members stands."""

    offset: int
    size: int
    members: int
    shift: int
    """Bytes that stand before the archive; offsets are counted from behind them."""


class Archive:
    """An open ZIP. Members are found by name; those that are not read stand in `refused` with the reason."""

    def __init__(self, stream: BinaryIO) -> None:
        """Reads the list of members of a seekable stream. Raises FormatError (`unreadable`, `too_large`)."""
        self._stream = stream
        self._members: dict[str, Member] = {}
        self.refused: list[Member] = []
        size, total = stream.seek(0, io.SEEK_END), 0
        for member in _listed(stream):
            total += member.packed
            if member.header + member.packed > size:
                self._refuse(member, "its bytes would lie outside of the archive")
            elif member.refused:
                self._refuse(member, member.refused)
            else:
                before = self._members.pop(member.name, None)
                if before is not None:
                    self._refuse(before, "a member of the same name follows, which is the one that is read")
                self._members[member.name] = member
        if total > size:
            raise FormatError("the members of the archive share bytes: together they are larger than it")

    def _refuse(self, member: Member, why: str) -> None:
        self.refused.append(member._replace(refused=why))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members that can be read, in the order of the list; folders are not among them."""
        return tuple(self._members)

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def member(self, name: str) -> Member:
        """What the list says of a member. Raises FormatError when there is none of that name."""
        try:
            return self._members[name]
        except KeyError:
            raise FormatError(f"the archive has no member {name}") from None

    def read(self, name: str, *, limit: int = MAX_DOCUMENT) -> bytes:
        """All bytes of a member. Raises FormatError (`unreadable`, `too_large`)."""
        with self.stream(name, limit=limit) as stream:
            return stream.read(self.member(name).size + 1)  # one more: the end is where the checksum is compared

    @contextmanager
    def stream(self, name: str, *, limit: int) -> Iterator[BinaryIO]:
        """A member as a buffered stream that goes forward only; one stream of an archive is open at a time.

        Raises FormatError: also while it is read, when a byte is damaged or its size is not the one declared.
        """
        member = self.member(name)
        if member.size > limit:
            raise FormatError(f"{name}: expected at most {limit} bytes, found {member.size}", slug="too_large")
        if member.size > RATIO_FROM and member.size > member.packed * MAX_RATIO:
            raise FormatError(f"{name}: {member.packed} bytes would become {member.size}", slug="too_large")
        with io.BufferedReader(_Unpacked(self._packed(member), member), _buffer(member.size)) as stream:
            yield cast("BinaryIO", stream)

    def _packed(self, member: Member) -> io.BufferedReader:
        """The packed bytes of a member, behind its local header."""
        self._stream.seek(member.header)
        data = self._stream.read(_LOCAL.size)
        if len(data) < _LOCAL.size or data[:4] != MAGIC:
            raise FormatError(f"{member.name}: no member begins where the list says", offset=member.header)
        name, extra = _LOCAL.unpack(data)[9:]
        start = member.header + _LOCAL.size + name + extra
        return io.BufferedReader(_Window(self._stream, start, member.packed), _buffer(member.packed))


def _buffer(size: int) -> int:
    return max(1, min(CHUNK, size))


def first_names(stream: BinaryIO) -> tuple[str, ...]:
    """Names of the first members, whatever they are; empty when the stream is no ZIP that can be read."""
    try:
        return tuple(member.name for member in islice(_listed(stream), SHOWN_NAMES))
    except (FormatError, OSError):
        return ()


def _listed(stream: BinaryIO) -> Iterator[Member]:
    """Every member that is a file, in the order of the list. Raises FormatError."""
    directory = _directory(stream)
    listed = io.BufferedReader(_Window(stream, directory.offset, directory.size), _buffer(directory.size))
    for _ in range(directory.members):
        data = listed.read(_ENTRY.size)
        if len(data) < _ENTRY.size or data[:4] != b"PK\x01\x02":
            raise FormatError(_DAMAGED, offset=directory.offset)
        fields = _ENTRY.unpack(data)
        name, extra, _comment = listed.read(fields[10]), listed.read(fields[11]), listed.read(fields[12])
        member = _member(fields, name, extra, directory.shift)
        if not member.name.endswith("/"):
            yield member


def _member(fields: tuple[int, ...], raw: bytes, extra: bytes, shift: int) -> Member:
    flags, method, checksum, packed, size = fields[3], fields[4], fields[7], fields[8], fields[9]
    name = raw.decode("utf-8" if flags & 0x800 else "cp437", "replace")
    size, packed, header = _wide(extra, size, packed, fields[16])
    refused = _name_fault(name)
    if flags & 0x1:
        refused = "it is encrypted"
    elif method not in {_STORED, _DEFLATED, _ZSTD}:
        refused = f"packed by method {method}, which is not read"
    elif fields[15] >> 16 & 0o170_000 == _LINK:
        refused = "it is a symbolic link"
    return Member(name, size, packed, method, checksum, header + shift, refused)


def _name_fault(name: str) -> str:
    if not name or any(ord(character) < 32 for character in name):
        return "its name is empty or holds control characters"
    if "\\" in name or name.startswith("/") or name[1:2] == ":":
        return "its name is an absolute path or holds backslashes"
    return "its name leads out of the archive" if ".." in name.split("/") else ""


def _wide(extra: bytes, *values: int) -> Iterator[int]:
    """Sizes and offset, each from the ZIP64 field where it does not fit into its place."""
    at = 0
    while at + 4 <= len(extra) and extra[at : at + 2] != b"\x01\x00":
        at += 4 + int.from_bytes(extra[at + 2 : at + 4], "little")
    at += 4
    for value in values:
        if value == _IN_EXTRA and at + 8 <= len(extra):
            yield int.from_bytes(extra[at : at + 8], "little")
            at += 8
        else:
            yield value


def _directory(stream: BinaryIO) -> _Directory:
    """The end record of the archive, which stands last but for a comment. Raises FormatError."""
    size = stream.seek(0, io.SEEK_END)
    start = max(0, size - _MAX_COMMENT - 22)
    stream.seek(start)
    tail = stream.read(size - start)
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise FormatError("the archive has no list of its members: it is cut off, or no ZIP", offset=size)
    count, length, offset = struct.unpack_from("<HLL", tail, at + 10)
    behind = start + at
    if at >= 20 and tail[at - 20 : at - 16] == _LOCATOR64:
        count, length, offset, behind = _wide_end(stream, start + at - 20)
    shift = behind - length - offset
    if shift < 0:
        raise FormatError(_DAMAGED, offset=start + at)
    if count > MAX_MEMBERS or length > MAX_DIRECTORY:
        raise FormatError(f"expected at most {MAX_MEMBERS} members, found {count}", slug="too_large")
    return _Directory(offset + shift, length, count, shift)


def _wide_end(stream: BinaryIO, locator: int) -> tuple[int, int, int, int]:
    """Count, length and offset of the list by the ZIP64 end record, which stands right before its locator."""
    stream.seek(max(0, locator - 56))
    data = stream.read(56)
    if len(data) < 56 or data[:4] != _END64:
        raise FormatError(_DAMAGED, offset=locator)
    count, length, offset = struct.unpack_from("<QQQ", data, 32)
    return count, length, offset, locator - 56


class _Window(io.RawIOBase):
    """A part of a stream that others read too."""

    def __init__(self, stream: BinaryIO, start: int, size: int) -> None:
        self._stream, self._at, self._end = stream, start, start + size

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """As of a stream."""
        self._stream.seek(self._at)
        data = self._stream.read(min(len(buffer), self._end - self._at))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


class _Inflated:
    """Deflated bytes as they were, never more at a time than asked for."""

    def __init__(self, packed: BinaryIO) -> None:
        self._packed, self._inflate = packed, zlib.decompressobj(-zlib.MAX_WBITS)

    def read(self, size: int) -> bytes:
        """At most that many bytes; none at the end."""
        while not self._inflate.eof:
            waiting = self._inflate.unconsumed_tail or self._packed.read(CHUNK)
            data = self._inflate.decompress(waiting, size)
            if data or not waiting:
                return data
        return b""


class _Frames:
    """Frames of zstd, one behind the other, as they were; never more bytes at a time than asked for."""

    def __init__(self, packed: BinaryIO) -> None:
        self._packed, self._frame, self._waiting = packed, zstd.ZstdDecompressor(), b""

    def read(self, size: int) -> bytes:
        """At most that many bytes; none at the end."""
        while True:
            if self._frame.eof:
                self._waiting = self._frame.unused_data
                self._frame = zstd.ZstdDecompressor()
            if self._frame.needs_input and not self._waiting:
                self._waiting = self._packed.read(CHUNK)
                if not self._waiting:
                    return b""
            waiting, self._waiting = self._waiting, b""
            data = self._frame.decompress(waiting, size)
            if data:
                return data


class _Unpacked(io.RawIOBase):
    """The bytes of a member, checked against the size and the checksum that the list declares."""

    def __init__(self, packed: io.BufferedReader, member: Member) -> None:
        self._member, self._left, self._checksum = member, member.size, 0
        source = cast("BinaryIO", packed)
        self._read: Callable[[int], bytes]
        if member.method == _ZSTD:
            self._read = _Frames(source).read
        else:
            self._read = _Inflated(source).read if member.method == _DEFLATED else source.read

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """As of a stream. Raises FormatError."""
        name = self._member.name
        try:
            data = self._read(min(len(buffer), self._left + 1))
        except (zlib.error, zstd.ZstdError, EOFError, MemoryError, ValueError) as error:
            raise FormatError(f"{name}: cannot be unpacked: {error}", offset=self._member.header) from error
        self._checksum = zlib.crc32(data, self._checksum)
        self._left -= len(data)
        if self._left < 0:
            raise FormatError(f"{name}: it is larger than the {self._member.size} bytes that are declared", slug="too_large")
        if not data and self._left:
            raise FormatError(f"{name}: the archive ends {self._left} bytes before it does", offset=self._member.header)
        if not data and self._checksum != self._member.checksum:
            raise FormatError(f"{name}: its checksum is not the one that is declared", offset=self._member.header)
        buffer[: len(data)] = data
        return len(data)
