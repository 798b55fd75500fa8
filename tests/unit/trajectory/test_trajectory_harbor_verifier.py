from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_files import only, trial, write_json, write_text

from earned.trajectory import skip_of

REWARD = "result.json#/verifier_result/rewards/reward"


@pytest.mark.parametrize("left", ["1\n", "1.0 ", "1.", "+1", "\ufeff1"])
def test_a_reward_that_the_verifier_left_as_the_result_has_it_is_a_plain_pass(tmp_path: Path, left: str) -> None:
    home = trial(tmp_path)
    write_text(home / "verifier" / "reward.txt", left)
    write_json(home / "verifier" / "reward.json", {"reward": 1, "style": 0.0})
    assert (only(home).outcome.status, only(home).outcome.detail) == ("passed", "")


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("0\n", "conflicting", "reward.txt says 0"),
        ("0.5", "conflicting", "reward.txt says 0.5"),
        ("nan\n", "unknown", "reward.txt holds no reward: nan"),
        ("inf", "unknown", "reward.txt holds no reward: inf"),
        ("1e999", "unknown", "reward.txt holds no reward: 1e999"),
        ("one", "unknown", "reward.txt holds no reward: one"),
        ("", "unknown", "reward.txt holds no reward: nothing"),
        ("1" * 70_000, "unknown", "reward.txt holds no reward: "),
    ],
)
def test_a_reward_file_that_says_another_reward_or_none_is_no_pass_and_both_are_named(
    tmp_path: Path, text: str, status: str, said: str
) -> None:
    home = trial(tmp_path)
    write_text(home / "verifier" / "reward.txt", text)
    made = only(home)
    assert made.outcome.status == status
    assert f"{REWARD} says 1.0; verifier/{said}" in made.outcome.detail
    skip = skip_of(made)
    assert skip is not None
    assert skip.reason == f"{status}_outcome"


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ({"reward": 1.0}, "passed"),
        (1, "passed"),
        ({"reward": 0}, "conflicting"),
        ({"correct": 0}, "unknown"),
        ({"reward": "1"}, "unknown"),
        ({"reward": None}, "unknown"),
        ([1.0], "unknown"),
    ],
)
def test_a_reward_document_is_compared_as_well(tmp_path: Path, value: Any, status: str) -> None:
    home = trial(tmp_path)
    write_json(home / "verifier" / "reward.json", value)
    assert only(home).outcome.status == status


def test_a_reward_document_with_nan_is_no_reward(tmp_path: Path) -> None:
    home = trial(tmp_path)
    write_text(home / "verifier" / "reward.json", '{"reward": NaN}')
    assert only(home).outcome.status == "unknown"


@pytest.mark.parametrize(("text", "document"), [("0", 0), ("0", 0.5), ("nan", 0)])
def test_reward_files_none_of_which_says_the_results_reward_conflict_and_all_are_named(
    tmp_path: Path, text: str, document: float
) -> None:
    home = trial(tmp_path)
    write_text(home / "verifier" / "reward.txt", text)
    write_json(home / "verifier" / "reward.json", {"reward": document})
    made = only(home).outcome
    assert made.status == "conflicting"
    assert "verifier/reward.json" in made.detail
    assert "verifier/reward.txt" in made.detail


@pytest.mark.parametrize(
    ("text", "document", "said"),
    [
        ("0", 1, "verifier/reward.txt says 0"),
        ("1", 0, 'verifier/reward.json says {"reward": 0}'),
        ("nan", 1, "verifier/reward.txt holds no reward: nan"),
    ],
)
def test_a_second_reward_file_that_says_otherwise_is_said_and_the_one_that_was_read_decides(
    tmp_path: Path, text: str, document: float, said: str
) -> None:
    home = trial(tmp_path)
    write_text(home / "verifier" / "reward.txt", text)
    write_json(home / "verifier" / "reward.json", {"reward": document})
    made = only(home)
    assert made.outcome.status == "passed"
    assert made.outcome.detail == f"{said}, and {REWARD} says 1.0 all the same"
    assert [oddity.what for oddity in made.oddities] == [f"beside a full reward {said}"]


def test_a_reward_file_does_not_make_a_reward_that_the_result_does_not_have(tmp_path: Path) -> None:
    home = trial(tmp_path, reward=None)
    write_text(home / "verifier" / "reward.txt", "1")
    assert only(home).outcome.status == "unknown"
    (home / "result.json").unlink()
    write_text(home / "trial.log", "")
    assert only(home).outcome.detail == "expected result.json, found none; verifier/reward.txt says 1"


@pytest.mark.parametrize(("left", "status"), [("1", "passed"), ("0", "conflicting"), ("nan", "unknown")])
def test_a_step_of_a_trial_is_compared_with_what_its_own_verifier_left(tmp_path: Path, left: str, status: str) -> None:
    steps = [{"step_name": name, "verifier_result": {"rewards": {"reward": 1.0}}} for name in ("a", "b")]
    home = trial(tmp_path, step_results=steps)
    for name, text in (("a", "1"), ("b", left)):
        write_text(home / "steps" / name / "verifier" / "reward.txt", text)
    made = only(home).outcome
    assert made.status == status
    assert ("steps/b/verifier/reward.txt" in made.detail) is (status != "passed")


def report(failed: int, *tests: str) -> dict[str, Any]:
    """A report of tests; `tests` are the statuses of those that it lists."""
    listed = [{"name": f"test_{number}", "status": status, "duration": 1} for number, status in enumerate(tests)]
    summary = {"tests": 5, "passed": 5 - failed, "failed": failed}
    return {"results": {"tool": {"name": "pytest"}, "summary": summary, "tests": listed}}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (report(2, "passed", "failed", "failed"), "2 of 5 tests failed (test_1, test_2)"),
        (report(1), "1 of 5 tests failed"),
        ({"results": {"tests": [{"name": "a", "status": "failed"}]}}, "1 of 1 tests failed (a)"),
        (report(9, *["failed"] * 9), "9 of 9 tests failed (test_0, test_1, test_2, …)"),
    ],
)
def test_failed_tests_beside_a_full_reward_are_said_with_both_sources_and_the_reward_decides(
    tmp_path: Path, document: Any, said: str
) -> None:
    home = trial(tmp_path)
    write_json(home / "verifier" / "ctrf.json", document)
    made = only(home)
    assert made.outcome.status == "passed"
    assert made.outcome.detail == f"verifier/ctrf.json says that {said}, and {REWARD} says 1.0 all the same"
    assert [oddity.what for oddity in made.oddities] == [f"beside a full reward verifier/ctrf.json says that {said}"]
    assert "verifier/ctrf.json" in [action.tool for action in made.steps[-1].actions]


@pytest.mark.parametrize(
    "document", [report(0, "passed"), report(0, "skipped"), {}, {"results": {"summary": {"failed": "x"}}}, []]
)
def test_a_report_without_failed_tests_says_nothing_against_a_pass(tmp_path: Path, document: Any) -> None:
    home = trial(tmp_path)
    write_json(home / "verifier" / "ctrf.json", document)
    assert (only(home).outcome.status, only(home).outcome.detail) == ("passed", "")


def test_failed_tests_beside_a_failed_attempt_are_no_news(tmp_path: Path) -> None:
    home = trial(tmp_path, reward=0.0)
    write_json(home / "verifier" / "ctrf.json", report(2, "failed"))
    assert (only(home).outcome.status, only(home).outcome.detail, only(home).oddities) == ("failed", "", ())


def test_a_report_of_tests_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    home = trial(tmp_path)
    write_text(home / "verifier" / "ctrf.json", '{"results": {')
    made = only(home)
    assert made.outcome.status == "passed"
    assert "report of the tests cannot be read" in made.oddities[0].what
