"""Whether `--scorer` and `--threshold` decided anything: a name that no record holds is said, as idle outcome files are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from earned.errors import ConfigurationError
from earned.records import Trajectory
from earned.trajectory.outcomes.scores import takes_threshold

MAX_NAMES = 8
"""Scorers that the note lists."""


class ScorerUse:
    """Whether any trajectory has the score that was asked for, and which others there are."""

    def __init__(self, scorer: str, threshold: float | None) -> None:
        """Raises ConfigurationError (`threshold-invalid`) for a threshold that is no number."""
        if threshold is not None and not math.isfinite(threshold):
            raise ConfigurationError(f"Expected a number for --threshold; found {threshold}.", slug="threshold-invalid")
        self.scorer = scorer
        self.threshold = threshold
        self.is_named = not scorer
        """A score of the name was seen."""
        self.is_limited = threshold is None
        """A score that a threshold decides was seen."""
        self._names: dict[str, None] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of scores that were seen: one more than a note lists, if there are so many."""
        return tuple(self._names)

    def add(self, trajectory: Trajectory) -> None:
        """Look at one trajectory."""
        for score in trajectory.scores:
            is_asked = not self.scorer or score.name == self.scorer
            self.merge((score.name,), is_named=is_asked, is_limited=is_asked and takes_threshold(score))

    def merge(self, names: Iterable[str], *, is_named: bool, is_limited: bool) -> None:
        """Add what another look at other trajectories saw."""
        self.is_named |= is_named
        self.is_limited |= is_limited
        for name in names:
            if len(self._names) <= MAX_NAMES:
                self._names[name] = None

    def notes(self) -> Iterator[str]:
        """What a user should know."""
        names = list(self._names)
        more = ["\N{HORIZONTAL ELLIPSIS}"] if len(names) > MAX_NAMES else []
        there = f"there are {', '.join([*names[:MAX_NAMES], *more])}" if names else "no record names scorers"
        if not self.is_named:
            yield f"warning: --scorer {self.scorer}: no trajectory that was read has a score of that name; {there}"
        elif not self.is_limited:
            yield f"warning: --threshold {self.threshold:g}: no score that was read is decided by a threshold"
