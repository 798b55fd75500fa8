"""The tree that the lines of a session make through `parentUuid`: what was abandoned by a rewind, and where links lead nowhere.

A session file is only ever appended to, so its order is the order in which things happened, whatever the tree says. The tree
tells the main line: the branch that ends at the last leaf. Each line is gone through once; links that lead in a circle end the
walk.
"""

from __future__ import annotations

from collections.abc import Sequence

_MAIN, _SIDE, _HERE = 1, 2, 3


class Tree:
    """Lines with an id, numbered in the order of the file."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.parents: list[int] = []
        """Number of the line that each follows; -1 for a beginning."""
        self.repeated = 0
        """Lines whose id an earlier one has."""
        self.circles = 0
        self._later: list[tuple[int, str]] = []

    def add(self, uuid: str, parent: str | None, logical: str | None = None) -> int:
        """The number of a line; that of the first one, where several have the same id.

        `logical`: the line that a compaction's boundary follows, which links to no parent.
        """
        number = len(self.parents)
        if uuid in self.numbers:
            self.repeated += 1
            return self.numbers[uuid]
        known = self.numbers.get(parent or logical or "", -1)
        self.numbers[uuid] = number
        self.parents.append(known)
        if parent and known < 0:
            self._later.append((number, parent))
        return number

    def missing(self) -> list[int]:
        """Numbers of the lines whose parent is in no line so far; those that stand before their parent are linked now."""
        found: list[int] = []
        for number, parent in self._later:
            known = self.numbers.get(parent, -1)
            if known >= 0:
                self.parents[number] = known
            else:
                found.append(number)
        self._later.clear()
        return found

    def abandoned(self, ends: Sequence[int]) -> bytearray:
        """For each line 1 when it stands on a branch that a later one left behind. `ends`: lines of the conversation."""
        marks = bytearray(len(self.parents))
        for end in reversed(ends):
            if marks[end]:
                continue
            path: list[int] = []
            at = end
            while at >= 0 and not marks[at]:
                marks[at] = _HERE
                path.append(at)
                at = self.parents[at]
            is_circle = at >= 0 and marks[at] == _HERE
            self.circles += is_circle
            mark = _SIDE if at >= 0 and not is_circle else _MAIN
            for number in path:
                marks[number] = mark
        return bytearray(mark == _SIDE for mark in marks)
