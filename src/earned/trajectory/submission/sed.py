"""What `sed -i` leaves of a text that is known, carried out exactly or not at all.

POSIX and GNU sed as far as agents use it: addresses by number, `$`, expression and range; `s`, `y`, `d`, `i`, `a`, `c`.
Expressions are matched by RE2 with the longest match, in linear time whatever a script holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import re2

from earned.trajectory.submission.sed_script import Address, Command, UnknownScriptError, parsed

MAX_GROWN = 8 << 20
"""Characters that a text may grow to."""


def edited_in_place(text: str, scripts: Sequence[str], *, is_extended: bool = False) -> str | None:
    """The text after `sed -i` with these scripts; None where it is not known exactly."""
    try:
        return _Run(parsed("\n".join(scripts), is_extended=is_extended)).over(text)
    except (UnknownScriptError, re2.error):
        return None


class _Made(NamedTuple):
    """What stands in the place of a line."""

    before: list[str]
    line: str | None
    after: list[str]


class _Run:
    """One run of a script over the lines of a file."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self.commands = commands
        self.ends: list[int | None] = [None] * len(commands)
        """Of each command's range, the line at which it ends; 0 until its end is seen; None outside of it."""

    def over(self, text: str) -> str:
        if not text:
            return text
        if not text.endswith("\n"):
            raise UnknownScriptError  # whether an open last line stays open depends on what becomes of it
        lines = text[:-1].split("\n")
        out: list[str] = []
        size = 0
        for number, line in enumerate(lines, 1):
            before, kept, after = self._line(line, number, len(lines))
            made = [*before, *([] if kept is None else [kept]), *after]
            out += made
            size += sum(map(len, made))
            if size > MAX_GROWN:
                raise UnknownScriptError
        return "".join(f"{line}\n" for line in out)

    def _line(self, line: str, number: int, count: int) -> _Made:
        before: list[str] = []
        after: list[str] = []
        for index, command in enumerate(self.commands):
            if self._concerns(index, number, count, line) is command.is_negated:
                continue
            if command.name == "d":
                return _Made(before, None, after)
            if command.name == "c":
                if command.last is not None:
                    raise UnknownScriptError
                return _Made([*before, command.new], None, after)
            if command.name == "i":
                before.append(command.new)
            elif command.name == "a":
                after.append(command.new)
            else:
                line = _changed(line, command)
        return _Made(before, line, after)

    def _concerns(self, index: int, number: int, count: int, line: str) -> bool:
        command = self.commands[index]
        if command.first is None:
            return True
        if command.last is None:
            return _is_at(command.first, number, count, line)
        end = self.ends[index]
        if end is None:
            if not _is_at(command.first, number, count, line):
                return False
            self.ends[index] = self._end(command.last, number, count)
        elif end == number or (end == 0 and _is_at(command.last, number, count, line)):
            self.ends[index] = None
        return True

    @staticmethod
    def _end(last: Address, number: int, count: int) -> int | None:
        """Where a range ends that begins on this line; None for one that is this line alone."""
        if last.pattern is not None:
            return 0 if number < count else None
        end = number + last.number if last.is_relative else count if last.is_last else last.number
        return end if end > number else None


def _is_at(address: Address, number: int, count: int, line: str) -> bool:
    if address.pattern is not None:
        if "\n" in line:
            raise UnknownScriptError
        return address.pattern.search(line) is not None
    return number == (count if address.is_last else address.number)


def _changed(line: str, command: Command) -> str:
    if command.name == "y":
        half = len(command.new) // 2
        return line.translate(str.maketrans(command.new[:half], command.new[half:]))
    if command.pattern is None or "\n" in line or len(line) * len(command.new) > MAX_GROWN:
        raise UnknownScriptError  # a line that has become two is matched by other rules
    return str(command.pattern.sub(command.new, line, 0 if command.is_global else 1))
