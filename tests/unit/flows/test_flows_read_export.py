"""`earned read --export`: trajectories one a line, whole or not there, never read by the call that writes them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest
from command_line import earned, lines, small_trial, small_trials
from made_files import only, trajectories

from earned.errors import ConfigurationError
from earned.flows.read import read
from earned.records import Trajectory
from earned.trajectory.formats.earned_jsonl.reader import READ_BACK


def without_notes(made: list[Trajectory]) -> list[Trajectory]:
    return [
        msgspec.structs.replace(item, oddities=tuple(note for note in item.oddities if note.what != READ_BACK)) for item in made
    ]


def test_what_is_exported_is_read_back_with_its_outcome(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "trials", 3)
    done = earned("read", trials, "--export", tmp_path / "all.jsonl")
    assert (done.code, done.err) == (0, "")
    again = trajectories(tmp_path / "all.jsonl")
    assert without_notes(again) == trajectories(trials)
    assert [item.outcome.status for item in again] == ["passed"] * 3


def test_an_outcome_that_was_joined_is_exported(tmp_path: Path) -> None:
    trial = small_trial(tmp_path / "trials", 1, verifier_result=None)
    named = tmp_path / "named.json"
    named.write_text(json.dumps({trial.name: True}))
    earned("read", trial.parent, "--outcomes", named, "--export", tmp_path / "all.jsonl")
    assert only(tmp_path / "all.jsonl").outcome.source.startswith(str(named))


def test_the_export_is_replaced_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    small_trial(tmp_path / "trials", 1)
    target = tmp_path / "here" / "all.jsonl"
    target.parent.mkdir()
    target.write_text("old\n")
    assert earned("read", tmp_path / "trials", "--export", target, "--json").code == 0
    assert [path.name for path in target.parent.iterdir()] == ["all.jsonl"]
    assert len(lines(target)) == 1


def test_an_export_among_the_inputs_is_not_read_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    small_trial(tmp_path / "trials", 1)
    for _ in range(2):
        done = earned("read", ".", "--export", "all.jsonl", "--json")
        found = json.loads(done.out)
        assert found["counts"]["trajectories"] == 1
        assert found["skipped"] == []
        assert "all.jsonl lies among the inputs" in done.err
    again = json.loads(earned("read", ".", "--json").out)
    assert again["counts"]["formats"] == {"harbor": 1}
    first, second = again["trajectories"]
    assert (first["same_as"], second["same_as"].partition(":")[0]) == ("", first["path"])
    assert again["counts"]["repeated"] == 1


def test_an_export_elsewhere_is_nothing_to_speak_of(tmp_path: Path) -> None:
    small_trial(tmp_path / "trials", 1)
    assert earned("read", tmp_path / "trials", "--export", tmp_path / "all.jsonl").err == ""


def test_an_export_that_is_an_input_is_refused(tmp_path: Path) -> None:
    small_trial(tmp_path / "trials", 1)
    earned("read", tmp_path / "trials", "--export", tmp_path / "all.jsonl")
    before = (tmp_path / "all.jsonl").read_bytes()
    done = earned("read", tmp_path / "all.jsonl", "--export", tmp_path / "all.jsonl")
    assert done.code == 3
    assert "among them" in done.err
    assert (tmp_path / "all.jsonl").read_bytes() == before


@pytest.mark.parametrize("name", ["missing/all.jsonl", "trials"])
def test_a_place_that_cannot_be_written_is_said(tmp_path: Path, name: str) -> None:
    small_trial(tmp_path / "trials" / "deep", 1)
    done = earned("read", tmp_path / "trials" / "deep", "--export", tmp_path / name)
    assert (done.code, "cannot-write" in done.err) == (3, True)


def test_a_call_that_fails_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("nothing")
    assert earned("read", tmp_path / "in", "--export", tmp_path / "all.jsonl").code == 3
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_rows_that_nobody_takes_leave_no_file(tmp_path: Path) -> None:
    small_trials(tmp_path / "trials", 2)
    rows = read([tmp_path / "trials"], export=tmp_path / "all.jsonl")
    next(rows)
    rows.close()  # type: ignore[attr-defined]  # a generator
    assert [path.name for path in tmp_path.iterdir()] == ["trials"]


def test_the_function_says_the_same(tmp_path: Path) -> None:
    small_trial(tmp_path / "trials", 1)
    with pytest.raises(ConfigurationError, match="Expected a folder"):
        list(read([tmp_path / "trials"], export=tmp_path / "missing" / "all.jsonl"))


def test_an_audit_of_an_export_gives_what_an_audit_of_the_trials_gives(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "trials", 4)
    earned("read", trials, "--export", tmp_path / "all.jsonl")
    rows = []
    for name, place in (("a", trials), ("b", tmp_path / "all.jsonl")):
        target = tmp_path / f"{name}.rows"
        assert earned("audit", place, "--out", tmp_path / name, "--export", target, "--quiet").code == 0
        rows.append(lines(target))
    assert rows[0] == rows[1]


def refused(command: str, place: Path, *options: object) -> bool:
    """Whether a call refuses its export and leaves everything below the folder as it was."""
    before = {path: path.read_bytes() for path in place.parent.rglob("*") if path.is_file()}
    out = ("--out", place.parent.parent / "out") if command == "audit" else ()
    done = earned(command, place, *out, *options)
    after = {path: path.read_bytes() for path in place.parent.rglob("*") if path.is_file()}
    assert before == after
    return done.code == 3 and "cannot-write" in done.err and "Give another." in done.err


@pytest.mark.parametrize("command", ["read", "audit"])
def test_an_export_over_what_is_read_is_refused(tmp_path: Path, command: str) -> None:
    trial = small_trial(tmp_path / "in" / "trials", 1)
    trials, (named, guarded) = trial.parent, (tmp_path / "in" / "named.json", tmp_path / "in" / "guarded" / "t" / "fix.py")
    named.write_text(json.dumps({trial.name: True}))
    guarded.parent.mkdir(parents=True)
    guarded.write_text("secret = 1\n")
    inner = next(path for path in trial.rglob("*.json"))
    (tmp_path / "in" / "link").symlink_to(inner)
    (trials / "out.jsonl").symlink_to(named)
    for target in (inner, tmp_path / "in" / "link", trials / "out.jsonl", trials / ".." / "trials" / inner.relative_to(trials)):
        assert refused(command, trials, "--export", target), target
    assert refused(command, trials, "--outcomes", named, "--export", named)
    if command == "audit":
        assert refused(command, trials, "--protected", guarded.parent.parent, "--export", guarded)
        assert refused(command, trials, "--dry-run", "--export", inner)


@pytest.mark.parametrize("command", ["read", "audit"])
def test_an_export_over_an_earlier_one_or_beside_the_inputs_is_not(tmp_path: Path, command: str) -> None:
    trials = small_trials(tmp_path / "trials", 2)
    for target in (tmp_path / "all.jsonl", trials / "all.jsonl"):
        for _ in range(2):
            done = earned(command, trials, *(("--out", tmp_path / "out") if command == "audit" else ()), "--export", target)
            assert done.code == 0
            assert len(lines(target)) == 2


def test_an_export_of_the_other_command_is_not_replaced_among_the_inputs(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "trials", 1)
    assert earned("read", trials, "--export", trials / "all.jsonl").code == 0
    assert refused("audit", trials, "--export", trials / "all.jsonl")


@pytest.mark.parametrize("command", ["read", "audit"])
def test_an_export_to_a_pipe_is_refused_and_waits_for_nobody(tmp_path: Path, command: str) -> None:
    trials = small_trials(tmp_path / "in" / "trials", 1)
    os.mkfifo(tmp_path / "pipe")
    assert refused(command, trials, "--export", tmp_path / "pipe")
