"""What a row of OpenHands' `output.jsonl`, or of the evaluation written beside it, says of whether the attempt passed.

`report` and `test_result.report` are what the SWE-bench scripts put in (`resolved`); a report whose evaluation failed says
nothing. Other benchmarks grade at once and keep their word in `test_result`: `score`, `correct`, `success`, `result`, `reward`,
`exit_code` of the hidden tests, `eval_result`, `final_score`. `success` of the row itself is a model's opinion and not read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from earned.errors import FormatError
from earned.records import Outcome
from earned.records.trajectory import Status
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.repeated import note_repeated
from earned.trajectory.peek import Head
from earned.trajectory.sources.files import long_lines_of

_TRUTHS = ("resolved", "passed", "score", "correct", "success", "result")
"""Keys of `test_result` that are an outcome where they hold true or false."""


class Report(msgspec.Struct, gc=False):
    """What the SWE-bench scripts say of one instance."""

    resolved: bool | None = None
    error_eval: bool | None = None


class TestResult(msgspec.Struct, gc=False):
    """What the harness collected after the run. The text of the tests' output is not read."""

    git_patch: str | None = None
    report: Report | None = None
    resolved: Any = None
    passed: Any = None
    score: Any = None
    correct: Any = None
    success: Any = None
    result: Any = None
    reward: Any = None
    rewards: Any = None
    exit_code: Any = None
    test_cases: Any = None
    eval_result: Any = None
    final_score: Any = None
    model_answer: Any = None


class EvaluationRow(msgspec.Struct, gc=False):
    """One row, as far as it speaks of an outcome."""

    instance_id: str | int | None = None
    test_result: TestResult | None = None
    report: Report | None = None
    fine_grained_report: Report | None = None
    """The name of `report` until mid-2024."""


def is_evaluation(head: Head) -> bool:
    """Whether a file holds rows of an evaluation, or of trials that lie elsewhere, and not the attempts themselves."""
    if not head.has("/instance_id", "/test_result"):
        return False
    return head.has("/test_result/trial_name") or (head.has("/test_result/report") and head.value("/history") != "[")


def evaluated(path: str) -> Iterator[tuple[str, Outcome]]:
    """Instance and outcome of each row that states one, one row at a time; broken rows say nothing.

    Raises FormatError when the file cannot be opened.
    """
    for line in long_lines_of(path):
        oddities, place = Oddities(), f"{path}#line {line.number}"
        try:
            row = decode_as(line.data, EvaluationRow, oddities, place=path)
        except FormatError:
            continue
        note_repeated(line.data, oddities, f"{place} ")
        said = outcome_of(row, place)
        if oddities.torn:
            said = Outcome(status="conflicting", source=place, detail=oddities.torn)
        if row.instance_id is not None and said.source:
            yield str(row.instance_id), said


def outcome_of(row: EvaluationRow, place: str) -> Outcome:
    """The outcome that a row states; unknown, without a source, where it states none."""
    result = row.test_result or TestResult()
    reports = (
        ("/report", row.report),
        ("/test_result/report", result.report),
        ("/fine_grained_report", row.fine_grained_report),
    )
    said = [_reported(report, f"{place}{pointer}") for pointer, report in reports if report is not None]
    found = [outcome for outcome in said if outcome.status != "unknown"] or said or list(_graded(result, place))
    if not found:
        return Outcome()
    if len({outcome.status for outcome in found}) > 1:
        detail = "; ".join(f"{outcome.source} says {outcome.status}" for outcome in found)
        return Outcome(status="conflicting", source=found[0].source, detail=detail)
    return found[0]


def _reported(report: Report, place: str) -> Outcome:
    if report.error_eval:
        return Outcome(
            source=f"{place}/error_eval", detail="the evaluation failed (error_eval), so nothing is said of the attempt"
        )
    if report.resolved is None:
        return Outcome(source=place, detail="the report does not say whether the attempt was resolved")
    return Outcome(status="passed" if report.resolved else "failed", source=f"{place}/resolved")


def _graded(result: TestResult, place: str) -> Iterator[Outcome]:
    """The word of a benchmark that grades at once: the first that there is."""
    reward = result.rewards.get("reward") if isinstance(result.rewards, dict) else result.reward
    if isinstance(reward, (int, float)):
        name = "rewards/reward" if isinstance(result.rewards, dict) else "reward"
        yield _credit(float(reward), 1.0, f"{place}/test_result/{name}")
        return
    for name in _TRUTHS:
        value, inner = getattr(result, name), ""
        if isinstance(value, dict) and isinstance(value.get("passed"), (bool, int)):
            value, inner = bool(value["passed"]), "/passed"
        if isinstance(value, bool):
            yield Outcome(status="passed" if value else "failed", source=f"{place}/test_result/{name}{inner}")
            return
    yield from _counted(result, place)


def _counted(result: TestResult, place: str) -> Iterator[Outcome]:
    """Shares of tests or of checkpoints, and the exit code of the hidden tests."""
    share = result.eval_result.get("passed") if isinstance(result.eval_result, dict) else None
    if isinstance(share, (int, float)):
        yield _credit(float(share), 1.0, f"{place}/test_result/eval_result/passed")
    elif isinstance(result.final_score, dict):
        got, total = result.final_score.get("result"), result.final_score.get("total")
        if isinstance(got, (int, float)) and isinstance(total, (int, float)) and total > 0:
            yield _credit(float(got), float(total), f"{place}/test_result/final_score")
    elif isinstance(result.exit_code, int) and result.test_cases is not None:
        yield Outcome(status="passed" if result.exit_code == 0 else "failed", source=f"{place}/test_result/exit_code")


def _credit(reward: float, maximum: float, source: str) -> Outcome:
    if not math.isfinite(reward) or reward < 0:
        return Outcome(reward=None, source=source, detail=f"{reward:g} is what stands for an evaluation that failed")
    status: Status = "passed" if reward >= maximum else "partial_credit" if reward > 0 else "failed"
    return Outcome(status=status, reward=reward, maximum=maximum, source=source)
