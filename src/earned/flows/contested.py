"""What an outcome file says belongs to one attempt; where it fits several equally well, none of them has a known outcome.

An attempt fits by its native id, its member, its file's name or its task, in this order, and the better fit has the claim.
Formats that name no attempt use the task as native id: then that is a fit by task too. How many attempts fit is known only when
all were read, so that every attempt is looked at before the work begins. That is done only where outcome files were named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from earned.records import Trajectory
from earned.trajectory import Candidate, Outcomes, read_candidate
from earned.trajectory.identity import attempt_digest
from earned.trajectory.outcomes.fits import NOBODY

Contested = tuple[tuple[str, int], ...]
"""(source of a claim, rank of the one attempt that has it; -1 when no one has)."""


class Holders:
    """Counts how well and how often each claim is fitted; what is held is a place and two numbers a claim."""

    def __init__(self) -> None:
        self._best: dict[str, tuple[int, int]] = {}
        self._fits: dict[str, int] = {}
        self._met: set[bytes] = set()

    @property
    def fitted(self) -> Collection[str]:
        """The sources of the claims that any attempt fits."""
        return self._fits.keys()

    def has_met(self, trajectory: Trajectory) -> bool:
        """Whether the same attempt was asked before: what fits it in another place fits no further attempt."""
        digest = attempt_digest(trajectory)
        is_again = digest in self._met
        self._met.update((digest,) if digest else ())
        return is_again

    def count(self, source: str, rank: int) -> None:
        """One more attempt fits a claim."""
        self._fits[source] = self._fits.get(source, 0) + 1
        best, times = self._best.get(source, (rank, 0))
        if rank < best:
            self._best[source] = (rank, 1)
        elif rank == best:
            self._best[source] = (rank, times + 1)

    def contested(self, sources: Iterable[str]) -> Contested:
        """Those of the claims that more than one attempt fits, once all were counted."""
        return tuple(sorted((source, self._holder(source)) for source in sources if self._fits.get(source, 0) > 1))

    def by_file(self) -> dict[str, Contested]:
        """All such claims, by the file that they stand in."""
        found: dict[str, list[tuple[str, int]]] = {}
        for source, rank in self.contested(self._fits):
            found.setdefault(file_of(source), []).append((source, rank))
        return {file: tuple(pairs) for file, pairs in found.items()}

    def _holder(self, source: str) -> int:
        rank, times = self._best[source]
        return rank if times == 1 else NOBODY


def file_of(source: str) -> str:
    """The file in which the place of a claim lies, as far as `#` in its name lets one tell."""
    return source.partition("#")[0]


class ClaimCount:
    """The same of the claims of the outcome files that the user named. Holds what the files hold, no attempt."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self._holders = Holders()

    def add(self, candidate: Candidate) -> tuple[str, ...]:
        """Read one candidate; the sources of the claims that its attempts fit."""
        sources: dict[str, None] = {}
        for item in read_candidate(candidate, outcomes=self.outcomes):
            if isinstance(item, Trajectory):
                is_again = self._holders.has_met(item)
                for fit in self.outcomes.about(item):
                    if not is_again:
                        self._holders.count(fit.claim.source, fit.rank)
                    sources[fit.claim.source] = None
            del item  # or it would be held while the next one is read
        return tuple(sources)

    @property
    def fitted(self) -> Collection[str]:
        """The sources of the claims that any attempt fits."""
        return self._holders.fitted

    def contested(self, sources: Iterable[str]) -> Contested:
        """Those of the claims that more than one attempt fits, once all were added."""
        return self._holders.contested(sources)
