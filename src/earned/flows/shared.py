"""An outcome that is joined by task alone belongs to one attempt; where it fits several, none of them has a known outcome.

Which attempts a task has is known only when all were read, so that every attempt is looked at before the work begins. That is
done only where outcome files were named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import msgspec

from earned.records import Skip, Trajectory
from earned.trajectory import Candidate, Outcomes, read_candidate

BY_TASK = "joined by task"


class TaskOutcomes:
    """Counts how many attempts each claim of the outcome files fits. Holds names and numbers of the claims only."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self._fits: Counter[str] = Counter()
        self._claims: dict[str, set[str]] = {}

    def add(self, candidate: Candidate) -> tuple[str, ...]:
        """Read one candidate; the tasks by which its attempts are joined."""
        tasks: dict[str, None] = {}
        for item in read_candidate(candidate, outcomes=self.outcomes):
            if isinstance(item, Skip):
                continue
            claims, how = self.outcomes.about(item)
            self._fits.update(claim.source for claim in claims)
            if how == "task":
                tasks[item.task] = None
                self._claims.setdefault(item.task, set()).update(claim.source for claim in claims)
        return tuple(tasks)

    def shared(self, tasks: Collection[str]) -> tuple[str, ...]:
        """Those of the tasks whose outcome fits more than one attempt, once all were added."""
        return tuple(sorted(task for task in tasks if any(self._fits[source] > 1 for source in self._claims.get(task, ()))))


def without_shared(trajectory: Trajectory, shared: Collection[str]) -> Trajectory:
    """The trajectory with an unknown outcome where it was joined by one of the tasks that several attempts share."""
    outcome = trajectory.outcome
    if outcome.detail != BY_TASK or trajectory.task not in shared:
        return trajectory
    detail = f"{outcome.source} names the task, and more than one attempt is of this task"
    unknown = msgspec.structs.replace(outcome, status="unknown", detail=detail)
    return msgspec.structs.replace(trajectory, outcome=unknown)
