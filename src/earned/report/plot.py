"""Rates as marks on one axis: the value, its interval, and how far the open passes could move it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from earned.records import Estimate, Rates

SCALES = (0.05, 0.1, 0.2, 0.25, 0.5, 1.0)
"""Ends that an axis may have."""
TICKS = 5
NAMES = ("violation", "neutral", "gap")


class RatePlot(NamedTuple):
    """One row of a plot; positions in percent of the axis."""

    name: str
    estimate: Estimate
    value: float
    low: float
    high: float
    open_low: float
    """Where the bounds begin."""
    open_high: float


class Plot(NamedTuple):
    """The three rates at one unit."""

    unit: str
    rates: Rates
    rows: tuple[RatePlot, ...]
    ticks: tuple[str, ...]


def plot(rates: Rates) -> Plot:
    """The rates on an axis from 0 to the smallest end of SCALES that holds all of them."""
    estimates = [rates.violation, rates.neutral, rates.gap]
    end = axis_end(estimates)
    rows = tuple(_row(name, estimate, end) for name, estimate in zip(NAMES, estimates, strict=True) if estimate.n)
    ticks = tuple(f"{100 * end * number / TICKS:g}%" for number in range(TICKS + 1))
    return Plot(rates.gap.unit, rates, rows, ticks)


def axis_end(estimates: Iterable[Estimate]) -> float:
    """The end of the axis, as a proportion."""
    largest = max((max(estimate.high or 0.0, *(estimate.bounds or (0.0,))) for estimate in estimates), default=0.0)
    return next((scale for scale in SCALES if largest <= scale), 1.0)


def _row(name: str, estimate: Estimate, end: float) -> RatePlot:
    open_low, open_high = estimate.bounds or (0.0, 0.0)
    value, low, high = estimate.value or 0.0, estimate.low or 0.0, estimate.high or 0.0
    scaled = [round(100 * number / end, 3) for number in (value, low, high, open_low, open_high)]
    return RatePlot(name, estimate, *scaled)
