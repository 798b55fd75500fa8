"""The members of a ZIP as those of an archive that is gone through; of one that is cut off those that lie in it whole.

A ZIP that is cut off has lost the list of its members, which stands at the end. Each member has a header of its own before its
bytes, though, and from the first one on they follow each other.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from earned.errors import FormatError
from earned.records import SkipReason
from earned.trajectory.sources import zips
from earned.trajectory.sources.archives.codecs import Codec, Cut, decoder
from earned.trajectory.sources.archives.content import Content, Part, stream_of
from earned.trajectory.sources.archives.members import Member, Refused, clean_name, name_fault
from earned.trajectory.sources.archives.unpacked import BLOCK, Unpacked
from earned.trajectory.sources.limits import MAX_RATIO, RATIO_FROM

_STARTS = (zips.MAGIC, b"PK\x05\x06")
_LOCAL = struct.Struct("<4s5H3L2H")
_DESCRIPTOR = 24
"""Bytes behind a member that was written before its size was known, at most."""
_STORED = 0
_CODECS: dict[int, Codec] = {8: "deflate", 93: "zstd"}


def is_zip(start: bytes) -> bool:
    """Whether bytes begin a ZIP, with members or without."""
    return start.startswith(_STARTS)


def zip_members(content: Content) -> Iterator[Member | Refused]:
    """Every file of a ZIP in the order of its list, then what is not read; a last row where the list is lost or damaged."""
    try:
        archive = zips.Archive(stream_of(content))
    except FormatError as error:
        if error.slug == "too_large":
            yield Refused("", "too_large", str(error))
            return
        yield from _following(content)
        yield Refused("", "unreadable", f"{error}; what lies in it whole is read")
        return
    for name in archive.names:
        listed = archive.member(name)
        yield _member(name, listed.header, (listed.size, listed.packed, listed.method, listed.checksum))
    for listed in archive.refused:
        reason: SkipReason = "duplicate" if listed.name in archive else "unreadable"
        yield Refused(listed.name, reason, listed.refused)


def open_zip_member(content: Content, member: Member) -> Content:
    """The bytes of a member. Raises FormatError when there is none where the list says, or when it claims too much."""
    data = content.read_at(member.at, _LOCAL.size)
    if len(data) < _LOCAL.size or not data.startswith(zips.MAGIC):
        raise FormatError("no member begins where the list of the archive says", offset=member.at)
    if member.size > RATIO_FROM and member.size > member.packed * MAX_RATIO:
        raise FormatError(f"{member.packed} bytes would become {member.size}", slug="too_large")
    name, extra = _LOCAL.unpack(data)[9:]
    start = member.at + _LOCAL.size + name + extra
    if member.method == _STORED:
        if member.size != member.packed:
            raise FormatError(f"its size is declared as {member.size} and as {member.packed} bytes", offset=member.at)
        return Part(content, start, member.size, member.checksum)
    packed = Part(content, start, member.packed)
    return Unpacked(packed, _CODECS[member.method], size=member.size, checksum=member.checksum)


def _member(name: str, at: int, said: tuple[int, int, int, int]) -> Member | Refused:
    size, packed, method, checksum = said
    fault = name_fault(name)
    if method != _STORED and method not in _CODECS:
        fault = f"packed by method {method}, which is not read"
    clean = clean_name(name)
    return Refused(name, "unreadable", fault) if fault else Member(clean, at, size, packed, method, checksum)


def _following(content: Content) -> Iterator[Member | Refused]:
    """Members by their own headers, from the start of the archive on, as far as they follow each other."""
    at, length = 0, content.length()
    while (data := content.read_at(at, _LOCAL.size)).startswith(zips.MAGIC) and len(data) == _LOCAL.size:
        _, _, flags, method, _, _, checksum, packed, size, named, extra = _LOCAL.unpack(data)
        raw = content.read_at(at + _LOCAL.size, named)
        name = raw.decode("utf-8" if flags & 0x800 else "cp437", "replace")
        start = at + _LOCAL.size + named + extra
        if flags & 0x1:
            yield Refused(name, "unreadable", "it is encrypted")
            return
        if flags & 0x8 or 0xFFFF_FFFF in (packed, size):
            found = _measured(content, start, method)
            if found is None:
                yield Refused(name, "unreadable", "the archive is cut off or damaged within it")
                return
            size, packed, checksum = found
        if start + packed > length:
            yield Refused(name, "unreadable", "the archive is cut off within it")
            return
        if not name.endswith("/"):
            yield _member(name, at, (size, packed, method, checksum))
        at = _next(content, start + packed)


def _measured(content: Content, start: int, method: int) -> tuple[int, int, int] | None:
    """Size, packed size and checksum of a member whose header does not say them, found by unpacking it."""
    if method not in _CODECS:
        return None
    source = decoder(_CODECS[method], content, start)
    size = checksum = 0
    try:
        while data := source.read(BLOCK):
            size += len(data)
            checksum = zlib.crc32(data, checksum)
            if size > RATIO_FROM and size > MAX_RATIO * (source.at - start):
                return None
    except (Cut, FormatError):
        return None
    return size, source.at - start, checksum


def _next(content: Content, at: int) -> int:
    """Where the next header is, behind a description of the member before it, if there is one."""
    found = content.read_at(at, _DESCRIPTOR + 4).find(b"PK\x03\x04")
    return at + max(found, 0)
