"""A candidate becomes trajectories, one at a time, with outcomes joined; bad content becomes a row, never an exception."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

import msgspec

from earned.errors import FormatError
from earned.records import Outcome, Skip, SkipReason, Trajectory
from earned.trajectory.candidate import Candidate
from earned.trajectory.completeness.grade import completeness_of
from earned.trajectory.format import load_format
from earned.trajectory.outcomes.beside import joined_with_beside
from earned.trajectory.outcomes.joined import Outcomes, joined_with_named
from earned.trajectory.outcomes.scores import chosen
from earned.trajectory.sources import places

OUTCOMES = "outcomes."
"""How the files begin that speak of any benchmark, and not only of changed code."""


def read_candidate(
    candidate: Candidate,
    *,
    outcomes: Outcomes | None = None,
    scorer: str = "",
    threshold: float | None = None,
    benchmark: str = "",
    model: str = "",
    harness: str = "",
) -> Iterator[Trajectory | Skip]:
    """The trajectories of one candidate, lazily: never more than one is held. Never raises for bad content.

    Args:
        candidate: What `discover` found.
        outcomes: Claims of files that the user named; they join those that were found beside the trajectory.
        scorer: Name of the scorer that decides, where a record names several.
        threshold: Reward from which on an attempt counts as passed, where the benchmark leaves that open.
        benchmark: Overrides what the record says, when given.
        model: Likewise.
        harness: Likewise.
    """
    reader = load_format(candidate.format)

    def finished(item: Trajectory | Skip) -> Trajectory | Skip:
        if isinstance(item, Skip):
            return _placed(item, candidate)
        return _named(_graded(_scored(item, scorer, threshold), candidate, outcomes), benchmark, model, harness)

    try:
        yield from map(finished, reader.read(candidate))  # no name here holds a trajectory while the next one is read
        yield from _cut_off(candidate)
    except FormatError as error:
        reason: SkipReason = "too_large" if error.slug == "too_large" else "unreadable"
        yield Skip(path=candidate.given, member=candidate.member, reason=reason, detail=str(error), offset=error.offset)
    except Exception as error:  # noqa: BLE001 - the containment point: one hostile file must not end a run
        detail = f"the reader of {candidate.format} failed: {type(error).__name__}: {error}"
        yield Skip(path=candidate.given, member=candidate.member, reason="unreadable", detail=detail[:500])


def attempts_of(candidate: Candidate) -> Iterator[Trajectory]:
    """The attempts of one candidate as its own record tells them; what cannot be read is left out, and nothing is raised."""
    try:
        yield from (item for item in load_format(candidate.format).read(candidate) if isinstance(item, Trajectory))
    except Exception:  # noqa: BLE001 - reading for good says what failed
        return


def _placed(skip: Skip, candidate: Candidate) -> Skip:
    """A reader's row as it is shown: of what lies in an archive the archive is the path."""
    if not candidate.archive:
        return skip
    return msgspec.structs.replace(skip, path=candidate.archive, member=candidate.inner(skip.path, skip.member))


def _cut_off(candidate: Candidate) -> Iterator[Skip]:
    """Rows for compressed files that end before what they hold does; as far as they went they were read."""
    for path in candidate.files:
        if places.is_cut(path):
            detail = "the compressed file is cut off; what stands before that was read"
            yield Skip(path=candidate.archive or path, member=candidate.inner(path), reason="unreadable", detail=detail)


def _named(trajectory: Trajectory, benchmark: str, model: str, harness: str) -> Trajectory:
    if not (benchmark or model or harness):
        return trajectory
    cohort = msgspec.structs.replace(trajectory.cohort, harness=harness) if harness else trajectory.cohort
    return msgspec.structs.replace(
        trajectory,
        benchmark=benchmark or trajectory.benchmark,
        model=model or trajectory.model,
        harness=harness or trajectory.harness,
        cohort=cohort,
    )


def _scored(trajectory: Trajectory, scorer: str, threshold: float | None) -> Trajectory:
    """The trajectory with the outcome that the user's choice of a scorer or a threshold gives."""
    if not trajectory.scores or not (scorer or threshold is not None):
        return trajectory
    return msgspec.structs.replace(trajectory, outcome=chosen(trajectory.scores, scorer=scorer, threshold=threshold))


def _graded(trajectory: Trajectory, candidate: Candidate, outcomes: Outcomes | None) -> Trajectory:
    """The trajectory with the word of the files near it and of the outcome files that the user named."""
    if load_format(candidate.format).graded_by_reports:
        trajectory = _not_graded_in_text(joined_with_beside(trajectory, candidate), trajectory.outcome)
    return joined_with_named(trajectory, outcomes) if outcomes is not None else trajectory


def _not_graded_in_text(trajectory: Trajectory, own: Outcome) -> Trajectory:
    """Where a report of changed code decided, and not the record's own outcome, an answer in text is no act."""
    place = PurePosixPath(trajectory.outcome.source.partition("#")[0]).name
    if own.status != "unknown" or trajectory.outcome.status == "unknown" or place.startswith(OUTCOMES):
        return trajectory
    acting = (step for step in trajectory.steps if step.actor in ("agent", "subagent") and not step.copied)
    if trajectory.completeness.grade not in ("full", "partial") or any(step.actions for step in acting):
        return trajectory
    return msgspec.structs.replace(trajectory, completeness=completeness_of(trajectory.steps, trajectory.completeness.reasons))
