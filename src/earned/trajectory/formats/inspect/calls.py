"""Tool calls of an Inspect transcript that wait for their result, by id. Some providers give every call the same, or none."""

from __future__ import annotations

from collections import deque

Place = tuple[int, int]
"""Number of a turn and of a call within it."""


class Calls:
    """Results are taken in the order of the calls; calls of a later turn take the place of unanswered ones of the same id."""

    def __init__(self) -> None:
        self._open: dict[str, Place] = {}
        self._more: dict[str, deque[Place]] = {}
        """Further calls of the same turn with an id that is open already."""
        self._answered: set[str] = set()

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._open or name in self._answered)

    def is_open(self, name: object) -> bool:
        """Whether a call of that id waits."""
        return isinstance(name, str) and name in self._open

    def made(self, name: str, place: Place) -> None:
        """A call was made."""
        before = self._open.get(name)
        if before is not None and before[0] == place[0]:
            self._more.setdefault(name, deque()).append(place)
            return
        self._open[name] = place
        if self._more:
            self._more.pop(name, None)

    def taken(self, name: str) -> Place | None:
        """The call that a result of that id answers; None when none waits."""
        place = self._open.pop(name, None)
        if place is None:
            return None
        if self._more and (queue := self._more.get(name)):
            self._open[name] = queue.popleft()
        self._answered.add(name)
        return place

    def put_back(self, name: str, place: Place) -> None:
        """The call was not answered after all."""
        if name in self._open:
            self._more.setdefault(name, deque()).appendleft(self._open[name])
        self._open[name] = place
