"""The members of a tar, found in one pass over its headers: POSIX ustar and pax, GNU long names, the old format.

Layout after POSIX.1-2017 (pax) and the GNU tar manual, "Basic Tar Format". `tarfile` is not used: it holds whatever size a pax
header claims, and a header that does not fit ends it. Of a tar that is cut off the whole members are listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from earned.errors import FormatError
from earned.records import SkipReason
from earned.trajectory.sources.archives.content import Content
from earned.trajectory.sources.archives.members import Member, Refused, clean_name, name_fault
from earned.trajectory.sources.limits import MAX_TOTAL

HEADER = 512
MAX_PAX = 1024 * 1024
"""Bytes of a header that only holds longer names and sizes."""
_REGULAR = b"0\x007"
_OTHER = {
    b"1": "a hard link in an archive is not followed",
    b"2": "a symbolic link in an archive is not followed",
    b"3": "a device is not read",
    b"4": "a device is not read",
    b"6": "a pipe is not read",
    b"S": "a sparse file is not read",
}


class _Header(NamedTuple):
    """One header."""

    name: str
    size: int
    kind: bytes


def is_tar(start: bytes) -> bool:
    """Whether bytes begin with the header of a tar, told by its checksum."""
    return len(start) >= HEADER and any(start[:HEADER]) and _is_sound(start[:HEADER])


def tar_members(content: Content) -> Iterator[Member | Refused]:
    """Every file of a tar in the order of the archive, and what else stands in it as refused; folders are not named.

    Of one that is cut off or damaged the last row says so, and nothing is raised.
    """
    at = 0
    longer: dict[str, str] = {}
    try:
        while any(data := content.read_at(at, HEADER)) or len(data) not in {0, HEADER}:
            fault = _fault(data)
            if fault:
                yield Refused("", "unreadable", f"{fault} at byte {at}; what stands before it is read")
                return
            header, begins = _header(data), at + HEADER
            if header.kind in b"xgLK":
                longer = _longer(content, begins, header, longer)
                at = _behind(begins, header.size)
                continue
            found, size = _member(header, begins, longer), _size(header, longer)
            if size > MAX_TOTAL or (size and not content.read_at(begins + size - 1, 1)):
                yield Refused(longer.get("path") or header.name, "unreadable", "the archive is cut off within it")
                return
            longer = {}
            if found is not None:
                yield found
            at = _behind(_past_map(content, begins) if header.kind == b"S" and data[482] else begins, size)
    except FormatError as error:
        reason: SkipReason = "too_large" if error.slug == "too_large" else "unreadable"
        yield Refused("", reason, f"{error}; what stands before it is read")


def _behind(begins: int, size: int) -> int:
    return begins + size + -size % HEADER


def _past_map(content: Content, at: int) -> int:
    """Past the further headers of an old GNU sparse file."""
    while content.read_at(at, HEADER)[504:505].strip(b"\0"):
        at += HEADER
    return at + HEADER


def _fault(data: bytes) -> str:
    if len(data) < HEADER:
        return "the archive is cut off within a header"
    if not _is_sound(data):
        return "the archive is damaged: expected a header"
    size = _number(data[124:136])
    return "the archive is damaged: a header without a size" if size is None or size > MAX_TOTAL else ""


def _is_sound(data: bytes) -> bool:
    """Whether the checksum of a header fits; its own eight bytes count as blanks, in some tars with signed bytes."""
    expected = _number(data[148:156])
    plain = sum(data) - sum(data[148:156]) + 8 * 32
    if expected == plain:
        return True
    signed = [byte for byte in data[:148] + data[156:HEADER] if byte > 127]
    return expected == plain - 256 * len(signed)


def _number(field: bytes) -> int | None:
    """Octal digits, or big-endian bytes behind a first one of 0x80."""
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big")
    digits = field.partition(b"\0")[0].strip(b" ")
    return int(digits, 8) if digits.isdigit() and not digits.strip(b"01234567") else (None if digits else 0)


def _header(data: bytes) -> _Header:
    name = data[:100].partition(b"\0")[0]
    prefix = data[345:500].partition(b"\0")[0] if data[257:262] == b"ustar" and data[262:263] == b"\0" else b""
    whole = prefix + b"/" + name if prefix else name
    return _Header(whole.decode("utf-8", "replace"), _number(data[124:136]) or 0, data[156:157])


def _longer(content: Content, at: int, header: _Header, before: dict[str, str]) -> dict[str, str]:
    """What a header says of the one that follows it: GNU's long name, pax records."""
    if header.kind in b"gK":
        return before
    if header.size > MAX_PAX:
        return {**before, "fault": f"the header of its name has {header.size} bytes"}
    data = content.read_at(at, header.size)
    if header.kind == b"L":
        return {**before, "path": data.partition(b"\0")[0].decode("utf-8", "replace")}
    return {**before, **_records(data)}


def _records(data: bytes) -> dict[str, str]:
    """Pax records, `length key=value` and a line end each, as far as they are sound."""
    found: dict[str, str] = {}
    at = 0
    while at < len(data):
        digits = data[at : at + 10].partition(b" ")[0]
        length = int(digits) if digits.isdigit() else 0
        record = data[at + len(digits) + 1 : at + length - 1]
        if length <= len(digits) + 1 or at + length > len(data):
            break
        key, _, value = record.partition(b"=")
        name = key[:200].decode("utf-8", "replace")
        if name in {"path", "size"} or name.startswith("GNU.sparse."):
            found[name if name in {"path", "size"} else "sparse"] = value.decode("utf-8", "replace")
        at += length
    return found


def _size(header: _Header, longer: dict[str, str]) -> int:
    """Bytes behind a header that belong to it; links, devices and folders have none, whatever they say."""
    said = longer.get("size", "")
    size = int(said) if said.isascii() and said.isdecimal() and len(said) < 20 else header.size
    return 0 if header.kind in b"123456" else size


def _member(header: _Header, begins: int, longer: dict[str, str]) -> Member | Refused | None:
    """A header with what was said of it before; None for a folder."""
    name = longer.get("path") or header.name
    if header.kind == b"5" or (name.endswith("/") and header.kind in _REGULAR):
        return None
    detail = longer.get("fault") or name_fault(name)
    if "sparse" in longer:
        detail = _OTHER[b"S"]
    elif header.kind not in _REGULAR:
        detail = _OTHER.get(header.kind, f"an entry of kind {header.kind.decode('latin-1')!r} is not read")
    return Refused(name, "unreadable", detail) if detail else Member(clean_name(name), begins, _size(header, longer))
