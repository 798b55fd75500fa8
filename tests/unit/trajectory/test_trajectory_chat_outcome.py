from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_files import only, trajectories, write_json, write_text

from earned.trajectory import load_outcomes, read_candidate
from earned.trajectory.discover import discover

ANSWERED = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]


def outcome(tmp_path: Path, **around: Any) -> tuple[str, str, str]:
    made = only(write_json(tmp_path / "a.json", {"task_id": "t", "messages": ANSWERED, **around}))
    return made.outcome.status, made.outcome.source, made.outcome.detail


@pytest.mark.parametrize("word", ["passed", "resolved", "is_resolved"])
@pytest.mark.parametrize(("value", "status"), [(True, "passed"), (False, "failed"), (1, "passed"), (0, "failed")])
def test_a_boolean_of_the_verifier_is_the_outcome(tmp_path: Path, word: str, value: Any, status: str) -> None:
    assert outcome(tmp_path, **{word: value})[:2] == (status, f"a.json#/{word}")


@pytest.mark.parametrize("value", [-1, "true", None, 0.5, [], 2])
def test_a_value_that_is_no_boolean_is_no_outcome(tmp_path: Path, value: Any) -> None:
    assert outcome(tmp_path, passed=value)[0] == "unknown"


def test_a_boolean_within_an_evaluation_is_the_outcome(tmp_path: Path) -> None:
    assert outcome(tmp_path, metadata={"resolved": True})[:2] == ("passed", "a.json#/metadata/resolved")
    assert outcome(tmp_path, evaluation={"success": False})[:2] == ("failed", "a.json#/evaluation/success")


@pytest.mark.parametrize(
    "around",
    [
        {"success": True},
        {"info": {"success": True}},
        {"exit_status": "submitted"},
        {"status": "passed"},
        {"score": 1.0},
        {"submitted": True},
        {"result": "passed"},
        {},
    ],
)
def test_words_that_may_mean_something_else_are_no_outcome(tmp_path: Path, around: dict[str, Any]) -> None:
    assert outcome(tmp_path, **around)[0] == "unknown"


@pytest.mark.parametrize(
    "around",
    [
        {"passed": 1, "failed": 9},
        {"passed": 1, "total": 10},
        {"passed": 1, "total_tests": 5},
        {"result": {"passed": 1, "num_tests": 5}},
        {"report": {"passed": 1, "failed": 9}},
        {"evaluation": {"passed": 0, "failed": 0, "total": 3}},
    ],
)
def test_counts_of_tests_are_no_verdict(tmp_path: Path, around: dict[str, Any]) -> None:
    assert outcome(tmp_path, **around)[0] == "unknown"
    assert outcome(tmp_path, **around, resolved=True)[:2] == ("passed", "a.json#/resolved")
    assert outcome(tmp_path, report={"passed": True, "failed": 0})[0] == "passed"


@pytest.mark.parametrize(
    ("around", "status"),
    [
        ({"evaluation": {"success": True, "reward": 0.4}}, "conflicting"),
        ({"evaluation": {"success": True, "reward": 4, "max_reward": 10}}, "conflicting"),
        ({"evaluation": {"success": True, "reward": 1.0}}, "passed"),
        ({"evaluation": {"success": True, "reward": 10, "max_reward": 10}}, "passed"),
        ({"evaluation": {"success": False, "reward": 0.4}}, "failed"),
        ({"passed": True, "score": 3, "max_score": 10}, "conflicting"),
        ({"passed": True, "score": 10, "max_score": 10}, "passed"),
        ({"passed": True, "score": 0.3}, "passed"),
        ({"reward": 1, "max_score": 10}, "partial_credit"),
        ({"reward": 10, "max_score": 10}, "passed"),
    ],
)
def test_a_reward_beside_a_verdict_is_full_credit_or_the_outcome_conflicts(
    tmp_path: Path, around: dict[str, Any], status: str
) -> None:
    assert outcome(tmp_path, **around)[0] == status


def test_success_alone_says_why_it_is_none(tmp_path: Path) -> None:
    _, source, detail = outcome(tmp_path, success=True)
    assert source == "a.json#/success"
    assert "ended without an error" in detail


@pytest.mark.parametrize(
    ("around", "status"),
    [
        ({"reward": 1}, "passed"),
        ({"reward": 1.0}, "passed"),
        ({"reward": True}, "passed"),
        ({"reward": 0}, "failed"),
        ({"reward": 0.99}, "partial_credit"),
        ({"reward": 10, "max_reward": 10}, "passed"),
        ({"reward": 1, "max_reward": 10}, "partial_credit"),
        ({"reward": 2}, "unknown"),
        ({"reward": -1}, "unknown"),
        ({"reward": "1"}, "unknown"),
        ({"reward": 1, "max_reward": 0}, "unknown"),
        ({"reward": 1, "max_reward": [2]}, "unknown"),
        ({"reward": 12, "max_reward": 10}, "unknown"),
        ({"reward": 1, "max_reward": "10"}, "partial_credit"),
        ({"reward": 1, "max_reward": "1"}, "passed"),
        ({"reward": 1, "out_of": 10}, "partial_credit"),
        ({"reward": 10**400}, "unknown"),
    ],
)
def test_a_reward_is_an_outcome_where_its_scale_is_known(tmp_path: Path, around: dict[str, Any], status: str) -> None:
    found, source, detail = outcome(tmp_path, **around)
    assert found == status
    assert source == "a.json#/reward"
    assert bool(detail) is (status == "unknown")


def test_a_reward_of_one_beside_greater_ones_is_no_full_credit(tmp_path: Path) -> None:
    def lines(*rewards: Any) -> list[str]:
        values = [{"task_id": str(number), "messages": ANSWERED, "reward": reward} for number, reward in enumerate(rewards)]
        made = trajectories(write_text(tmp_path / "runs.jsonl", "\n".join(json.dumps(value) for value in values)))
        return [item.outcome.status for item in made]

    assert lines(1, 0, 0.5) == ["passed", "failed", "partial_credit"]
    assert lines(1, 0, 1.5) == ["unknown", "unknown", "unknown"]
    assert lines(1, -1) == ["unknown", "unknown"]


def test_a_reward_that_is_not_a_number_says_nothing(tmp_path: Path) -> None:
    text = json.dumps({"task_id": "t", "messages": ANSWERED}).replace("}]}", '}], "reward": NaN}')
    made = only(write_text(tmp_path / "a.json", text))
    assert (made.outcome.status, made.outcome.reward) == ("unknown", None)
    assert made.outcome.detail == "the reward is not a finite number"


@pytest.mark.parametrize(
    ("around", "status"),
    [
        ({"passed": True, "reward": 1}, "passed"),
        ({"passed": False, "reward": 0.5}, "partial_credit"),
        ({"passed": False, "reward": 1}, "conflicting"),
        ({"passed": True, "reward": 0}, "conflicting"),
        ({"passed": True, "resolved": False}, "conflicting"),
        ({"passed": True, "reward": 7}, "passed"),
        ({"passed": True, "reward": -1}, "conflicting"),
        ({"passed": True, "info": {"reward": 10**400}}, "conflicting"),
        ({"passed": True, "info": {"reward": "-1"}}, "passed"),
        ({"success": True, "reward": 0}, "failed"),
    ],
)
def test_words_that_disagree_are_a_conflict_that_names_both(tmp_path: Path, around: dict[str, Any], status: str) -> None:
    found, _, detail = outcome(tmp_path, **around)
    assert found == status
    assert (detail.count("a.json#/") == 2) is (status == "conflicting")


@pytest.mark.parametrize(
    ("around", "status"),
    [
        ({"reward": 1, "passed": "false"}, "conflicting"),
        ({"reward": 1, "resolved": "no"}, "conflicting"),
        ({"reward": 1, "passed": 0.5}, "conflicting"),
        ({"reward": 1, "passed": "true"}, "passed"),
        ({"reward": 1, "passed": -1}, "passed"),
        ({"reward": 1, "metadata": {"reward": 0.0}}, "conflicting"),
        ({"reward": 1, "info": {"reward_info": {"reward": 0.0}}}, "conflicting"),
        ({"reward": 1, "info": {"reward_info": {"reward": 1.0}}}, "passed"),
        ({"reward": 1, "metadata": {"reward": 1.0, "score": 0.3}}, "passed"),
        ({"passed": True, "report": {"tests_status": {"PASS_TO_PASS": {"failure": ["x"]}}}}, "conflicting"),
        ({"passed": True, "report": {"tests_status": {"PASS_TO_PASS": {"failure": []}}}}, "passed"),
        ({"reward": 1, "reward_valid": False}, "unknown"),
        ({"passed": False, "metadata": {"reward_valid": False}}, "unknown"),
        ({"reward": 1, "reward_valid": True}, "passed"),
    ],
)
def test_what_speaks_against_a_pass_is_seen_wherever_the_row_says_it(
    tmp_path: Path, around: dict[str, Any], status: str
) -> None:
    found, _, detail = outcome(tmp_path, **around)
    assert found == status
    assert bool(detail) is (status != "passed")


def test_outcome_files_speak_of_attempts_by_their_names(tmp_path: Path) -> None:
    value = [{"id": name, "task_id": "t", "messages": ANSWERED} for name in ("x", "y")]
    runs = write_json(tmp_path / "in" / "runs.json", value)
    told = load_outcomes([write_text(tmp_path / "said.csv", "id,passed\nx,true\ny,false\n")])
    (candidate,) = discover([runs])
    made = [item.outcome.status for item in read_candidate(candidate, outcomes=told)]  # type: ignore[arg-type, union-attr]
    assert made == ["passed", "failed"]
