"""Terminal output as the lines that it showed: escape sequences gone, backspaces carried out, carriage returns as line ends.

A carriage return alone overwrites a line on a screen; in a record the overwritten text was delivered all the same, so that
each of the two stands as a line of its own here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from earned.content.rewrite import Replacement, Rewrite, replace_spans, unchanged

MIN_WRAP_COLUMN = 60
"""A space and carriage return at least this far into a line is a shell's line wrap, not a rewrite of the line."""

_CONTROL = re.compile(
    r"[\x1b\r](?:"
    r"\[[0-9;:?<=>]{0,64}[ -/]?[@-~]"  # CSI: colours, cursor
    r"|[\]PX^_][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)"  # OSC and the other strings
    r"|[ -/]?[0-~]"
    r"|\n)?"
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
    shown = replace_spans(unchanged(text), _controls(text))
    if "\x08" not in shown.text:
        return shown
    return replace_spans(shown, _taken_back(shown.text))


def _controls(text: str) -> Iterator[Replacement]:
    """Removals of escape sequences, and line ends for carriage returns that are followed by no line feed."""
    line = 0
    for found in _CONTROL.finditer(text):
        start, end = found.span()
        control = found[0]
        if control[0] == "\x1b":
            yield Replacement(start, end - control.endswith("\n"), "")
        elif control.endswith("\n"):
            line = end
        else:
            line = max(line, text.rfind("\n", line, start) + 1)
            if start - line >= MIN_WRAP_COLUMN and text[start - 1] == " ":
                yield Replacement(start - 1, start + 1, "")
            else:
                yield Replacement(start, start + 1, "\n")
            line = start + 1


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
        removed.append(Replacement(at, end, ""))
    yield from removed
