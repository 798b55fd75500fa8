"""Whether a command that a prompt shows is among what was typed: where that is listed, any other is a program's output."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from earned.trajectory.terminal.keys import Typed

WAITS = "; tmux wait -S done"
"""Put behind a command by Terminal-Bench 1, to know when it ended; nobody typed it."""
MAX_EDITED = 256
"""Pieces of edited lines that are kept."""
MIN_CUT = 8
"""Characters of a line that is shown in part."""
_ENDS = frozenset({"C-c", "C-d", "C-z", "C-u"})
"""Keys behind which a new line begins."""
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f]")


class Listed:
    """The lines that were typed. Of one that keys edited or completed, how it begins or ends."""

    def __init__(self, typed: Iterable[Typed]) -> None:
        self._begins: set[str] = set()
        self._ends: set[str] = set()
        lines: set[str] = set()
        held, is_edited = "", False
        for item in typed:
            if item.is_key:
                self._edited(self._begins, held)
                held, is_edited = "", item.text not in _ENDS
                continue
            if is_edited:
                self._edited(self._ends, item.text)
            for line in (item.text + "\n" + held + item.text).split("\n"):
                first, *rest = _CONTROL.split(line)
                if rest:
                    self._edited(self._begins, first)
                lines.add(_squashed(line))
            held, is_edited = ("", False) if item.is_entered else (held + item.text, is_edited)
        self._lines = sorted(lines - {""})

    def _edited(self, pieces: set[str], text: str) -> None:
        piece = _squashed(text)
        if piece and len(pieces) < MAX_EDITED:
            pieces.add(piece)

    def has(self, text: str) -> bool:
        """Whether a line that a prompt shows was typed; the terminal may have changed its blanks, or cut it."""
        line = _squashed(text)
        at = bisect_left(self._lines, line)
        found = self._lines[at] if at < len(self._lines) else ""
        if found == line or (len(line) >= MIN_CUT and found.startswith(line)):
            return True
        return line.startswith(tuple(self._begins)) or line.endswith(tuple(self._ends))


def _squashed(text: str) -> str:
    return "".join(_CONTROL.sub("", text.strip().removesuffix(WAITS)).split())
