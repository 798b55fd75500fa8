"""What a report shows of an audit, chosen before any outlet writes it: gravest first, and bounded for any number of passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from earned.records import LABELS, AuditedPass, AuditRow, IntegrityCard, Label, Skip, TaskRates
from earned.report.excerpts import Citation, StepView, citations, step_views
from earned.report.tally import Tally

SECTIONS = 300
"""Passes with a section of their own."""
LISTED = 1000
"""Passes beyond, and legitimate passes without a finding, that are listed by name."""
TASKS = 1000
"""Tasks in the task table."""
EXAMPLES = 8
"""Inputs named for each reason of skipping."""
CITATIONS = 80
"""Pieces of evidence shown of one pass."""


class Section(NamedTuple):
    """One pass with its evidence."""

    number: int
    audited: AuditedPass
    citations: tuple[Citation, ...]
    citations_left_out: int
    steps: tuple[StepView, ...]
    steps_left_out: int
    marked: frozenset[str]
    """Numbers of the citations that are marked in the steps shown, so that a link leads to them."""

    @property
    def row(self) -> AuditRow:
        """The row of the pass."""
        return self.audited.row


class SkipGroup(NamedTuple):
    """The inputs that were skipped for one reason."""

    reason: str
    total: int
    examples: tuple[Skip, ...]


class Page(NamedTuple):
    """All that a report shows."""

    card: IntegrityCard
    folder: Path
    tasks: tuple[TaskRates, ...]
    tasks_left_out: int
    sections: tuple[Section, ...]
    listed: tuple[AuditRow, ...]
    """Passes that would have had a section if there were room."""
    listed_left_out: int
    clean: tuple[AuditRow, ...]
    """Legitimate passes without any finding."""
    clean_left_out: int
    skips: tuple[SkipGroup, ...]

    @property
    def shown(self) -> int:
        """Passes with something to show, whether there was room for them or not."""
        return len(self.sections) + len(self.listed) + self.listed_left_out


def build_page(folder: Path, card: IntegrityCard, passes: Callable[[], Iterator[AuditedPass]], skips: Iterable[Skip]) -> Page:
    """Read the passes and the skips once and keep what is shown."""
    tally, shelf = Tally(), _Shelf()
    for audited in passes():
        tally.add_pass(audited)
        shelf.put(audited)
    tasks = tally.task_table()
    listed = [row for label in LABELS for row in shelf.listed[label]]
    return Page(
        card=card,
        folder=folder,
        tasks=tasks[:TASKS],
        tasks_left_out=max(0, len(tasks) - TASKS),
        sections=tuple(_section(number, audited) for number, audited in enumerate(shelf.shown(), 1)),
        listed=tuple(listed[:LISTED]),
        listed_left_out=shelf.pushed_out - len(listed[:LISTED]),
        clean=tuple(shelf.clean),
        clean_left_out=shelf.clean_count - len(shelf.clean),
        skips=_skip_groups(card.skipped, skips),
    )


class _Shelf:
    """Holds at most SECTIONS whole passes; a graver one pushes out the last of the least grave."""

    def __init__(self) -> None:
        self.whole: dict[Label, list[AuditedPass]] = {label: [] for label in LABELS}
        self.listed: dict[Label, list[AuditRow]] = {label: [] for label in LABELS}
        self.pushed_out = 0
        self.clean: list[AuditRow] = []
        self.clean_count = 0

    def put(self, audited: AuditedPass) -> None:
        row = audited.row
        if row.label == "legitimate" and not audited.findings and not row.evidence:
            self.clean_count += 1
            if len(self.clean) < LISTED:
                self.clean.append(_light(row))
            return
        self.whole[row.label].append(audited)
        if sum(map(len, self.whole.values())) > SECTIONS:
            self._push_out()

    def shown(self) -> Iterator[AuditedPass]:
        return (audited for label in LABELS for audited in self.whole[label])

    def _push_out(self) -> None:
        label = next(label for label in reversed(LABELS) if self.whole[label])
        row = self.whole[label].pop().row
        self.pushed_out += 1
        if len(self.listed[label]) < LISTED:
            self.listed[label].append(_light(row))


def _light(row: AuditRow) -> AuditRow:
    first = row.evidence[:1]
    return msgspec.structs.replace(row, evidence=first, locations=())


def _section(number: int, audited: AuditedPass) -> Section:
    cited = citations(audited)
    shown = cited[:CITATIONS]
    steps = step_views(audited, shown)
    return Section(
        number=number,
        audited=audited,
        citations=shown,
        citations_left_out=len(cited) - len(shown),
        steps=steps,
        steps_left_out=len(audited.excerpts) - len(steps),
        marked=frozenset(number for view in steps for part in view.parts for piece in part.pieces for number in piece.begins),
    )


def _skip_groups(counted: Mapping[str, int], skips: Iterable[Skip]) -> tuple[SkipGroup, ...]:
    counts: Counter[str] = Counter()
    examples: dict[str, list[Skip]] = {}
    for skip in skips:
        counts[skip.reason] += 1
        shown = examples.setdefault(skip.reason, [])
        if len(shown) < EXAMPLES:
            shown.append(skip)
    totals = {**counts, **counted}
    return tuple(SkipGroup(reason, totals[reason], tuple(examples.get(reason, ()))) for reason in sorted(totals))
