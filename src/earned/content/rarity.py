"""How much a line weighs as evidence: little when the base has it too, nothing when it is trivial or common there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from earned.content.lines import LineKeys, line_key
from earned.content.trivial import is_trivial

FREQUENT_IN_BASE = 3
"""Occurrences in the base tree from which a line is common property and carries no weight (tracing.md, level 1)."""


class Rarity:
    """Weights of the given lines by inverse frequency within a base and a trajectory; other lines are not counted."""

    def __init__(self, lines: Iterable[str], *, base: Sequence[str] = (), trajectory: Sequence[str] = ()) -> None:
        """Count the lines (or their keys) in texts of the base tree and in texts of the trajectory."""
        keys = LineKeys(key for line in lines if not is_trivial(line) for key in [line_key(line)])
        self._keys = keys.keys
        self._base = Counter(hit.key for hits in keys.hits_in(base) for hit in hits)
        self._trajectory = Counter(key for hits in keys.hits_in(trajectory) for key in {hit.key for hit in hits})

    def weight(self, line: str) -> float:
        """Between 0 and 1: 1 for a line that neither repeats; 0 for a trivial, a common or an uncounted one.

        Occurrences in the base divide; the trajectory counts once for each text, under a root, because being shown a line
        again makes it no less rare outside.
        """
        key = line_key(line)
        occurrences = self._base[key]
        if key not in self._keys or occurrences >= FREQUENT_IN_BASE:
            return 0.0
        shown: float = max(1, self._trajectory[key]) ** 0.5
        return 1 / ((1 + occurrences) * shown)
