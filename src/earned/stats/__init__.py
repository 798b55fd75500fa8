"""Counts into numbers that never travel alone: an interval, bounds and a unit for each rate."""

from earned.stats.interval import LEVEL, METHOD, Interval, normal_quantile, wilson
from earned.stats.rates import estimate, rates, rates_of_counts, task_label

__all__ = [
    "LEVEL",
    "METHOD",
    "Interval",
    "estimate",
    "normal_quantile",
    "rates",
    "rates_of_counts",
    "task_label",
    "wilson",
]
