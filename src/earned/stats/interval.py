"""The Wilson score interval of a proportion: what may be said of k out of n.

Wilson, E. B. (1927), "Probable inference, the law of succession, and statistical inference", JASA 22, 209-212. Agrees with
`scipy.stats.binomtest(k, n).proportion_ci(method="wilson")`; computed here so that no run needs scipy.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

METHOD = "wilson"
LEVEL = 0.95


class Interval(NamedTuple):
    """Both ends of an interval of proportions, 0 to 1; None when nothing was counted."""

    low: float | None
    high: float | None


def wilson(k: int, n: int, *, level: float = LEVEL, z: float | None = None) -> Interval:
    """The interval of k successes out of n at `level`; `z` replaces the normal quantile of the level (papers print 1.96).

    Ends that are known are exact: 0 for k = 0 and 1 for k = n. Raises ValueError for 0 <= k <= n or 0 < level < 1 broken.
    """
    _check(k, n, level)
    if n == 0:
        return Interval(None, None)
    quantile = normal_quantile(level) if z is None else z
    square = quantile * quantile
    middle = (k + square / 2) / (n + square)
    half = quantile / (n + square) * sqrt(k * (n - k) / n + square / 4)
    return Interval(
        low=0.0 if k == 0 else max(0.0, middle - half),
        high=1.0 if k == n else min(1.0, middle + half),
    )


def normal_quantile(level: float) -> float:
    """The z of a two-sided interval at `level`: 1.959964 for 0.95."""
    return NormalDist().inv_cdf((1 + level) / 2)


def _check(k: int, n: int, level: float) -> None:
    if not 0 <= k <= n:
        raise ValueError(f"Expected 0 <= k <= n; found k={k!r}, n={n!r}.")
    if not 0 < level < 1:
        raise ValueError(f"Expected a level between 0 and 1, both excluded; found level={level!r}.")
