"""Sorted shards become one sorted stream, with only those shards open that overlap at the moment, and never many of them.

Where more overlap than should be open (an archive whose files lie in no order of names), those that are open are merged onto
disk and go on as one.
"""

from __future__ import annotations

import heapq
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

Item = TypeVar("Item")

AT_ONCE = 12
"""Sources open at a time; as many again of those on disk."""
_SIZE = 4


class Run(NamedTuple):
    """One sorted source that is opened when its first key is reached."""

    first: Any
    """The smallest key in it."""
    name: str
    """Decides between equal keys."""
    open: Callable[[], Iterator[Any]]


class _Head(NamedTuple):
    """The next item of an open source. Name and number make every head distinct, so that items are never compared."""

    key: Any
    name: str
    number: int
    item: Any
    level: int
    """How often what follows was merged onto disk."""
    rest: Iterator[tuple[str, int, Any]]


def merged(runs: Iterable[Run], key: Callable[[Item], Any], kind: type[Item]) -> Iterator[Item]:
    """All items of the runs, which are of a `kind` that msgspec knows, in the order of their keys; equal keys in the order of
    the runs' names.
    """
    with ExitStack() as stack:
        yield from _Merge(runs, key, kind, stack).items()


def _opened(run: Run) -> Iterator[tuple[str, int, Any]]:
    return ((run.name, number, item) for number, item in enumerate(run.open()))


class _Merge(Generic[Item]):
    """One merge."""

    def __init__(self, runs: Iterable[Run], key: Callable[[Item], Any], kind: type[Item], stack: ExitStack) -> None:
        self._pending = sorted(runs, key=lambda run: (run.first, run.name), reverse=True)
        self._key, self._kind, self._stack = key, kind, stack
        self._heap: list[_Head] = []

    def items(self) -> Iterator[Item]:
        """All items in order."""
        while self._pending or self._heap:
            while self._pending and (not self._heap or self._pending[-1].first <= self._heap[0].key):
                run = self._pending.pop()
                self._push(self._heap, 0, _opened(run))
                self._close_some()
            if self._heap:
                yield self._next(self._heap).item

    def _next(self, heap: list[_Head]) -> _Head:
        head = heapq.heappop(heap)
        self._push(heap, head.level, head.rest)
        return head

    def _push(self, heap: list[_Head], level: int, rest: Iterator[tuple[str, int, Any]]) -> None:
        for name, number, item in rest:
            heapq.heappush(heap, _Head(self._key(item), name, number, item, level, rest))
            return

    def _close_some(self) -> None:
        """Merge the sources of a level onto disk where too many of it are open."""
        open_at = Counter(head.level for head in self._heap)
        for level in sorted(open_at):
            if open_at[level] > AT_ONCE:
                chosen = [head for head in self._heap if head.level == level]
                self._heap = [head for head in self._heap if head.level != level]
                heapq.heapify(chosen)
                self._push(self._heap, level + 1, self._on_disk(chosen))
                heapq.heapify(self._heap)
                open_at[level + 1] += 1

    def _on_disk(self, heap: list[_Head]) -> Iterator[tuple[str, int, Any]]:
        """What the sources of a heap hold, read to their ends now."""
        file = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  # closed with the merge
        encode = msgspec.msgpack.Encoder().encode
        while heap:
            head = self._next(heap)
            data = encode((head.name, head.number, head.item))
            file.write(len(data).to_bytes(_SIZE, "little") + data)
        file.seek(0)
        decode = msgspec.msgpack.Decoder(tuple[str, int, self._kind]).decode  # type: ignore[name-defined]  # a type at run time
        while size := file.read(_SIZE):
            yield decode(file.read(int.from_bytes(size, "little")))
