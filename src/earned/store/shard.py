"""A shard of results is there whole or not there: its marker is written last, and nothing counts without its marker."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from earned.records import SCHEMA, AttemptCount, AuditedPass, Skip
from earned.store.columns import json_text, well_formed
from earned.store.sorter import Sorter
from earned.store.tables import PassRow, Place, TablesWriter, damaged, pass_row, place_of
from earned.store.whole import open_whole, temporary_name, write_whole

SHARDS = "shards"
_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")

SkipPlace = tuple[str, str, int, str, str]


class ShardMarker(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a finished shard holds. Its file is the commit."""

    key: str
    files: dict[str, int]
    """Path below the audit folder -> size in bytes."""
    passes: int
    findings: int
    labels: dict[str, int]
    skipped: dict[str, int]
    """Reason -> count."""
    attempts: tuple[AttemptCount, ...]
    first_pass: Place | None
    first_skip: SkipPlace | None
    schema: int = SCHEMA


def shard_key(parts: Iterable[str]) -> str:
    """A content key for a slice of the input: what is in it and in which order decides the key, and nothing else does."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()[:32]


def check_key(key: str) -> str:
    """The key itself. Raises ValueError for one that could not safely be a file's name."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"Expected a shard key of letters, digits, '.', '_' and '-', at most 128; found {key!r}.")
    return key


def marker_path(root: Path, key: str) -> Path:
    """Where the marker of a shard stands."""
    return root / SHARDS / f"{check_key(key)}.json"


def skips_path(root: Path, key: str) -> Path:
    """Where the skips of a shard stand."""
    return root / SHARDS / f"{key}.skipped.jsonl"


class ShardWriter:
    """A shard while it is made. Passes and skips may come in any order and number; nothing is there before `commit`."""

    def __init__(self, root: Path, key: str, *, guard: Callable[[], AbstractContextManager[None]] = nullcontext) -> None:
        """`guard` is entered around what writes to disk."""
        self._root, self._guard = root, guard
        self._marker = marker_path(root, key)
        self._key = key
        self._passes, self._skips = Sorter(), Sorter()
        self._labels: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._findings = 0
        self._first_pass: Place | None = None
        self._first_skip: SkipPlace | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._passes.__exit__(kind, error, trace)
        self._skips.__exit__(kind, error, trace)

    def add_pass(self, audited: AuditedPass) -> None:
        """Keep one pass."""
        place = place_of(audited.row)
        with self._guard():
            self._passes.add(place, msgspec.msgpack.encode(pass_row(audited)))
        self._labels[audited.row.label] += 1
        self._findings += len(audited.findings)
        self._first_pass = place if self._first_pass is None else min(self._first_pass, place)

    def add_skip(self, skip: Skip) -> None:
        """Keep one skip."""
        place = skip_place(skip)
        with self._guard():
            self._skips.add(place, f"{json_text(skip)}\n".encode())
        self._reasons[skip.reason] += 1
        self._first_skip = place if self._first_skip is None else min(self._first_skip, place)

    def commit(self, attempts: Iterable[AttemptCount]) -> None:
        """Write the files of the shard, each whole, and then its marker. The same content gives the same bytes."""
        with self._guard():
            self._commit(attempts)

    def _commit(self, attempts: Iterable[AttemptCount]) -> None:
        written = [*self._write_tables(), *self._write_skips()]
        content = ShardMarker(
            key=self._key,
            files={path.relative_to(self._root).as_posix(): path.stat().st_size for path in written},
            passes=self._passes.count,
            findings=self._findings,
            labels=dict(sorted(self._labels.items())),
            skipped=dict(sorted(self._reasons.items())),
            attempts=added_up(attempts),
            first_pass=self._first_pass,
            first_skip=self._first_skip,
        )
        write_whole(self._marker, [json_text(content).encode()])

    def _write_tables(self) -> list[Path]:
        written: list[Path] = []
        with ExitStack() as stack:

            def opened(name: str) -> BinaryIO:
                path = self._root / name / f"{self._key}.parquet"
                written.append(path)
                return stack.enter_context(open_whole(path, temporary_name(path)))

            tables = TablesWriter(opened)
            decode = msgspec.msgpack.Decoder(PassRow).decode
            for place, row in self._passes:
                tables.add(Place(*map(str, place)), decode(row), len(row))
            tables.close()
        return written

    def _write_skips(self) -> Iterator[Path]:
        if self._skips.count:
            path = skips_path(self._root, self._key)
            write_whole(path, (row for _, row in self._skips))
            yield path


def read_marker(path: Path) -> ShardMarker:
    """The marker of a finished shard. Raises InputError (`audit-folder-damaged`)."""
    try:
        marker = msgspec.json.decode(path.read_bytes(), type=ShardMarker)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise damaged(path, str(error)) from error
    if marker.schema != SCHEMA:
        raise damaged(path, f"schema {marker.schema}")
    return marker


def is_whole(root: Path, marker: ShardMarker) -> bool:
    """Whether every file of the shard is there in the size that the marker names."""
    try:
        return all((root / name).stat().st_size == size for name, size in marker.files.items())
    except OSError:
        return False


def read_skips(path: Path) -> Iterator[Skip]:
    """The skips of a shard, in order."""
    decoder = msgspec.json.Decoder(Skip)
    try:
        with path.open("rb") as stream:
            for line in stream:
                yield decoder.decode(line)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise damaged(path, str(error)) from error


def skip_place(skip: Skip) -> SkipPlace:
    """The sort key of a skip."""
    offset = -1 if skip.offset is None else skip.offset
    return well_formed(skip.path), well_formed(skip.member), offset, skip.reason, well_formed(skip.detail)


def added_up(attempts: Iterable[AttemptCount]) -> tuple[AttemptCount, ...]:
    """One count for each benchmark, model, harness, task and status, in the order of their names."""
    totals: Counter[tuple[str, ...]] = Counter()
    for attempt in attempts:
        names = (attempt.benchmark, attempt.model, attempt.harness, attempt.task, attempt.status)
        totals[tuple(map(well_formed, names))] += attempt.count
    fields = ("benchmark", "model", "harness", "task", "status")
    return tuple(
        msgspec.convert({**dict(zip(fields, names, strict=True)), "count": count}, AttemptCount)
        for names, count in sorted(totals.items())
    )
