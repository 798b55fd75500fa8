"""Rows of OpenHands' `output.jsonl`: one attempt a row, of either version, read one row at a time.

Layout after `evaluation/utils/shared.py` of OpenHands 0.62 (`EvalOutput`), `benchmarks/utils/models.py` of
OpenHands/benchmarks, the rows of 2024 with `swe_instance` and `git_patch`, and those of the issue resolver. An instance
that comes again is another attempt at it. `instance` holds the benchmark's own row, with its answer, and is not read but
for the problem.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from earned.errors import FormatError
from earned.records import Cohort, Outcome, Skip, Trajectory
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.repeated import note_repeated
from earned.trajectory.formats.openhands.events import EventReader, usage_of
from earned.trajectory.formats.openhands.shapes import History, Metrics
from earned.trajectory.formats.openhands.v1_events import V1Reader
from earned.trajectory.formats.openhands.v1_shapes import V1Event
from earned.trajectory.outcomes.evaluations import EvaluationRow, ModelSettings, RowMetadata, TestResult, outcome_of
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import Line, long_lines_of
from earned.trajectory.steps import Steps

MAX_BROKEN = 100
"""Broken lines of one file that get a row each; the rest is counted in a last one."""
_V1 = (b'"ActionEvent"', b'"MessageEvent"', b'"SystemPromptEvent"', b'"ACPToolCallEvent"')
"""Kinds one of which every conversation has."""
_LOOK = 256 * 1024
"""Bytes of a history that tell its version."""


class Metadata(RowMetadata, gc=False):
    """The run as configured."""

    agent_class: str | None = None
    llm: ModelSettings | None = None
    model_name: str | None = None
    dataset: str | None = None
    git_commit: str | None = None
    openhands_sdk_version: str | None = None


class Instance(msgspec.Struct, gc=False):
    """The benchmark's row."""

    problem_statement: str | None = None


class Issue(msgspec.Struct, gc=False):
    """What the issue resolver worked on."""

    owner: str | None = None
    repo: str | None = None
    number: int | str | None = None


class Row(EvaluationRow, gc=False):
    """One attempt but for its history."""

    instruction: str | None = None
    metadata: Metadata | None = None
    metrics: Metrics | None = None
    error: Any = None
    instance: Instance | None = None
    swe_instance: Instance | None = None
    git_patch: str | None = None
    issue: Issue | None = None


class V0Row(Row, gc=False):
    """With V0 events, or pairs of them."""

    history: History | None = None


class V1Row(Row, gc=False):
    """With V1 events."""

    history: list[V1Event | None] | None = None


def is_rows(head: Head) -> bool:
    """Whether a file begins as such rows do."""
    if head.shape not in {"object", "lines"}:
        return False
    if head.has("/instance_id", "/swe_instance") or head.has("/issue", "/issue_type", "/instruction"):
        return True
    if head.has("/instance_id", "/test_result"):
        return head.has("/test_result/git_patch") or head.has("/history") or head.has("/instruction") or head.has("/error")
    return head.has("/instance_id") and (head.has("/history/*/source") or head.has("/history/*/*/action"))


def is_v1(head: Head) -> bool:
    """Whether such rows are those of OpenHands/benchmarks."""
    return head.has("/attempt") or head.has("/history/*/kind") or head.has("/metadata/llm/model")


def read_rows(candidate: Candidate, *, version: int) -> Iterator[Trajectory | Skip]:
    """The attempts of a file, one at a time; what cannot be read is a row that says so. `version` is the reader's."""
    seen: Counter[str] = Counter()
    broken = 0
    for line in long_lines_of(candidate.path):
        if line.size == len(line.data) and not line.data.strip():
            continue
        made = _attempt(candidate, line, seen, version)
        broken += isinstance(made, Skip)
        if isinstance(made, Trajectory) or broken <= MAX_BROKEN:
            yield made
    if broken > MAX_BROKEN:
        detail = f"{broken - MAX_BROKEN} more lines cannot be read"
        yield Skip(path=candidate.path, reason="unreadable", detail=detail)


def _attempt(candidate: Candidate, line: Line, seen: Counter[str], version: int) -> Trajectory | Skip:
    reading, steps = Reading(candidate), Steps()
    if line.size > len(line.data):
        detail = f"the row has {line.size} bytes, more than are decoded at once"
        return Skip(path=candidate.path, member=f"line {line.number}", reason="too_large", detail=detail, offset=line.offset)
    reading.piece(candidate.path, line.data)
    place = f"{place_in(candidate, candidate.path)}#line {line.number}"
    try:
        account = account_of_row(line.data, reading.oddities, place, steps)
    except FormatError as error:
        cut = "" if line.is_ended else "the file ends within a line: "
        return Skip(
            path=candidate.path,
            member=f"line {line.number}",
            reason="unreadable",
            detail=f"{cut}{error}",
            offset=line.offset + (error.offset or 0),
        )
    if account is None:
        detail = "expected a row with instance_id, test_result and history; found one of an evaluation, or none"
        return Skip(path=candidate.path, member=f"line {line.number}", reason="not_a_trajectory", detail=detail)
    account.member = account.attempt = _unique(account.task or f"line {line.number}", seen)
    return trajectory_of(reading, steps, account, version=version)


def _unique(name: str, seen: Counter[str]) -> str:
    """A name that no other row has."""
    seen[name] += 1
    if seen[name] == 1:
        return name
    while (made := f"{name}#{seen[name]}") in seen:
        seen[name] += 1
    seen[made] += 1
    return made


def account_of_row(data: bytes, oddities: Oddities, place: str, steps: Steps) -> Account | None:
    """Appends the steps of one row; None where it holds no attempt. Raises FormatError when it is no JSON."""
    row: Row
    note_repeated(data, oddities, place)
    if _is_v1_history(data):
        row, v1 = decode_as(data, V1Row, oddities, place=place), V1Reader(oddities)
        v1.add_all(row.history or (), f"{place}/history")
        v1.into(steps)
        return _account(row, v1, oddities, place, steps)
    row, v0 = decode_as(data, V0Row, oddities, place=place), EventReader(oddities)
    if row.history is None and (_task(row) == "" or (row.test_result is not None and row.test_result.report is not None)):
        return None
    v0.add_all(row.history or [], f"{place}/history")
    v0.into(steps)
    return _account(row, v0, oddities, place, steps)


def _is_v1_history(data: bytes) -> bool:
    """Whether the events of a row have kinds, as its bytes show: within a text the quotes of these names are escaped."""
    begin = data.find(b'"history"')
    head = data[begin : begin + _LOOK] if begin >= 0 else b""
    return (b'"kind"' in head or b'"llm_message"' in head or b'"system_prompt"' in head) and any(name in data for name in _V1)


def _account(row: Row, reader: EventReader | V1Reader, oddities: Oddities, place: str, steps: Steps) -> Account:
    """What a row says besides its history."""
    error = row.error if isinstance(row.error, str) else as_json(row.error) if row.error else ""
    if error and steps.steps:
        oddities.add(f"the harness recorded an error: {error[:300]}", f"{place}/error")
    elif not steps.steps:
        steps.missing(f"no history is recorded: {error[:300]}" if error else "no history is recorded", step=-1)
    result, told = row.test_result or TestResult(), row.metadata or Metadata()
    metrics = row.metrics or reader.metrics
    configured = told.llm_config or told.llm or ModelSettings()
    tokens = metrics.accumulated_token_usage
    used = tokens.model if tokens is not None and tokens.model != "default" else None
    answer = result.model_answer
    return Account(
        benchmark=told.dataset or "",
        task=_task(row),
        model=configured.model or told.model_name or metrics.model_name or used or reader.model,
        harness="OpenHands",
        harness_version=reader.version or told.openhands_sdk_version or told.git_commit or "",
        cohort=Cohort(started=reader.started or "unknown", finished=reader.finished or "unknown"),
        outcome=outcome_of(row, place) if row.test_result or row.report or row.fine_grained_report else Outcome(),
        instruction=row.instruction or _problem(row, steps),
        patch=result.git_patch if result.git_patch is not None else row.git_patch,
        answer=answer if isinstance(answer, str) else "",
        usage=usage_of(metrics),
    )


def _task(row: Row) -> str:
    if row.instance_id is not None:
        return str(row.instance_id)
    issue = row.issue
    return f"{issue.owner}/{issue.repo}#{issue.number}" if issue is not None and issue.repo else ""


def _problem(row: Row, steps: Steps) -> str | None:
    """The problem of the benchmark's row, where the history does not begin with what the agent was told."""
    if any(step.actor == "user" for step in steps.steps):
        return None
    instance = row.instance or row.swe_instance or Instance()
    return instance.problem_statement


class _Id(msgspec.Struct, gc=False):
    instance_id: str | int | None = None


def repeated_instances(candidate: Candidate) -> Collection[str]:
    """Instances at which a file holds several attempts: a report that names the instance does not tell which it means."""
    counted: Counter[str] = Counter()
    if candidate.path in candidate.files:
        for line in long_lines_of(candidate.path):
            try:
                found = msgspec.json.decode(line.data, type=_Id).instance_id
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
            if found is not None:
                counted[str(found)] += 1
    return {name for name, count in counted.items() if count > 1}
