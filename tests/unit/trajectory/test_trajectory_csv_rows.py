from __future__ import annotations

import csv
import io

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from earned.errors import FormatError
from earned.trajectory.decode.csv_rows import fields_of, rows_of

FIELD = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ['a,"b"', "\r\n", "\n\n", '"', "\0", ',"[{']
)


def table(*rows: list[str], ending: str = "\r\n") -> bytes:
    written = io.StringIO()
    csv.writer(written, lineterminator=ending).writerows(rows)
    return written.getvalue().encode()


def read(data: bytes, limit: int = 1000) -> list[list[str]]:
    return [fields_of(row.data.decode()) for row in rows_of(io.BytesIO(data), limit=limit)]


@settings(max_examples=50)
@given(st.lists(st.lists(FIELD, min_size=2, max_size=4), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
def test_what_the_csv_module_writes_is_read_back(rows: list[list[str]], ending: str) -> None:
    assume(ending == "\r\n" or not any("\r" in field for row in rows for field in row))  # else it is written without quotes
    assert read(table(*rows, ending=ending)) == rows


def test_empty_lines_count_between_rows_and_stand_within_quotes() -> None:
    data = b"a,b\n" + b"\n" * 300_000 + b'c,"\n\nd"\n\n' + b"\n" * 300_000 + b"e,f\n"
    found = list(rows_of(io.BytesIO(data)))
    assert [row.data for row in found] == [b"a,b", b'c,"\n\nd"', b"e,f"]
    assert [(row.line, row.offset) for row in found] == [(1, 0), (300_002, 300_004), (600_006, 600_013)]


def test_rows_say_where_they_stand() -> None:
    data = b"\xef\xbb\xbf" + table(["task_id", "r"], ["a", "two\nlines"], ["b", "x"])
    found = list(rows_of(io.BytesIO(data)))
    assert [(row.line, row.is_whole, row.is_ended) for row in found] == [(1, True, True), (2, True, True), (4, True, True)]
    assert fields_of(found[0].data.decode()) == ["task_id", "r"]
    assert data[found[2].offset :].startswith(b"b,x")


def test_a_last_row_without_a_line_end_says_so() -> None:
    (_, last) = rows_of(io.BytesIO(b"a,b\n1,2"))
    assert (last.is_whole, last.is_ended) == (True, False)
    (_, cut) = rows_of(io.BytesIO(b'a,b\n1,"2'))
    assert (cut.is_whole, cut.is_ended) == (False, False)


def test_a_row_that_was_cut_and_written_on_from_swallows_no_other() -> None:
    first, second, third = table(["a", '[{"x": "1, 2"}]']), table(["b", '[{"y": 2}]', "ok"]), table(["c", "x"])
    found = list(rows_of(io.BytesIO(first[:-8] + b"\r\n" + second + third)))
    assert [row.is_whole for row in found] == [False, True, True]
    assert fields_of(found[1].data.decode()) == ["b", '[{"y": 2}]', "ok"]


def test_a_row_over_the_limit_is_counted_and_not_held() -> None:
    rows = table(["a", "x" * 50]), table(["b", "y\n" * 30]), table(["c", "z"])
    found = list(rows_of(io.BytesIO(b"".join(rows)), limit=40))
    assert [(row.data, row.size > 40) for row in found] == [(b"", True), (b"", True), (b"c,z", False)]


def test_fields_of_any_length_are_read_and_the_limit_of_the_process_stays() -> None:
    before = csv.field_size_limit()
    assert fields_of(f'a,"{"x" * (before + 10)}"') == ["a", "x" * (before + 10)]
    assert csv.field_size_limit() == before


def test_a_carriage_return_outside_of_quotes_is_a_space() -> None:
    assert fields_of("a,b\rc\rd,e") == ["a", "b c d", "e"]
    assert fields_of('a,"b\rc"') == ["a", "b\rc"]
    assert fields_of("") == []


def test_quotes_that_close_too_early_are_an_error() -> None:
    with pytest.raises(FormatError, match="not valid CSV"):
        fields_of('a,"b"c\nd"')
