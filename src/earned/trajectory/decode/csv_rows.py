"""Rows of a CSV file of any size, one at a time, with the bytes that make each: fields may hold line ends, NUL and megabytes.

A row ends at a line end outside of quotes. A row that was cut off and written on from (a run that was killed and resumed) does
not swallow the rest: a line that opens a quoted field as no line within quotes can is where the next row begins.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple

from earned.errors import FormatError
from earned.trajectory.sources.files import Block, blocks_of, lines_in

MAX_ROW = 64 * 1024 * 1024
"""Bytes of one row. The csv module takes four bytes of memory for each character of a field."""
_STARTS = re.compile(rb'[^",\r\n]{1,200},"[^",\r\n]')
_BOM = b"\xef\xbb\xbf"


class CsvRow(NamedTuple):
    """One row as it lies in the file."""

    line: int
    """Number of its first line, from 1."""
    offset: int
    """Of its first byte."""
    data: bytes
    """Without the last line end; empty where it is longer than the limit."""
    size: int
    is_whole: bool
    """False when the row ends within quotes."""
    is_ended: bool = True
    """Whether a line end follows: False only for the last row of a file, whose last field may be cut off."""


def rows_of(stream: BinaryIO, *, limit: int = MAX_ROW) -> Iterator[CsvRow]:
    """The rows of a stream; never more than one of at most `limit` bytes is held."""
    row = _Open()
    for block in blocks_of(stream, limit=limit):
        row = yield from _rows_in(block, row, limit)
    if row.lines:
        yield row.closed(is_whole=False, is_ended=False)


def _rows_in(block: Block, row: _Open, limit: int) -> Generator[CsvRow, None, _Open]:
    """The rows that end within a block; returned is the one that is open behind it."""
    may_be_quoted = bool(row.lines) or b'"' in block.data
    for line in lines_in(block, limit=limit, blanks=may_be_quoted):
        data = line.data.removeprefix(_BOM) if line.number == 1 else line.data
        if row.lines and row.is_quoted and _STARTS.match(data):
            yield row.closed(is_whole=False)
            row = _Open()
        if not row.lines:
            row.line, row.offset = line.number, line.offset
        row.add(data, line.size, limit)
        if not row.is_quoted:
            if data.strip() or line.size > limit:
                yield row.closed(is_whole=True, is_ended=line.is_ended)
            row = _Open()
    return row


class _Open:
    """A row whose end has not been seen."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.line = self.offset = self.size = 0
        self.is_quoted = self.is_long = False

    def add(self, data: bytes, size: int, limit: int) -> None:
        """Take one more line; what is over the limit is counted and not kept."""
        self.size += size + bool(self.lines)
        self.is_long = self.is_long or self.size > limit
        self.is_quoted ^= data.count(b'"') % 2 == 1
        if size > limit:
            self.is_quoted = False  # its quotes were not seen; nearly every row is one line
        if self.is_long:
            self.lines = [b""]
        else:
            self.lines.append(data)

    def closed(self, *, is_whole: bool, is_ended: bool = True) -> CsvRow:
        """The row as far as it was seen."""
        data = b"" if self.is_long else b"\n".join(self.lines)
        return CsvRow(self.line, self.offset, data.removesuffix(b"\r"), self.size, is_whole, is_ended)


def fields_of(text: str) -> list[str]:
    """The fields of one row; a carriage return outside of quotes, which some writers leave there, is a space.

    Raises FormatError when quotes are not closed where they should be.
    """
    with _long_fields(len(text) + 1):
        try:
            return _parsed(text)
        except csv.Error:
            pass
        try:
            return _parsed(text.replace("\r", " "))
        except csv.Error as error:
            raise FormatError(f"not valid CSV: {error}") from error


def _parsed(text: str) -> list[str]:
    return next(csv.reader([text]), [])


@contextmanager
def _long_fields(limit: int) -> Iterator[None]:
    """The csv module's limit of a field, which holds for the whole process, raised for one row."""
    before = csv.field_size_limit()
    csv.field_size_limit(max(before, limit))
    try:
        yield
    finally:
        csv.field_size_limit(before)
