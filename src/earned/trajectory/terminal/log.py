"""A terminal's record as lines of text with their places, from a raw log, a captured pane or an asciinema recording."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from earned.trajectory.candidate import place_in
from earned.trajectory.decode.document import as_text
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.reading import Reading
from earned.trajectory.terminal.grid import Lines
from earned.trajectory.terminal.screen import HEIGHT, WIDTH, Screen

MAX_LOG = 256 * 1024 * 1024
"""Bytes of one log that are read; the rest is said to be missing."""
MAX_ROWS = 4_000_000
"""Rows of a terminal that are kept: a few bytes each would else take hundreds of times their size."""
MAX_SHOWN = 256 * 1024
"""Characters that are kept of what answers no act of the agent: its program's start, the installation."""


MIN_WIDTH = 20
"""Columns of a terminal in which somebody works."""
MAX_BROKEN = 200
"""Rows by which the width is told."""
MAX_ROW = 2000
"""Characters of such a row, its colours among them."""
_READS = "\x1b[?2004h"
"""What a line editor writes when it begins to read (bracketed paste)."""
_SEQUENCE = re.compile(r"\x1b\[[0-9;:?]{0,64}[@-~]|\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)")


class Mark(NamedTuple):
    """A mark that was set in a recording."""

    text: str
    number: int
    """Line of the file."""
    row: int
    """Row of the terminal at which it was set."""


class Log(NamedTuple):
    """Lines that a terminal showed."""

    lines: Lines
    place: str
    """The file as steps name it."""
    width: int = WIDTH
    marks: Sequence[Mark] = ()
    typed: str = ""
    """Keys as they were typed, where a recording holds them."""
    is_cut: bool = False
    """The record goes on behind what was read."""

    def text(self, start: int, end: int) -> str:
        """Lines from `start` up to `end`, without the blanks at their ends and without blank lines at either end."""
        return "\n".join([line.rstrip() for line in self.lines.texts[start:end]]).strip("\n")

    def at(self, line: int) -> str:
        """The place of a line in the record."""
        numbers = self.lines.numbers
        return f"{self.place}#line {numbers[line] if line < len(numbers) else 1}"

    def line_at(self, row: int) -> int:
        """The first line that begins at a row of the terminal or below it."""
        rows = self.lines.rows
        low, high = 0, len(rows)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if rows[middle] < row else (low, middle)
        return low


def width_of(text: str) -> int:
    """The width of the terminal that a raw log was written to, by where the shell's line editor broke what was typed.

    It writes a blank and a carriage return behind a full row and goes on; 160 columns, as Terminal-Bench has them, where it
    broke nothing.
    """
    rows = itertools.islice(_broken_rows(text), MAX_BROKEN)
    widths = Counter(len(_SEQUENCE.sub("", row)) for row in rows)
    width, _ = max(widths.items(), key=itemgetter(1), default=(WIDTH, 0))
    return width if width >= MIN_WIDTH else WIDTH


def _broken_rows(text: str) -> Iterator[str]:
    """What stands in the first row of each typed line that goes on in a second one."""
    for line in text.split("\n"):
        start = line.find(_READS) + len(_READS)
        end = line.find(" \r", start) if start >= len(_READS) else -1
        if start < end <= start + MAX_ROW and line[end + 2 : end + 3] not in ("", "\r", "\x1b"):
            yield line[start:end]


def read_log_text(reading: Reading, path: str, *, limit: int = MAX_LOG) -> Log:
    """A raw terminal log, at most `limit` bytes of it. Raises FormatError when it cannot be opened."""
    screen, odd, is_cut = Screen(), Oddities(), False
    for number, block in enumerate(reading.blocks(path, limit=limit)):
        if not number:
            screen.resize(width_of(block.data.decode("utf-8", "replace")), HEIGHT)
        is_cut = is_cut or not block.data or block.offset + block.size > limit or screen.grid.row > MAX_ROWS
        if not is_cut:
            screen.feed(as_text(block.data, odd, place=path))
    for item in odd.records()[:1]:
        reading.oddities.add(item.what, item.place)
    return Log(screen.lines(), place_in(reading.candidate, path), screen.grid.width, is_cut=is_cut)


def read_pane(reading: Reading, path: str) -> Log:
    """A captured pane: every row of it is a line, also where the right edge broke a longer one."""
    text = reading.text(path, limit=MAX_LOG)
    screen = Screen(WIDTH, HEIGHT)
    rows = text.split("\n")
    for row, following in zip(rows, [*rows[1:], ""], strict=True):
        screen.feed(row if len(row) == WIDTH and following else f"{row}\n")
    return Log(screen.lines(), place_in(reading.candidate, path))
