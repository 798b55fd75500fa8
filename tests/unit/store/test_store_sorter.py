"""Rows come out in the order of their keys, whether they were held or waited on disk."""

from __future__ import annotations

import random

import pytest

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
