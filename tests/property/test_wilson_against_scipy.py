from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from earned.records import LABELS, Label
from earned.stats import rates, wilson

counts = st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.floats(0.5, 0.999)


@given(counts, levels)
def test_wilson_agrees_with_scipy(count: tuple[int, int], level: float) -> None:
    k, n = count
    reference = binomtest(k, n).proportion_ci(confidence_level=level, method="wilson")
    found = wilson(k, n, level=level)
    assert found.low == pytest.approx(reference.low, abs=1e-9)
    assert found.high == pytest.approx(reference.high, abs=1e-9)


@given(counts, levels)
def test_the_interval_holds_the_rate_and_stays_in_the_unit_interval(count: tuple[int, int], level: float) -> None:
    k, n = count
    low, high = wilson(k, n, level=level)
    assert low is not None
    assert high is not None
    assert 0 <= low <= k / n <= high <= 1


@given(counts)
def test_the_interval_is_mirrored_when_successes_and_failures_change_places(count: tuple[int, int]) -> None:
    k, n = count
    low, high = wilson(k, n)
    mirrored = wilson(n - k, n)
    assert mirrored.low is not None
    assert mirrored.high is not None
    assert 1 - mirrored.high == pytest.approx(low, abs=1e-12)
    assert 1 - mirrored.low == pytest.approx(high, abs=1e-12)


@given(st.lists(st.sampled_from(LABELS)))
def test_the_parts_of_the_rates_add_up(labels: list[Label]) -> None:
    found = rates(labels, unit="trajectory")
    assert found.gap.k == found.violation.k + found.neutral.k
    assert found.gap.k + found.insufficient + found.undecided + found.legitimate == found.surface_passes == len(labels)
