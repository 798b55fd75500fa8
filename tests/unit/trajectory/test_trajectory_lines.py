"""Lines of a stream: numbers, offsets and sizes as the bytes have them, whatever the chunks in which they are read."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from earned.trajectory.sources.files import PART, Line, blocks_of, lines_in, lines_of, long_lines_of

BYTES = st.lists(st.sampled_from([b"\n", b"a", b"bc\n", b"\r\n", b"x" * 50])).map(b"".join)


def simply(data: bytes, limit: int) -> list[Line]:
    made: list[Line] = []
    offset = 0
    for number, line in enumerate(io.BytesIO(data), start=1):
        bare = line.removesuffix(b"\n")
        kept = bare if len(bare) <= limit else b""
        made.append(Line(number, offset, kept, len(bare), line.endswith(b"\n")))
        offset += len(line)
    return made


@given(BYTES, st.integers(0, 60))
@example(b"a" * PART + b"\nb", 2 * PART)
@example(b"a" * (PART - 1) + b"\n\nb\n", 2 * PART)
@example(b"a" * (3 * PART) + b"\nb", PART)
def test_lines_are_those_of_the_bytes(data: bytes, limit: int) -> None:
    blocks = blocks_of(io.BytesIO(data), limit=limit)
    assert [line for block in blocks for line in lines_in(block, limit=limit, blanks=True)] == simply(data, limit)


def test_a_line_over_the_limit_is_counted_and_not_held() -> None:
    (line,) = lines_of(io.BytesIO(b"x" * (2 * PART)), limit=10)
    assert line == Line(1, 0, b"", 2 * PART, is_ended=False)


@given(BYTES)
@example(b"a" * PART + b"\nb")
@example(b"a\n" * PART)
def test_blocks_hold_whole_lines_and_together_all_bytes(data: bytes) -> None:
    blocks = list(blocks_of(io.BytesIO(data)))
    assert b"".join(block.data for block in blocks) == data
    assert all(block.data.endswith(b"\n") == block.is_ended for block in blocks)
    assert [block.offset for block in blocks] == [sum(item.size for item in blocks[:at]) for at in range(len(blocks))]
    assert [block.number for block in blocks] == [1 + data[: block.offset].count(b"\n") for block in blocks]


SPACED = st.lists(st.sampled_from([b"\n", b"a", b" b\n", b"\r\n", b" ", b"\t\n", b"x" * 50])).map(b"".join)


@given(SPACED, st.integers(0, 60))
@example(b"a" * PART + b"\n\n\nb", 2 * PART)
@example(b"a" * 30 + b"\n \n\n" + b"a" * 30 + b"\n  ", 60)
@example(b"\n" * (3 * PART) + b"a\n" + b"\n" * PART + b" b", PART)
def test_lines_of_white_space_are_counted_and_not_given(data: bytes, limit: int) -> None:
    def filled(lines: list[Line]) -> list[Line]:
        return [line for line in lines if data[line.offset : line.offset + line.size].strip()]

    assert filled(list(lines_of(io.BytesIO(data), limit=limit))) == filled(simply(data, limit))
    assert all(line.data.strip() or line.size > limit for line in lines_of(io.BytesIO(data), limit=limit))


@pytest.mark.parametrize("data", [b"", b"\n\n", b"  \n\n a\n\r\n\r\nb\n\n", b"a\n \n \n  b", b"\n" * 9 + b"c", b"a\n\n  "])
def test_mapped_lines_have_the_same_numbers_and_places(tmp_path: Path, data: bytes) -> None:
    place = tmp_path / "a.jsonl"
    place.write_bytes(data)
    assert list(long_lines_of(str(place))) == [line for line in simply(data, len(data)) if line.data.strip()]


def calls(path: Path) -> int:
    """Python calls while the lines of a file are read in both ways."""
    count = 0

    def counted(_frame: FrameType, event: str, _value: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(counted)
    try:
        with path.open("rb") as stream:
            lines = [*lines_of(stream), *long_lines_of(str(path))]
    finally:
        sys.setprofile(None)
    assert len(lines) == 6
    return count


def test_empty_lines_cost_nothing_each(tmp_path: Path) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    few.write_bytes(b"a\nb\nc\n")
    many.write_bytes(b"a\nb\nc\n" + b"\n" * (20 * PART))
    assert calls(many) - calls(few) < 2000
