"""Lines of a stream: numbers, offsets and sizes as the bytes have them, whatever the chunks in which they are read."""

from __future__ import annotations

import io

from hypothesis import example, given
from hypothesis import strategies as st

from earned.trajectory.files import CHUNK, Line, lines_of

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
@example(b"a" * CHUNK + b"\nb", 2 * CHUNK)
@example(b"a" * (CHUNK - 1) + b"\n\nb\n", 2 * CHUNK)
@example(b"a" * (3 * CHUNK) + b"\nb", CHUNK)
def test_lines_are_those_of_the_bytes(data: bytes, limit: int) -> None:
    assert list(lines_of(io.BytesIO(data), limit=limit)) == simply(data, limit)


def test_a_line_over_the_limit_is_counted_and_not_held() -> None:
    (line,) = lines_of(io.BytesIO(b"x" * (2 * CHUNK)), limit=10)
    assert line == Line(1, 0, b"", 2 * CHUNK, is_ended=False)
