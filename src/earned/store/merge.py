"""Sorted shards become one sorted stream, with only those shards open that overlap at the moment."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

Item = TypeVar("Item")


class Run(NamedTuple):
    """One sorted source that is opened when its first key is reached."""

    first: Any
    """The smallest key in it."""
    name: str
    """Decides between equal keys."""
    open: Callable[[], Iterator[Any]]


def merged(runs: Iterable[Run], key: Callable[[Item], Any]) -> Iterator[Item]:
    """All items of the runs in the order of their keys; equal keys in the order of the runs' names."""
    pending = sorted(runs, key=lambda run: (run.first, run.name), reverse=True)
    heap: list[tuple[Any, str, int, Item, Iterator[Item]]] = []
    while pending or heap:
        while pending and (not heap or pending[-1].first <= heap[0][0]):
            run = pending.pop()
            _push(heap, run.name, 0, run.open(), key)
        if not heap:
            continue
        _, name, count, item, rest = heapq.heappop(heap)
        yield item
        _push(heap, name, count + 1, rest, key)


def _push(
    heap: list[tuple[Any, str, int, Item, Iterator[Item]]],
    name: str,
    count: int,
    rest: Iterator[Item],
    key: Callable[[Item], Any],
) -> None:
    # the count makes every entry distinct, so that items themselves are never compared
    for item in rest:
        heapq.heappush(heap, (key(item), name, count, item, rest))
        return
