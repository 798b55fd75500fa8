"""Our own export: given back as it was written; lines that anyone changed are put right and named, or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from made_attempt import Attempt, Call, Turn
from made_files import candidates, only, rows, write_text
from made_passes import make_row
from render_earned import trajectory

from earned.records import (
    Companion,
    Completeness,
    Observation,
    Outcome,
    Reason,
    Score,
    Skip,
    SourceFile,
    Step,
    Submission,
    Trajectory,
)
from earned.store import export_rows, trajectory_line
from earned.trajectory import discover
from earned.trajectory.formats.earned_jsonl.reader import READ_BACK

MADE = trajectory(Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result="a.py"),)),), patch="x"))


def changed(**fields: Any) -> Trajectory:
    return msgspec.structs.replace(MADE, **fields)


def written(folder: Path, *lines: Trajectory | bytes) -> Path:
    path = folder / "export.jsonl"
    path.write_bytes(b"".join(line if isinstance(line, bytes) else trajectory_line(line) for line in lines))
    return path


def one(folder: Path, line: Trajectory | bytes) -> Trajectory | Skip:
    (found,) = rows(written(folder, line))
    return found


def refused(folder: Path, line: Trajectory | bytes) -> str:
    found = one(folder, line)
    assert isinstance(found, Skip), found
    return found.detail


def repaired(folder: Path, line: Trajectory) -> tuple[Trajectory, str]:
    found = one(folder, line)
    assert isinstance(found, Trajectory), found
    note, repair = found.oddities
    assert note.what == READ_BACK
    return found, repair.what


def test_a_trajectory_is_given_back_with_a_note_of_where(tmp_path: Path) -> None:
    path = written(tmp_path, MADE)
    made = only(path)
    assert msgspec.structs.replace(made, oddities=()) == MADE
    assert [(item.what, item.place) for item in made.oddities] == [(READ_BACK, "export.jsonl#line 1")]
    (candidate,) = candidates(path)
    assert (candidate.format, candidate.recognised) == ("earned", "a trajectory as earned exports it, schema 1")


def test_a_line_without_a_schema_is_one_of_this_version(tmp_path: Path) -> None:
    assert isinstance(one(tmp_path, msgspec.json.encode(MADE)), Trajectory)


@pytest.mark.parametrize("schema", [b"2", b'"1"', b"true", b"1.0", b"null"])
def test_another_schema_is_refused_and_said(tmp_path: Path, schema: bytes) -> None:
    said = refused(tmp_path, trajectory_line(MADE).replace(b'"schema":1', b'"schema":' + schema))
    assert "expected records of schema 1, found" in said


def test_another_schema_of_another_shape_is_said_rather_than_what_does_not_fit(tmp_path: Path) -> None:
    line = trajectory_line(MADE).replace(b'"schema":1', b'"schema":2').replace(b'"actor":"user"', b'"actor":"client"')
    assert "expected records of schema 1, found 2" in refused(tmp_path, line)


def test_one_bad_line_costs_no_other(tmp_path: Path) -> None:
    other = changed(id="1" * 64)
    path = written(tmp_path, MADE, b'{"id": 3\n', b"\n", other, b'{"cut')
    first, bad, second, cut = rows(path)
    assert isinstance(first, Trajectory)
    assert isinstance(second, Trajectory)
    assert isinstance(bad, Skip)
    assert isinstance(cut, Skip)
    assert (bad.member, bad.reason, cut.member) == ("line 2", "unreadable", "line 5")
    assert bad.offset is not None
    assert bad.offset >= len(trajectory_line(MADE))


def test_the_same_trajectory_again_is_a_duplicate(tmp_path: Path) -> None:
    _, again = rows(written(tmp_path, MADE, MADE))
    assert isinstance(again, Skip)
    assert (again.reason, again.member) == ("duplicate", "line 2")


def test_the_same_bytes_of_another_place_are_another_trajectory(tmp_path: Path) -> None:
    other = changed(source=msgspec.structs.replace(MADE.source, path="elsewhere/trial"))
    assert [type(row) for row in rows(written(tmp_path, MADE, other))] == [Trajectory, Trajectory]


def test_an_attempt_of_which_nothing_was_recorded_is_read_back(tmp_path: Path) -> None:
    source = msgspec.structs.replace(MADE.source, files=())
    empty = changed(source=source, steps=(), completeness=Completeness(grade="none"))
    assert only(written(tmp_path, empty)).completeness.grade == "none"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (changed(id="x"), "64 hexadecimal"),
        (changed(source=msgspec.structs.replace(MADE.source, files=())), "source files"),
        (changed(submission=Submission(patch="x")), "holds what it says"),
        (changed(submission=Submission(recovered="recorded", certainty="certain")), "holds nothing"),
        (trajectory_line(MADE).replace(b'"text":"a.py"', b'"text":7'), "no trajectory"),
        (trajectory_line(MADE).replace(b'"kind":"shell"', b'"kind":"magic"'), "no trajectory"),
        (
            b'{"id":"' + b"0" * 64 + b'","source":{"path":"a","format":"b","reader_version":1},"task":' + b"[" * 5000,
            "no trajectory",
        ),
    ],
    ids=["id", "no-source", "says-none", "holds-nothing", "type", "unknown-kind", "deep"],
)
def test_what_cannot_be_put_right_is_refused(tmp_path: Path, line: Trajectory | bytes, says: str) -> None:
    assert says in refused(tmp_path, line)


def test_steps_are_numbered_again(tmp_path: Path) -> None:
    steps = tuple(msgspec.structs.replace(step, index=7) for step in MADE.steps)
    made, repair = repaired(tmp_path, changed(steps=steps))
    assert [step.index for step in made.steps] == [0, 1]
    assert "numbered" in repair


def test_a_result_of_no_action_answers_none(tmp_path: Path) -> None:
    step = Step(index=0, actor="agent", observations=(Observation(text="x", action=9),))
    made, repair = repaired(tmp_path, changed(steps=(step,)))
    assert made.steps[0].observations[0].action == -1
    assert "action" in repair


@pytest.mark.parametrize(("actor", "name", "kept"), [("subagent", "", "subagent"), ("agent", "x", "")])
def test_a_subagent_and_its_name_go_together(tmp_path: Path, actor: Any, name: str, kept: str) -> None:
    made, repair = repaired(tmp_path, changed(steps=(Step(index=0, actor=actor, subagent=name),)))
    assert made.steps[0].subagent == kept
    assert "subagent" in repair


def test_a_reason_of_no_step_is_of_the_whole(tmp_path: Path) -> None:
    reasons = (Reason(what="gap", step=5), Reason(what="cut", step=1))
    complete = msgspec.structs.replace(MADE.completeness, reasons=reasons)
    made, repair = repaired(tmp_path, changed(completeness=complete))
    assert [reason.step for reason in made.completeness.reasons] == [-1, 1]
    assert "reason" in repair


@pytest.mark.parametrize(
    ("source", "reward", "says"), [("", 1.0, "did not say where"), ("result.json", 0.5, "less than full credit")]
)
def test_a_pass_that_is_none_is_unknown(tmp_path: Path, source: str, reward: float, says: str) -> None:
    passed = Outcome(status="passed", reward=reward, maximum=1.0, source=source)
    made, repair = repaired(tmp_path, changed(outcome=passed))
    assert made.outcome.status == "unknown"
    assert says in repair
    assert says in made.outcome.detail


def test_a_score_that_is_no_pass_is_unknown_and_others_stay(tmp_path: Path) -> None:
    scores = (Score(name="a", status="passed"), Score(name="b", status="passed", source="x"))
    made, _ = repaired(tmp_path, changed(scores=scores))
    assert [score.status for score in made.scores] == ["unknown", "passed"]


def test_lone_surrogates_are_replaced_when_written(tmp_path: Path) -> None:
    made = only(written(tmp_path, changed(task="a\ud800b")))
    assert made.task == "a\ufffdb"


def test_a_file_of_empty_lines_is_no_export(tmp_path: Path) -> None:
    found = list(discover([write_text(tmp_path / "export.jsonl", "\n\n")]))
    assert isinstance(found[0], Skip)


def test_rows_of_an_audit_are_companions_and_an_export_is_none(tmp_path: Path) -> None:
    export_rows(tmp_path / "rows.jsonl", [make_row()])
    assert list(discover([tmp_path / "rows.jsonl"])) == [Companion(path=str(tmp_path / "rows.jsonl"), kind="audit_export")]
    assert candidates(written(tmp_path, MADE))


def test_a_source_file_keeps_its_digest(tmp_path: Path) -> None:
    files = (SourceFile("a", "0" * 64, 1), SourceFile("b", "1" * 64, 2))
    assert only(written(tmp_path, changed(source=msgspec.structs.replace(MADE.source, files=files)))).source.files == files
