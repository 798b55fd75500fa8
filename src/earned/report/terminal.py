"""What `earned audit` prints: the rates of each cohort, the passes when they are few, and what was not judged.

Readable at 80 columns; without colour, and so without a single escape sequence, wherever the output is no terminal.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from earned.records import LABELS, AuditRow, CohortRates, Estimate, IntegrityCard, Label, Rates, Skip
from earned.report.text import clipped, safe_line
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
FEW_SKIPS = 20
"""Up to so many inputs that were not judged are named."""
NAMED_SKIPS = 5
"""Of them, for each reason."""
DETAIL = 200
"""Characters of the detail of one."""
WIDTH = 80
_ALIGNED = len("by trajectory")

_STYLES = {"violation": "bold red", "unearned": "yellow", "undecided": "magenta", "insufficient": "dim", "legitimate": "green"}


def terminal_table(
    card: IntegrityCard,
    rows: Sequence[AuditRow],
    skipped: Mapping[str, int],
    *,
    skips: Iterable[Skip] = (),
    folder: str = "DIR",
) -> RenderableType:
    """A renderable for `rich`: cohorts, then the passes of `rows` and how many more there are, then what was skipped and why.

    `rows` are those that `gravest` chose; `skips` are named where they are at most FEW_SKIPS; `folder` is the audit folder.
    """
    parts: list[RenderableType] = list(_cohort_parts(card))
    if rows:
        parts.append(_passes_table(rows))
    more = card.surface_passes - len(rows)
    if more > 0:
        place = shlex.quote(folder)
        parts += [] if rows else [Text()]
        parts.append(
            _text(f"\N{HORIZONTAL ELLIPSIS} and {more:,} more: see report.html, or earned report {place} --csv TABLES")
        )
    parts.extend(_skipped_parts(skipped, skips))
    return Group(*parts)


def terminal_text(
    card: IntegrityCard,
    rows: Sequence[AuditRow],
    skipped: Mapping[str, int],
    *,
    skips: Iterable[Skip] = (),
    folder: str = "DIR",
    width: int = WIDTH,
) -> str:
    """The same as plain text."""
    console = Console(file=io.StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(terminal_table(card, rows, skipped, skips=skips, folder=folder), end="")
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


def _skipped_parts(skipped: Mapping[str, int], skips: Iterable[Skip]) -> Iterator[RenderableType]:
    if not skipped:
        return
    total = sum(skipped.values())
    named = _named_skips(skips) if total <= FEW_SKIPS else {}
    yield Text()
    yield _text(f"Not judged: {total:,} (skipped.jsonl names each)", style="bold")
    for reason, count in sorted(skipped.items()):
        yield _text(f"  {count:>7,}  {reason}: {SKIP_REASONS.get(reason, 'see skipped.jsonl')}")
        lines = named.get(reason, [])
        yield from (Padding(_text(line), (0, 0, 0, 11), expand=False) for line in lines[:NAMED_SKIPS])
        if len(lines) > NAMED_SKIPS:
            yield Padding(_text(f"and {len(lines) - NAMED_SKIPS} more"), (0, 0, 0, 11), expand=False)


def _named_skips(skips: Iterable[Skip]) -> dict[str, list[str]]:
    """For each reason a line for each input: its place and the detail."""
    found = list(skips)
    named: dict[str, list[str]] = {}
    for skip, short in zip(found, short_paths([skip.path for skip in found]), strict=True):
        named.setdefault(skip.reason, []).append(f"{with_member(short, skip.member)}: {clipped(skip.detail, DETAIL)}")
    return named


def _table(*headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold", min_width=_ALIGNED if heading.startswith("by ") else None)
    return table


def _text(text: str, style: str = "") -> Text:
    return Text(safe_line(text), style=style)


def _name(cohort: CohortRates) -> str:
    return cohort_name(cohort.benchmark, cohort.model, cohort.harness)


def gravest(rows: Iterable[AuditRow]) -> tuple[AuditRow, ...]:
    """All rows where they are at most FEW_PASSES; of more, those that are not legitimate, the gravest, FEW_PASSES at most."""
    kept: dict[Label, list[AuditRow]] = {label: [] for label in LABELS}
    total = 0
    for row in rows:
        total += 1
        if len(kept[row.label]) < FEW_PASSES:
            kept[row.label].append(row)
    shown = LABELS if total <= FEW_PASSES else LABELS[:-1]
    return tuple(row for label in shown for row in kept[label])[:FEW_PASSES]
