"""Tables of id and outcome, as spreadsheets and scripts write them: CSV with commas, semicolons or tabs, with and without names
of the columns.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from earned.errors import FormatError
from earned.trajectory.outcomes.claim import MAX_REPORT, Claim
from earned.trajectory.outcomes.claim_documents import MODELS
from earned.trajectory.outcomes.verdicts import Repeated, Verdict, verdict_of, verdict_of_row

_IDS = """
    id instance_id trajectory_id attempt_id trial_id trial_name trajectory attempt trial instance problem_id sample_id file
    task task_id task_name name
"""
_VERDICTS = "passed resolved is_resolved pass outcome success solved is_correct correct verdict result status reward score"
_PATCHES = ("patch", "model_patch")
_TASKS = ("task", "task_id", "task_name")
COLUMNS = (*_IDS.split(), *_VERDICTS.split(), *_TASKS, *_PATCHES[:1])
"""Names of columns that are read, the first of each kind before the others."""
MAX_TOLD, MAX_COLUMN = 12, 40
"""Columns that an error tells, and characters of each."""
_OTHER = (".json", ".jsonl", ".pred")
"""Endings of files that are no tables."""
_DELIMITERS = (",", "\t", ";", "|")


class _Columns(NamedTuple):
    """Which column holds what; -1 for one that is not there."""

    key: int
    verdict: int
    task: int = -1
    patch: int = -1
    words: tuple[tuple[str, int], ...] = ()
    """Names and numbers of all columns."""
    model: int = -1
    width: int = 0


def claims_of_table(text: str, path: str) -> Iterator[Claim]:
    """One claim a row. Raises FormatError when it is no table that can be read."""
    csv.field_size_limit(MAX_REPORT)
    first = next((line for line in io.StringIO(text, newline="") if line.strip()), "")
    for delimiter in _DELIMITERS:
        cells = _cells(first, delimiter)
        columns = _named(cells) or _unnamed(cells)
        if columns is not None:
            yield from _rows(text, path, delimiter, columns, has_names=_named(cells) is not None)
            return
    if not path.endswith(_OTHER):
        _refuse(first)


def _refuse(first: str) -> None:
    """Raises FormatError with the columns of a table of which none is an id with an outcome; of what is no table nothing."""
    delimiter = max(_DELIMITERS, key=first.count)
    cells = [" ".join(cell.split())[:MAX_COLUMN] for cell in _cells(first, delimiter)]
    if len(cells) < 2:
        return
    told = ", ".join(cells[:MAX_TOLD]) + (", \N{HORIZONTAL ELLIPSIS}" if len(cells) > MAX_TOLD else "")
    raise FormatError(f"the columns {told}, among which no id stands beside an outcome")


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _named(cells: Sequence[str]) -> _Columns | None:
    """The columns by the names in the first line."""
    names = [" ".join(cell.split()).strip("\"' ").lower().replace(" ", "_").replace("-", "_") for cell in cells]
    key, verdict = _first(names, _IDS.split()), _first(names, _VERDICTS.split())
    patch = _first(names, _PATCHES)
    if key < 0 or (verdict < 0 and patch < 0):
        return None
    return _Columns(key, verdict, _first(names, _TASKS), patch, _words(names), _first(names, MODELS), len(names))


def _words(names: Sequence[str]) -> tuple[tuple[str, int], ...]:
    return tuple((name, number) for number, name in enumerate(names) if name)


def _unnamed(cells: Sequence[str]) -> _Columns | None:
    """Two columns without names: an id and a verdict."""
    is_pair = len(cells) == 2 and bool(cells[0].strip()) and verdict_of(cells[1]).status != "unknown"
    return _Columns(0, 1, width=2) if is_pair and verdict_of(cells[0]).status == "unknown" else None


def _first(names: Sequence[str], wanted: Sequence[str]) -> int:
    return next((names.index(name) for name in wanted if name in names), -1)


def _rows(text: str, path: str, delimiter: str, columns: _Columns, *, has_names: bool) -> Iterator[Claim]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    is_first = has_names
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if not is_first and (claim := _claim(row, columns, f"{path}#line {reader.line_num}")) is not None:
                yield claim
            is_first = False
    except csv.Error as error:
        raise FormatError(f"not valid CSV: {error}") from error


def _claim(row: Sequence[str], columns: _Columns, source: str) -> Claim | None:
    def cell(number: int) -> str:
        return row[number] if 0 <= number < len(row) else ""

    key = cell(columns.key).strip()
    if not key:
        return None
    verdict = _verdict(row, columns)
    return Claim(
        key=key,
        source=source,
        status=verdict.status,
        reward=verdict.reward,
        detail=f"{source}: {verdict.detail}" if verdict.status == "conflicting" else verdict.detail,
        model=cell(columns.model).strip() if columns.verdict >= 0 else "",
        bare=verdict.bare,
        otherwise=verdict.otherwise,
        task=cell(columns.task).strip() if columns.task != columns.key else "",
        patch=cell(columns.patch) or None,
        is_outcome=columns.verdict >= 0,
    )


def _verdict(row: Sequence[str], columns: _Columns) -> Verdict:
    """What all words of a row say; with more cells than there are columns no cell is known to be what its column says."""
    if any(cell.strip() for cell in row[columns.width :]):
        return Verdict("unknown", detail=f"the row has {len(row)} cells for {columns.width} columns")
    if not columns.words:
        return verdict_of(row[columns.verdict]) if columns.verdict < len(row) else Verdict("unknown")
    said = verdict_of_row(_cells_by_name(row, columns.words), _VERDICTS.split())
    return said[1] if said is not None else Verdict("unknown")


def _cells_by_name(row: Sequence[str], words: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """The cells of a row; those of a name that several columns have, all that are not empty where they differ."""
    found: dict[str, list[str]] = {}
    for name, number in words:
        cell = row[number] if number < len(row) else ""
        held = found.setdefault(name, [])
        if cell not in held and (cell.strip() or not held):
            held.append(cell)
    told = {name: [cell for cell in cells if cell.strip()] or [""] for name, cells in found.items()}
    return {name: cells[0] if len(cells) == 1 else Repeated(tuple(cells)) for name, cells in told.items()}
