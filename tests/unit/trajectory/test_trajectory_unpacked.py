"""Packed bytes: what they become is held against what is declared and allowed, and a way back is cheap where there is one."""

from __future__ import annotations

import os
import sys
import zlib
from pathlib import Path

import pytest
from made_archives import gzipped, zipped, zstandard

from earned.errors import FormatError
from earned.trajectory.sources import places
from earned.trajectory.sources.archives import unpacked as unpacking
from earned.trajectory.sources.archives.codecs import codec_of, declared_size, window
from earned.trajectory.sources.archives.content import Part, stream_of
from earned.trajectory.sources.archives.unpacked import Unpacked
from earned.trajectory.sources.files import open_mapped, open_stream, read_bytes, read_start

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


class Held:
    """Bytes at hand, which count how many were asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.asked = 0

    def read_at(self, offset: int, amount: int) -> bytes:
        found = self.data[offset : offset + amount]
        self.asked += len(found)
        return found

    def length(self) -> int:
        return len(self.data)


def test_what_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "RATIO_FROM", 1_000_000)
    monkeypatch.setattr(unpacking, "MAX_RATIO", 100)
    bomb = Unpacked(Held(zstandard(bytes(4_000_000))), "zstd")
    assert bomb.read_at(0, 1000) == bytes(1000)
    with pytest.raises(FormatError, match="packed bytes become more than") as caught:
        bomb.read_at(3_000_000, 1)
    assert caught.value.slug == "too_large"
    plain = os.urandom(2_000_000)
    assert Unpacked(Held(zstandard(plain)), "zstd").read_at(0, len(plain)) == plain


def test_what_is_unpacked_over_and_over_is_refused_where_there_is_no_way_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "KEPT_BLOCKS", 1)
    monkeypatch.setattr(unpacking, "MAX_WORK", 5)
    monkeypatch.setattr(unpacking, "SPACING", 1 << 20)
    data = os.urandom(20 << 20)
    places = [number << 20 for number in range(19, 0, -1)]
    packed = Unpacked(Held(gzipped(data)), "gzip")
    assert packed.length() == len(data)
    assert [packed.read_at(place, 5) for place in places] == [data[place : place + 5] for place in places]
    frame = Unpacked(Held(zstandard(data)), "zstd")
    with pytest.raises(FormatError, match="pack it again"):
        [frame.read_at(place, 5) for place in places]
    frames = Unpacked(Held(b"".join(zstandard(data[at : at + (1 << 20)]) for at in range(0, len(data), 1 << 20))), "zstd")
    assert frames.length() == len(data)
    assert [frames.read_at(place, 5) for place in places] == [data[place : place + 5] for place in places]


def test_reading_in_order_unpacks_once() -> None:
    data = os.urandom(3 << 20)
    held = Held(gzipped(data))
    with stream_of(Unpacked(held, "gzip")) as stream:
        assert stream.read() == data
    assert held.asked < 1.1 * len(held.data)


@pytest.mark.parametrize(
    ("size", "checksum", "said"),
    [(999, 0, "larger than"), (1001, 0, "ends 1 bytes before"), (1000, 1, "checksum is not")],
)
def test_a_member_is_held_against_what_is_declared(size: int, checksum: int, said: str) -> None:
    data = b"a" * 1000
    packer = zlib.compressobj(wbits=-15)
    raw = packer.compress(data) + packer.flush()
    assert Unpacked(Held(raw), "deflate", size=1000, checksum=zlib.crc32(data)).read_at(0, 2000) == data
    with pytest.raises(FormatError, match=said):
        Unpacked(Held(raw), "deflate", size=size, checksum=checksum or None).read_at(0, 2000)


def test_a_part_is_held_against_its_checksum_whenever_it_is_read_through() -> None:
    part = Part(Held(b"xxabcdefxx"), 2, 6, zlib.crc32(b"abcdef"))
    assert (part.read_at(0, 3), part.read_at(3, 9), part.read_at(6, 1)) == (b"abc", b"def", b"")
    wrong = Part(Held(b"xxabcdefxx"), 2, 6, 1)
    assert wrong.read_at(3, 3) == b"def"
    for _ in range(2):
        with pytest.raises(FormatError, match="checksum"):
            wrong.read_at(0, 6)
    with pytest.raises(FormatError, match="ends before"):
        Part(Held(b"abc"), 1, 6).read_at(0, 6)


def test_what_follows_a_compressed_file_and_is_none_is_left() -> None:
    assert Unpacked(Held(gzipped(b"abc") + bytes(2000) + gzipped(b"def")), "gzip").read_at(0, 99) == b"abcdef"
    assert Unpacked(Held(gzipped(b"abc") + b"garbage"), "gzip").read_at(0, 99) == b"abc"
    skippable = b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"xyz"
    whole = skippable + zstandard(b"abc") + skippable + zstandard(b"def")
    assert codec_of(whole) == "zstd"
    assert Unpacked(Held(whole), "zstd").read_at(0, 99) == b"abcdef"
    assert codec_of(b"plain") is codec_of(b"") is None


def test_members_that_are_read_by_turns_are_unpacked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "KEPT_BLOCKS", 1)
    data = os.urandom(20 << 20)
    held = Held(zstandard(data))
    frame = Unpacked(held, "zstd")
    for step in range(8):
        for region in range(4):
            place = (region * 5 << 20) + (step << 19)
            assert frame.read_at(place, 9) == data[place : place + 9]
    assert held.asked < 4 * len(held.data)


def test_the_window_of_a_frame_is_read_from_its_header() -> None:
    assert window("gzip", Held(gzipped(b"abc"))) == 1 << 15
    assert window("zstd", Held(zstandard(b"a" * 5000))) == 5000
    large = zstd.compress(os.urandom(4 << 20), options={zstd.CompressionParameter.window_log: 20})
    assert window("zstd", Held(large)) == 1 << 20
    assert window("zstd", Held(large[:5])) == 1 << 15


def test_a_compressed_file_says_how_much_it_holds() -> None:
    assert declared_size("gzip", Held(gzipped(b"a" * 5000))) == 5000
    assert declared_size("zstd", Held(zstandard(b"a" * 5000))) == 5000
    assert declared_size("zstd", Held(b"(\xb5/\xfd")) is None


@pytest.mark.parametrize("name", ["plain", "packed.gz", "a.zip/inner/x.json", "a.zip/y.zst"])
def test_every_way_of_reading_a_place_gives_what_it_holds(tmp_path: Path, name: str) -> None:
    data = os.urandom(700) * 500
    (tmp_path / "plain").write_bytes(data)
    (tmp_path / "packed.gz").write_bytes(gzipped(data))
    (tmp_path / "a.zip").write_bytes(zipped({"inner/x.json": data, "y.zst": zstandard(data)}))
    path = str(tmp_path / name)
    assert read_bytes(path) == data
    assert read_start(path, 9) == data[:9]
    assert places.content_size(path) == len(data)
    with open_stream(path) as stream:
        stream.seek(-10, os.SEEK_END)
        assert (stream.read(4), stream.tell(), stream.seek(5), stream.read(3)) == (data[-10:-6], len(data) - 6, 5, data[5:8])
    with open_mapped(path) as mapped:
        assert bytes(mapped[100:200]) == data[100:200]
        assert len(mapped) == len(data)
    with pytest.raises(FormatError, match="expected at most 1000 bytes") as caught:
        read_bytes(path, limit=1000)
    assert caught.value.slug == "too_large"


@pytest.mark.parametrize("name", ["a.zip/none", "a.zip/inner", "plain/x", "none/x"])
def test_a_place_that_is_not_there_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "plain").write_bytes(b"abc")
    (tmp_path / "a.zip").write_bytes(zipped({"inner/x.json": b"{}"}))
    path = str(tmp_path / name)
    assert not places.is_file(path)
    assert places.is_folder(path) == (name == "a.zip/inner")
    for ask in (places.size, places.stamp, places.content_size):
        with pytest.raises(OSError, match=r"No such|Not a|none"):
            ask(path)
    with pytest.raises(FormatError, match="cannot be opened"):
        read_bytes(path)
    with pytest.raises(OSError, match=r"No such|Not a"):
        read_start(path, 5)


def test_a_view_that_an_error_holds_does_not_hide_the_error(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"abc" * 1000)

    def fails() -> None:
        with open_mapped(str(tmp_path / "plain")) as mapped:
            view = memoryview(mapped)[3:]
            raise FormatError(f"the real one, at {bytes(view[:3])!r}")

    with pytest.raises(FormatError, match="the real one"):
        fails()


def test_an_empty_file_is_read_in_every_way(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    assert read_bytes(str(tmp_path / "empty")) == b""
    with open_mapped(str(tmp_path / "empty")) as mapped:
        assert len(mapped) == 0
