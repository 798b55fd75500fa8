"""The three Parquet tables of one shard: verdicts, findings, trajectories. Written by position, read back in step.

Rows of a shard are sorted by (trajectory path, member, trajectory id); `position` is a pass's place in that order and ties the
tables of the shard together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from earned.errors import InputError
from earned.records import SCHEMA, AuditedPass, AuditRow, Finding
from earned.store.columns import Flattener, Scalar, well_formed

ROW_GROUP = 256
"""Passes in a row group: with excerpts of tens of kilobytes a pass, a few megabytes at a time in memory."""
GROUP_BYTES = 8 * 1024 * 1024
"""Of rows in a row group, where passes are larger."""
BATCH = 32
"""Passes decoded at a time."""

VERDICTS = Flattener(AuditRow, leave_out=("attempt_index",))
FINDINGS = Flattener(Finding)
TRAJECTORIES = Flattener(AuditedPass, leave_out=("row", "findings"))

_KEYS = (
    pa.field("trajectory", pa.string(), nullable=False),
    pa.field("member", pa.string(), nullable=False),
    pa.field("trajectory_id", pa.string(), nullable=False),
)
_POSITION = (pa.field("position", pa.int64(), nullable=False),)
_METADATA = {"earned_schema": str(SCHEMA)}

SCHEMAS: dict[str, pa.Schema] = {
    "verdicts": pa.schema([*_POSITION, *VERDICTS.fields], metadata=_METADATA),
    "findings": pa.schema([*_KEYS, *_POSITION, *FINDINGS.fields], metadata=_METADATA),
    "trajectories": pa.schema([*_KEYS, *_POSITION, *TRAJECTORIES.fields], metadata=_METADATA),
}
"""Columns of each table, in order."""

Row = dict[str, Scalar]


class Place(NamedTuple):
    """Where a pass stands in the order of reading."""

    trajectory: str
    member: str
    trajectory_id: str


def place_of(row: AuditRow) -> Place:
    """The sort key of a pass, in text that a file can hold."""
    return Place(well_formed(row.trajectory), well_formed(row.member), well_formed(row.trajectory_id))


class PassRow(msgspec.Struct, frozen=True, array_like=True):
    """One pass as rows of the tables, without the columns that its place in the shard decides."""

    verdict: list[Scalar]
    trajectory: list[Scalar]
    findings: list[list[Scalar]]


def pass_row(audited: AuditedPass) -> PassRow:
    """A pass as rows of the tables."""
    return PassRow(
        verdict=list(VERDICTS.flat(audited.row).values()),
        trajectory=list(TRAJECTORIES.flat(audited).values()),
        findings=[list(FINDINGS.flat(finding).values()) for finding in audited.findings],
    )


class TablesWriter:
    """The tables of a shard while they are written, a row group at a time; a table without rows is not made."""

    def __init__(self, open_table: Callable[[str], BinaryIO]) -> None:
        """`open_table` opens the file of a table by its name."""
        self._open_table = open_table
        self._writers: dict[str, pq.ParquetWriter] = {}
        self._columns: dict[str, list[list[Scalar]]] = {}
        self._size: Counter[str] = Counter()
        self._position = 0

    def add(self, place: Place, row: PassRow, size: int) -> None:
        """Add one pass, in the order of the places; `size` is what its row takes in bytes, about."""
        keys: list[Scalar] = [*place, self._position]
        self._put("verdicts", [self._position, *row.verdict], size // 2)
        self._put("trajectories", [*keys, *row.trajectory], size // 2)
        for finding in row.findings:
            self._put("findings", [*keys, *finding], size // len(row.findings))
        self._position += 1

    def close(self) -> None:
        """Write what is left. Nothing can be added after it."""
        for name in list(self._columns):
            self._write(name)
        for writer in self._writers.values():
            writer.close()

    def _put(self, name: str, values: list[Scalar], size: int) -> None:
        columns = self._columns.setdefault(name, [[] for _ in values])
        for column, value in zip(columns, values, strict=True):
            column.append(value)
        self._size[name] += size
        if len(columns[0]) >= ROW_GROUP or self._size[name] >= GROUP_BYTES:
            self._write(name)

    def _write(self, name: str) -> None:
        columns = self._columns.pop(name)
        del self._size[name]
        schema = SCHEMAS[name]
        table = pa.table([pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema=schema)
        if name not in self._writers:
            self._writers[name] = pq.ParquetWriter(self._open_table(name), schema, compression="zstd", compression_level=3)
        self._writers[name].write_table(table, row_group_size=ROW_GROUP)


def read_rows(path: Path) -> Iterator[AuditRow]:
    """The rows of a shard's verdicts file, in order."""
    for row in _read(path, "verdicts"):
        yield _restore_row(row, path)


def read_passes(paths: Mapping[str, Path]) -> Iterator[AuditedPass]:
    """The passes of a shard, in order, from the paths of its tables by name."""
    findings = _Grouped(_read(paths["findings"], "findings") if "findings" in paths else iter(()))
    pairs = zip(_read(paths["verdicts"], "verdicts"), _read(paths["trajectories"], "trajectories"), strict=True)
    try:
        for verdict, trajectory in pairs:
            row = _restore_row(verdict, paths["verdicts"])
            found = tuple(FINDINGS.restore(finding) for finding in findings.take(verdict["position"]))
            yield TRAJECTORIES.restore(trajectory, row=row, findings=found)
    except (msgspec.MsgspecError, ValueError, KeyError) as error:
        raise damaged(paths["trajectories"].parent.parent, str(error)) from error


def damaged(path: Path, what: str) -> InputError:
    """The error for a file of an audit folder that does not hold what this version wrote."""
    return InputError(
        f"Expected {str(path)!r} to be as this version of earned (schema {SCHEMA}) wrote it; found: {what}. "
        "Audit again into a new --out.",
        slug="audit-folder-damaged",
    )


class _Grouped:
    """Takes the rows of one position after another from rows in the order of position."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = iter(rows)
        self._next = next(self._rows, None)

    def take(self, position: Scalar) -> Iterator[Row]:
        while self._next is not None and self._next["position"] == position:
            yield self._next
            self._next = next(self._rows, None)


def _restore_row(row: Row, path: Path) -> AuditRow:
    try:
        return VERDICTS.restore(row, attempt_index=0)
    except (msgspec.MsgspecError, KeyError) as error:
        raise damaged(path, str(error)) from error


def _read(path: Path, name: str) -> Iterator[Row]:
    try:
        with pq.ParquetFile(path) as file:
            if not file.schema_arrow.equals(SCHEMAS[name]):
                raise damaged(path, f"other columns than those of {name}")
            for batch in file.iter_batches(batch_size=BATCH, use_threads=False):
                yield from batch.to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise damaged(path, str(error)) from error
