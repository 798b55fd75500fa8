"""What a shown run of tests came to: passed, failed, or not to be told."""

from __future__ import annotations

from typing import Literal

import msgspec
import re2

from earned.audit.prescan import Scan, shown
from earned.records import Trajectory
from earned.trajectory.later_output import Place

Result = Literal["passed", "failed", "unknown"]

_TAIL = 20_000
"""Characters looked at from the end: every runner puts its summary there."""
# One alternation each, in the words that pytest, unittest, jest, vitest, mocha, go test, cargo test, JUnit, RSpec, TAP and
# plain scripts print in their summaries.
_FAILED = re2.compile(
    r"(?m)\b[1-9]\d* (failed|errors?|failing|failures?)\b|^FAILED\b|^FAIL\b|^--- FAIL|test result: FAILED|FAILURES!|^not ok \d"
    r"|BUILD FAILURE|Tests run:.*(Failures|Errors): [1-9]|no tests ran"
)
_BROKEN = re2.compile(r"Traceback \(most recent call last\)|AssertionError|command not found|No module named")
_PASSED = re2.compile(
    r"(?m)\b[1-9]\d* (passed|passing)\b|^OK( \(|$)|^ok\s+\S|^PASS\b|test result: ok|\b0 failures\b|^ok \d|BUILD SUCCESS"
    r"|Tests run: [1-9].*Failures: 0, Errors: 0|(?i)\ball (\d+ )?tests? pass(ed)?\b"
)

_EXIT_CODE = re2.compile(r"(?i)<returncode>|\bexit(ed)?[ _]?(with )?[ _]?(code|status)\b")
"""Of the line in which a harness tells how a command ended."""


class TestRun(msgspec.Struct, frozen=True):
    """One run of tests by the agent, with what it showed."""

    __test__ = False  # not a test class, whatever its name begins with

    step: int
    action: int
    """Where its result was shown: at the command, or where that was polled."""
    fact: int
    result: Result


def test_runs(scan: Scan, trajectory: Trajectory) -> tuple[TestRun, ...]:
    """Every run of tests or of the grader that the agent made and saw, in order."""
    found: dict[Place, TestRun] = {}
    for index, fact in enumerate(scan.facts):
        place = fact.step, fact.action
        if fact.runs in ("tests", "grader") and place not in found:
            runs = [_run(at, index, trajectory) for at in scan.later.shown_at(place)]
            told = [run for run in runs if run.result != "unknown"]
            found[place] = (told or runs)[-1]
    return tuple(found.values())


def _run(place: Place, fact: int, trajectory: Trajectory) -> TestRun:
    step, action = trajectory.steps[place[0]], place[1]
    codes = [item.exit_code for item in step.observations if item.action == action and item.exit_code is not None]
    return TestRun(*place, fact, result_of(shown(step, action), codes[-1] if codes else None))


test_runs.__test__ = False  # type: ignore[attr-defined]


def telling_place(text: str) -> int:
    """Where the last line stands that tells what a run came to: the runner's summary, else a traceback or an exit code.

    Where none does it is the last line that is not blank.
    """
    text = text.rstrip()
    begin = max(0, len(text) - _TAIL)
    tail = text[begin:]
    told = {"failed": (_FAILED, _BROKEN, _EXIT_CODE), "passed": (_PASSED,), "unknown": (_EXIT_CODE,)}[result_of(tail)]
    last = (max((hit.start() for hit in pattern.finditer(tail)), default=-1) for pattern in told)
    return begin + next((at for at in last if at >= 0), max(0, len(tail) - 1))


def result_of(text: str, exit_code: int | None = None) -> Result:
    """Read a test runner's output: a failure in the summary, else a pass in it, else the exit code or a traceback."""
    tail = text[-_TAIL:]
    if _FAILED.search(tail):
        return "failed"
    if _PASSED.search(tail):
        return "passed"
    if (exit_code is not None and exit_code != 0) or _BROKEN.search(tail):
        return "failed"
    return "unknown"
