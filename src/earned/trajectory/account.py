"""What a reader found out about an attempt besides its steps, and the trajectory that both make."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from earned.records import Cohort, Outcome, Score, Trajectory, Usage, WrittenFile
from earned.trajectory.batches import unfold
from earned.trajectory.completeness.absent_agents import note_absent
from earned.trajectory.completeness.beginnings import note_late_beginning
from earned.trajectory.completeness.grade import completeness_of
from earned.trajectory.completeness.left_out import note_left_out
from earned.trajectory.outcomes.scores import chosen
from earned.trajectory.reading import Reading, trajectory_id
from earned.trajectory.scripted import as_harness, without_agent
from earned.trajectory.steps import Steps
from earned.trajectory.submission.recovered import recover


class Account(msgspec.Struct, kw_only=True):
    """Filled by a reader as it reads; what the record does not hold keeps its default."""

    benchmark: str = ""
    task: str = ""
    attempt: str = ""
    """Native name of the attempt."""
    model: str = ""
    harness: str = ""
    harness_version: str = ""
    cohort: Cohort = Cohort()
    """Conditions besides the harness and its version."""
    outcome: Outcome = Outcome()
    """Left alone where there are `scores`: then it is chosen from them."""
    scores: tuple[Score, ...] = ()
    instruction: str | None = None
    """None: the first message of a user."""
    patch: str | None = None
    """What the harness recorded as submitted; an empty text says that nothing was changed."""
    artifact_patch: str = ""
    artifacts: tuple[WrittenFile, ...] = ()
    answer: str = ""
    usage: Usage = Usage()
    terminal: bool = False
    """Only a terminal's text is recorded."""
    acts_in_text: bool = False
    """The benchmark asks for an answer in text, so that a message is the act."""
    scripted: str = ""
    """Why what was done is no agent's (an oracle, a harness that does nothing); empty where an agent acted."""
    member: str = ""
    """Name within a file of several attempts."""
    names: Sequence[str] = ()
    """What tells attempts apart of which nothing was recorded."""


def trajectory_of(reading: Reading, steps: Steps, account: Account, *, version: int) -> Trajectory:
    """The trajectory, once everything was read; `version` is the reader's."""
    source = reading.provenance(version=version, member=account.member)
    unfold(steps.steps, reading.oddities)
    note_absent(steps)
    note_left_out(steps)
    if steps.is_asked and not (account.terminal or account.scripted):
        note_late_beginning(steps)
    listed = as_harness(steps.steps) if account.scripted else tuple(steps.steps)
    reasons = [*steps.reasons, *reading.oddities.reasons()]
    told = account.instruction
    if told is None:
        told = next((step.text for step in listed if step.actor == "user" and not step.copied), "")
    scores, outcome = account.scores, account.outcome
    if reading.oddities.torn:
        scores, outcome = (), Outcome(status="conflicting", source=outcome.source, detail=reading.oddities.torn)
    harness, since = account.harness or "unknown", account.harness_version or "unknown"
    cohort = msgspec.structs.replace(account.cohort, harness=harness, harness_version=since, agent_version=since)
    return Trajectory(
        id=trajectory_id(source, account.names),
        source=source,
        benchmark=account.benchmark or "unknown",
        task=account.task or "unknown",
        attempt=account.attempt,
        model=account.model or "unknown",
        harness=harness,
        cohort=cohort,
        outcome=chosen(scores) if scores else outcome,
        scores=scores,
        instruction=told,
        steps=listed,
        submission=recover(
            listed,
            patch=account.patch,
            artifact_patch=account.artifact_patch,
            artifacts=account.artifacts,
            answer=account.answer,
        ),
        usage=account.usage,
        completeness=without_agent(account.scripted, reasons)
        if account.scripted
        else completeness_of(listed, reasons, terminal=account.terminal, acts_in_text=account.acts_in_text),
        oddities=reading.oddities.records(),
    )
