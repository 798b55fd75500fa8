"""Outcomes that are taken from folders near trajectories are told in one line; those beside an attempt, or named, are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import earned, small_trials
from made_files import swe_agent, write_json, write_text


def runs(folder: Path, count: int) -> Path:
    for number in range(count):
        name = f"org__repo-{number}"
        write_json(folder / "trajs" / name / f"{name}.traj", swe_agent((f"ls {number}", "x")))
        report = {name: {"patch_successfully_applied": True, "resolved": True, "patch_exists": True}}
        write_json(folder / "evaluation" / name / "report.json", report)
    return folder


def test_reports_in_neighbouring_folders_are_told_in_one_line_with_a_count(tmp_path: Path) -> None:
    done = earned("read", runs(tmp_path, 3))
    assert "passed" in done.out
    (line,) = done.err.splitlines()
    assert "outcomes were read from 3 files in folders near the trajectories" in line
    assert "report.json (3)" in line
    assert str(tmp_path / "evaluation") in line


def test_a_report_beside_the_trajectory_is_nothing_to_speak_of(tmp_path: Path) -> None:
    write_json(tmp_path / "i" / "org__repo-1.traj", swe_agent(("ls", "x")))
    report = {"org__repo-1": {"patch_successfully_applied": True, "resolved": True, "patch_exists": True}}
    write_json(tmp_path / "i" / "report.json", report)
    done = earned("read", tmp_path)
    assert "passed" in done.out
    assert done.err == ""


def test_a_report_that_is_named_is_not_told(tmp_path: Path) -> None:
    runs(tmp_path, 1)
    (report,) = tmp_path.rglob("report.json")
    assert "nobody named" not in earned("read", tmp_path, "--outcomes", report).err


def test_what_decides_nothing_is_not_told(tmp_path: Path) -> None:
    small_trials(tmp_path, 2)
    write_json(tmp_path / "logs" / "results.json", {"resolved": ["other"]})
    assert earned("read", tmp_path).err == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("run,grade\na,1\n", "the columns run, grade,"),
        ("run;grade;by\na;1;x\n", "the columns run, grade, by,"),
        (",".join(f"c{number}" for number in range(40)) + "\n", "c11, …"),
    ],
)
def test_columns_that_are_unknown_are_named(tmp_path: Path, text: str, told: str) -> None:
    small_trials(tmp_path / "trials", 1)
    done = earned("read", tmp_path / "trials", "--outcomes", write_text(tmp_path / "said.csv", text))
    assert done.code == 3
    assert told in done.err
    assert "[outcomes-unreadable]" in done.err


def test_columns_that_are_known_and_text_that_is_no_table_are_not_named(tmp_path: Path) -> None:
    small_trials(tmp_path / "trials", 1)
    for text, code in (("id,passed,note\nx,true,y\n", 0), ("nothing\n", 3), ("", 3)):
        done = earned("read", tmp_path / "trials", "--outcomes", write_text(tmp_path / "said.csv", text))
        assert (done.code, "the columns" in done.err) == (code, False)
