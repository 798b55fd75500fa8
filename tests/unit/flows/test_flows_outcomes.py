"""An outcome that names a task belongs to one attempt; where it fits several, their outcomes are unknown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import earned, lines
from made_files import mini, swe_agent, write_json


def attempt(path: Path, number: int, *, task: str = "org__repo-1") -> Path:
    return write_json(path, {**mini(("echo", f"run {number}")), "instance_id": task})


def audited(tmp_path: Path, *options: object) -> tuple[list[str], dict[str, str]]:
    """The file names of the surface passes, and the detail of each unknown outcome by file name."""
    call = ("audit", tmp_path / "runs", "--out", tmp_path / "out", "--export", tmp_path / "rows.jsonl", "--quiet", *options)
    found = earned(*call, "--outcomes", tmp_path / "said.json")
    assert found.code == 0, found.err
    unknown = {
        Path(row["path"]).name: row["detail"]
        for row in lines(tmp_path / "out" / "skipped.jsonl")
        if row["reason"] == "unknown_outcome"
    }
    return [Path(row["trajectory"]).name for row in lines(tmp_path / "rows.jsonl")], unknown


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """Outcomes by task, and one attempt of it in a file of another name."""
    write_json(tmp_path / "said.json", {"run-7": {"passed": True, "task": "org__repo-1"}})
    attempt(tmp_path / "runs" / "x.traj.json", 1)
    return tmp_path


def test_a_task_that_fits_one_attempt_is_its_outcome(named: Path) -> None:
    assert audited(named) == (["x.traj.json"], {})


def test_a_task_that_fits_more_than_one_attempt_is_unknown_for_each(named: Path) -> None:
    attempt(named / "runs" / "y.traj.json", 2)
    passes, unknown = audited(named)
    assert passes == []
    assert set(unknown) == {"x.traj.json", "y.traj.json"}
    assert "fits more than one attempt" in unknown["x.traj.json"]


def test_attempts_in_different_shards_are_seen_together(named: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("earned.flows.plan.SHARD_ITEMS", 1)
    attempt(named / "runs" / "y.traj.json", 2)
    attempt(named / "runs" / "z.traj.json", 3, task="org__repo-2")
    passes, unknown = audited(named)
    assert passes == []
    assert "more than one attempt" in unknown["x.traj.json"]
    assert "more than one attempt" not in unknown["z.traj.json"]


def test_an_attempt_that_comes_later_takes_the_outcome_away_and_when_it_goes_gives_it_back(named: Path) -> None:
    assert audited(named)[0] == ["x.traj.json"]
    later = attempt(named / "runs" / "y.traj.json", 2)
    assert audited(named)[0] == []
    later.unlink()
    assert audited(named)[0] == ["x.traj.json"]


def test_a_native_id_that_is_the_task_fits_by_task_only(named: Path) -> None:
    write_json(named / "said.json", {"org__repo-1": True})
    assert audited(named)[0] == ["x.traj.json"]
    attempt(named / "runs" / "y.traj.json", 2)
    assert audited(named)[0] == []


def test_a_copy_of_the_same_attempt_is_no_second_one(named: Path) -> None:
    (named / "runs" / "y.traj.json").write_bytes((named / "runs" / "x.traj.json").read_bytes())
    assert audited(named)[0] == ["x.traj.json"]
    assert [row["reason"] for row in lines(named / "out" / "skipped.jsonl")] == ["duplicate"]


def test_outcomes_by_file_name_are_each_their_own(named: Path) -> None:
    attempt(named / "runs" / "y.traj.json", 2)
    write_json(named / "said.json", {"x": True, "y": False})
    assert audited(named) == (["x.traj.json"], {})


def test_an_outcome_by_id_that_another_attempt_fits_by_task_is_kept_by_the_first_alone(named: Path) -> None:
    attempt(named / "runs" / "y.traj.json", 2)
    write_json(named / "said.json", {"x": {"passed": True, "task": "org__repo-1"}})
    passes, unknown = audited(named)
    assert passes == ["x.traj.json"]
    assert "more than one attempt" in unknown["y.traj.json"]


def test_a_report_of_another_run_of_the_same_instance_says_nothing(tmp_path: Path) -> None:
    report = {"org__r-1": {"patch_exists": True, "patch_successfully_applied": True, "resolved": True, "tests_status": {}}}
    for run in ("a", "b"):
        write_json(tmp_path / "runs" / run / "org__r-1" / "org__r-1.traj", swe_agent(("ls", run)))
    write_json(tmp_path / "runs" / "b" / "org__r-1" / "report.json", report)
    read = json.loads(earned("read", tmp_path / "runs", "--json").out)["trajectories"]
    assert [row["outcome"] for row in read] == ["unknown", "passed"]
    (tmp_path / "runs" / "b" / "org__r-1" / "org__r-1.traj").unlink()
    read = json.loads(earned("read", tmp_path / "runs", "--json").out)["trajectories"]
    assert [row["outcome"] for row in read] == ["passed"]


def test_read_says_the_same(named: Path) -> None:
    attempt(named / "runs" / "y.traj.json", 2)
    said = json.loads(earned("read", named / "runs", "--outcomes", named / "said.json", "--json").out)
    assert [row["outcome"] for row in said["trajectories"]] == ["unknown", "unknown"]
    (named / "runs" / "y.traj.json").unlink()
    said = json.loads(earned("read", named / "runs", "--outcomes", named / "said.json", "--json").out)
    assert [row["outcome"] for row in said["trajectories"]] == ["passed"]


def test_outcomes_that_nobody_named_are_said_by_audit_and_read(tmp_path: Path) -> None:
    attempt(tmp_path / "runs" / "x.traj.json", 1)
    said = write_json(tmp_path / "runs" / "outcomes.json", {"x": True})
    for call in (("audit", tmp_path / "runs", "--out", tmp_path / "out"), ("read", tmp_path / "runs")):
        assert f"outcomes were read from {said}" in earned(*call).err
    assert earned("audit", tmp_path / "runs", "--out", tmp_path / "out", "--quiet") == (0, "", "")
    for call in (("audit", tmp_path / "runs", "--out", tmp_path / "other"), ("read", tmp_path / "runs")):
        assert "nobody named" not in earned(*call, "--outcomes", said).err


@pytest.mark.parametrize("command", ["audit", "read"])
def test_an_outcome_file_that_fits_nothing_is_a_warning_and_one_that_fits_is_none(named: Path, command: str) -> None:
    other = write_json(named / "other.json", {"nobody": True})
    options = ("--out", named / "out") if command == "audit" else ()
    found = earned(command, named / "runs", *options, "--outcomes", named / "said.json", "--outcomes", other)
    assert found.code == 0
    assert f"warning: --outcomes {other} says nothing" in found.err
    assert "said.json says nothing" not in found.err
