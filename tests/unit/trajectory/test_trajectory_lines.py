"""Lines of a stream: numbers, offsets and sizes as the bytes have them, whatever the chunks in which they are read."""

from __future__ import annotations

import io

from hypothesis import example, given
from hypothesis import strategies as st

from earned.trajectory.files import PART, Line, blocks_of, lines_of

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
    assert list(lines_of(io.BytesIO(data), limit=limit)) == simply(data, limit)


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
