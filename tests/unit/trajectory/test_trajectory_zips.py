from __future__ import annotations

import io
import struct
import sys
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from earned.errors import FormatError
from earned.trajectory.sources import zips
from earned.trajectory.sources.zips import Archive, first_names

if sys.version_info >= (3, 14):
    from compression import zstd

    zipfile_zstd = zipfile
else:
    from backports import zstd
    from backports.zstd import zipfile as zipfile_zstd

ENTRY = b"PK\x01\x02"


def packed(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def opened(data: bytes) -> Archive:
    return Archive(io.BytesIO(data))


def changed(data: bytes, at: int, form: str, *values: int) -> bytes:
    """The archive with numbers of its first list entry replaced; `at` counts from the entry."""
    place = data.index(ENTRY) + at
    return data[:place] + struct.pack(form, *values) + data[place + struct.calcsize(form) :]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members_are_listed_with_sizes_and_read(method: int) -> None:
    archive = opened(packed({"a.json": b"{}", "deep/b.json": b"x" * 5000, "empty": b"", "folder/": b""}, method))
    assert archive.names == ("a.json", "deep/b.json", "empty")
    assert archive.member("deep/b.json").size == 5000
    assert [archive.read(name) for name in archive.names] == [b"{}", b"x" * 5000, b""]


def test_zstd_members_are_read() -> None:
    stream = io.BytesIO()
    with zipfile_zstd.ZipFile(stream, "w", zipfile_zstd.ZIP_ZSTANDARD) as archive:
        archive.writestr("header.json", b"[1]" * 999)
    assert opened(stream.getvalue()).read("header.json") == b"[1]" * 999


def test_zstd_members_of_several_frames_are_read() -> None:
    frames = zstd.compress(b"first ") + zstd.compress(b"second")
    whole = packed({"a": frames}, zipfile.ZIP_STORED)
    for at, form, value in ((10, "<H", 93), (16, "<L", zlib.crc32(b"first second")), (24, "<L", 12)):
        whole = changed(whole, at, form, value)
    assert opened(whole).read("a") == b"first second"


def test_a_member_is_read_as_a_stream_too() -> None:
    with opened(packed({"a": b"one\ntwo\n"})).stream("a", limit=100) as stream:
        assert stream.readline(100) == b"one\n"
        assert stream.readline(100) == b"two\n"
        assert stream.readline(100) == b""


def test_an_archive_behind_other_bytes_and_with_a_comment_is_read() -> None:
    stream = io.BytesIO(b"#!/bin/sh\n")
    stream.seek(0, io.SEEK_END)
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("a", b"text")
        archive.comment = b"PK and more"
    assert opened(stream.getvalue()).read("a") == b"text"


def test_sizes_and_offsets_of_zip64_are_read() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, archive.open("a", "w", force_zip64=True) as member:
        member.write(b"wide")
    whole = stream.getvalue()
    end = whole.rindex(b"PK\x05\x06")
    count, length, offset = struct.unpack_from("<HLL", whole, end + 10)
    entry = whole[offset:end]
    wide = entry[:20] + b"\xff" * 8 + entry[28:30] + struct.pack("<H", 20) + entry[32:47] + struct.pack("<HHQQ", 1, 16, 4, 4)
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, len(wide), offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, offset + len(wide), 1)
    made = whole[:offset] + wide + record + locator + whole[end : end + 8] + b"\xff" * 12 + b"\0\0"
    assert length == len(entry)
    assert opened(made).read("a") == b"wide"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../out", "leads out"),
        ("a/../../out", "leads out"),
        ("/etc/passwd", "absolute"),
        ("C:/x", "absolute"),
        ("a\tb", "control"),
    ],
)
def test_a_name_that_leads_out_is_refused_and_the_rest_is_read(name: str, why: str) -> None:
    archive = opened(packed({name: b"x", "good..name": b"y"}))
    assert why in archive.refused[0].refused
    assert archive.names == ("good..name",)
    with pytest.raises(FormatError, match="has no member"):
        archive.read(name)


def test_a_name_with_backslashes_is_refused() -> None:
    archive = opened(packed({"aXb": b"x"}).replace(b"aXb", b"a\\b"))
    assert "backslashes" in archive.refused[0].refused


def test_a_name_that_is_no_utf8_costs_no_other_member() -> None:
    archive = opened(packed({"\u00e4": b"x", "b": b"y"}).replace("\u00e4".encode(), b"\xff\xfe"))
    assert archive.read("b") == b"y"
    assert len(archive.names) == 2


def test_of_members_of_one_name_the_last_is_read_and_the_other_named() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("a", b"old")
        archive.writestr("a", b"new")
    found = opened(stream.getvalue())
    assert found.read("a") == b"new"
    assert "same name" in found.refused[0].refused


@pytest.mark.parametrize(
    ("at", "form", "value", "why"),
    [(8, "<H", 1, "encrypted"), (10, "<H", 14, "method 14"), (38, "<L", 0o120777 << 16, "link"), (42, "<L", 9999, "outside")],
)
def test_what_cannot_be_read_safely_is_refused(at: int, form: str, value: int, why: str) -> None:
    archive = opened(changed(packed({"a": b"text"}), at, form, value))
    assert not archive.names
    assert why in archive.refused[0].refused


def test_a_member_over_the_limit_is_too_large() -> None:
    archive = opened(packed({"a": b"x" * 1000}))
    with pytest.raises(FormatError, match="at most 999") as caught:
        archive.read("a", limit=999)
    assert caught.value.slug == "too_large"
    assert len(archive.read("a", limit=1000)) == 1000


def test_a_member_that_grows_beyond_its_declared_size_is_not_unpacked() -> None:
    with pytest.raises(FormatError, match="larger than the 10 bytes") as caught:
        opened(changed(packed({"a": b"x" * 1000}), 24, "<L", 10)).read("a")
    assert caught.value.slug == "too_large"


def test_a_member_that_is_shorter_than_declared_is_damaged() -> None:
    with pytest.raises(FormatError, match="ends 1000 bytes before"):
        opened(changed(packed({"a": b"x" * 1000}), 24, "<L", 2000)).read("a")


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "RATIO_FROM", 1000)
    monkeypatch.setattr(zips, "MAX_RATIO", 10)
    archive = opened(packed({"bomb": b"0" * 100_000, "plain": bytes(range(256)) * 8, "small": b"0" * 999}))
    with pytest.raises(FormatError, match="would become 100000") as caught:
        archive.read("bomb")
    assert caught.value.slug == "too_large"
    assert len(archive.read("small")) == 999


def test_members_that_share_their_bytes_are_refused() -> None:
    one = packed({"a": b"x" * 200}, zipfile.ZIP_STORED)
    at, end = one.index(ENTRY), one.rindex(b"PK\x05\x06")
    entry = one[at:end]
    others = b"".join(entry.replace(b"a", name, 1) if b"a" in entry else entry for name in (b"a", b"b", b"c"))
    record = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 3, 3, len(others), at, 0)
    with pytest.raises(FormatError, match="share bytes"):
        opened(one[:at] + others + record)


def test_more_members_than_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed({"a": b"", "b": b""})
    monkeypatch.setattr(zips, "MAX_MEMBERS", 1)
    with pytest.raises(FormatError, match="at most 1 members, found 2") as caught:
        opened(data)
    assert caught.value.slug == "too_large"


def test_a_flipped_byte_of_the_content_is_noticed() -> None:
    data = packed({"a": b"text of the member"}, zipfile.ZIP_STORED).replace(b"text of", b"tExt of")
    with pytest.raises(FormatError, match="checksum"):
        opened(data).read("a")


def _cut(data: bytes) -> list[bytes]:
    return [data[:at] for at in range(len(data))]


def _flipped(data: bytes) -> list[bytes]:
    return [data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :] for at in range(len(data))]


@pytest.mark.parametrize("damage", [_cut, _flipped])
def test_damage_anywhere_is_a_format_error_or_a_reading(damage: Callable[[bytes], list[bytes]]) -> None:
    damaged = damage(packed({"a/b.json": b"one" * 50, "c": b"two"}))
    refused = 0
    for data in damaged:
        try:
            archive = opened(data)
            for name in archive.names:
                archive.read(name)
        except FormatError:
            refused += 1
    assert refused > len(damaged) // 4


def test_the_first_names_are_told_without_reading_members(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(packed({f"{number}": b"x" for number in range(300)}))
    with path.open("rb") as stream:
        assert first_names(stream) == tuple(str(number) for number in range(200))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + b"\xff" * 18, b"text" * 99])
def test_what_is_no_archive_has_no_names(data: bytes) -> None:
    assert first_names(io.BytesIO(data)) == ()
    with pytest.raises(FormatError):
        opened(data)
