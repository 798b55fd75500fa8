"""What there is to audit, cut into shards that each are finished whole: looked at once, spooled to disk, not to memory."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from earned.flows.contested import ClaimCount, Contested
from earned.flows.found import found_below, nothing_recognised
from earned.flows.notes import TAKEN
from earned.flows.repeats import Repeated
from earned.records import Companion, Skip
from earned.store import shard_key
from earned.trajectory import Candidate, Outcomes
from earned.trajectory.sources import places

SHARD_BYTES = 32 << 20
"""Of source files in one shard: small enough that little work is lost, large enough that tables compress."""
SHARD_ITEMS = 512
EARLY = 4
"""A shard may end early, from this part of its full size on, behind a candidate whose name says so: thus the shards behind an
input that came, went or grew are soon cut where they were cut before, and are not done again."""


_PART = "-"
"""In a key, before what depends on other shards."""


class Shard(msgspec.Struct, frozen=True):
    """A slice of the input: what is read together and written once."""

    key: str
    candidates: tuple[Candidate, ...]
    skips: tuple[Skip, ...]
    size: int
    """Bytes of source files."""
    contested: Contested = ()
    """What the named outcome files say of these candidates and of further attempts of the input as well."""
    repeated: Repeated = ()
    """The attempts in it that an earlier shard holds."""

    @property
    def read_as(self) -> str:
        """The key of what is read, whatever other shards hold."""
        return read_as(self.key)

    def without(self, repeated: Repeated) -> Shard:
        """The same where these attempts are told as duplicates."""
        if not repeated:
            return self
        key = f"{self.read_as}{_PART}{shard_key(part for digest, place in repeated for part in (digest.hex(), place))}"
        return msgspec.structs.replace(self, key=key, repeated=repeated)


def read_as(key: str) -> str:
    """The part of a shard's key that says what is read in it."""
    return key.partition(_PART)[0]


class Plan:
    """The shards of one run, in order, on a temporary file; totals are known before the work begins."""

    def __init__(self, paths: Sequence[Path], *, outcomes: Outcomes | None = None, leave_out: Sequence[Path] = ()) -> None:
        """Look at everything below `paths`, without what lies below `leave_out`.

        `outcomes` are those of the files that the user named. Raises InputError: `path-missing`, `folder-empty`, or
        `nothing-recognised` when there is nothing to read at all.
        """
        self.candidates = 0
        self.size = 0
        self.companions: Counter[str] = Counter()
        self.keys: list[str] = []
        self.outcome_files: dict[str, None] = {}
        """Files called TAKEN that are read for the outcomes of candidates, in order."""
        self._contested: list[Contested] = []
        self._claims = ClaimCount(outcomes) if outcomes is not None else None
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the plan
        refused: list[str] = []
        try:
            self._fill(self._cut(found_below(paths, leave_out=leave_out), refused))
        except BaseException:
            self._spool.close()
            raise
        if not self.candidates:
            self._spool.close()
            raise nothing_recognised(paths, refused)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._spool.close()

    def _fill(self, shards: Iterator[Shard]) -> None:
        cut: list[tuple[str, tuple[str, ...]]] = []
        for shard in shards:
            line = msgspec.msgpack.encode(shard)
            self._spool.write(len(line).to_bytes(8, "little") + line)
            cut.append((shard.key, self._claimed(shard)))
        for key, sources in cut:
            contested = self._claims.contested(sources) if self._claims is not None else ()
            self._contested.append(contested)
            self.keys.append(shard_key([key, *map(str, contested)]) if contested else key)

    @property
    def fitted(self) -> Collection[str]:
        """The sources of what the named outcome files say of any candidate."""
        return self._claims.fitted if self._claims is not None else ()

    def shards(self) -> Iterator[Shard]:
        """Every shard, read back one at a time."""
        decoder = msgspec.msgpack.Decoder(Shard)
        self._spool.seek(0)
        for key, contested in zip(self.keys, self._contested, strict=True):
            length = int.from_bytes(self._spool.read(8), "little")
            yield msgspec.structs.replace(decoder.decode(self._spool.read(length)), key=key, contested=contested)

    def _cut(self, found: Iterator[Candidate | Companion | Skip], refused: list[str]) -> Iterator[Shard]:
        candidates: list[Candidate] = []
        skips: list[Skip] = []
        size = 0
        for item in found:
            if isinstance(item, Companion):
                self.companions[item.kind] += 1
                continue
            if isinstance(item, Candidate):
                candidates.append(item)
                self.candidates += 1
                self.size += item.size
                self.outcome_files.update((file, None) for file in item.outcome_files if file.endswith(TAKEN))
                size += item.size
            else:
                skips.append(item)
                refused[:] = [*refused[:2], f"{item.path}: {item.detail}"]
            if _is_full(size, len(candidates) + len(skips), item.path):
                yield _shard(candidates, skips, size)
                candidates, skips, size = [], [], 0
        if candidates or skips:
            yield _shard(candidates, skips, size)

    def _claimed(self, shard: Shard) -> tuple[str, ...]:
        """The sources of what the named outcome files say of the attempts of a shard."""
        if self._claims is None:
            return ()
        return tuple(dict.fromkeys(source for candidate in shard.candidates for source in self._claims.add(candidate)))


def _is_full(size: int, items: int, path: str) -> bool:
    if size >= SHARD_BYTES or items >= SHARD_ITEMS:
        return True
    early = size >= SHARD_BYTES // EARLY or items >= SHARD_ITEMS // EARLY
    return early and hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=1).digest() < b"\x10"


def _shard(candidates: list[Candidate], skips: list[Skip], size: int) -> Shard:
    parts = [
        part for item in candidates for part in (item.format, item.path, item.member, *_states(item), *map(str, item.contested))
    ]
    parts += [part for item in skips for part in (item.path, item.member, item.reason, item.detail)]
    return Shard(shard_key(parts), tuple(candidates), tuple(skips), size)


def _states(candidate: Candidate) -> Iterator[str]:
    """Size and time of change of every file: a file that changed makes another shard."""
    for path in (*candidate.files, *candidate.outcome_files):
        try:
            yield f"{path}:{places.stamp(path)}"
        except OSError:
            yield f"{path}:gone"
