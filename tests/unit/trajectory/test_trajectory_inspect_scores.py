from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_files import only, trajectories, write_text
from made_inspect import HEADER, archive, call, log, model, read, sample, tool

from earned.records import Trajectory


def scored(folder: Path, **more: Any) -> Trajectory:
    return read(folder, model("", call("a", command="ls")), tool("a"), **more)


@pytest.mark.parametrize(
    ("value", "status", "reward"),
    [
        ("C", "passed", 1.0),
        ("correct", "passed", 1.0),
        ("YES", "passed", 1.0),
        (True, "passed", 1.0),
        (1, "passed", 1.0),
        (1.0, "passed", 1.0),
        ("1.0", "passed", 1.0),
        ("I", "failed", 0.0),
        ("incorrect", "failed", 0.0),
        (False, "failed", 0.0),
        (0, "failed", 0.0),
        ("0", "failed", 0.0),
        ("P", "partial_credit", 0.5),
        (0.3, "partial_credit", 0.3),
        ("0.3", "partial_credit", 0.3),
        ("N", "unknown", None),
        (None, "unknown", None),
        (7, "unknown", 7.0),
        (-1, "unknown", -1.0),
        ("nan", "unknown", None),
        ("well done", "unknown", None),
        (10**400, "unknown", None),
        ({}, None, None),
        ([], None, None),
    ],
)
def test_only_full_credit_is_a_pass(tmp_path: Path, value: Any, status: str | None, reward: float | None) -> None:
    made = scored(tmp_path, scores={"tests": {"value": value}})
    assert [(item.status, item.reward) for item in made.scores] == ([(status, reward)] if status else [])
    assert made.outcome.status == (status or "unknown")
    assert status in {"passed", "failed", None} or made.outcome.detail


def test_every_scorer_and_every_key_of_one_is_a_score(tmp_path: Path) -> None:
    scores = {"tests": {"value": "C"}, "two": {"value": {"a": 1, "b": 0.5}}, "three": {"value": [0, 1]}}
    made = scored(tmp_path, scores=scores)
    assert [(item.name, item.status) for item in made.scores] == [
        ("tests", "passed"),
        ("two/a", "passed"),
        ("two/b", "partial_credit"),
        ("three/0", "failed"),
        ("three/1", "passed"),
    ]
    assert made.outcome.status == "unknown"
    assert "the scorers differ" in made.outcome.detail
    assert made.scores[1].source == "log.json#/samples/0/scores/two/value/a"


def test_scorers_that_agree_decide(tmp_path: Path) -> None:
    made = scored(tmp_path, scores={"a": {"value": "C"}, "b": {"value": 1}})
    assert made.outcome.status == "passed"
    assert made.outcome.source == "log.json#/samples/0/scores/a/value"


def test_what_a_scorer_printed_is_a_step_of_the_grader(tmp_path: Path) -> None:
    made = scored(tmp_path, scores={"tests": {"value": "C", "explanation": "1 passed", "answer": "x"}})
    assert (made.steps[-1].actor, made.steps[-1].observations[0].text) == ("grader", 'tests: "C"\n1 passed')


def test_a_score_among_the_events_is_not_said_twice(tmp_path: Path) -> None:
    event = {"event": "score", "scorer": "tests", "score": {"value": "C", "explanation": "1 passed"}}
    made = read(tmp_path, model(""), event, {**event, "intermediate": True})
    assert [item.actions[0].tool for item in made.steps if item.actor == "grader"] == ["scorer/tests"] * 2


def test_an_edited_score_says_so_and_an_invalidated_sample_is_unknown(tmp_path: Path) -> None:
    scores = {"tests": {"value": "C", "history": [{"value": "I"}]}}
    assert scored(tmp_path / "1", scores=scores).outcome.detail == "the score was edited after the run"
    made = scored(tmp_path / "2", scores=scores, invalidation={"author": "x", "reason": "y"})
    assert made.outcome.status == "unknown"
    assert "invalidated" in made.outcome.detail


@pytest.mark.parametrize(
    ("results", "name"),
    [({"scorer": {"name": "match"}}, "match"), ({"scores": [{"name": "exact"}]}, "exact"), ({}, "score")],
)
def test_the_only_score_of_an_old_log_has_its_scorers_name(tmp_path: Path, results: Any, name: str) -> None:
    old = {**sample(model("")), "scores": None, "score": {"value": "C"}}
    made = only(log(tmp_path, old, results=results))
    assert [(item.name, item.status) for item in made.scores] == [(name, "passed")]


@pytest.mark.parametrize(
    ("more", "status", "detail"),
    [
        ({"error": {"message": "boom"}}, "success", "the sample ended in an error: boom"),
        ({"limit": {"type": "token", "limit": 5}}, "success", "it reached the limit of token"),
        ({}, "cancelled", "the run's status is cancelled"),
        ({}, "success", "the log holds no score of the sample"),
    ],
)
def test_a_sample_without_a_score_is_unknown_and_says_why(tmp_path: Path, more: Any, status: str, detail: str) -> None:
    made = only(log(tmp_path, {**sample(model("")), "scores": {}, **more}, status=status))
    assert made.outcome.status == "unknown"
    assert detail in made.outcome.detail


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("times", [1, 20])
def test_numbers_that_json_does_not_have_are_read_as_no_value(tmp_path: Path, word: str, times: int) -> None:
    event = {"event": "score", "score": {"value": "@"}}
    text = json.dumps({**HEADER, "samples": [{**sample(model(""), *[event] * times), "scores": {"tests": {"value": "@"}}}]})
    made = only(write_text(tmp_path / "log.json", text.replace('"@"', word)))
    assert [item.status for item in made.scores] == ["unknown"]
    assert not made.oddities
    assert len([item for item in made.steps if item.actor == "grader"]) == times


def test_a_text_that_says_nan_stays_as_it_is(tmp_path: Path) -> None:
    text = 'x: NaN, "y": [Infinity]'
    made = read(tmp_path, model(text), scores={"tests": {"value": float("nan")}})
    assert made.steps[0].text == text


def test_the_journal_of_a_run_that_did_not_end_is_read(tmp_path: Path) -> None:
    start = {key: HEADER[key] for key in ("version", "eval", "plan")}
    whole = {**sample(model("", call("a", command="ls")), tool("a")), "scores": None}
    kept = {"id": "two", "epoch": 1, "input": "Do it.", "target": "", "scores": {"tests": {"value": "C"}}}
    members = {
        "_journal/start.json": start,
        "samples/one_epoch_1.json": whole,
        "_journal/summaries/10.json": [kept, {"id": "one", "epoch": 1}],
        "_journal/summaries/2.json": [],
    }
    found = trajectories(archive(tmp_path, members))
    assert [(item.task, item.outcome.status, item.completeness.grade) for item in found] == [
        ("one", "unknown", "full"),
        ("two", "passed", "none"),
    ]
    assert found[0].outcome.detail == "the sample was not scored: the run's status is started"
    assert found[0].benchmark == "demo"
    assert "holds a summary of the sample" in found[1].completeness.reasons[-1].what
