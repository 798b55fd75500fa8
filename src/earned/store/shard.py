"""A shard of results is there whole or not there: its marker is written last, and nothing counts without its marker."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from earned.records import SCHEMA, AttemptCount, AuditedPass, Skip
from earned.store.columns import json_text, well_formed
from earned.store.tables import Place, damaged, place_of, shard_tables, write_table
from earned.store.whole import write_whole, write_whole_with

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


def write_shard(
    root: Path, key: str, passes: Sequence[AuditedPass], skips: Sequence[Skip], attempts: Sequence[AttemptCount]
) -> None:
    """Write the files of a shard, each whole, and then its marker. The same content gives the same bytes."""
    marker = marker_path(root, key)
    ordered = sorted(passes, key=lambda audited: place_of(audited.row))
    ordered_skips = sorted(skips, key=skip_place)
    written = [*_write_tables(root, key, ordered), *_write_skips(root, key, ordered_skips)]
    content = ShardMarker(
        key=key,
        files={path.relative_to(root).as_posix(): path.stat().st_size for path in written},
        passes=len(ordered),
        findings=sum(len(audited.findings) for audited in ordered),
        labels=_sorted_counts(audited.row.label for audited in ordered),
        skipped=_sorted_counts(skip.reason for skip in ordered_skips),
        attempts=added_up(attempts),
        first_pass=place_of(ordered[0].row) if ordered else None,
        first_skip=skip_place(ordered_skips[0]) if ordered_skips else None,
    )
    write_whole(marker, [json_text(content).encode()])


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


def _write_tables(root: Path, key: str, ordered: Sequence[AuditedPass]) -> Iterator[Path]:
    for name, table in shard_tables(ordered).items():
        path = root / name / f"{key}.parquet"
        write_whole_with(path, partial(write_table, table))
        yield path


def _write_skips(root: Path, key: str, ordered: Sequence[Skip]) -> Iterator[Path]:
    if ordered:
        path = skips_path(root, key)
        write_whole(path, (f"{json_text(skip)}\n".encode() for skip in ordered))
        yield path


def _sorted_counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
