"""A bounded list of what was read leniently, so that a hostile file cannot grow it without end."""

from __future__ import annotations

from earned.records import Oddity

MAX_ODDITIES = 50
"""Kept per trajectory; the rest is counted. More than a person reads, fewer than a page holds."""


class Oddities:
    """Collects oddities of one trajectory."""

    def __init__(self) -> None:
        self._kept: list[Oddity] = []
        self._dropped = 0

    def add(self, what: str, place: str) -> None:
        """Keep one oddity, or count it when the list is full."""
        if len(self._kept) < MAX_ODDITIES:
            self._kept.append(Oddity(what=what, place=place))
        else:
            self._dropped += 1

    def records(self) -> tuple[Oddity, ...]:
        """What was kept, with one more that says how many were not."""
        if not self._dropped:
            return tuple(self._kept)
        more = Oddity(what=f"{self._dropped} more oddities are not listed", place="")
        return (*self._kept, more)
