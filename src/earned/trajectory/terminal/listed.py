"""Whether a command that a prompt shows is among what was typed: where that is listed, any other is a program's output."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
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
        held, is_edited = "", False
        self._times: Counter[str] = Counter()
        self._is_plain = True
        for item in typed:
            if item.is_key:
                self._edited(self._begins, held)
                held, is_edited = "", item.text not in _ENDS
                self._is_plain = self._is_plain and not is_edited
                continue
            if is_edited:
                self._edited(self._ends, item.text)
            for line in [line for text in {item.text, held + item.text} for line in text.split("\n")]:
                first, *rest = _CONTROL.split(line)
                if rest:
                    self._edited(self._begins, first)
                self._times[_squashed(line)] += 1
            held, is_edited = ("", False) if item.is_entered else (held + item.text, is_edited)
        self._lines = sorted(self._times.keys() - {""})

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

    def too_often(self, shown: Iterable[str]) -> str:
        """A line that prompts show more often than it was typed, so that a program printed one; empty where there is none.

        Where keys took lines out of the history, or drew the screen anew, nothing can be said.
        """
        counts = Counter(map(_squashed, shown)) if self._is_plain else Counter()
        return next((line for line, times in counts.items() if 0 < self._times[line] < times), "")


def _squashed(text: str) -> str:
    return "".join(_CONTROL.sub("", text.strip().removesuffix(WAITS)).split())
