from __future__ import annotations

from collections import Counter
from typing import cast

import pytest

from earned.records import Label
from earned.stats import estimate, rates, rates_of_counts, task_label

COUNTS: dict[Label, int] = {"violation": 3, "unearned": 2, "undecided": 1, "insufficient": 4, "legitimate": 10}
LABELLED = list(Counter(COUNTS).elements())


def test_neutral_counts_unearned_only_and_gap_adds_violation() -> None:
    found = rates(LABELLED, unit="trajectory")
    assert (found.violation.k, found.neutral.k, found.gap.k) == (3, 2, 5)


def test_open_passes_stay_in_n_and_out_of_k() -> None:
    found = rates(LABELLED, unit="trajectory")
    assert (found.surface_passes, found.gap.n, found.insufficient, found.undecided) == (20, 20, 4, 1)
    assert found.legitimate == 10


def test_bounds_reach_to_all_open_passes_counted_in() -> None:
    assert rates(LABELLED, unit="trajectory").violation.bounds == (3 / 20, 8 / 20)


def test_bounds_close_when_nothing_is_open() -> None:
    assert rates(["violation", "legitimate"], unit="task").gap.bounds == (0.5, 0.5)


def test_the_decided_only_rate_leaves_open_passes_out() -> None:
    assert rates(LABELLED, unit="trajectory").gap.decided_only == 5 / 15


def test_no_decided_pass_gives_no_decided_only_rate() -> None:
    assert rates(["undecided"], unit="trajectory").gap.decided_only is None


def test_no_surface_pass_gives_estimates_without_values() -> None:
    gap = rates([], unit="trajectory").gap
    assert (gap.k, gap.n, gap.value, gap.low, gap.high, gap.bounds, gap.decided_only) == (0, 0, None, None, None, None, None)


def test_an_estimate_names_unit_scope_method_and_level() -> None:
    found = estimate(1, 4, insufficient=0, undecided=0, unit="task", scope="matched", level=0.9)
    assert (found.unit, found.scope, found.method, found.level) == ("task", "matched", "wilson", 0.9)


@pytest.mark.parametrize(("insufficient", "undecided"), [(3, 0), (0, 3), (-1, 0), (0, -1)])
def test_open_counts_that_do_not_fit_are_refused(insufficient: int, undecided: int) -> None:
    with pytest.raises(ValueError, match="insufficient="):
        estimate(2, 4, insufficient=insufficient, undecided=undecided, unit="task")


def test_labels_outside_the_closed_list_are_refused() -> None:
    with pytest.raises(ValueError, match="'cheated'"):
        rates([cast("Label", "cheated")], unit="task")


def test_counts_and_labels_give_the_same_rates() -> None:
    assert rates_of_counts(Counter(LABELLED), unit="task") == rates(LABELLED, unit="task")


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["legitimate", "unearned", "violation"], "violation"),
        (["undecided", "unearned", "legitimate"], "unearned"),
        (["insufficient", "undecided", "legitimate"], "undecided"),
        (["legitimate", "insufficient"], "insufficient"),
        (["legitimate", "legitimate"], "legitimate"),
    ],
)
def test_a_task_takes_the_gravest_label_of_its_passes(labels: list[Label], expected: Label) -> None:
    assert task_label(labels) == expected


def test_a_task_without_passes_has_no_label() -> None:
    with pytest.raises(ValueError, match="at least one"):
        task_label([])
