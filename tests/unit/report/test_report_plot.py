from __future__ import annotations

import pytest

from earned.report.plot import axis_end, plot
from earned.stats import estimate, rates, rates_of_counts


@pytest.mark.parametrize(("k", "n", "end"), [(0, 1000, 0.05), (12, 49, 0.5), (49, 49, 1.0), (1, 2, 1.0)])
def test_the_axis_ends_at_the_smallest_scale_that_holds_everything(k: int, n: int, end: float) -> None:
    assert axis_end([estimate(k, n, insufficient=0, undecided=0, unit="task")]) == end


def test_the_axis_reaches_to_the_bounds() -> None:
    assert axis_end([estimate(0, 1000, insufficient=300, undecided=0, unit="task")]) == 0.5


def test_positions_are_in_percent_of_the_axis() -> None:
    found = plot(rates_of_counts({"violation": 25, "legitimate": 75}, unit="trajectory"))
    assert found.ticks[-1] == "50%"
    assert found.rows[0].value == 50.0
    assert 0 < found.rows[0].low < 50 < found.rows[0].high <= 100


def test_no_surface_pass_gives_no_rows() -> None:
    assert plot(rates([], unit="task")).rows == ()
