"""Whatever happened to an archive, going through it and reading it ends in rows, and what was not touched is read."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from made_archives import PACKERS, gzipped, tarred, zstandard
from made_files import atif, bash, write_json

from earned.errors import FormatError
from earned.records import Skip
from earned.trajectory import Candidate, discover, read_candidate
from earned.trajectory.sources.archives import unpacked as unpacking
from earned.trajectory.sources.archives.codecs import codec_of
from earned.trajectory.sources.archives.unpacked import Unpacked

QUICK = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
NAMES = ("runs/a.json", "runs/b.json", "c.json")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("made")
    members = {name: write_json(folder / name, atif(bash(f"echo {name}", name * 99))).read_bytes() for name in NAMES}
    return {kind: pack(members) for kind, pack in PACKERS.items()}


def damaged(data: bytes, cut: float, flips: list[tuple[float, int]]) -> bytes:
    changed = bytearray(data[: int(len(data) * cut)])
    for place, bit in flips:
        if changed:
            changed[int(place * (len(changed) - 1))] ^= 1 << bit
    return bytes(changed)


@QUICK
@given(
    st.sampled_from(list(PACKERS)),
    st.floats(0, 1) | st.just(1.0),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 7)), max_size=4),
)
def test_a_damaged_archive_ends_in_rows(
    archives: dict[str, bytes], kind: str, cut: float, flips: list[tuple[float, int]]
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "runs.bin")
        path.write_bytes(damaged(archives[kind], cut, flips))
        found = list(discover([path]))
        made = [row for item in found if isinstance(item, Candidate) for row in read_candidate(item)]
        assert found
        for row in (*found, *made):
            if isinstance(row, Skip):
                assert row.path == str(path)
                assert row.reason in {"unreadable", "too_large", "not_a_trajectory", "duplicate"}
                assert "the reader of" not in row.detail
                assert row.detail


@QUICK
@given(st.sampled_from(["zip", "zip, stored"]), st.integers(0, 2), st.data())
def test_a_changed_byte_costs_no_more_than_its_member_where_members_are_packed_alone(
    archives: dict[str, bytes], kind: str, which: int, data: st.DataObject
) -> None:
    raw = archives[kind]
    start = raw.index(NAMES[which].encode()) + len(NAMES[which])
    end = raw.index(b"PK", start)
    place = data.draw(st.integers(start, end - 1))
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "runs.zip")
        path.write_bytes(raw[:place] + bytes([raw[place] ^ 0x55]) + raw[place + 1 :])
        found = list(discover([path]))
        whole = {item.member for item in found if isinstance(item, Candidate)}
        assert whole == set(NAMES) - {NAMES[which]}
        assert [item.member for item in found if isinstance(item, Skip)] == [NAMES[which]]


PIECES = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 700)), min_size=1, max_size=30)


@QUICK
@given(st.binary(max_size=3000), st.integers(1, 3), PIECES, st.sampled_from([gzipped, zstandard]))
@example(b"", 1, [(0, 1)], gzipped)
def test_packed_bytes_read_at_any_place_are_those_that_were_packed(
    data: bytes, frames: int, pieces: list[tuple[int, int]], pack: Callable[[bytes], bytes]
) -> None:
    cut = len(data) // frames + 1
    whole = b"".join(pack(data[start : start + cut]) for start in range(0, max(len(data), 1), cut))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"BLOCK": 64, "KEPT_BLOCKS": 3, "SPACING": 100, "MAX_POINTS": 4, "MAX_WORK": 10_000}.items():
            patch.setattr(unpacking, name, value)
        found = Unpacked(_Held(whole), codec_of(whole) or "gzip")
        for start, amount in pieces:
            assert found.read_at(start, amount) == data[start : start + amount]
        assert found.length() == len(data)
        assert not found.is_cut


@QUICK
@given(st.binary(min_size=1, max_size=3000), st.floats(0, 1, exclude_max=True), st.sampled_from([gzipped, zstandard]))
def test_packed_bytes_that_are_cut_off_give_a_beginning_and_say_so(
    data: bytes, cut: float, pack: Callable[[bytes], bytes]
) -> None:
    whole = pack(data)
    kept = whole[: max(4, int(len(whole) * cut))]
    found = Unpacked(_Held(kept), codec_of(kept) or "gzip")
    seen = found.read_at(0, len(data) + 1)
    assert data.startswith(seen)
    assert found.is_cut
    with pytest.raises(FormatError, match="end before"):
        Unpacked(_Held(kept), codec_of(kept) or "gzip", size=len(data) + 1).read_at(0, len(data) + 1)


@QUICK
@given(st.binary(max_size=400), st.integers(0, 2))
def test_bytes_that_are_no_tar_behind_one_are_a_row(noise: bytes, members: int) -> None:
    whole = tarred({f"{number}.json": b"{}" for number in range(members)})[: members * 1024]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "a.tar")
        path.write_bytes(whole + noise)
        found = list(discover([path]))
    assert len(found) >= 1
    assert all(isinstance(item, Skip) for item in found)


class _Held:
    """Bytes at hand."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read_at(self, offset: int, amount: int) -> bytes:
        return self._data[offset : offset + amount]

    def length(self) -> int:
        return len(self._data)
