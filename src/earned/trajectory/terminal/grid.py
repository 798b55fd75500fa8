"""The rows of a terminal: characters go in at a cursor, and no row that was shown is lost when it scrolls off or is cleared.

A place in a row is a column. Rows above the screen are history and do not change any more.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

MAX_WIDTH, MAX_HEIGHT = 1000, 300
"""Larger terminals are taken for these: a recorded size is nobody's word."""
TAB = 8
ALLOWANCE = 1 << 20
"""Blanks and repeated characters that may stand beyond what was written, so that a few bytes never make a page."""
GRANTED = 4
"""Added to the allowance for every character that is written."""
MAX_BLANK = 2 * MAX_HEIGHT
"""Blank lines in a row that are kept."""
MAX_ERASED = 1000
"""Rows that are kept of those that were changed after their end."""
_BROKEN, _TYPED = 1, 2
"""Flags of a row: the right edge broke the one above into it; a line editor read in it."""
_BROKEN_ONLY, _TYPED_ONLY = bytes([0, 1] * 128), bytes([0, 0, 1, 1] * 64)
"""Tables that leave one flag, as 1."""
_PROMPT_LIKE = re.compile(r"@[^\n]{1,400}[#$%] ")
_FILL = "\uffff"
"""Stands behind a character that takes two columns."""
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f"
    "\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f900-\U0001f9ff\U00020000-\U0003fffd]"
)


class Lines(NamedTuple):
    """Every line that was shown, as columns of one table: a log has millions."""

    texts: list[str]
    """With the blanks that were written at their ends."""
    numbers: array[int]
    """Line of the record, from 1, in which each began."""
    rows: array[int]
    """First row of each, from 0."""
    typed: bytearray
    """1 where a line editor read: a prompt and what was typed there."""
    erased: Sequence[str] = ()
    """Rows with an `@`, as prompts have it, that had been ended by a line end and were changed later."""


class Grid:
    """Rows of a fixed width, of which the last ones, at most its height, are the screen."""

    def __init__(self, width: int, height: int, *, counts: bool = True) -> None:
        self.number = 1
        """Line of the record that is being written; left to the caller when the grid does not count."""
        self._counts = int(counts)
        self.is_reading = False
        """Whether a line editor reads what is written from here on."""
        self._rows: list[str] = [""]
        self._numbers = array("I", [1])
        self._flags = bytearray(1)
        self._base = self.y = self.x = 0
        self._blank = 0
        self._allowance = ALLOWANCE
        self._has_wide = False
        self._ended = -1
        """The last row that a line end was written in; what stands in it or above is no line that is still being edited."""
        self._erased: dict[str, None] = {}
        self._saved = (0, 0)
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Another size; numbers that no terminal has are brought into range."""
        self.width = min(max(width, 2), MAX_WIDTH)
        self.height = min(max(height, 2), MAX_HEIGHT)
        self._top, self._bottom = 0, self.height - 1
        overhang = self.y - self._bottom
        if overhang > 0:
            self._base, self.y = self._base + overhang, self._bottom

    @property
    def row(self) -> int:
        """The row of the cursor, counted from the first ever."""
        return self._base + self.y

    def put(self, run: str) -> None:
        """Printable characters, at least one, at the cursor; broken at the right edge."""
        if not run.isascii():
            run = _WIDE.sub(rf"\g<0>{_FILL}", run.replace(_FILL, "\ufffd"))
            self._has_wide = self._has_wide or _FILL in run
        at, length = 0, len(run)
        while at < length:
            if self.x >= self.width:
                self.x = 0
                self.linefeed()
                self._flags[self.row] |= _BROKEN
            room = self.width - self.x
            piece = run if at == 0 and length <= room else run[at : at + room]
            row, x = self._base + self.y, self.x
            before = self._rows[row]
            if len(before) < x:
                x = self._padded(row, x)
                before = self._rows[row]
            self.x = end = x + len(piece)
            if len(before) == x:
                self._rows[row] = before + piece
            else:
                self._changes(row)
                self._rows[row] = before[:x] + piece + before[end:]
            if self.is_reading:
                self._flags[row] |= _TYPED
            at += len(piece)
        self._blank = 0
        self._allowance += GRANTED * length

    def _changes(self, first: int, end: int = 0) -> None:
        """Before rows change that were shown: keep what may be a prompt with its command."""
        if first > self._ended:
            return
        for row in range(first, min(max(end, first + 1), self._ended + 1, len(self._rows))):
            if "@" in self._rows[row] and len(self._erased) < MAX_ERASED and _PROMPT_LIKE.search(self._rows[row]):
                self._erased[self._rows[row].replace(_FILL, "")] = None

    def _padded(self, row: int, x: int) -> int:
        """Blanks up to a column, where the allowance holds; the column that was reached."""
        blanks = x - len(self._rows[row])
        if blanks <= self._allowance:
            self._allowance -= blanks
            self._rows[row] += " " * blanks
        return len(self._rows[row])

    def plain_lines(self, lines: list[str]) -> bool:
        """The usual case at a tenth of the cost: lines without controls, on the screen's last row; False when it is another."""
        rows = self._rows
        is_usual = self.y == self.height - 1 and not (self.x or self.is_reading or self._top)
        if not is_usual or self._bottom != self.y or rows[-1] or self._base + self.y != len(rows) - 1:
            return False
        longest = max(lines, key=len)
        text = "".join(lines)
        if len(longest) > self.width or not text:
            return False
        if not text.isascii() and (_FILL in text or _WIDE.search(text)):
            return False
        count = len(lines)
        rows[-1:] = lines
        rows.append("")
        self._numbers.extend(range(self.number + 1, self.number + 1 + count) if self._counts else [self.number] * count)
        self._flags.extend(bytes(count))
        self.number += count * self._counts
        self._base += count
        self._ended = self.row - 1
        self._blank = 0
        self._allowance += GRANTED * len(text)
        return True

    def newline(self) -> None:
        """The end of a line of the record, also where a program in raw mode or a plain file writes no return before it."""
        self._ended = self.row
        self.linefeed()
        self.x = 0
        self.number += self._counts
        if not self._rows[self.row]:
            self._numbers[self.row] = self.number

    def linefeed(self) -> None:
        """One row down, where the screen scrolls at its end."""
        self._blank += 1
        if self.y == self._bottom:
            if self._blank <= MAX_BLANK:
                self._scroll()
        else:
            self.y = min(self.y + 1, self.height - 1)
        self._reach()

    def scroll(self, amount: int) -> None:
        """The region scrolls, at most until nothing stands in it."""
        for _ in range(min(amount, self.height)):
            if not any(self._rows[self._base + self._top : self._base + self._bottom + 1]):
                break
            self._scroll()
        self._reach()

    def _scroll(self) -> None:
        """A row leaves the region at its top into history; the rows below the region stay where they are on the screen."""
        end = self._base + self._bottom + 1
        if self._top:
            first = self._base + self._top
            self._insert(self._base, self._rows[first] if first < len(self._rows) else "")
            self._delete(first + 1)
        self._base += 1
        if end < len(self._rows):
            self._insert(end, "")

    def _insert(self, row: int, text: str) -> None:
        self._rows.insert(row, text)
        self._numbers.insert(row, self.number)
        self._flags.insert(row, 0)

    def _delete(self, row: int) -> None:
        del self._rows[row : row + 1], self._numbers[row : row + 1], self._flags[row : row + 1]

    def _reach(self) -> None:
        """Rows exist down to the cursor's."""
        missing = self._base + self.y + 1 - len(self._rows)
        if missing > 0:
            self._rows += [""] * missing
            self._numbers.extend([self.number] * missing)
            self._flags.extend(bytes(missing))

    def new_screen(self) -> None:
        """What stands on the screen becomes history, without its blank rows; an empty one begins below."""
        if any(self._rows[self._base :]):
            for row in range(len(self._rows) - 1, self._base - 1, -1):
                if not self._rows[row]:
                    self._delete(row)
            self._base = len(self._rows)
            self._ended = self._base - 1
        self._top, self._bottom = 0, self.height - 1
        self.to(0, 0)

    def to(self, y: int, x: int) -> None:
        """The cursor goes to a row and a column of the screen, both from 0, or as near as there is one."""
        self.y, self.x = min(max(y, 0), self.height - 1), min(max(x, 0), self.width - 1)
        self._reach()

    def move(self, down: int, right: int) -> None:
        """The cursor moves within the screen."""
        self.to(self.y + down, min(self.x, self.width - 1) + right)

    def tab(self) -> None:
        """To the next column of eight."""
        self.x = min((self.x // TAB + 1) * TAB, self.width - 1)

    def save(self) -> None:
        """Remember the cursor."""
        self._saved = self.y, self.x

    def restore(self) -> None:
        """Back to where the cursor was remembered."""
        self.to(*self._saved)

    def region(self, top: int, bottom: int) -> None:
        """Only these rows, from 1, scroll; `bottom` 0 is the last one."""
        first, last = max(top, 1) - 1, (bottom or self.height) - 1
        if first < last < self.height:
            self._top, self._bottom = first, last
            self.to(0, 0)

    def erase_screen(self, how: int) -> None:
        """From the cursor (0), up to it (1), or all (2): all that is erased at once stays as history."""
        row = self.row
        if how == 2 or (how == 0 and self.y == self.x == 0):
            place = self.y, self.x
            self.new_screen()
            self.to(*place)
        elif how == 0:
            self.erase_line(0)
            self._changes(row + 1, len(self._rows))
            below = len(self._rows) - row - 1
            self._rows[row + 1 :], self._flags[row + 1 :] = [""] * below, bytes(below)
        elif how == 1:
            self._changes(self._base, row)
            self._rows[self._base : row], self._flags[self._base : row] = [""] * self.y, bytes(self.y)
            self.erase_line(1)

    def erase_line(self, how: int) -> None:
        """From the cursor (0), up to it (1), or the whole line (2)."""
        row, x = self.row, min(self.x, self.width - 1)
        self._changes(row)
        text = self._rows[row]
        left = {0: text[:x], 1: " " * min(x + 1, len(text)) + text[x + 1 :]}.get(how, "")
        self._rows[row] = left
        if not left:
            self._flags[row] = 0

    def insert_blanks(self, amount: int) -> None:
        """Blanks at the cursor; what is right of it moves."""
        text, x = self._rows[self.row], self.x
        if text[x:]:
            self._rows[self.row] = (text[:x] + " " * min(amount, self.width) + text[x:])[: self.width]

    def delete_characters(self, amount: int) -> None:
        """Characters from the cursor on are gone; what is right of them moves."""
        self._changes(self.row)
        text, x = self._rows[self.row], self.x
        self._rows[self.row] = text[:x] + text[x + amount :]

    def erase_characters(self, amount: int) -> None:
        """Characters from the cursor on become blanks."""
        self._changes(self.row)
        text, x = self._rows[self.row], self.x
        self._rows[self.row] = text[:x] + " " * len(text[x : x + amount]) + text[x + amount :]

    def repeat(self, amount: int) -> None:
        """The last character again, at most to the right edge."""
        last = self._rows[self.row][: self.x][-1:]
        times = min(amount, self.width - min(self.x, self.width))
        if times <= self._allowance:
            self._allowance -= (GRANTED + 1) * times
            self.put(last * times)

    def shift(self, down: int) -> None:
        """Rows from the cursor's to the region's end move; what leaves the region is gone, as in a redraw."""
        if not self._top <= self.y <= self._bottom:
            return
        first, end = self.row, min(self._base + self._bottom + 1, len(self._rows))
        self._changes(first, end)
        size = end - first
        blank = min(abs(down), size)
        rows, flags = self._rows[first:end], self._flags[first:end]
        if down > 0:
            self._rows[first:end] = [""] * blank + rows[: size - blank]
            self._flags[first:end] = bytes(blank) + flags[: size - blank]
        else:
            self._rows[first:end] = rows[blank:] + [""] * blank
            self._flags[first:end] = flags[blank:] + bytes(blank)

    def lines(self) -> Lines:
        """Every line that was shown, in order, with rows that the right edge broke joined."""
        rows, flags, last = self._rows, self._flags, len(self._rows)
        while last > 1 and not rows[last - 1]:
            last -= 1
        if not flags.translate(_BROKEN_ONLY).count(1):
            starts = array("I", range(last))
            texts, numbers, typed = rows[:last], self._numbers[:last], flags[:last].translate(_TYPED_ONLY)
        else:
            starts = array("I", (row for row in range(last) if not row or not flags[row] & _BROKEN))
            numbers = array("I", (self._numbers[start] for start in starts))
            spans = [*pairwise(starts), (starts[-1], last)]
            texts = [self._joined(start, end) for start, end in spans]
            typed = bytearray([max(flags[start:end]) >= _TYPED for start, end in spans])
        if self._has_wide:
            texts = [text if text.isascii() else text.replace(_FILL, "") for text in texts]
        return Lines(texts, numbers, starts, typed, list(self._erased))

    def _joined(self, start: int, end: int) -> str:
        if end == start + 1:
            return self._rows[start]
        return "".join([*(f"{part:<{self.width}}" for part in self._rows[start : end - 1]), self._rows[end - 1]])
