"""The numbers as CSV, for spreadsheets: cohorts, tasks, passes.

A text cell that a spreadsheet would take for a formula gets an apostrophe in front: a task's name comes from an input.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from earned.errors import ConfigurationError
from earned.records import AuditedPass, AuditRow, CohortRates, IntegrityCard, Rates, TaskRates
from earned.report.tally import Tally
from earned.report.wording import decisive_steps
from earned.store import write_whole

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_RATES = tuple(f"{name}_{part}" for name in ("violation", "neutral", "gap") for part in ("k", "n", "value", "low", "high"))
_PASS = ("trajectory", "member", "benchmark", "task", "model", "harness", "attempt", "attempt_index", "label")

Cell = str | int | float | None


def write_csv(folder: Path, card: IntegrityCard, passes: Callable[[], Iterator[AuditedPass]]) -> None:
    """Write `cohorts.csv`, `tasks.csv` and `passes.csv` into a folder, which is made.

    Raises ConfigurationError (`cannot-write`).
    """
    tally = Tally()
    for audited in passes():
        tally.add_pass(audited)
    tasks = TaskRates.__struct_fields__
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(
            folder / "cohorts.csv",
            ("benchmark", "model", "harness", "unit", "method", "level", "attempts", *_RATES),
            _cohorts(card),
        )
        _write(folder / "tasks.csv", tasks, (msgspec.structs.astuple(task) for task in tally.task_table()))
        _write(folder / "passes.csv", (*_PASS, "categories", "steps"), (_pass(audited.row) for audited in passes()))
    except OSError as error:
        raise ConfigurationError(
            f"Expected to write tables into {str(folder)!r}; found: {error}. Make room or give another place.",
            slug="cannot-write",
        ) from error


def _cohorts(card: IntegrityCard) -> Iterator[tuple[Cell, ...]]:
    for cohort in card.cohorts:
        for unit, rates in (("trajectory", cohort.trajectory), ("task", cohort.task)):
            yield (*_names(cohort), unit, rates.gap.method, rates.gap.level, cohort.attempts, *_rates(rates))


def _names(cohort: CohortRates) -> tuple[str, str, str]:
    return cohort.benchmark, cohort.model, cohort.harness


def _rates(rates: Rates) -> Iterator[Cell]:
    for estimate in (rates.violation, rates.neutral, rates.gap):
        yield from (estimate.k, estimate.n, estimate.value, estimate.low, estimate.high)


def _pass(row: AuditRow) -> tuple[Cell, ...]:
    named: tuple[Cell, ...] = tuple(getattr(row, name) for name in _PASS)
    return (*named, " ".join(row.categories), " ".join(map(str, decisive_steps(row))))


def _write(path: Path, heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    write_whole(path, _lines(heading, rows))


def _lines(heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[bytes]:
    yield _line(heading)
    for row in rows:
        yield _line(row)


def _line(row: Sequence[Cell]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([_plain(cell) for cell in row])
    return text.getvalue().encode("utf-8", "replace")


def _plain(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
