"""Whether an OpenHands attempt passed: what its row says, and which reports speak of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_attempt import Attempt, Call, Turn
from made_files import rows, write_json, write_text
from render_openhands import row
from render_openhands_v1 import row as v1_row

from earned.records import Companion, Trajectory
from earned.trajectory import discover
from earned.trajectory.formats.openhands.reports import main_of
from earned.trajectory.outcomes.claims import claims_of

ATTEMPT = Attempt(turns=(Turn("", (Call("bash", command="ls", result="a"),)),), task="org__repo-1")


@pytest.fixture(name="home")
def folder_that_no_other_test_lies_beside(tmp_path: Path) -> Path:
    return tmp_path / "all" / "run"


def bare(task: str = "org__repo-1", /, **more: Any) -> dict[str, Any]:
    """A row that states no outcome."""
    made = {name: value for name, value in row(ATTEMPT).items() if name != "report"}
    return {**made, "instance_id": task, **more}


def lines(path: Path, *values: dict[str, Any]) -> Path:
    return write_text(path, "".join(json.dumps(value) + "\n" for value in values))


def read(*values: dict[str, Any], folder: Path, name: str = "output.jsonl") -> list[Trajectory]:
    """The trajectories of the file alone, with what lies beside it joined."""
    return [item for item in rows(lines(folder / name, *values)) if isinstance(item, Trajectory)]


def graded(result: dict[str, Any], folder: Path) -> Trajectory:
    (made,) = read(bare(test_result=result), folder=folder)
    return made


@pytest.mark.parametrize("where", ["report", "fine_grained_report"])
@pytest.mark.parametrize("resolved", [True, False])
def test_a_report_merged_into_the_row_is_its_outcome(where: str, resolved: bool, home: Path) -> None:
    (made,) = read({**bare(), where: {"resolved": resolved, "error_eval": False}}, folder=home)
    assert made.outcome.status == ("passed" if resolved else "failed")
    assert made.outcome.source == f"output.jsonl#line 1/{where}/resolved"


def test_a_report_whose_evaluation_failed_says_nothing(home: Path) -> None:
    (made,) = read(bare(report={"resolved": False, "error_eval": True}), folder=home)
    assert (made.outcome.status, "error_eval" in made.outcome.detail) == ("unknown", True)


def test_a_report_without_a_word_says_nothing(home: Path) -> None:
    assert graded({"report": {"empty_generation": True}}, home).outcome.status == "unknown"


def test_reports_of_one_row_that_disagree_are_both_named(home: Path) -> None:
    (made,) = read(bare(report={"resolved": True}, test_result={"report": {"resolved": False}}), folder=home)
    assert made.outcome.status == "conflicting"
    assert "/report/resolved says passed" in made.outcome.detail
    assert "/test_result/report/resolved says failed" in made.outcome.detail


@pytest.mark.parametrize(
    ("result", "status"),
    [
        ({"score": True, "model_answer": "42"}, "passed"),
        ({"score": False}, "failed"),
        ({"score": 0.7}, "unknown"),
        ({"correct": True}, "passed"),
        ({"success": False}, "failed"),
        ({"result": True}, "passed"),
        ({"result": {"passed": 1, "status": "ok"}}, "passed"),
        ({"result": {"passed": 0, "status": "error"}}, "failed"),
        ({"result": {}}, "unknown"),
        ({"reward": 1.0}, "passed"),
        ({"reward": 0.5}, "partial_credit"),
        ({"reward": 0}, "failed"),
        ({"reward": -1.0}, "unknown"),
        ({"rewards": {"reward": 0.3}, "passed": True}, "conflicting"),
        ({"rewards": {"reward": 0.3}, "passed": False}, "partial_credit"),
        ({"reward": 5}, "unknown"),
        ({"rewards": {"reward": 10}}, "unknown"),
        ({"reward": 1, "resolved": False}, "conflicting"),
        ({"reward": 1, "resolved": True}, "passed"),
        ({"resolved": True, "passed": False}, "conflicting"),
        ({"score": True, "success": False}, "conflicting"),
        ({"score": True, "success": True}, "passed"),
        ({"report": {"resolved": True}, "resolved": False}, "conflicting"),
        ({"report": {"resolved": True}, "resolved": True}, "passed"),
        ({"report": {"resolved": True, "tests_status": {"PASS_TO_PASS": {"failure": ["x"]}}}}, "conflicting"),
        ({"report": {"resolved": True, "tests_status": {"PASS_TO_PASS": {"failure": []}}}}, "passed"),
        ({"report": {"error_eval": True}, "resolved": True}, "unknown"),
        ({"result": {"passed": 3, "failed": 4}}, "unknown"),
        ({"result": {"passed": 1, "total": 10}}, "unknown"),
        ({"eval_result": {"passed": 1, "total": 10}}, "unknown"),
        ({"eval_result": {"passed": 3, "total": 10}}, "unknown"),
        ({"final_score": {"result": 11, "total": 10}}, "unknown"),
        ({"exit_code": False, "test_cases": ""}, "unknown"),
        ({"exit_code": 0, "test_cases": "def test()"}, "passed"),
        ({"exit_code": 1, "test_cases": ""}, "failed"),
        ({"exit_code": 0}, "unknown"),
        ({"eval_result": {"passed": 1.0, "num_tests": 9}}, "passed"),
        ({"eval_result": {"passed": 0.9, "num_tests": 9}}, "partial_credit"),
        ({"final_score": {"result": 2, "total": 2}}, "passed"),
        ({"final_score": {"result": 1, "total": 2}}, "partial_credit"),
        ({"final_score": {"result": 0, "total": 0}}, "unknown"),
        ({"git_patch": "x"}, "unknown"),
    ],
)
def test_benchmarks_that_grade_at_once(result: dict[str, Any], status: str, home: Path) -> None:
    made = graded(result, home)
    assert made.outcome.status == status
    assert bool(made.outcome.source) or status == "unknown"


def test_a_text_answer_is_the_submission(home: Path) -> None:
    assert graded({"score": True, "model_answer": "42"}, home).submission.answer == "42"


def test_a_run_report_beside_grades_each_row_by_its_instance(home: Path) -> None:
    report = {
        "total_instances": 3,
        "submitted_instances": 3,
        "resolved_ids": ["b"],
        "unresolved_ids": ["a"],
        "error_ids": ["c"],
    }
    write_json(home / "output.report.json", report)
    made = read(bare("a"), bare("b"), bare("c"), bare("d"), folder=home)
    assert [item.outcome.status for item in made] == ["failed", "passed", "unknown", "unknown"]
    assert made[1].outcome.source.endswith("output.report.json#/resolved_ids/0")


def test_a_report_with_the_ids_of_multi_swe_bench(home: Path) -> None:
    write_json(home / "report.json", {"total_instances": 1, "resolved_ids": ["org/repo:pr-1"], "unresolved_ids": []})
    (made,) = read(bare(), folder=home)
    assert made.outcome.status == "passed"


def test_an_evaluation_beside_grades_and_is_no_trajectory(home: Path) -> None:
    evaluation = [
        {
            "instance_id": "a",
            "test_result": {"git_patch": "x", "report": {"resolved": True}, "test_output": "…"},
            "history": None,
        },
        {"instance_id": "b", "test_result": {"git_patch": "x", "report": {"resolved": False}}, "history": None},
    ]
    beside = lines(home / "output.swebench_eval.jsonl", *evaluation)
    write_text(beside, beside.read_text(encoding="utf-8") + '{"instance_id": "c", "test_')
    made = read(bare("a"), bare("b"), bare("c"), folder=home)
    assert [item.outcome.status for item in made] == ["passed", "failed", "unknown"]
    assert [(item.path, item.kind) for item in discover([beside]) if isinstance(item, Companion)] == [(str(beside), "outcomes")]
    assert [(claim.key, claim.passed) for claim in claims_of(str(beside))] == [("a", True), ("b", False)]


@pytest.mark.parametrize(("graded", "count"), [("diff --git a/q b/q\n", 1), ("own", 0)])
def test_what_an_evaluation_graded_is_the_submission(home: Path, graded: str, count: int) -> None:
    own = {"git_patch": "own"}
    said = {"instance_id": "a", "test_result": {"git_patch": graded, "report": {"resolved": True}}, "history": None}
    lines(home / "output.swebench_eval.jsonl", said)
    (made,) = read(bare("a", test_result=own), folder=home)
    assert (made.outcome.status, made.submission.patch, len(made.oddities)) == ("passed", graded, count)


@pytest.mark.parametrize(("model", "status"), [("another/model-z", "unknown"), (None, "passed")])
def test_an_evaluation_that_names_another_model_says_nothing(home: Path, model: str | None, status: str) -> None:
    report = {"git_patch": "own", "report": {"resolved": True}}
    said = {"instance_id": "a", "test_result": report, "history": None, "metadata": {"llm_config": {"model": model}}}
    lines(home / "output.swebench_eval.jsonl", said)
    (made,) = read(bare("a", metadata={"llm_config": {"model": "model-b"}}), folder=home)
    assert (made.model, made.outcome.status) == ("model-b", status)


def test_a_row_and_a_report_that_disagree_conflict(home: Path) -> None:
    write_json(home / "output.report.json", {"total_instances": 1, "resolved_ids": [], "unresolved_ids": ["org__repo-1"]})
    (made,) = read(row(ATTEMPT), folder=home)
    assert made.outcome.status == "conflicting"
    assert "output.report.json" in made.outcome.detail


def test_reports_of_instances_below_the_file_grade_by_their_folder_and_show_the_tests(home: Path) -> None:
    for task, resolved in (("a", True), ("b", False)):
        place = home / "eval_outputs" / task
        write_json(place / "report.json", {task: {"resolved": resolved, "patch_exists": True, "tests_status": {}}})
        write_text(place / "test_output.txt", f"output of {task}")
    made = read(bare("a"), bare("b"), folder=home)
    assert [item.outcome.status for item in made] == ["passed", "failed"]
    assert [item.steps[-1].observations[0].text for item in made] == ["output of a", "output of b"]


def test_the_logs_of_swe_bench_and_the_final_report_of_multi_swe_bench_are_found(home: Path) -> None:
    place = home / "logs" / "run_evaluation" / "run" / "run" / "a"
    write_json(place / "report.json", {"a": {"resolved": True, "patch_exists": True, "tests_status": {}}})
    final = home / "eval_files" / "dataset" / "final_report.json"
    write_json(final, {"total_instances": 1, "resolved_ids": ["org/repo:pr-7"], "unresolved_ids": []})
    made = read(bare("a"), bare("org__repo-7"), folder=home)
    assert [item.outcome.status for item in made] == ["passed", "passed"]


def test_a_report_does_not_tell_which_of_two_attempts_at_an_instance_it_means(home: Path) -> None:
    write_json(home / "output.report.json", {"total_instances": 2, "resolved_ids": ["a", "b"], "unresolved_ids": []})
    made = read(bare("a"), bare("a", instruction="Again."), bare("b"), folder=home)
    assert [item.outcome.status for item in made] == ["unknown", "unknown", "passed"]
    assert "several attempts at a" in made[0].outcome.detail


@pytest.mark.parametrize("name", ["output.critic_attempt_1.jsonl", "output_errors.jsonl"])
def test_a_report_of_the_chosen_attempts_does_not_grade_those_that_were_not(name: str, home: Path) -> None:
    report = {"total_instances": 1, "resolved_ids": ["org__repo-1"], "unresolved_ids": []}
    write_json(home / "output.report.json", report)
    write_json(home / "report.json", report)
    (made,) = read(bare(), folder=home, name=name)
    assert made.outcome.status == "unknown"
    write_json(home / f"{name.removesuffix('.jsonl')}.report.json", report)
    (made,) = read(bare(), folder=home, name=name)
    assert made.outcome.status == "passed"


def test_a_report_of_another_file_in_the_folder_is_that_files(home: Path) -> None:
    write_json(home / "other.report.json", {"total_instances": 1, "resolved_ids": ["org__repo-1"], "unresolved_ids": []})
    (made,) = read(bare(), folder=home)
    assert made.outcome.status == "unknown"


def test_a_report_beside_the_folder_counts_unless_another_run_lies_there(home: Path) -> None:
    report = {"total_instances": 1, "resolved_ids": ["org__repo-1"], "unresolved_ids": []}
    write_json(home.parent / "reports" / "run.again.json", report)
    (made,) = read(bare(), folder=home)
    assert made.outcome.status == "passed"
    lines(home.parent / "reports" / "output_errors.jsonl", bare())
    (made,) = read(bare(), folder=home)
    assert made.outcome.status == "unknown"


@pytest.mark.parametrize(
    ("name", "main"),
    [
        ("output.jsonl", ""),
        ("output.jsonl.bak", "output.jsonl"),
        ("output.critic_attempt_12.jsonl", "output.jsonl"),
        ("output.with_completions.jsonl", "output.jsonl"),
        ("output_errors.jsonl", ""),
        ("sid.json", ""),
    ],
)
def test_files_that_hold_attempts_once_more_go_with_the_main_one(name: str, main: str) -> None:
    assert main_of(name) == main


def test_attempts_that_were_not_chosen_are_companions_of_the_chosen_ones(home: Path) -> None:
    lines(home / "output.critic_attempt_1.jsonl", v1_row(ATTEMPT))
    lines(home / "output.jsonl", v1_row(ATTEMPT))
    assert len([item for item in rows(home) if isinstance(item, Trajectory)]) == 1
    assert [item.kind for item in discover([home]) if isinstance(item, Companion)] == ["continuation"]


def test_rows_made_from_trials_are_companions_of_the_trials(home: Path) -> None:
    made = {
        "instance_id": "a",
        "test_result": {"trial_name": "a__x", "rewards": {"reward": 1.0}, "passed": True},
        "history": [],
    }
    path = lines(home / "output.jsonl", made, made)
    assert [item.kind for item in discover([path]) if isinstance(item, Companion)] == ["outcomes"]


def test_what_else_lies_in_a_run_is_its_companion(home: Path) -> None:
    write_json(home / "metadata.json", {"agent_class": "A", "llm_config": {}, "max_iterations": 9, "eval_output_dir": "x"})
    lines(home / "cost_report.jsonl", {"directory": "x", "timestamp": "t", "summary": {}})
    lines(home / "output.jsonl", row(ATTEMPT))
    assert [item.kind for item in discover([home]) if isinstance(item, Companion)] == ["statistics", "config"]
