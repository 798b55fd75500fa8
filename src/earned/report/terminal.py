"""What `earned audit` prints: the rates of each cohort, the passes when they are few, and what was not judged.

Readable at 80 columns; without colour, and so without a single escape sequence, wherever the output is no terminal.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from earned.records import LABELS, AuditRow, CohortRates, Estimate, IntegrityCard, Rates
from earned.report.text import safe_line
from earned.report.wording import (
    SKIP_REASONS,
    bounds,
    cohort_name,
    counted,
    decisive_steps,
    interval,
    method,
    percent,
    short_paths,
    steps_text,
    with_member,
)

FEW_PASSES = 60
"""Up to so many passes are listed one by one."""
WIDTH = 80
_ALIGNED = len("by trajectory")

_STYLES = {"violation": "bold red", "unearned": "yellow", "undecided": "magenta", "insufficient": "dim", "legitimate": "green"}


def terminal_table(card: IntegrityCard, rows: Sequence[AuditRow], skipped: Mapping[str, int]) -> RenderableType:
    """A renderable for `rich`: cohorts, then `rows` when they are at most FEW_PASSES, then what was skipped and why.

    Pass no rows, or too many, to leave the list of passes out.
    """
    parts: list[RenderableType] = list(_cohort_parts(card))
    if 0 < len(rows) <= FEW_PASSES:
        parts.append(_passes_table(rows))
    parts.extend(_skipped_parts(skipped))
    return Group(*parts)


def terminal_text(card: IntegrityCard, rows: Sequence[AuditRow], skipped: Mapping[str, int], *, width: int = WIDTH) -> str:
    """The same as plain text."""
    console = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(terminal_table(card, rows, skipped), end="")
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def _cohort_parts(card: IntegrityCard) -> Iterator[RenderableType]:
    if len(card.cohorts) != 1:
        yield _heading("All cohorts", card.attempts, card.trajectory)
        yield _rates_table(card.trajectory, card.task)
    judged = [cohort for cohort in card.cohorts if cohort.trajectory.surface_passes]
    for cohort in judged:
        yield _heading(_name(cohort), cohort.attempts, cohort.trajectory)
        yield _rates_table(cohort.trajectory, cohort.task)
    yield from _empty_cohorts([cohort for cohort in card.cohorts if cohort not in judged])
    note = (
        f"{method(card.trajectory.gap)}. Bounds: from no to all of the insufficient and undecided counted in. "
        "Decided: the rate over decided passes only."
    )
    yield _text(note, style="dim")


def _heading(name: str, attempts: int, rates: Rates) -> RenderableType:
    counts = (
        f"{counted(attempts, 'attempt')}, {counted(rates.surface_passes, 'surface pass', 'surface passes')}, "
        f"{rates.insufficient} insufficient, {rates.undecided} undecided"
    )
    return Group(Text(), _text(name, style="bold"), _text(counts))


def _empty_cohorts(cohorts: Sequence[CohortRates]) -> Iterator[RenderableType]:
    """Cohorts without a surface pass have no rate: a line each."""
    if cohorts:
        yield Group(Text(), _text("0 surface passes, so no rate", style="bold"))
    for cohort in cohorts:
        yield _text(f"  {_name(cohort)}: {counted(cohort.attempts, 'attempt')}")


def _rates_table(trajectory: Rates, task: Rates) -> Table:
    table = _table("rate", "unit", "k/n", "value", f"{100 * trajectory.gap.level:g}% interval", "bounds", "decided")
    for unit, rates in (("trajectory", trajectory), ("task", task)):
        for name in ("violation", "neutral", "gap"):
            table.add_row(*map(_text, (name, unit, *_rate_cells(getattr(rates, name)))))
    return table


def _rate_cells(estimate: Estimate) -> tuple[str, ...]:
    return (
        f"{estimate.k}/{estimate.n}",
        percent(estimate.value),
        interval(estimate.low, estimate.high),
        bounds(estimate),
        percent(estimate.decided_only),
    )


def _passes_table(rows: Sequence[AuditRow]) -> RenderableType:
    table = _table("label", "trajectory", "categories", "steps")
    ordered = sorted(rows, key=lambda row: LABELS.index(row.label))
    for row, short in zip(ordered, short_paths([row.trajectory for row in ordered]), strict=True):
        table.add_row(
            _text(row.label, style=_STYLES[row.label]),
            _text(with_member(short, row.member)),
            _text(", ".join(row.categories)),
            _text(steps_text(decisive_steps(row))),
        )
    return Group(Text(), table)


def _skipped_parts(skipped: Mapping[str, int]) -> Iterator[RenderableType]:
    if not skipped:
        return
    yield Text()
    yield _text(f"Not judged: {sum(skipped.values()):,} (skipped.jsonl names each)", style="bold")
    for reason, count in sorted(skipped.items()):
        yield _text(f"  {count:>7,}  {reason}: {SKIP_REASONS.get(reason, 'see skipped.jsonl')}")


def _table(*headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold", min_width=_ALIGNED if heading.startswith("by ") else None)
    return table


def _text(text: str, style: str = "") -> Text:
    return Text(safe_line(text), style=style)


def _name(cohort: CohortRates) -> str:
    return cohort_name(cohort.benchmark, cohort.model, cohort.harness)


def few(rows: Iterable[AuditRow]) -> tuple[AuditRow, ...]:
    """The rows when they are at most FEW_PASSES, else none; reads no further than it must."""
    found: list[AuditRow] = []
    for row in rows:
        if len(found) == FEW_PASSES:
            return ()
        found.append(row)
    return tuple(found)
