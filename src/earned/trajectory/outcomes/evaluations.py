"""What a row of OpenHands' `output.jsonl`, or of the evaluation written beside it, says of whether the attempt passed.

`report` and `test_result.report` are what the SWE-bench scripts put in (`resolved`); a report whose evaluation failed says
nothing. Other benchmarks grade at once and keep their word in `test_result`: `score`, `correct`, `success`, `result`, `reward`,
`exit_code` of the hidden tests, `eval_result`, `final_score`. All that a row says must agree on whether it passed. `success` of
the row itself is a model's opinion and not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from earned.errors import FormatError
from earned.records import Outcome
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.repeated import note_repeated
from earned.trajectory.outcomes.verdicts import Verdict, agreed, credit_of, denied_by, is_count
from earned.trajectory.peek import Head
from earned.trajectory.sources.files import long_lines_of

_TRUTHS = ("resolved", "passed", "score", "correct", "success", "result")
"""Keys of `test_result` that are an outcome where they hold true or false."""


class Report(msgspec.Struct, gc=False):
    """What the SWE-bench scripts say of one instance."""

    resolved: bool | None = None
    error_eval: bool | None = None
    tests_status: Any = None
    patch_exists: Any = None


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


class ModelSettings(msgspec.Struct, gc=False):
    """The settings of the model that a row names."""

    model: str | None = None


class RowMetadata(msgspec.Struct, gc=False):
    """How the run was made that a row belongs to."""

    llm_config: ModelSettings | None = None


class Evaluated(NamedTuple):
    """What a row of an evaluation says."""

    key: str
    outcome: Outcome
    patch: str | None
    """What was graded."""
    model: str


class EvaluationRow(msgspec.Struct, gc=False):
    """One row, as far as it speaks of an outcome."""

    instance_id: str | int | None = None
    test_result: TestResult | None = None
    report: Report | None = None
    fine_grained_report: Report | None = None
    """The name of `report` until mid-2024."""
    metadata: RowMetadata | None = None


def is_evaluation(head: Head) -> bool:
    """Whether a file holds rows of an evaluation, or of trials that lie elsewhere, and not the attempts themselves."""
    if not head.has("/instance_id", "/test_result"):
        return False
    return head.has("/test_result/trial_name") or (head.has("/test_result/report") and head.value("/history") != "[")


def evaluated(path: str) -> Iterator[Evaluated]:
    """What each row says that states an outcome, one row at a time; broken rows say nothing.

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
            settings = row.metadata.llm_config if row.metadata is not None else None
            patch = row.test_result.git_patch if row.test_result is not None else None
            yield Evaluated(str(row.instance_id), said, patch, (settings.model if settings is not None else None) or "")


def outcome_of(row: EvaluationRow, place: str) -> Outcome:
    """The outcome that a row states; unknown, without a source, where it states none."""
    result = row.test_result or TestResult()
    reports = (
        ("/report", row.report),
        ("/test_result/report", result.report),
        ("/fine_grained_report", row.fine_grained_report),
    )
    said = [_reported(report, f"{place}{pointer}") for pointer, report in reports if report is not None]
    if said and all(outcome.status == "unknown" for outcome in said):
        return said[0]
    said += _graded(result, f"{place}/test_result")
    found = [outcome for outcome in said if outcome.status != "unknown"]
    if not found:
        return said[0] if said else Outcome()
    together = agreed([(outcome.source, Verdict(outcome.status, detail=outcome.detail)) for outcome in found])
    if together.status == "conflicting":
        return Outcome(status="conflicting", source=found[0].source, detail=together.detail)
    return next((outcome for outcome in found if outcome.status == together.status), found[0])


def _reported(report: Report, place: str) -> Outcome:
    if report.error_eval:
        return Outcome(
            source=f"{place}/error_eval", detail="the evaluation failed (error_eval), so nothing is said of the attempt"
        )
    if report.resolved is None:
        return Outcome(source=place, detail="the report does not say whether the attempt was resolved")
    against = denied_by(msgspec.structs.asdict(report)) if report.resolved else ""
    if against:
        source = f"{place}/resolved"
        return Outcome(status="conflicting", source=source, detail=f"{source} says passed, and the report that {against}")
    return Outcome(status="passed" if report.resolved else "failed", source=f"{place}/resolved")


def _graded(result: TestResult, place: str) -> Iterator[Outcome]:
    """Every word of a benchmark that grades at once."""
    reward = result.rewards.get("reward") if isinstance(result.rewards, dict) else result.reward
    if isinstance(reward, (int, float)):
        yield _credit(reward, 1, f"{place}/{'rewards/reward' if isinstance(result.rewards, dict) else 'reward'}")
    for name in _TRUTHS:
        value, source = getattr(result, name), f"{place}/{name}"
        if isinstance(value, dict) and isinstance(value.get("passed"), (bool, int)):
            yield _truth(value, "passed", f"{source}/passed")
        elif isinstance(value, bool):
            yield Outcome(status="passed" if value else "failed", source=source)
    yield from _counted(result, place)


def _truth(given: dict[str, Any], name: str, source: str) -> Outcome:
    """A truth, or 1 and 0 for it, unless numbers beside it tell that it counts tests."""
    is_number = is_count(given, name) or given[name] not in (0, 1)
    detail = f"{name} is a count and no verdict" if is_number else ""
    return Outcome(status="unknown" if is_number else "passed" if given[name] else "failed", source=source, detail=detail)


def _counted(result: TestResult, place: str) -> Iterator[Outcome]:
    """Shares of tests or of checkpoints, and the exit code of the hidden tests."""
    shared = result.eval_result if isinstance(result.eval_result, dict) else {}
    share, source = shared.get("passed"), f"{place}/eval_result/passed"
    if isinstance(share, float):
        yield _credit(share, 1, source)
    elif isinstance(share, int):
        yield _truth(shared, "passed", source)
    if isinstance(result.final_score, dict):
        got, total = result.final_score.get("result"), result.final_score.get("total")
        if isinstance(got, (int, float)) and isinstance(total, (int, float)) and total > 0:
            yield _credit(got, total, f"{place}/final_score")
    if isinstance(result.exit_code, int) and not isinstance(result.exit_code, bool) and result.test_cases is not None:
        yield Outcome(status="passed" if result.exit_code == 0 else "failed", source=f"{place}/exit_code")


def _credit(reward: float, maximum: float, source: str) -> Outcome:
    """A reward of 0 to the maximum; what lies below stands for an evaluation that failed, above on another scale."""
    word = credit_of({"reward": reward, "max_reward": maximum}, "reward")
    if word.status == "unknown":
        return Outcome(source=source, detail=word.detail)
    return Outcome(status=word.status, reward=float(reward), maximum=float(maximum), source=source)
