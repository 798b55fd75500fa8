"""Violation, neutral and gap of a group of labels, in the words of the paper.

n is every known surface pass, insufficient and undecided ones included; k counts decided labels only; the bounds say how far
the open ones could move the rate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from earned.records import LABELS, Estimate, Label, Rates, Scope, Unit
from earned.stats.interval import LEVEL, METHOD, wilson


def estimate(
    k: int,
    n: int,
    *,
    insufficient: int,
    undecided: int,
    unit: Unit,
    scope: Scope = "full",
    level: float = LEVEL,
) -> Estimate:
    """A rate of k in n surface passes with its Wilson interval, its bounds and the rate over decided passes only.

    Raises ValueError when k, insufficient and undecided do not fit into n.
    """
    if min(insufficient, undecided) < 0 or k + insufficient + undecided > n:
        raise ValueError(
            f"Expected k + insufficient + undecided <= n; found k={k!r}, {insufficient=!r}, {undecided=!r}, n={n!r}."
        )
    interval = wilson(k, n, level=level)
    decided = n - insufficient - undecided
    return Estimate(
        k=k,
        n=n,
        value=k / n if n else None,
        low=interval.low,
        high=interval.high,
        method=METHOD,
        level=level,
        unit=unit,
        scope=scope,
        bounds=(k / n, (k + insufficient + undecided) / n) if n else None,
        decided_only=k / decided if decided else None,
    )


def rates(labels: Iterable[Label], *, unit: Unit, scope: Scope = "full", level: float = LEVEL) -> Rates:
    """The three rates of the labels, one label for each surface pass (or each task, at unit `task`)."""
    return rates_of_counts(Counter(labels), unit=unit, scope=scope, level=level)


def rates_of_counts(counts: Mapping[Label, int], *, unit: Unit, scope: Scope = "full", level: float = LEVEL) -> Rates:
    """The same from counts a label. Raises ValueError for a label that is not in the closed list."""
    unknown = sorted(set(counts) - set(LABELS))
    if unknown:
        raise ValueError(f"Expected labels out of {', '.join(LABELS)}; found {', '.join(map(repr, unknown))}.")
    n = sum(counts.values())
    insufficient, undecided = counts.get("insufficient", 0), counts.get("undecided", 0)
    violation, neutral = counts.get("violation", 0), counts.get("unearned", 0)

    def rate(k: int) -> Estimate:
        return estimate(k, n, insufficient=insufficient, undecided=undecided, unit=unit, scope=scope, level=level)

    return Rates(
        surface_passes=n,
        violation=rate(violation),
        neutral=rate(neutral),
        gap=rate(violation + neutral),
        insufficient=insufficient,
        undecided=undecided,
        legitimate=counts.get("legitimate", 0),
    )


def task_label(labels: Iterable[Label]) -> Label:
    """The label of a task from those of its passing attempts: violation > unearned > undecided > insufficient > legitimate.

    Raises ValueError when there is no passing attempt, for such a task is no surface pass.
    """
    found = min(labels, key=LABELS.index, default=None)
    if found is None:
        raise ValueError("Expected the label of at least one passing attempt; found none.")
    return found
