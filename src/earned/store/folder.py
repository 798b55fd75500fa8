"""The audit folder: finished shards are never lost and never done twice, and reading it gives one order for everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import pyarrow.parquet as pq

from earned.errors import ConfigurationError, EarnedError
from earned.records import SCHEMA, AttemptCount, AuditedPass, AuditRow, Skip
from earned.store import shard as shards
from earned.store.columns import json_text
from earned.store.lock import acquire, release
from earned.store.manifest import (
    JSON,
    KIND,
    RESERVED,
    as_json,
    check_same,
    is_unused,
    no_audit_to_read,
    not_an_audit_folder,
    read_manifest,
    write_manifest,
)
from earned.store.merge import Run, merged
from earned.store.numbering import numbered_passes, numbered_rows
from earned.store.shard import ShardMarker, ShardWriter
from earned.store.tables import SCHEMAS, place_of, read_passes, read_rows
from earned.store.whole import TEMPORARY, write_whole

SKIPPED = "skipped.jsonl"
CALLS = "calls"
_FOLDERS = (*SCHEMAS, CALLS, shards.SHARDS)
_NOTES = ".seen.jsonl"
_EMPTY = "none"
"""Key of the table that stands in for tables without any row, so that `verdicts/*.parquet` can always be read."""


class FolderCounts(msgspec.Struct, frozen=True, kw_only=True):
    """What the finished shards hold together."""

    shards: int
    passes: int
    findings: int
    labels: dict[str, int]
    skipped: dict[str, int]
    """Reason -> count."""
    attempts: tuple[AttemptCount, ...]


class AuditFolder:
    """One audit folder. It can be sent to worker processes, which commit without sharing any state; the lock stays behind."""

    def __init__(self, path: Path, *, lock: int | None = None) -> None:
        self.path = path
        self._lock = lock

    def __reduce__(self) -> tuple[type[AuditFolder], tuple[Path]]:
        return AuditFolder, (self.path,)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let another run use the folder."""
        if self._lock is not None:
            release(self._lock)
            self._lock = None

    def manifest(self) -> dict[str, JSON]:
        """The manifest as it stands."""
        return read_manifest(self.path)

    def done(self, key: str) -> bool:
        """Whether the shard is finished, with all its files."""
        path = shards.marker_path(self.path, key)
        return path.exists() and shards.is_whole(self.path, shards.read_marker(path))

    @contextmanager
    def shard(self, key: str) -> Iterator[ShardWriter]:
        """A shard to be filled and committed, all or nothing. Its methods raise EarnedError (`cannot-write`) when the disk
        refuses.
        """
        with ShardWriter(self.path, key, guard=partial(_writing, self.path)) as writer:
            yield writer

    def commit(self, key: str, passes: Iterable[AuditedPass], skips: Iterable[Skip], attempts: Iterable[AttemptCount]) -> None:
        """Write a shard's results, all or nothing. Raises EarnedError (`cannot-write`) when the disk refuses."""
        with self.shard(key) as writer:
            for audited in passes:
                writer.add_pass(audited)
            for skip in skips:
                writer.add_skip(skip)
            writer.commit(attempts)

    def keys(self) -> Iterator[str]:
        """The keys of the finished shards, in order."""
        return (marker.key for marker in self._markers())

    def retain(self, is_kept: Callable[[str], bool]) -> None:
        """Drop finished shards, and notes, whose keys are not of this run's plan: what they were made of is no longer there."""
        for marker in list(self._markers()):
            if not is_kept(marker.key):
                self.drop(marker.key)
        for path in list((self.path / shards.SHARDS).glob(f"*{_NOTES}")):
            if not is_kept(path.name.removesuffix(_NOTES)):
                path.unlink()
        self._sweep()

    def drop(self, key: str) -> None:
        """Drop a shard, finished or not; its notes stay."""
        shards.marker_path(self.path, key).unlink(missing_ok=True)

    def keep_notes(self, key: str, lines: Iterable[bytes]) -> None:
        """Write what a caller notes of a shard, a line each. Raises EarnedError (`cannot-write`) when the disk refuses."""
        with _writing(self.path):
            write_whole(self._notes(key), lines)

    def has_notes(self, key: str) -> bool:
        """Whether there are notes of a shard."""
        return self._notes(key).is_file()

    def notes(self, key: str) -> Iterator[bytes]:
        """The lines that were noted of a shard."""
        with self._notes(key).open("rb") as stream:
            yield from stream

    def _notes(self, key: str) -> Path:
        return self.path / shards.SHARDS / f"{shards.check_key(key)}{_NOTES}"

    def passes(self) -> Iterator[AuditedPass]:
        """Every audited pass, by trajectory path and member, whatever the shards and the processes that made them."""
        runs = (
            Run(marker.first_pass, marker.key, partial(read_passes, self._tables(marker)))
            for marker in self._markers()
            if marker.first_pass
        )
        return numbered_passes(merged(runs, lambda audited: place_of(audited.row), AuditedPass))

    def rows(self) -> Iterator[AuditRow]:
        """The rows alone, in the same order; quicker than `passes`."""
        runs = (
            Run(marker.first_pass, marker.key, partial(read_rows, self._tables(marker)["verdicts"]))
            for marker in self._markers()
            if marker.first_pass
        )
        return numbered_rows(merged(runs, place_of, AuditRow))

    def skips(self) -> Iterator[Skip]:
        """Everything that was not judged, by path and member."""
        runs = (
            Run(marker.first_skip, marker.key, partial(shards.read_skips, shards.skips_path(self.path, marker.key)))
            for marker in self._markers()
            if marker.first_skip
        )
        return merged(runs, shards.skip_place, Skip)

    def counts(self) -> FolderCounts:
        """Sums over the finished shards, from their markers alone."""
        markers = list(self._markers())
        return FolderCounts(
            shards=len(markers),
            passes=sum(marker.passes for marker in markers),
            findings=sum(marker.findings for marker in markers),
            labels=_summed(marker.labels for marker in markers),
            skipped=_summed(marker.skipped for marker in markers),
            attempts=shards.added_up(attempt for marker in markers for attempt in marker.attempts),
        )

    def finish(self, manifest: Mapping[str, JSON]) -> None:
        """Write the merged `skipped.jsonl` and the manifest with the provenance that the caller gives.

        Raises ValueError for keys that the store itself writes.
        """
        taken = sorted(set(manifest) & set(RESERVED))
        if taken:
            raise ValueError(f"Expected keys of the manifest other than {', '.join(RESERVED)}; found {', '.join(taken)}.")
        counts = self.counts()
        with _writing(self.path):
            self._fill_empty_tables()
            write_whole(self.path / SKIPPED, (f"{json_text(skip)}\n".encode() for skip in self.skips()))
            write_manifest(self.path, self._manifest("finished", manifest, counts))

    def _manifest(self, state: str, extra: Mapping[str, JSON], counts: FolderCounts) -> dict[str, JSON]:
        plain = as_json(counts)
        assert isinstance(plain, dict)  # noqa: S101  # a struct encodes as an object
        plain["attempts"] = sum(attempt.count for attempt in counts.attempts)
        configuration = read_manifest(self.path)["configuration"]
        return {"kind": KIND, "schema": SCHEMA, "state": state, **extra, "counts": plain, "configuration": configuration}

    def _markers(self) -> Iterator[ShardMarker]:
        for path in sorted((self.path / shards.SHARDS).glob("*.json")):
            marker = shards.read_marker(path)
            if marker.key == path.stem and shards.is_whole(self.path, marker):
                yield marker

    def _tables(self, marker: ShardMarker) -> dict[str, Path]:
        found = {name: self.path / name / f"{marker.key}.parquet" for name in SCHEMAS}
        return {name: path for name, path in found.items() if f"{name}/{path.name}" in marker.files}

    def _fill_empty_tables(self) -> None:
        for name, schema in SCHEMAS.items():
            folder = self.path / name
            if not any(folder.glob("*.parquet")):
                pq.write_table(schema.empty_table(), folder / f"{_EMPTY}.parquet", compression="zstd")

    def _sweep(self) -> None:
        """Remove what killed runs left: half-written files, and files of shards that have no marker."""
        finished = set(self.keys())
        for folder in (".", *_FOLDERS):
            for path in (self.path / folder).iterdir():
                unmarked = folder in SCHEMAS and path.stem not in finished
                if path.name.startswith(TEMPORARY) or unmarked:
                    path.unlink()


def open_folder(out: Path, configuration: Mapping[str, JSON]) -> AuditFolder:
    """The audit folder at `out`, new or resumed, with its lock held until `close`.

    Raises ConfigurationError: `not-an-audit-folder` (nothing is touched), `configuration-differs`, `audit-folder-schema`,
    `folder-in-use`; EarnedError `cannot-write`.
    """
    fresh = _is_fresh(out)
    if not fresh:
        read_manifest(out)
    with _writing(out):
        out.mkdir(parents=True, exist_ok=True)
        folder = AuditFolder(out, lock=acquire(out))
        try:
            _begin(folder, as_json(configuration))
        except BaseException:
            folder.close()
            raise
    return folder


def read_folder(out: Path) -> AuditFolder:
    """An audit folder for reading only, without its lock.

    Raises ConfigurationError: `not-an-audit-folder`, `audit-folder-schema`.
    """
    try:
        read_manifest(out)
    except ConfigurationError as error:
        if error.slug != "not-an-audit-folder":
            raise
        raise no_audit_to_read(out) from error
    return AuditFolder(out)


def _is_fresh(out: Path) -> bool:
    try:
        return not out.exists() or is_unused(out)
    except NotADirectoryError as error:
        raise not_an_audit_folder(out, "a file") from error
    except OSError as error:
        raise not_an_audit_folder(out, str(error)) from error


def _begin(folder: AuditFolder, configuration: JSON) -> None:
    if is_unused(folder.path):
        before: dict[str, JSON] = {"configuration": configuration}
    else:
        before = read_manifest(folder.path)
        check_same(folder.path, before.get("configuration"), configuration)
    write_manifest(folder.path, {"kind": KIND, "schema": SCHEMA, **before, "state": "running"})
    for name in _FOLDERS:
        (folder.path / name).mkdir(exist_ok=True)
    folder._sweep()  # noqa: SLF001  # of the same module


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(sorted(total.items()))


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = ConfigurationError if isinstance(error, PermissionError | NotADirectoryError) else EarnedError
        raise place(
            f"Expected to write below {str(path)!r}; found: {error}. Make room or give another --out; finished work is kept.",
            slug="cannot-write",
        ) from error
