"""Our own export: an attempt as the records hold it, one trajectory a line."""

from __future__ import annotations

import hashlib
from pathlib import Path

from made_attempt import Attempt, Call, Kind

from earned.records import (
    Action,
    Completeness,
    Edit,
    Observation,
    Outcome,
    Source,
    SourceFile,
    Step,
    Submission,
    Trajectory,
)
from earned.records.trajectory import EditOperation
from earned.store import trajectory_line

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")
HOLDS_VERIFIER = True


def _action(call: Call) -> Action:
    if call.kind == "bash":
        return Action(kind="shell", tool="bash", command=call.command)
    operation: EditOperation = "write" if call.kind == "write" else "replace"
    return Action(
        kind=call.kind, tool=call.kind, edits=(Edit(path=call.path, operation=operation, new=call.new, old=call.old),)
    )


def trajectory(attempt: Attempt) -> Trajectory:
    """The attempt as a reader would give it."""
    steps = [Step(index=0, actor="user", text=attempt.instruction)]
    for number, turn in enumerate(attempt.turns, start=1):
        results = [Observation(text=call.result, action=at) for at, call in enumerate(turn.calls) if call.result is not None]
        actions = tuple(map(_action, turn.calls))
        steps.append(Step(index=number, actor="agent", text=turn.text, actions=actions, observations=tuple(results)))
    if attempt.verifier:
        ran = Action(kind="other", tool="verifier/test-stdout.txt")
        seen = Observation(text=attempt.verifier, action=0)
        steps.append(Step(index=len(steps), actor="grader", actions=(ran,), observations=(seen,)))
    digest = hashlib.sha256(repr(attempt).encode()).hexdigest()
    submission = Submission(patch=attempt.patch, recovered="recorded", certainty="certain") if attempt.patch else Submission()
    return Trajectory(
        id=digest,
        source=Source(path="run/trial", format="harbor", reader_version=1, files=(SourceFile("a.json", digest, 1),)),
        task=attempt.task,
        model=attempt.model,
        outcome=Outcome(
            status="passed" if attempt.passed else "failed", reward=float(attempt.passed), maximum=1.0, source="result.json"
        ),
        instruction=attempt.instruction,
        steps=tuple(steps),
        submission=submission,
        completeness=Completeness(grade="full"),
    )


def render(attempt: Attempt, folder: Path) -> Path:
    """A file of one line."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "export.jsonl"
    path.write_bytes(trajectory_line(trajectory(attempt)))
    return path
