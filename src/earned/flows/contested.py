"""What an outcome file says belongs to one attempt; where it fits several equally well, none of them has a known outcome.

An attempt fits by its native id, its member, its file's name or its task, in this order, and the better fit has the claim.
Formats that name no attempt use the task as native id: then that is a fit by task too. How many attempts fit is known only when
all were read, so that every attempt is looked at before the work begins. That is done only where outcome files were named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

import msgspec

from earned.records import Skip, Trajectory
from earned.trajectory import Candidate, Outcomes, read_candidate
from earned.trajectory.reports import stem_of

_ID, _MEMBER, _FILE, _TASK = range(4)
_NOBODY = -1

Contested = tuple[tuple[str, int], ...]
"""(source of a claim, rank of the one attempt that has it; -1 when no one has)."""


class ClaimCount:
    """Counts how well and how often each claim of the outcome files is fitted. Holds what the files hold, no attempt."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self._best: dict[str, tuple[int, int]] = {}
        self._fits: dict[str, int] = {}

    def add(self, candidate: Candidate) -> tuple[str, ...]:
        """Read one candidate; the sources of the claims that its attempts fit."""
        sources: dict[str, None] = {}
        for item in read_candidate(candidate, outcomes=self.outcomes):
            if isinstance(item, Trajectory):
                for source, rank in _fits(item, self.outcomes).items():
                    self._count(source, rank)
                    sources[source] = None
        return tuple(sources)

    @property
    def fitted(self) -> Collection[str]:
        """The sources of the claims that any attempt fits."""
        return self._fits.keys()

    def contested(self, sources: Iterable[str]) -> Contested:
        """Those of the claims that more than one attempt fits, once all were added."""
        return tuple(sorted((source, self._holder(source)) for source in sources if self._fits.get(source, 0) > 1))

    def _count(self, source: str, rank: int) -> None:
        self._fits[source] = self._fits.get(source, 0) + 1
        best, times = self._best.get(source, (rank, 0))
        if rank < best:
            self._best[source] = (rank, 1)
        elif rank == best:
            self._best[source] = (rank, times + 1)

    def _holder(self, source: str) -> int:
        rank, times = self._best[source]
        return rank if times == 1 else _NOBODY


def without_contested(trajectory: Trajectory | Skip, outcomes: Outcomes | None, contested: Contested) -> Trajectory | Skip:
    """The trajectory with an unknown outcome where what it was joined with belongs to another attempt, or to none."""
    if outcomes is None or not contested or isinstance(trajectory, Skip):
        return trajectory
    holders = dict(contested)
    fits = _fits(trajectory, outcomes)
    outcome = trajectory.outcome
    if outcome.source not in fits or all(holders.get(source, rank) == rank for source, rank in fits.items()):
        return trajectory
    detail = f"{outcome.source} fits more than one attempt of this task"
    return msgspec.structs.replace(trajectory, outcome=msgspec.structs.replace(outcome, status="unknown", detail=detail))


def _fits(trajectory: Trajectory, outcomes: Outcomes) -> dict[str, int]:
    """The sources of the claims that a trajectory is joined with, each with how it fits."""
    claims, _ = outcomes.about(trajectory)
    names = {
        trajectory.task: _TASK,
        stem_of(PurePosixPath(trajectory.source.place).name): _FILE,
        trajectory.source.member: _MEMBER,
        trajectory.source.sample: _MEMBER,
    }
    if trajectory.attempt != trajectory.task:
        names[trajectory.attempt] = _ID
    return {claim.source: names.get(claim.key, _TASK) for claim in claims}
