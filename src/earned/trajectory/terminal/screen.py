"""What a terminal showed, as lines of text, from the bytes that programs wrote to it.

What scrolls off, and what stood on the screen when a program cleared it, stays as text. What a program wrote over (spinners,
progress bars, edited command lines) is gone, as it was for who looked. A line that the terminal broke at its right edge is one
line again. Linear in the size of what is fed, whatever it is: design/005-terminal-text-by-an-own-screen.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from earned.trajectory.terminal.grid import Grid, Lines

WIDTH, HEIGHT = 160, 40
"""Of the terminal when the record does not say: that of Terminal-Bench 1 (`terminal_bench/terminal/tmux_session.py`)."""
MAX_SEQUENCE = 4096
"""Characters of an escape sequence; what goes on longer without its end is text."""

PIECE = 64 * 1024
"""Characters that are gone through at once."""

BATCH = 64
"""Lines that are taken at once where none is special."""

_COLOUR = re.compile(r"\x1b\[[0-9;:]{0,64}m")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_SPECIAL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?:[^\n]|$)")
_TOKEN = re.compile(
    "[^\x00-\x1f\x7f-\x9f]+"
    r"|\x1b\[[0-9:;<=>?]{0,64}[ -/]{0,4}[@-~]"  # CSI
    r"|\x1b[\]PX^_][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)"  # OSC, DCS and the other strings
    r"|\x1b[ -/]{0,4}[0-OQ-WYZ\\`-~]"
    "|[\x00-\x1f\x7f-\x9f]"
)
_UNFINISHED = re.compile(r"\x1b(?:\[[0-9:;<=>?]{0,64}[ -/]{0,4}|[\]PX^_][^\x07\x1b\n]{0,4096}\x1b?|[ -/]{0,4})$")
_PRIVATE = ("<", "=", ">", "?")
_ALTERNATE = frozenset({"47", "1047", "1049"})
_READING = "2004"
"""Bracketed paste: a line editor turns it on when it waits for a command, and off when it has one."""


class Screen:
    """A terminal that is fed with output and remembers every row."""

    def __init__(self, width: int = WIDTH, height: int = HEIGHT, *, counts: bool = True) -> None:
        self.grid = Grid(width, height, counts=counts)
        self._rest = ""

    def feed(self, text: str) -> None:
        """Take output. A sequence that is not finished waits for the next call."""
        if len(text) <= PIECE:
            self._feed(text)
        else:
            for at in range(0, len(text), PIECE):
                self._feed(text[at : at + PIECE])

    def resize(self, width: int, height: int) -> None:
        """Another size from here on."""
        self.grid.resize(width, height)

    def _feed(self, text: str) -> None:
        if self._rest:
            text, self._rest = self._rest + text, ""
        start, length = 0, len(text)
        while start < length:
            special = _SPECIAL.search(text, start)
            end = text.rfind("\n", start, special.start() if special else length) + 1
            if end > start:
                self._plain(text[start:end])
                start = end
                continue
            end = text.find("\n", start)
            if end < 0:
                break
            self._write(text[start : end - 1] if text[end - 1] == "\r" and end > start else text[start:end])
            self.grid.newline()
            start = end + 1
        tail = text[start:]
        if "\x1b" in tail:
            waiting = _UNFINISHED.search(tail, max(0, len(tail) - MAX_SEQUENCE))
            if waiting:
                self._rest, tail = waiting.group(), tail[: waiting.start()]
        self._write(tail)

    def _plain(self, text: str) -> None:
        """Whole lines without controls: nearly all of most logs."""
        lines = text.replace("\r\n", "\n").split("\n")
        lines.pop()
        for at in range(0, len(lines), BATCH):
            batch = lines[at : at + BATCH]
            if not self.grid.plain_lines(batch):
                for line in batch:
                    self._write(line)
                    self.grid.newline()

    def _write(self, piece: str) -> None:
        if "\x1b" in piece:
            piece = _COLOUR.sub("", piece)
        if not piece:
            return
        grid = self.grid
        if _CONTROL.search(piece) is None:
            grid.put(piece)
            return
        for token in _TOKEN.findall(piece):
            first = token[0]
            if first == "\x1b":
                self._escape(token)
            elif first >= " " and not "\x7f" <= first <= "\x9f":
                grid.put(token)
            elif first == "\r":
                grid.x = 0
            elif first == "\b":
                grid.x = max(0, min(grid.x, grid.width) - 1)
            elif first == "\t":
                grid.tab()
            elif first in "\x0b\x0c":
                grid.linefeed()

    def _escape(self, token: str) -> None:
        act, first, second = _meaning(token)
        if act is not None:
            act(self.grid, first, second)
        elif token[-1] in "hl" and token[1:3] == "[?":
            self._mode(token[3:-1].split(";"), is_on=token[-1] == "h")

    def _mode(self, names: list[str], *, is_on: bool) -> None:
        """Private modes that matter: the alternate screen, and whether a line editor reads."""
        for name in names:
            if name in _ALTERNATE:
                self.grid.new_screen()
            elif name == _READING:
                self.grid.is_reading = is_on

    def lines(self) -> Lines:
        """Every line that was shown, in order. Ends the feeding."""
        rest, self._rest = self._rest, ""
        self._write(rest.replace("\x1b", ""))
        return self.grid.lines()


def _next_line(grid: Grid) -> None:
    grid.x = 0
    grid.linefeed()


_Act = Callable[[Grid, int, int], None]
_ESCAPES: dict[str, _Act] = {
    "7": lambda grid, _n, _m: grid.save(),
    "8": lambda grid, _n, _m: grid.restore(),
    "D": lambda grid, _n, _m: grid.linefeed(),
    "E": lambda grid, _n, _m: _next_line(grid),
    "M": lambda grid, _n, _m: grid.move(-1, 0),
    "c": lambda grid, _n, _m: grid.new_screen(),
}
_COMMANDS: dict[str, _Act] = {
    "A": lambda grid, n, _: grid.move(-max(n, 1), 0),
    "B": lambda grid, n, _: grid.move(max(n, 1), 0),
    "C": lambda grid, n, _: grid.move(0, max(n, 1)),
    "D": lambda grid, n, _: grid.move(0, -max(n, 1)),
    "E": lambda grid, n, _: grid.to(grid.y + max(n, 1), 0),
    "F": lambda grid, n, _: grid.to(grid.y - max(n, 1), 0),
    "G": lambda grid, n, _: grid.to(grid.y, n - 1),
    "`": lambda grid, n, _: grid.to(grid.y, n - 1),
    "d": lambda grid, n, _: grid.to(n - 1, grid.x),
    "H": lambda grid, n, m: grid.to(n - 1, m - 1),
    "f": lambda grid, n, m: grid.to(n - 1, m - 1),
    "J": lambda grid, n, _: grid.erase_screen(n),
    "K": lambda grid, n, _: grid.erase_line(n),
    "@": lambda grid, n, _: grid.insert_blanks(max(n, 1)),
    "P": lambda grid, n, _: grid.delete_characters(max(n, 1)),
    "X": lambda grid, n, _: grid.erase_characters(max(n, 1)),
    "b": lambda grid, n, _: grid.repeat(max(n, 1)),
    "L": lambda grid, n, _: grid.shift(max(n, 1)),
    "M": lambda grid, n, _: grid.shift(-max(n, 1)),
    "S": lambda grid, n, _: grid.scroll(max(n, 1)),
    "r": lambda grid, n, m: grid.region(n, m),
    "s": lambda grid, _n, _m: grid.save(),
    "u": lambda grid, _n, _m: grid.restore(),
}
"""Final character of a control sequence -> what it does; all others only colour, or ask."""


@lru_cache(maxsize=4096)
def _meaning(token: str) -> tuple[_Act | None, int, int]:
    """What an escape sequence does, with its first two numbers."""
    if token[1:2] != "[":
        return _ESCAPES.get(token[1:2]), 0, 0
    given, final = token[2:-1], token[-1]
    if given.startswith(_PRIVATE) and final not in "JK":
        return None, 0, 0
    numbers = [int(part[:9]) if part.isdecimal() else 0 for part in given.lstrip("?").split(";")]
    return _COMMANDS.get(final), numbers[0], numbers[1] if len(numbers) > 1 else 0
