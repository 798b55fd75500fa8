"""What a trajectory that was read back from a file must keep, as every reader keeps it: put right and named, or refused.

Steps are numbered without gaps, results and reasons point at what exists, a pass says where it was read, a submission holds
what it says. What cannot be put right without inventing something is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from earned.errors import FormatError
from earned.records import Completeness, Outcome, Reason, Score, Step, Submission, Trajectory
from earned.records.trajectory import CompletenessGrade

_ID = re.compile(r"[0-9a-f]{64}")


def sound(trajectory: Trajectory) -> tuple[Trajectory, tuple[str, ...]]:
    """The trajectory as every reader gives it, and what was put right. Raises FormatError for what cannot be."""
    if not _ID.fullmatch(trajectory.id):
        raise FormatError("expected an id of 64 hexadecimal digits")
    if not trajectory.source.files and trajectory.completeness.grade != "none":
        raise FormatError("expected the source files of the trajectory, found none although its trace is not none")
    _check_submission(trajectory.submission)
    repairs: dict[str, None] = {}
    steps = trajectory.steps
    if not all(map(_is_sound, range(len(steps)), steps)):
        steps = tuple(_repaired(number, step, repairs) for number, step in enumerate(steps))
    outcome = _outcome(trajectory.outcome, repairs)
    scores = tuple(_score(score, repairs) for score in trajectory.scores)
    completeness = _completeness(trajectory.completeness, len(steps), repairs)
    completeness = _with_left_out(completeness, trajectory.steps)
    if not repairs:
        return trajectory, ()
    made = replace(trajectory, steps=steps, outcome=outcome, scores=scores, completeness=completeness)
    return made, tuple(repairs)


def _check_submission(submission: Submission) -> None:
    holds = bool(submission.patch or submission.files or submission.answer)
    says = submission.recovered != "none"
    if holds != says or says != (submission.certainty != "none"):
        held = "something" if holds else "nothing"
        found = f"{submission.recovered} ({submission.certainty}) and holds {held}"
        raise FormatError(f"expected a submission that holds what it says, found one that says {found}")


def _is_sound(number: int, step: Step) -> bool:
    if step.index != number or (step.actor == "subagent") != bool(step.subagent):
        return False
    count = len(step.actions)
    return all(-1 <= item.action < count for item in step.observations)


def _repaired(number: int, step: Step, repairs: dict[str, None]) -> Step:
    subagent = step.subagent
    if step.index != number:
        repairs["the steps were not numbered 0, 1, 2, …"] = None
    if (step.actor == "subagent") != bool(subagent):
        repairs["a subagent's step names its subagent and no other does"] = None
        subagent = "subagent" if step.actor == "subagent" else ""
    count = len(step.actions)
    if not all(-1 <= item.action < count for item in step.observations):
        repairs["a result named an action that its step does not have"] = None
    observations = tuple(item if -1 <= item.action < count else replace(item, action=-1) for item in step.observations)
    return replace(step, index=number, subagent=subagent, observations=observations)


def _faults(outcome: Outcome | Score) -> Iterator[str]:
    """What is wrong with a pass."""
    if outcome.status != "passed":
        return
    if not outcome.source:
        yield "a pass did not say where it was read"
    if outcome.reward is not None and outcome.maximum is not None and outcome.reward < outcome.maximum:
        yield "a pass had less than full credit"


def _outcome(outcome: Outcome, repairs: dict[str, None]) -> Outcome:
    fault = next(_faults(outcome), "")
    if not fault:
        return outcome
    repairs[fault] = None
    return replace(outcome, status="unknown", detail=f"in the export, {fault}")


def _score(score: Score, repairs: dict[str, None]) -> Score:
    fault = next(_faults(score), "")
    if not fault:
        return score
    repairs[fault] = None
    return replace(score, status="unknown", detail=f"in the export, {fault}")


def _completeness(found: Completeness, count: int, repairs: dict[str, None]) -> Completeness:
    if all(-1 <= reason.step < count for reason in found.reasons):
        return found
    repairs["a reason named a step that does not exist"] = None
    kept = tuple(reason if -1 <= reason.step < count else replace(reason, step=-1) for reason in found.reasons)
    return replace(found, reasons=kept)


def _with_left_out(found: Completeness, steps: Sequence[Step]) -> Completeness:
    """With a reason where the numbers of the steps leave some out: every reader numbers them from 0 on."""
    expected = 0
    for at, step in enumerate(steps):
        if step.index > expected:
            what = f"the beginning is not recorded: the numbers of the steps begin at {step.index}"
            if at:
                what = f"the numbers of the steps leave out {expected} to {step.index - 1}"
            grade: CompletenessGrade = "partial" if found.grade == "full" else found.grade
            found = replace(found, grade=grade, reasons=(Reason(what=what, step=at - 1, hides_acts=True), *found.reasons))
        expected = step.index + 1
    return found
