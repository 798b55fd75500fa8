"""What there is to audit, cut into shards that each are finished whole: looked at once, spooled to disk, not to memory."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from earned.errors import InputError
from earned.records import Companion, Skip
from earned.store import shard_key
from earned.trajectory import Candidate, discover

SHARD_BYTES = 32 << 20
"""Of source files in one shard: small enough that little work is lost, large enough that tables compress."""
SHARD_ITEMS = 512


class Shard(msgspec.Struct, frozen=True):
    """A slice of the input: what is read together and written once."""

    key: str
    candidates: tuple[Candidate, ...]
    skips: tuple[Skip, ...]
    size: int
    """Bytes of source files."""


class Plan:
    """The shards of one run, in order, on a temporary file; totals are known before the work begins."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Look at everything below `paths`.

        Raises InputError: `path-missing`, `folder-empty`, or `nothing-recognised` when there is nothing to read at all.
        """
        self.candidates = 0
        self.size = 0
        self.companions: Counter[str] = Counter()
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the plan
        self._duplicates = _Duplicates()
        self.keys: list[str] = []
        refused: list[Skip] = []
        for shard in self._cut(paths, refused):
            line = msgspec.msgpack.encode(shard)
            self._spool.write(len(line).to_bytes(8, "little") + line)
            self.keys.append(shard.key)
        if not self.candidates:
            raise _nothing_recognised(paths, refused)

    def shards(self) -> Iterator[Shard]:
        """Every shard, read back one at a time."""
        decoder = msgspec.msgpack.Decoder(Shard)
        self._spool.seek(0)
        while head := self._spool.read(8):
            yield decoder.decode(self._spool.read(int.from_bytes(head, "little")))

    def _cut(self, paths: Sequence[Path], refused: list[Skip]) -> Iterator[Shard]:
        candidates: list[Candidate] = []
        skips: list[Skip] = []
        size = 0
        for item in discover(paths):
            if isinstance(item, Companion):
                self.companions[item.kind] += 1
                continue
            if isinstance(item, Candidate) and (twin := self._duplicates.of(item)) is None:
                candidates.append(item)
                self.candidates += 1
                self.size += item.size
                size += item.size
            else:
                skips.append(item if isinstance(item, Skip) else _duplicate(item, twin))
                refused[:] = [*refused[:4], *skips[-1:]]
            if size >= SHARD_BYTES or len(candidates) + len(skips) >= SHARD_ITEMS:
                yield _shard(candidates, skips, size)
                candidates, skips, size = [], [], 0
        if candidates or skips:
            yield _shard(candidates, skips, size)


class _Duplicates:
    """Candidates whose source files hold the same bytes; hashed only when their sizes agree."""

    def __init__(self) -> None:
        self._first: dict[bytes, Candidate | None] = {}
        self._digests: dict[bytes, str] = {}

    def of(self, candidate: Candidate) -> str | None:
        """Path of an earlier candidate with the same content; None when there is none."""
        shape = _hash([candidate.format, candidate.member, *(str(_size(path)) for path in candidate.files)])
        if shape not in self._first:
            self._first[shape] = candidate
            return None
        first = self._first[shape]
        if first is not None:
            self._digests[_content(first)] = _place(first)
            self._first[shape] = None
        digest = _content(candidate)
        if digest in self._digests:
            return self._digests[digest]
        self._digests[digest] = _place(candidate)
        return None


def _place(candidate: Candidate) -> str:
    return f"{candidate.path}:{candidate.member}" if candidate.member else candidate.path


def _content(candidate: Candidate) -> bytes:
    digest = hashlib.sha256(f"{candidate.format}\0{candidate.member}".encode())
    for path in candidate.files:
        try:
            with open(path, "rb") as file:  # noqa: PTH123  # file_digest wants the open file, and the name may be odd
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError:
            digest.update(os.fsencode(path))  # unreadable: a duplicate of nothing
    return digest.digest()


def _hash(parts: Sequence[str]) -> bytes:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogateescape"), digest_size=16).digest()


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return -1


def _duplicate(candidate: Candidate, twin: str | None) -> Skip:
    detail = f"the same source bytes as {twin}"
    return Skip(path=candidate.path, member=candidate.member, reason="duplicate", detail=detail)


def _shard(candidates: list[Candidate], skips: list[Skip], size: int) -> Shard:
    parts = [part for item in candidates for part in (item.format, item.path, item.member, *_states(item))]
    parts += [part for item in skips for part in (item.path, item.member, item.reason, item.detail)]
    return Shard(shard_key(parts), tuple(candidates), tuple(skips), size)


def _states(candidate: Candidate) -> Iterator[str]:
    """Size and time of change of every file: a file that changed makes another shard."""
    for path in (*candidate.files, *candidate.outcome_files):
        try:
            found = Path(path).stat()
            yield f"{path}:{found.st_size}:{found.st_mtime_ns}"
        except OSError:
            yield f"{path}:gone"


def _nothing_recognised(paths: Sequence[Path], refused: list[Skip]) -> InputError:
    named = ", ".join(str(path) for path in paths)
    seen = "; ".join(f"{skip.path}: {skip.detail}" for skip in refused[:3]) or "only files that accompany trajectories"
    return InputError(
        f"Expected trajectories in {named}; found none ({seen}). `earned read` says of each file what it was taken for.",
        slug="nothing-recognised",
    )
