"""Terminal output as the lines that it showed: escape sequences gone, backspaces carried out, carriage returns as line ends.

A carriage return alone overwrites a line on a screen; in a record the overwritten text was delivered all the same, so that
each of the two stands as a line of its own here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from heapq import merge

from earned.content.rewrite import Replacement, Rewrite, replace_spans, unchanged

MIN_WRAP_COLUMN = 60
"""A space and carriage return at least this far into a line is a shell's line wrap, not a rewrite of the line."""

_ESCAPE = re.compile(
    r"(?:\x1b(?:"
    r"\[[0-9;:?<=>]{0,64}[ -/]?[@-~]"  # CSI: colours, cursor
    r"|[\]PX^_][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)"  # OSC and the other strings
    r"|[ -/]?[0-~])?){1,100}"  # many at once: each match costs an object
)
_BACKSPACES = re.compile(r"\x08+")


def is_terminal_output(text: str) -> bool:
    """Whether a text holds escape sequences, backspaces or carriage returns that end no line."""
    if "\x1b" in text or "\x08" in text:
        return True
    return "\r" in text and (text.endswith("\r") or text.count("\r") != text.count("\r\n"))


def clean_terminal(text: str) -> Rewrite:
    """The lines that a terminal's output showed, with the way back to the output as recorded."""
    if not is_terminal_output(text):
        return unchanged(text)
    removed = replace_spans(unchanged(text), _removed(text))
    # of the same length, so that the way back stays as it is; what stands at a line's end is blank in either case
    shown = replace(removed, text=removed.text.replace("\r\n", " \n").replace("\r", "\n"))
    if "\x08" not in shown.text:
        return shown
    return replace_spans(shown, _taken_back(shown.text))


def _removed(text: str) -> Iterator[Replacement]:
    """Removals of escape sequences and of line wraps."""
    escapes: Iterator[tuple[int, int]] = (found.span() for found in _ESCAPE.finditer(text))
    done = 0
    for start, end in merge(escapes, _wraps(text)) if " \r" in text else escapes:
        if start >= done:
            yield Replacement(start, end, "")
            done = end


def _wraps(text: str) -> Iterator[tuple[int, int]]:
    """Places of a space and carriage return that wrap a line; each look is a line's width behind the one before."""
    line, at = 0, MIN_WRAP_COLUMN - 1
    while (start := text.find(" \r", at)) >= 0:
        is_wrap = text[start + 2 : start + 3] != "\n"
        line = max(line, text.rfind("\n", line, start) + 1, text.rfind("\r", line, start) + 1)
        if is_wrap and start + 1 - line >= MIN_WRAP_COLUMN:
            yield start, start + 2
        line = start + 2
        at = line + MIN_WRAP_COLUMN - 1


def _taken_back(text: str) -> Iterator[Replacement]:
    """Removals of backspaces with the characters before them, at most to the begin of the line."""
    removed: list[Replacement] = []
    line = done = 0
    for found in _BACKSPACES.finditer(text):
        start, end = found.span()
        line = max(line, text.rfind("\n", done, start) + 1)
        left, at, done = end - start, start, end
        while left and at > line:
            if removed and removed[-1].end == at:
                at = removed.pop().start
                continue
            before = max(line, removed[-1].end if removed else 0, at - left)
            left -= at - before
            at = before
        if removed and removed[-1].end == at:
            at = removed.pop().start
        removed.append(Replacement(at, end, ""))
    yield from removed
