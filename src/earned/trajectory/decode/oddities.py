"""A bounded list of what was read leniently, so that a hostile file cannot grow it without end."""

from __future__ import annotations

from earned.records import Oddity, Reason

MAX_ODDITIES = 50
"""Kept per trajectory; the rest is counted. More than a person reads, fewer than a page holds."""


class Oddities:
    """Collects oddities of one trajectory."""

    def __init__(self) -> None:
        self._kept: list[Oddity] = []
        self._dropped = 0
        self.lost = 0
        """Entries of lists of records that cannot be read, so that what they held is left out. Set back with the steps."""
        self.first_lost = ""
        """The place of the first of them."""
        self.torn = ""
        """What in the record says two things of the outcome at once; empty where nothing does."""

    def lose(self, place: str) -> None:
        """Note an entry that is left out: a list of records may be the list of acts."""
        self.first_lost = self.first_lost if self.lost else place
        self.lost += 1

    def reasons(self) -> tuple[Reason, ...]:
        """Why the trace is not whole, where entries were left out."""
        if not self.lost:
            return ()
        is_one = self.lost == 1
        what = "an entry that cannot be read is left out" if is_one else f"{self.lost} entries that cannot be read are left out"
        _, mark, pointer = self.first_lost.rpartition("#")
        where = f"{mark}{pointer}" if is_one else f"the first {mark}{pointer}"
        return (Reason(what=f"{what}: {where}", hides_acts=True),)

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
