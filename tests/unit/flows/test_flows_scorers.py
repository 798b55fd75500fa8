"""`--scorer` and `--threshold` choose the outcome, are part of what a resumed audit compares, and are said when idle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Result, earned, lines, small_trial
from made_files import bash, write_json

from earned.records import Score, Skip, Trajectory
from earned.trajectory import FORMATS, Candidate, Format, read_candidate
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.formats.atif import AtifReader
from earned.trajectory.outcomes.scores import chosen
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps

SCORES = (
    Score(name="exact", status="passed", reward=1.0, maximum=1.0, source="x#/scores/exact"),
    Score(name="judge", status="failed", reward=0.0, maximum=1.0, source="x#/scores/judge"),
)
COVERED = (Score(name="coverage", status="passed", reward=0.8, maximum=0.75, source="x#/coverage", threshold=0.75),)


def scored(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    """An ATIF document whose verifier is two scorers, or one with a threshold."""
    reading, steps = Reading(candidate), Steps()
    AtifReader(reading, steps).read_chain(candidate.path)
    scores = COVERED if "covered" in candidate.path else SCORES
    yield trajectory_of(reading, steps, Account(task="t", attempt=candidate.path, scores=scores), version=1)


FORMAT = Format(name="scored", version=1, read=scored, recognise=lambda head: "made" if head.has("/made") else "")


def made(command: str) -> dict[str, Any]:
    return {"made": 1, "steps": [{"source": "user", "message": "do"}, bash(command, "x")]}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setitem(FORMATS, "scored", f"{Path(__file__).stem}:FORMAT")
    write_json(tmp_path / "runs" / "a.json", made("ls"))
    return tmp_path / "runs"


def outcomes(found: Result) -> list[tuple[str, str]]:
    return [(row["outcome"], row["outcome_source"]) for row in json.loads(found.out)["trajectories"]]


def test_scorers_that_differ_leave_it_unknown_and_the_named_one_decides(runs: Path) -> None:
    plain = earned("read", runs, "--json")
    assert outcomes(plain) == [("unknown", "x#/scores/exact")]
    assert json.loads(plain.out)["trajectories"][0]["scores"] == ["exact", "judge"]
    assert outcomes(earned("read", runs, "--json", "--scorer", "exact")) == [("passed", "x#/scores/exact")]
    assert outcomes(earned("read", runs, "--json", "--scorer", "judge")) == [("failed", "x#/scores/judge")]


def test_the_threshold_decides_where_there_is_one(runs: Path) -> None:
    write_json(runs / "covered.json", made("pwd"))
    for limit, status in ((None, "passed"), ("0.8", "passed"), ("0.9", "failed")):
        found = earned("read", runs / "covered.json", "--json", *(("--threshold", limit) if limit else ()))
        assert [status for status, _ in outcomes(found)] == [status]
        assert found.err == ""


@pytest.mark.parametrize("command", ["read", "audit"])
def test_a_scorer_that_no_trajectory_has_is_said_with_those_there_are(runs: Path, command: str) -> None:
    options = ("--out", runs.parent / "out") if command == "audit" else ()
    found = earned(command, runs, *options, "--scorer", "model_graded")
    assert found.code == 0
    assert "--scorer model_graded: no trajectory that was read has a score of that name; there are exact, judge" in found.err
    if command == "audit":
        (skip,) = lines(runs.parent / "out" / "skipped.jsonl")
        assert (skip["reason"], skip["detail"]) == ("unknown_outcome", "expected a score of 'model_graded', found exact, judge")


@pytest.mark.parametrize("command", ["read", "audit"])
def test_a_scorer_that_one_trajectory_has_and_no_scorer_at_all_are_not_said(runs: Path, command: str) -> None:
    options = ("--out", runs.parent / "out") if command == "audit" else ()
    for more in (("--scorer", "exact"), ()):
        found = earned(command, runs, *options, *more)
        assert "warning" not in found.err
        options = ("--out", runs.parent / "other") if command == "audit" else ()


@pytest.mark.parametrize("command", ["read", "audit"])
def test_a_threshold_that_decides_nothing_is_said(runs: Path, command: str) -> None:
    options = ("--out", runs.parent / "out") if command == "audit" else ()
    assert "--threshold 0.5: no score that was read" in earned(command, runs, *options, "--threshold", "0.5").err


def test_inputs_without_scorers_say_so(tmp_path: Path) -> None:
    small_trial(tmp_path / "jobs", 1)
    found = earned("read", tmp_path / "jobs", "--scorer", "exact")
    assert "no record names scorers" in found.err
    assert "passed" in found.out


def test_scorer_and_threshold_are_part_of_what_a_resumed_audit_compares(runs: Path) -> None:
    out = runs.parent / "out"
    assert earned("audit", runs, "--out", out, "--scorer", "exact", "--quiet").code == 0
    assert earned("audit", runs, "--out", out, "--scorer", "exact", "--quiet").code == 0
    for more in (("--scorer", "judge"), ("--scorer", "exact", "--threshold", "0.5"), ()):
        found = earned("audit", runs, "--out", out, "--quiet", *more)
        assert found.code == 3
        assert "configuration-differs" in found.err
    assert len(list((out / "verdicts").glob("*.parquet"))) >= 1


@pytest.mark.parametrize("limit", ["nan", "inf"])
@pytest.mark.parametrize("command", ["read", "audit"])
def test_a_threshold_that_is_no_number_is_refused(runs: Path, command: str, limit: str) -> None:
    found = earned(command, runs, "--threshold", limit, *(("--out", runs.parent / "out") if command == "audit" else ()))
    assert found.code == 3
    assert "[threshold-invalid]" in found.err


def test_a_candidate_is_read_with_the_chosen_score(runs: Path) -> None:
    candidate = Candidate(path=str(runs / "a.json"), format="scored", files=(str(runs / "a.json"),))
    (found,) = read_candidate(candidate, scorer="judge")
    assert isinstance(found, Trajectory)
    assert found.outcome == chosen(SCORES, scorer="judge")
