"""What an Inspect log says of an attempt besides its steps: task, model, conditions, outcome, and what was handed in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from earned.records import Cohort, Outcome, Submission, Trajectory, Usage
from earned.trajectory.account import Account
from earned.trajectory.formats.inspect.records import Fault, Header, Limit, ModelUsage, Plan, Sample, Spec
from earned.trajectory.formats.inspect.samples import Record
from earned.trajectory.formats.inspect.scale import Scales
from earned.trajectory.formats.inspect.scores import scores_of
from earned.trajectory.formats.inspect.turns import Talk


def account_of(record: Record, talk: Talk, header: Header, scales: Scales, member: str) -> tuple[Account, str]:
    """The account, and the text answer where one is graded; before the steps were taken from `talk`."""
    sample, spec = record.sample, header.eval or Spec()
    scores = scores_of(sample, header, talk.place, scales.is_over_one)
    expected = _is_text(sample.target)
    in_text = not sample.sandbox and not talk.has_acts and (expected or not talk.has_tools)
    answer = _answer(record) if in_text or expected else ""
    packages = spec.packages if isinstance(spec.packages, dict) else {}
    version = packages.get("inspect_ai")
    solver = _solver(header)
    account = Account(
        benchmark=spec.task or "",
        task="" if sample.id is None else str(sample.id),
        attempt=member or ("" if sample.id is None else f"{sample.id}_epoch_{sample.epoch}"),
        model=spec.model or _model(sample),
        harness=f"inspect/{solver}" if solver else "inspect",
        harness_version=version if isinstance(version, str) else "",
        cohort=Cohort(
            environment=_sandbox(sample.sandbox) or _sandbox(spec.sandbox) or "unknown",
            started=sample.started_at or spec.created or "unknown",
            finished=sample.completed_at or "unknown",
        ),
        outcome=Outcome() if scores else Outcome(detail=_why_unscored(record, header)),
        scores=scores,
        instruction=_instruction(record),
        patch=_patch(sample),
        usage=_usage((sample.model_usage or {}).values()),
        acts_in_text=in_text,
        member=member,
    )
    return account, answer


def with_answer(trajectory: Trajectory, answer: str) -> Trajectory:
    """The trajectory with its text answer beside what was recovered of its files."""
    if not answer.strip():
        return trajectory
    submission = trajectory.submission
    if submission.recovered == "none":
        submission = Submission(answer=answer, recovered="recorded", certainty="certain")
    else:
        submission = msgspec.structs.replace(submission, answer=answer)
    return msgspec.structs.replace(trajectory, submission=submission)


def _instruction(record: Record) -> str | None:
    """The task as the dataset gives it; None when it gives none, and the first message of a user is it."""
    told = record.sample.input
    if isinstance(told, list):
        texts = [record.texts.plain(message.content) for message in told if message.role == "user"]
        return "\n\n".join(texts) or None
    return record.texts.of(told) if told else None


def _answer(record: Record) -> str:
    choices = record.sample.output.choices if record.sample.output is not None else None
    message = next((choice.message for choice in choices or () if choice.message is not None), None)
    return record.texts.plain(message.content) if message is not None else ""


def _is_text(target: Any) -> bool:
    """Whether an expected text stands in the record: then the scorers compare the answer's."""
    texts = target if isinstance(target, list) else [target]
    return any(isinstance(text, str) and text.strip() for text in texts)


def _patch(sample: Sample) -> str | None:
    """The patch that a scorer recorded as what it graded."""
    for score in (sample.scores or {}).values():
        patch = score.metadata.get("model_patch") if isinstance(score.metadata, dict) else None
        if isinstance(patch, str):
            return patch
    return None


def _why_unscored(record: Record, header: Header) -> str:
    error = record.sample.error
    said = error.message if isinstance(error, Fault) else error
    if said:
        return f"the sample ended in an error: {said[:300]}"
    if isinstance(record.sample.limit, Limit) and record.sample.limit.type:
        return f"the sample was not scored: it reached the limit of {record.sample.limit.type}"
    if header.status not in {None, "", "success"}:
        return f"the sample was not scored: the run's status is {header.status}"
    return "the log holds no score of the sample"


def _solver(header: Header) -> str:
    """The solver that acts: the last of the plan, unless one was named for the run."""
    if header.eval is not None and header.eval.solver:
        return header.eval.solver
    steps = (header.plan or Plan()).steps or []
    return next((step.solver for step in reversed(steps) if step.solver), "")


def _sandbox(value: Any) -> str:
    if isinstance(value, list) and value:
        value = value[0]
    elif isinstance(value, dict):
        value = value.get("type")
    return value if isinstance(value, str) else ""


def _model(sample: Sample) -> str:
    if sample.output is not None and sample.output.model:
        return sample.output.model
    return next(iter(sample.model_usage or {}), "")


def _usage(used: Iterable[ModelUsage]) -> Usage:
    listed = list(used)
    costs = [item.total_cost for item in listed if item.total_cost is not None]
    return Usage(
        input_tokens=sum(_input(item) for item in listed) if listed else None,
        output_tokens=sum(item.output_tokens or 0 for item in listed) if listed else None,
        cost_usd=sum(costs) if costs else None,
    )


def _input(used: ModelUsage) -> int:
    return (used.input_tokens or 0) + (used.input_tokens_cache_read or 0) + (used.input_tokens_cache_write or 0)
