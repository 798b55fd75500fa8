"""Labels are counted once, by cohort and by task, while the passes go by.

An attempt whose task is not recorded counts as a task of its own: put together, they would count as one task with the gravest
label of them all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from earned.records import LABELS, AttemptCount, AuditedPass, AuditRow, CohortRates, Label, Rates, TaskRates
from earned.stats import rates, rates_of_counts, task_label

UNKNOWN = "unknown"
CONDITION_VALUES = 12
"""Distinct values shown of one recorded condition; the rest is counted."""

LabelCounts = Counter[Label]


class CohortKey(NamedTuple):
    """What is compared with what."""

    benchmark: str
    model: str
    harness: str


class TaskKey(NamedTuple):
    """One task; `alone` is a trajectory id where the task is not recorded."""

    benchmark: str
    task: str
    alone: str = ""


_EDGES: dict[str, Callable[[set[str]], str]] = {"started": min, "finished": max}
"""Of dates, only the first day of a cohort and its last are kept."""


class Tally:
    """Counts over passes and attempts. Holds numbers and names, never passes."""

    def __init__(self) -> None:
        self.labels: dict[CohortKey, LabelCounts] = defaultdict(Counter)
        self.tasks: dict[CohortKey, dict[TaskKey, LabelCounts]] = defaultdict(lambda: defaultdict(Counter))
        self.conditions: dict[CohortKey, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self.attempts: Counter[CohortKey] = Counter()
        self.attempted: Counter[TaskKey] = Counter()
        self.categories: Counter[str] = Counter()
        self.channels: Counter[str] = Counter()
        self.judges: set[str] = set()

    def add_pass(self, audited: AuditedPass) -> None:
        """Count one surface pass."""
        row = audited.row
        cohort = CohortKey(row.benchmark, row.model, row.harness)
        self.labels[cohort][row.label] += 1
        self.tasks[cohort][task_key(row)][row.label] += 1
        for name, value in audited.conditions.items():
            values = self.conditions[cohort][name]
            values.add(value)
            if name in _EDGES and len(values) > 1:
                kept = _EDGES[name](values - {UNKNOWN})
                values.intersection_update({kept})
        self.categories.update(set(row.categories))
        self.channels.update({location.channel for location in row.locations})
        self.judges.update(f"{judge.role}: {judge.model}" for judge in row.judges)

    def add_attempts(self, attempts: Iterable[AttemptCount]) -> None:
        """Count attempts, whatever their outcome."""
        for attempt in attempts:
            self.attempts[CohortKey(attempt.benchmark, attempt.model, attempt.harness)] += attempt.count
            self.attempted[TaskKey(attempt.benchmark, attempt.task)] += attempt.count

    def task_count(self) -> int:
        """Tasks attempted."""
        return sum(count if key.task == UNKNOWN else 1 for key, count in self.attempted.items())

    def trajectory_rates(self) -> Rates:
        """Rates over all surface passes."""
        total: LabelCounts = Counter()
        for counts in self.labels.values():
            total.update(counts)
        return rates_of_counts(total, unit="trajectory")

    def task_rates(self) -> Rates:
        """Rates over all tasks with a surface pass, each task once."""
        return _task_rates(self._all_tasks())

    def cohorts(self) -> tuple[CohortRates, ...]:
        """Rates of each cohort that has attempts or passes, by name."""
        return tuple(
            CohortRates(
                **key._asdict(),
                attempts=self.attempts[key],
                conditions={name: _shown(values) for name, values in sorted(self.conditions[key].items())},
                trajectory=rates_of_counts(self.labels[key], unit="trajectory"),
                task=_task_rates(self.tasks[key]),
            )
            for key in sorted(self.attempts.keys() | self.labels.keys())
        )

    def task_table(self) -> tuple[TaskRates, ...]:
        """One line for each task with a surface pass, gravest label first."""
        table = [_task_line(key, counts) for key, counts in self._all_tasks().items()]
        return tuple(sorted(table, key=lambda line: (LABELS.index(line.label), line.benchmark, line.task)))

    def _all_tasks(self) -> Mapping[TaskKey, LabelCounts]:
        merged: dict[TaskKey, LabelCounts] = defaultdict(Counter)
        for tasks in self.tasks.values():
            for key, counts in tasks.items():
                merged[key].update(counts)
        return merged


def task_key(row: AuditRow) -> TaskKey:
    """The task that a row counts for."""
    return TaskKey(row.benchmark, row.task, alone=f"{row.trajectory} {row.member}" if row.task == UNKNOWN else "")


def _task_rates(tasks: Mapping[TaskKey, LabelCounts]) -> Rates:
    return rates((task_label(counts) for counts in tasks.values()), unit="task")


def _task_line(key: TaskKey, counts: LabelCounts) -> TaskRates:
    return TaskRates(
        benchmark=key.benchmark,
        task=f"{key.task} ({key.alone.strip()})" if key.alone else key.task,
        label=task_label(counts),
        passes=counts.total(),
        violation=counts["violation"],
        unearned=counts["unearned"],
        undecided=counts["undecided"],
        insufficient=counts["insufficient"],
        legitimate=counts["legitimate"],
    )


def _shown(values: set[str]) -> tuple[str, ...]:
    ordered = sorted(values)
    more = len(ordered) - CONDITION_VALUES
    return (*ordered[:CONDITION_VALUES], f"and {more} more") if more > 0 else tuple(ordered)
