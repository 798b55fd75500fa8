from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_files import rows, swe_agent, trial, write_json, write_text

from earned.errors import InputError
from earned.records import Outcome, Skip, Trajectory
from earned.trajectory import load_outcomes, skip_of


def joined_outcome(tmp_path: Path, name: str, content: Any) -> Trajectory:
    file = write_json(tmp_path / "t" / "i-1.traj", swe_agent(("ls", "")))
    report = tmp_path / "elsewhere" / "deep" / name
    said = write_text(report, content) if isinstance(content, str) else write_json(report, content)
    (made,) = rows(file, outcomes=load_outcomes([said]))
    assert isinstance(made, Trajectory)
    return made


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("o.csv", "id,passed\ni-1,true\n", "passed"),
        ("o.csv", "instance_id,resolved\ni-1,0\n", "failed"),
        ("o.csv", "id,passed\ni-1,\n", "unknown"),
        ("o.json", {"i-1": True}, "passed"),
        ("o.json", {"i-1": None}, "unknown"),
        ("o.json", {"i-1": {"passed": False}}, "failed"),
        ("o.json", {"i-1": {"resolved": True, "patch_exists": True}}, "passed"),
        ("o.json", {"i-1": {"resolved": True, "infra_failure": True}}, "unknown"),
        ("o.json", {"resolved_ids": ["i-1"], "completed_ids": ["i-1"]}, "passed"),
        ("o.json", {"resolved_ids": [], "unresolved_ids": ["i-1"]}, "failed"),
        ("o.json", {"resolved_ids": [], "unresolved_ids": [], "error_ids": ["i-1"]}, "unknown"),
        ("o.json", {"resolved_ids": [], "empty_patch_ids": ["i-1"]}, "failed"),
        ("o.json", {"resolved": ["i-1"], "generated": ["i-1"], "no_logs": []}, "passed"),
        ("o.jsonl", '{"instance_id": "i-1", "resolved": true}\n{"instance_id": "i-2", "resolved": false}\n', "passed"),
        ("o.json", {"i-2": True}, "unknown"),
    ],
)
def test_each_kind_of_outcome_file_says_what_it_says(tmp_path: Path, name: str, content: Any, status: str) -> None:
    assert joined_outcome(tmp_path, name, content).outcome.status == status


def test_submitted_is_no_outcome(tmp_path: Path) -> None:
    made = joined_outcome(tmp_path, "o.json", {"resolved_ids": [], "submitted_ids": ["i-1"], "unresolved_ids": []})
    assert made.outcome.status == "unknown"


def test_a_patch_of_an_outcome_file_is_the_submission(tmp_path: Path) -> None:
    made = joined_outcome(tmp_path, "o.json", {"i-1": {"passed": True, "patch": "--- a/z\n+++ b/z\n@@ -0,0 +1 @@\n+z\n"}})
    assert "+z" in made.submission.patch


def test_an_outcome_joined_by_task_says_so(tmp_path: Path) -> None:
    said = write_json(tmp_path / "o.json", {"hello": True})
    (made,) = rows(trial(tmp_path / "job", reward=None), outcomes=load_outcomes([said]))
    assert isinstance(made, Trajectory)
    assert (made.outcome.status, made.outcome.detail) == ("passed", "joined by task")


@pytest.mark.parametrize(("word", "status"), [(False, "conflicting"), (True, "passed"), (None, "passed")])
def test_a_named_file_that_contradicts_the_trial_conflicts(tmp_path: Path, word: Any, status: str) -> None:
    said = write_json(tmp_path / "o.json", {"hello__abc1234": word})
    (made,) = rows(trial(tmp_path / "job"), outcomes=load_outcomes([said]))
    assert isinstance(made, Trajectory)
    assert made.outcome.status == status


def test_a_file_named_outcomes_in_the_same_folder_is_used_and_said(tmp_path: Path) -> None:
    file = write_json(tmp_path / "i-1.traj", swe_agent(("ls", "")))
    said = write_json(tmp_path / "outcomes.json", {"i-1": {"passed": True}})
    (made,) = rows(file)
    assert isinstance(made, Trajectory)
    assert (made.outcome.status, made.outcome.source) == ("passed", f"{said}#/i-1/passed")


def test_reports_below_an_evaluation_log_are_found(tmp_path: Path) -> None:
    file = write_json(tmp_path / "exp" / "i-1.traj", swe_agent(("ls", "")))
    report = {"i-1": {"resolved": True, "patch_exists": True}}
    write_json(tmp_path / "logs" / "run_evaluation" / "run" / "model" / "i-1" / "report.json", report)
    (made,) = rows(file)
    assert isinstance(made, Trajectory)
    assert made.outcome.status == "passed"


def test_a_report_of_another_instance_says_nothing(tmp_path: Path) -> None:
    file = write_json(tmp_path / "traj" / "i-1" / "i-1.traj", swe_agent(("ls", "")))
    write_json(tmp_path / "report" / "i-2" / "report.json", {"resolved": True, "tests_status": {}})
    (made,) = rows(file)
    assert isinstance(made, Trajectory)
    assert made.outcome.status == "unknown"


def test_a_report_that_cannot_be_read_leaves_the_outcome_unknown(tmp_path: Path) -> None:
    file = write_json(tmp_path / "traj" / "i-1" / "i-1.traj", swe_agent(("ls", "")))
    write_text(tmp_path / "report" / "i-1" / "report.json", '{"resolved": true, ')
    (made,) = rows(file)
    assert isinstance(made, Trajectory)
    assert made.outcome.status == "unknown"


@pytest.mark.parametrize("content", ["", "no outcomes here", '{"a": [1]}', '{"resolved": tr', "id,other\n1,2\n"])
def test_a_named_file_without_outcomes_is_an_input_error(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError) as caught:
        load_outcomes([write_text(tmp_path / "o.json", content)])
    assert caught.value.slug == "outcomes-unreadable"
    assert "o.json" in str(caught.value)


def test_a_named_file_that_is_missing_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_outcomes([tmp_path / "none.csv"])
    assert caught.value.slug == "path-missing"


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("failed", "failed"),
        ("partial_credit", "partial_credit"),
        ("unknown", "unknown_outcome"),
        ("conflicting", "conflicting_outcome"),
    ],
)
def test_every_outcome_but_a_pass_is_a_row_with_its_reason(status: Any, reason: str, tmp_path: Path) -> None:
    (made,) = rows(trial(tmp_path))
    assert isinstance(made, Trajectory)
    assert skip_of(made) is None
    skip = skip_of(Trajectory(id="x", source=made.source, task="t", outcome=Outcome(status=status)))
    assert isinstance(skip, Skip)
    assert (skip.reason, skip.trajectory_id, skip.task) == (reason, "x", "t")
    assert skip.detail
