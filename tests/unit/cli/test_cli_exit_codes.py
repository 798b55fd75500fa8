from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from command_line import earned, earned_process, lines, small_trial, small_trials
from made_files import mini, write_json, write_text

from earned.cli.main import PLANNED


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    return small_trials(tmp_path / "trials", 2)


@pytest.mark.parametrize("command", ["audit", "read"])
def test_a_missing_path_exits_3_and_says_which(tmp_path: Path, command: str) -> None:
    found = earned(command, tmp_path / "gone")
    assert (found.code, found.out) == (3, "")
    assert str(tmp_path / "gone") in found.err
    assert "[path-missing]" in found.err


@pytest.mark.parametrize("command", ["audit", "read"])
def test_an_empty_folder_exits_3(tmp_path: Path, command: str) -> None:
    (tmp_path / "empty").mkdir()
    found = earned(command, tmp_path / "empty")
    assert (found.code, found.out) == (3, "")
    assert "[folder-empty]" in found.err


def test_a_file_that_is_no_trajectory_exits_3_and_leaves_no_folder(tmp_path: Path) -> None:
    notes = write_text(tmp_path / "notes.rst", "nothing of the kind")
    found = earned("audit", notes, "--out", tmp_path / "out")
    assert (found.code, found.out) == (3, "")
    assert "[nothing-recognised]" in found.err
    assert "notes.rst" in found.err
    assert not (tmp_path / "out").exists()


def test_a_folder_where_nothing_can_be_read_exits_3_and_keeps_the_reasons(tmp_path: Path) -> None:
    small_trial(tmp_path / "trials", 1)
    (tmp_path / "trials" / "task-001__abc0001" / "agent" / "trajectory.json").write_text('{"schema_version": "ATIF-v1.5", "st')
    found = earned("audit", tmp_path / "trials", "--out", tmp_path / "out")
    assert (found.code, found.out) == (3, "")
    assert "[nothing-readable]" in found.err
    assert [row["reason"] for row in lines(tmp_path / "out" / "skipped.jsonl")] == ["unreadable"]


def test_one_broken_file_among_good_ones_is_a_row_and_exit_0(trials: Path, tmp_path: Path) -> None:
    broken = small_trial(trials, 9) / "agent" / "trajectory.json"
    text = broken.read_text()
    broken.write_text(text[: len(text) // 2])
    found = earned("audit", trials, "--out", tmp_path / "out", "--json")
    assert found.code == 0
    assert json.loads(found.out)["surface_passes"] == 2
    (row,) = lines(tmp_path / "out" / "skipped.jsonl")
    assert row["reason"] == "unreadable"
    assert row["path"].endswith("task-009__abc0009")
    assert "trajectory.json" in row["detail"]
    assert 0 < row["offset"] <= len(text) // 2


def test_no_surface_pass_at_all_is_sound(tmp_path: Path) -> None:
    small_trial(tmp_path / "trials", 1, reward=0.0)
    found = earned("audit", tmp_path / "trials", "--out", tmp_path / "out")
    assert found.code == 0
    assert "0 surface passes, so no rate" in found.out
    assert "failed: the verifier gave no credit" in found.out
    assert "task-001__abc0001: result.json#/verifier_result/rewards/reward: 0.0" in found.out


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("violation.n==2", 2),
        ("violation>0", 0),
        ("gap.high>0.5 and violation.k==0", 2),
        ("violation>0 or neutral.value<=0", 2),
        ("insufficient>5 or undecided.value>0", 0),
    ],
)
def test_fail_on_decides_between_2_and_0(trials: Path, tmp_path: Path, expression: str, code: int) -> None:
    found = earned("audit", trials, "--out", tmp_path / "out", "--fail-on", expression)
    assert found.code == code
    assert (f"--fail-on {expression} is true" in found.err) == (code == 2)


def test_a_fail_on_that_is_true_says_by_which_values(trials: Path, tmp_path: Path) -> None:
    expression = "violation>0 or gap.n>=2 and undecided<1"
    found = earned("audit", trials, "--out", tmp_path / "out", "--fail-on", expression)
    assert f"--fail-on {expression} is true: gap.n is 2, undecided.k is 0\n" in found.err


@pytest.mark.parametrize(
    "expression",
    ["gap", "gap>", "gap>0.1 or", "gaps>0", "gap>0.1 and not violation>0", "", "undecided.low>0", "new_violations>0", "gap>x"],
)
def test_a_fail_on_that_does_not_parse_exits_3_before_any_work(trials: Path, tmp_path: Path, expression: str) -> None:
    found = earned("audit", trials, "--out", tmp_path / "out", "--fail-on", expression)
    assert (found.code, found.out) == (3, "")
    assert "[fail-on-invalid]" in found.err
    assert not (tmp_path / "out").exists()


def test_another_configuration_in_a_used_folder_exits_3_and_names_the_difference(trials: Path, tmp_path: Path) -> None:
    assert earned("audit", trials, "--out", tmp_path / "out").code == 0
    before = (tmp_path / "out" / "manifest.json").read_bytes()
    found = earned("audit", trials, "--out", tmp_path / "out", "--model", "other")
    assert (found.code, found.out) == (3, "")
    assert 'model: "" there, "other" now' in found.err
    assert (tmp_path / "out" / "manifest.json").read_bytes() == before


def test_a_folder_of_something_else_is_left_alone(trials: Path, tmp_path: Path) -> None:
    kept = write_text(tmp_path / "out" / "thesis.txt", "mine")
    found = earned("audit", trials, "--out", tmp_path / "out")
    assert (found.code, found.out) == (3, "")
    assert [path.name for path in kept.parent.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit", "--sideways", "."),
        ("guess",),
        ("audit",),
        ("read",),
        ("audit", ".", "--jobs", "0"),
        ("audit", ".", "--max-undecided", "2"),
        ("read", "--show", "no-number"),
        ("report",),
    ],
)
def test_wrong_usage_exits_3_with_nothing_on_standard_output(arguments: tuple[str, ...]) -> None:
    found = earned_process(*arguments)
    assert (found.code, found.out) == (3, "")
    assert "Error: " in found.err


@pytest.mark.parametrize(
    "option", [("--judge", "some-model"), ("--judge", "batch:x"), ("--escalate", "some-model"), ("--engine", "ray")]
)
def test_what_is_not_built_yet_exits_3_with_the_remedy(trials: Path, tmp_path: Path, option: tuple[str, str]) -> None:
    found = earned("audit", trials, "--out", tmp_path / "out", *option)
    assert (found.code, found.out) == (3, "")
    assert "[not-built-yet]" in found.err
    assert "Leave the option out" in found.err


@pytest.mark.parametrize("command", PLANNED)
def test_a_command_of_a_later_version_exits_3_and_says_that_it_is_not_there_yet(command: str) -> None:
    for arguments in ((command,), (command, "--help"), (command, "x", "--json")):
        found = earned(*arguments)
        assert (found.code, found.out) == (3, "")
        assert f"found {command!r}, which is not built yet" in found.err
        assert "[not-built-yet]" in found.err
    assert f"\n  {command} " not in earned("--help").out


def test_protected_content_without_its_base_commit_exits_3(trials: Path, tmp_path: Path) -> None:
    write_text(tmp_path / "protected" / "task-000" / "repo.bundle", "no bundle")
    found = earned("audit", trials, "--out", tmp_path / "out", "--protected", tmp_path / "protected")
    assert (found.code, found.out) == (3, "")
    assert "base_commit" in found.err


def test_protected_content_of_no_task_is_a_warning_and_of_any_task_is_none(trials: Path, tmp_path: Path) -> None:
    write_text(tmp_path / "protected" / "elsewhere" / "gold.patch", "")
    call = ("audit", trials, "--out", tmp_path / "out", "--protected", tmp_path / "protected")
    found = earned(*call)
    assert found.code == 0
    assert "warning: --protected" in found.err
    assert "(task-000, task-001)" in found.err
    write_text(tmp_path / "protected" / "task-000" / "gold.patch", "")
    assert "warning" not in earned(*call).err


def test_an_outcome_file_that_holds_none_exits_3_before_any_work(tmp_path: Path) -> None:
    write_json(tmp_path / "runs" / "one.traj.json", mini(("ls", "x")))
    for name, text in (("empty.json", "{}"), ("text.json", "{"), ("gone.json", None)):
        if text is not None:
            write_text(tmp_path / name, text)
        found = earned("audit", tmp_path / "runs", "--out", tmp_path / "out", "--outcomes", tmp_path / name)
        assert (found.code, found.out) == (3, "")
        assert name in found.err
    assert not (tmp_path / "out").exists()


def test_an_export_that_could_never_be_written_exits_3_before_any_work(trials: Path, tmp_path: Path) -> None:
    found = earned("audit", trials, "--out", tmp_path / "out", "--export", tmp_path / "no" / "rows.jsonl")
    assert found.code == 3
    assert "[cannot-write]" in found.err
    assert not (tmp_path / "out").exists()


def test_files_below_a_path_whose_bytes_are_no_text_are_rows_and_no_crash(tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    small_trial(Path(odd), 1)
    found = earned("audit", odd, "--out", tmp_path / "out", "--json")
    assert (found.code, found.err) == (0, "")
    assert json.loads(found.out)["surface_passes"] == 0
    assert {row["reason"] for row in lines(tmp_path / "out" / "skipped.jsonl")} == {"unreadable", "unknown_outcome"}
