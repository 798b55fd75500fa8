"""A candidate becomes trajectories, one at a time, with outcomes joined; bad content becomes a row, never an exception."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

import msgspec

from earned.errors import FormatError
from earned.records import Action, Observation, Skip, SkipReason, Step, Trajectory
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.document import as_text
from earned.trajectory.files import read_start
from earned.trajectory.format import load_format
from earned.trajectory.oddities import Oddities
from earned.trajectory.outcomes import Claim, Outcomes, claims_of, joined
from earned.trajectory.reports import stem_of

MAX_TEST_OUTPUT = 2 * 1024 * 1024
"""Bytes kept of the test output that stands beside a report."""


def read_candidate(
    candidate: Candidate,
    *,
    outcomes: Outcomes | None = None,
    benchmark: str = "",
    model: str = "",
    harness: str = "",
) -> Iterator[Trajectory | Skip]:
    """The trajectories of one candidate, lazily: never more than one is held. Never raises for bad content.

    Args:
        candidate: What `discover` found.
        outcomes: Claims of files that the user named; they join those that were found beside the trajectory.
        benchmark: Overrides what the record says, when given.
        model: Likewise.
        harness: Likewise.
    """
    chosen = load_format(candidate.format)
    try:
        for item in chosen.read(candidate):
            if isinstance(item, Skip):
                yield _placed(item, candidate)
                continue
            yield _named(_graded(item, candidate, outcomes), benchmark, model, harness)
    except FormatError as error:
        reason: SkipReason = "too_large" if error.slug == "too_large" else "unreadable"
        yield Skip(path=candidate.given, member=candidate.member, reason=reason, detail=str(error), offset=error.offset)
    except Exception as error:  # noqa: BLE001 - the containment point: one hostile file must not end a run
        detail = f"the reader of {candidate.format} failed: {type(error).__name__}: {error}"
        yield Skip(path=candidate.given, member=candidate.member, reason="unreadable", detail=detail[:500])


def _placed(skip: Skip, candidate: Candidate) -> Skip:
    """A reader's row as it is shown: of what lies in an archive the archive is the path."""
    if not candidate.archive:
        return skip
    return msgspec.structs.replace(skip, path=candidate.archive, member=candidate.inner(skip.path, skip.member))


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


def _graded(trajectory: Trajectory, candidate: Candidate, outcomes: Outcomes | None) -> Trajectory:
    """The trajectory with the word of the reports beside it and of the outcome files that the user named."""
    claims: list[Claim] = []
    test_output = ""
    if load_format(candidate.format).graded_by_reports:
        claims, test_output = _claims_beside(trajectory, candidate)
    asked, how = outcomes.about(trajectory) if outcomes is not None else ([], "")
    made = joined(trajectory, [*claims, *asked], how=how if not claims else "")
    return _with_grader(made, candidate, test_output) if test_output else made


def _claims_beside(trajectory: Trajectory, candidate: Candidate) -> tuple[list[Claim], str]:
    """What the reports near the trajectory say of it, and the test output beside the report."""
    names = {trajectory.attempt, trajectory.task, stem_of(PurePosixPath(candidate.path).name)} - {""}
    claims: list[Claim] = []
    test_output = ""
    for path in candidate.outcome_files:
        if path.endswith("/test_output.txt"):
            test_output = test_output or path
            continue
        try:
            claims += [claim for claim in claims_of(path) if claim.key in names]
        except (FormatError, OSError):
            claims.append(Claim(key=trajectory.task, passed=None, source=f"{path} (cannot be read)"))
    return claims, test_output


def _with_grader(trajectory: Trajectory, candidate: Candidate, path: str) -> Trajectory:
    """The trajectory with the test output as a last step of the grader."""
    try:
        data = read_start(path, MAX_TEST_OUTPUT + 1)
    except OSError:
        return trajectory
    text = as_text(data[:MAX_TEST_OUTPUT], Oddities(), place=path)
    step = Step(
        index=len(trajectory.steps),
        actor="grader",
        actions=(Action(kind="other", tool="verifier/test_output.txt"),),
        observations=(Observation(text=text, action=0, truncated=len(data) > MAX_TEST_OUTPUT),),
        source=place_in(candidate, path),
    )
    return msgspec.structs.replace(trajectory, steps=(*trajectory.steps, step))
