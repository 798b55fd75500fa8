from __future__ import annotations

import pytest
from made_trajectories import Turn, ran, trajectory

from earned.audit.prescan import prescan
from earned.audit.testruns import result_of, telling_place, test_runs
from earned.records import Action, Observation


@pytest.mark.parametrize(
    "text",
    [
        "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 3 passed in 0.12s",
        "=== 2 errors in 0.3s ===",
        "FAILED (failures=1)",
        "FAIL: test_b (tests.test_a)",
        "Tests:       1 failed, 4 passed, 5 total",
        "  3 passing (12ms)\n  1 failing",
        "--- FAIL: TestTotal (0.00s)\nFAIL\nexit status 1",
        "test result: FAILED. 3 passed; 1 failed; 0 ignored",
        "Tests run: 4, Failures: 1, Errors: 0, Skipped: 0",
        "FAILURES!\nTests: 4, Assertions: 7, Failures: 1.",
        "ok 1 - adds\nnot ok 2 - subtracts",
        "4 examples, 1 failure",
        "collected 0 items\n\n=== no tests ran in 0.01s ===",
        "Traceback (most recent call last):\n  ...\nAssertionError",
        "bash: pytest: command not found",
    ],
)
def test_a_summary_that_names_a_failure_failed(text: str) -> None:
    assert result_of(text) == "failed"
    assert result_of(text, 0) == "failed"


@pytest.mark.parametrize(
    "text",
    [
        "4 passed in 0.12s",
        "4 passed, 1 skipped, 2 warnings in 0.12s",
        "Ran 4 tests in 0.001s\n\nOK",
        "Ran 4 tests in 0.001s\n\nOK (skipped=1)",
        "Tests:       5 passed, 5 total",
        "  3 passing (12ms)",
        "ok  \tspans/core\t0.003s",
        "PASS\nok  \tspans\t0.1s",
        "test result: ok. 4 passed; 0 failed; 0 ignored",
        "Tests run: 4, Failures: 0, Errors: 0, Skipped: 0",
        "4 examples, 0 failures",
        "ok 1 - adds\nok 2 - subtracts",
        "All 4 tests passed",
    ],
)
def test_a_summary_without_one_passed(text: str) -> None:
    assert result_of(text) == "passed"


@pytest.mark.parametrize(
    ("text", "code", "result"), [("", 0, "unknown"), ("", None, "unknown"), ("", 1, "failed"), ("done", 2, "failed")]
)
def test_without_a_summary_only_a_failing_exit_code_tells(text: str, code: int | None, result: str) -> None:
    assert result_of(text, code) == result


def test_the_summary_stands_at_the_end_of_a_long_output() -> None:
    assert result_of("x\n" * 100_000 + "1 failed, 3 passed") == "failed"
    assert result_of("1 failed in an earlier paragraph\n" + "x\n" * 100_000 + "3 passed") == "passed"


def results(*turns: Turn) -> list[tuple[int, str]]:
    made = trajectory(*turns)
    return [(run.step, run.result) for run in test_runs(prescan(made), made)]


def test_runs_of_tests_and_of_the_grader_are_told_in_order_and_others_left_out() -> None:
    found = results(
        ran("python -m pytest -q", "1 failed"),
        ran("ls", "1 failed"),
        ran("bash /tests/test.sh", "3 passed"),
        ran("pytest -q && pytest -q tests", "3 passed"),
        ran("cargo test", "", code=101),
    )
    assert found == [(1, "failed"), (3, "passed"), (4, "passed"), (5, "failed")]


def test_each_run_of_a_step_is_told_by_its_own_result() -> None:
    acts = (Action(kind="shell", command="pytest a"), Action(kind="shell", command="pytest b"))
    seen = (Observation(text="1 failed", action=0), Observation(text="2 passed", action=1))
    assert results(Turn(acts, seen)) == [(1, "failed"), (1, "passed")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("FAILED t.py::a\n1 failed in 0.1s\n</output>\n", "1 failed in 0.1s"),
        ("2 passed in 0.02s\n\n(Current directory: /app)\nbash-$ ", "2 passed in 0.02s"),
        ("1 failed in 0.1s\n[The command completed with exit code 1.]", "1 failed in 0.1s"),
        ("Tests:  4 passed, 4 total\nTime:  1 s\nRan all test suites.", "Tests:  4 passed, 4 total"),
        ("E   AssertionError\n<returncode>1</returncode>", "E   AssertionError"),
        ("nothing\n[Command finished with exit code 1]\n$ ", "[Command finished with exit code 1]"),
        ("first\nlast\n\n", "last"),
        ("", ""),
    ],
)
def test_the_line_that_tells_the_result_is_found_before_what_a_harness_prints_behind_it(text: str, line: str) -> None:
    start = text.rfind("\n", 0, telling_place(text)) + 1
    assert text[start:].partition("\n")[0] == line
