"""Hunks put into a text: where their old lines stand, exactly or but for white space, nearest to where they say."""

from __future__ import annotations

from bisect import bisect_left

from earned.content.patch import Hunk, PatchedFile

MAX_CANDIDATES = 1_000
"""Places before, and after, the one where a hunk says it belongs that are tried."""
MAX_COMPARED = 2_000_000
"""Lines compared for one file's hunks before they count as not fitting; a real patch needs a few for each hunk."""


def apply_hunks(text: str, file: PatchedFile) -> str | None:
    """The text with all hunks of one patched file applied; None when one does not fit."""
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(ending)
    is_open = lines[-1] != ""
    if not is_open:
        lines.pop()
    finder = _Finder(lines)
    made: list[str] = []
    done = 0
    for hunk in file.hunks:
        at = finder.find(hunk, done)
        if at is None:
            return None
        until = at + len(hunk.old)
        made += lines[done:at]
        made += _kept(lines[at:until], hunk)
        done = until
        if done == len(lines) and hunk.new:
            is_open = hunk.new_ends_open
    made += lines[done:]
    return ending.join(made) + ("" if is_open or not made else ending)


def _kept(found: list[str], hunk: Hunk) -> list[str]:
    """The hunk's new lines; a context line that differs in white space only stays as the file has it."""
    if tuple(found) == hunk.old:
        return list(hunk.new)
    own = dict(zip(hunk.old, found, strict=True))
    return [own.get(line, line) for line in hunk.new]


class _Finder:
    """Finds the places of hunks in one text."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.plain = [line.strip() for line in lines]
        self.places: dict[str, list[int]] = {}
        for at, line in enumerate(self.plain):
            self.places.setdefault(line, []).append(at)
        self.left = MAX_COMPARED

    def find(self, hunk: Hunk, after: int) -> int | None:
        """Index at which the hunk's old lines stand, not before `after`; None when they do not."""
        if not hunk.old:
            return self._insertion(hunk, after)
        wanted = hunk.old_start - 1 if hunk.old_start else self._section(hunk, after)
        if self._fits(hunk, wanted, self.lines, hunk.old):
            return wanted if wanted >= after else None
        places = self.places.get(hunk.old[0].strip(), [])
        first, near = bisect_left(places, after), bisect_left(places, wanted)
        places = places[max(first, near - MAX_CANDIDATES) : near + MAX_CANDIDATES]
        candidates = sorted(places, key=lambda at: (at < wanted, abs(at - wanted)))
        plain = tuple(line.strip() for line in hunk.old)
        exact = next((at for at in candidates if self._fits(hunk, at, self.lines, hunk.old)), None)
        return exact if exact is not None else next((at for at in candidates if self._fits(hunk, at, self.plain, plain)), None)

    def _fits(self, hunk: Hunk, at: int, lines: list[str], old: tuple[str, ...]) -> bool:
        if at < 0 or at + len(old) > len(lines) or self.left <= 0:
            return False
        self.left -= len(hunk.old)
        return tuple(lines[at : at + len(old)]) == old

    def _insertion(self, hunk: Hunk, after: int) -> int | None:
        """Where lines are inserted without context: after line `old_start`; at the end when the hunk has no numbers."""
        if not hunk.old_start and not hunk.new_start:
            return len(self.lines)
        return hunk.old_start if after <= hunk.old_start <= len(self.lines) else None

    def _section(self, hunk: Hunk, after: int) -> int:
        """The first line from `after` on that the hunk's header names; `after` when it names none."""
        places = self.places.get(hunk.section.strip(), []) if hunk.section.strip() else []
        index = bisect_left(places, after)
        return places[index] if index < len(places) else after
