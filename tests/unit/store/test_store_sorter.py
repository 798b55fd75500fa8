"""Rows come out in the order of their keys, whether they were held or waited on disk."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from made_passes import make_pass

from earned.records import AuditedPass, Skip
from earned.store import open_folder
from earned.store.sorter import Sorter


@pytest.mark.parametrize("limit", [0, 5_000, 60_000, 1 << 30])
def test_rows_come_in_the_order_of_keys_and_equal_keys_as_they_were_added(limit: int) -> None:
    made = random.Random(1)
    rows = [
        ((f"path {made.randrange(20)}", made.randrange(3)), bytes([number % 251]) * made.randrange(300))
        for number in range(500)
    ]
    with Sorter(limit=limit) as sorter:
        for key, row in rows:
            sorter.add(key, row)
        assert list(sorter) == sorted(rows, key=lambda pair: pair[0])
        assert sorter.count == 500


def test_a_row_larger_than_what_is_read_at_once_comes_back() -> None:
    large = bytes(range(256)) * 4096
    with Sorter(limit=10) as sorter:
        for name in ("b", "a"):
            sorter.add((name,), large)
        assert list(sorter) == [(("a",), large), (("b",), large)]


def test_nothing_gives_nothing() -> None:
    with Sorter() as sorter:
        assert list(sorter) == []


def test_a_shard_of_four_times_as_many_passes_takes_no_more_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("earned.store.sorter.LIMIT", 200_000)
    monkeypatch.setattr("earned.store.sorter.READ", 1_000)
    monkeypatch.setattr("earned.store.tables.GROUP_BYTES", 200_000)

    def passes(count: int) -> Iterator[AuditedPass]:
        """Passes with pages of their own, in no order."""
        made = random.Random(1)
        for number in range(count):
            audited = make_pass(f"runs/{number * 7919 % count:05}/trajectory.json")
            yield msgspec.structs.replace(audited, instruction=made.randbytes(4800).hex())

    def peak(count: int) -> int:
        with open_folder(tmp_path / str(count), {}) as folder:
            tracemalloc.start()
            folder.commit("one", passes(count), [], [])
            names = [audited.row.trajectory for audited in folder.passes()]
            held = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert names == sorted(names)
        assert len(names) == count
        return held

    peak(5)
    small = peak(100)
    assert peak(400) < small + 600_000


def test_shards_that_overlap_are_read_with_few_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("earned.store.merge.AT_ONCE", 3)
    with open_folder(tmp_path, {}) as folder:
        for number in range(20):
            made = [make_pass(f"runs.zip/{place:02}-{number:02}", member="x") for place in range(4)]
            folder.commit(f"shard-{number}", made, [Skip(path=f"{number:02}", reason="unreadable", detail="x")], [])
        found = [audited.row.trajectory for audited in folder.passes()]
        assert found == sorted(found)
        assert len(set(found)) == 80
        assert found == [row.trajectory for row in folder.rows()]
        assert [skip.path for skip in folder.skips()] == [f"{number:02}" for number in range(20)]
