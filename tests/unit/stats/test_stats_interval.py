from __future__ import annotations

import pytest

from earned.stats import normal_quantile, wilson

PRINTED = [
    (12, 49, 14.60, 38.09),
    (36, 49, 59.74, 83.79),
    (71, 104, 58.81, 76.43),
    (0, 96, 0.00, 3.85),
    (29, 104, 20.17, 37.17),
    (8, 21, 20.75, 59.12),
]
"""The paper's tables, in percent; it computes with z = 1.96."""


@pytest.mark.parametrize(("k", "n", "low", "high"), PRINTED)
def test_the_printed_intervals_of_the_paper_come_out(k: int, n: int, low: float, high: float) -> None:
    interval = wilson(k, n, z=1.96)
    assert interval.low is not None
    assert interval.high is not None
    assert (round(100 * interval.low, 2), round(100 * interval.high, 2)) == (low, high)


@pytest.mark.parametrize("n", [1, 2, 96, 10**9])
def test_known_ends_are_exact(n: int) -> None:
    assert wilson(0, n).low == 0.0
    assert wilson(n, n).high == 1.0


def test_nothing_counted_has_no_interval() -> None:
    assert wilson(0, 0) == (None, None)


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (0, -1)])
def test_counts_that_do_not_fit_are_refused_with_their_values(k: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"k={k}, n={n}"):
        wilson(k, n)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 95.0, float("nan")])
def test_levels_outside_the_open_unit_interval_are_refused(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        wilson(1, 5, level=level)


def test_the_quantile_of_95_percent_is_the_one_of_the_tables() -> None:
    assert normal_quantile(0.95) == pytest.approx(1.959963984540054, abs=1e-12)
