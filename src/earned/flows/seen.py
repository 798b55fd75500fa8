"""What the reading of one shard saw beside its results: kept with the shard, so that nothing is read again to tell it.

One line for each attempt, each outcome file that was taken from a folder nearby, and one for the scorers. What no shard can
know alone, whether an attempt stands in another one as well, is told from these lines once all shards were read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self

import msgspec

from earned.flows.notes import NeighbouringOutcomes
from earned.flows.repeats import Attempts, Repeated
from earned.flows.scorers import ScorerUse
from earned.flows.spool import Spool
from earned.records import Trajectory
from earned.store import AuditFolder
from earned.trajectory import Candidate


class SeenAttempt(msgspec.Struct, frozen=True, tag="attempt"):
    """An attempt that can be told from others by what it holds."""

    digest: bytes
    place: str


class SeenOutcomes(msgspec.Struct, frozen=True, tag="outcomes"):
    """An outcome file that nobody named."""

    file: str


class SeenScorers(msgspec.Struct, frozen=True, tag="scorers"):
    """What `--scorer` and `--threshold` met."""

    names: tuple[str, ...]
    is_named: bool
    is_limited: bool


Seen = SeenAttempt | SeenOutcomes | SeenScorers
_decode = msgspec.json.Decoder(Seen).decode


class Observer:
    """Takes every attempt of a shard."""

    def __init__(self, named: Sequence[Path], scorer: str, threshold: float | None) -> None:
        self._kept: Spool[Seen] = Spool(SeenAttempt, SeenOutcomes, SeenScorers)
        self._beside = NeighbouringOutcomes(named)
        self._use = ScorerUse(scorer, threshold)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._kept.close()

    def add(self, trajectory: Trajectory, candidate: Candidate, digest: bytes, place: str) -> None:
        """Note one attempt."""
        self._use.add(trajectory)
        file = self._beside.add(trajectory, candidate)
        if file:
            self._kept.append(SeenOutcomes(_text(file)))
        if digest:
            self._kept.append(SeenAttempt(digest, _text(place)))

    def lines(self) -> Iterator[bytes]:
        """Everything that was noted, one JSON object a line."""
        self._kept.append(SeenScorers(self._use.names, self._use.is_named, self._use.is_limited))
        return (msgspec.json.encode(item) + b"\n" for item in self._kept)


def _text(place: str) -> str:
    """A place as a file can hold it, whatever bytes its name has."""
    return place.encode("utf-8", "replace").decode()


def seen_in(folder: AuditFolder, key: str) -> Iterator[Seen]:
    """What a shard saw."""
    return map(_decode, folder.notes(key))


def repeated_in(folder: AuditFolder, key: str, met: Attempts) -> Repeated:
    """The attempts of a shard that an earlier shard holds; `met` has those of the earlier ones, and gets those of this one."""
    found: dict[bytes, str] = {}
    own: set[bytes] = set()
    for item in seen_in(folder, key):
        if isinstance(item, SeenAttempt) and item.digest not in own:
            twin = met.twin_of(item.digest, item.place)
            if twin:
                found[item.digest] = twin
            else:
                own.add(item.digest)
    return tuple(found.items())


def notes_of(folder: AuditFolder, keys: Iterable[str], named: Sequence[Path], use: ScorerUse) -> Iterator[str]:
    """What a user should know of outcome files and scorers, over all shards."""
    beside = NeighbouringOutcomes(named)
    for key in keys:
        for item in seen_in(folder, key):
            if isinstance(item, SeenOutcomes):
                beside.count(item.file)
            elif isinstance(item, SeenScorers):
                use.merge(item.names, is_named=item.is_named, is_limited=item.is_limited)
    yield from (*beside.notes(), *use.notes())
