"""A numeric score of Inspect passes where nothing in its log shows that the scorer counts beyond 1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_files import trajectories
from made_inspect import archive, call, log, model, sample, tool

from earned.records import Score, Trajectory
from earned.trajectory.outcomes.scores import chosen

EVENTS = (model("", call("a", command="ls")), tool("a"))
SUMMARIES = "summaries.json"


def samples(*values: Any, scorer: str = "quality") -> list[dict[str, Any]]:
    return [
        sample(*EVENTS, id=f"task-{number}", scores={"tests": {"value": "C"}, scorer: {"value": value}})
        for number, value in enumerate(values)
    ]


def packed(folder: Path, listed: list[dict[str, Any]], summaries: str = SUMMARIES) -> Path:
    brief = [{"id": item["id"], "epoch": 1, "scores": item["scores"]} for item in listed]
    members = {f"samples/{item['id']}_epoch_1.json": item for item in listed}
    return archive(folder, {**members, summaries: brief})


def made(path: Path) -> list[Trajectory]:
    return sorted(trajectories(path), key=lambda item: item.task)


def statuses(found: list[Trajectory], name: str = "quality") -> list[str]:
    return [score.status for item in found for score in item.scores if score.name == name]


@pytest.mark.parametrize("high", [10, 1.5, "7"])
@pytest.mark.parametrize("summaries", ["", SUMMARIES, "_journal/summaries/1.json"])
def test_a_1_is_no_pass_where_the_log_has_a_score_above_it(tmp_path: Path, high: Any, summaries: str) -> None:
    listed = samples(1, 0, 0.5, high)
    found = made(packed(tmp_path, listed, summaries) if summaries else log(tmp_path, *listed))
    assert statuses(found) == ["unknown"] * 4
    assert "the scale is not known" in found[0].scores[1].detail
    assert statuses(found, "tests") == ["passed"] * 4, "a scorer of words has its own scale"


@pytest.mark.parametrize("is_packed", [True, False])
def test_a_1_is_a_pass_where_no_score_of_the_log_is_above_it(tmp_path: Path, *, is_packed: bool) -> None:
    listed = samples(1, 0, 0.5, float("nan"))
    found = made(packed(tmp_path, listed) if is_packed else log(tmp_path, *listed))
    assert statuses(found) == ["passed", "failed", "partial_credit", "unknown"]
    assert found[0].outcome.status == "passed"


def test_keys_of_one_scorer_have_scales_of_their_own(tmp_path: Path) -> None:
    found = made(log(tmp_path, *samples({"right": 1, "words": 1}, {"right": 0, "words": 80})))
    assert statuses(found, "quality/right") == ["passed", "failed"]
    assert statuses(found, "quality/words") == ["unknown", "unknown"]


def test_the_score_of_an_old_log_has_a_scale_too(tmp_path: Path) -> None:
    old = [{**sample(*EVENTS, id=f"task-{value}"), "scores": None, "score": {"value": value}} for value in (1, 5)]
    assert [item.outcome.status for item in made(log(tmp_path, *old))] == ["unknown", "unknown"]


def test_a_threshold_decides_where_the_scale_is_not_known(tmp_path: Path) -> None:
    found = made(log(tmp_path, *samples(1, 8)))
    said = [chosen(item.scores, scorer="quality", threshold=7) for item in found]
    assert [item.status for item in said] == ["failed", "passed"]
    assert said[1].detail == "8 against a threshold of 7"


def test_a_threshold_decides_no_sample_that_was_invalidated(tmp_path: Path) -> None:
    void = {**samples(8)[0], "invalidation": {"author": "x", "reason": "y"}}
    (found,) = made(log(tmp_path, void))
    assert chosen(found.scores, scorer="quality", threshold=7).status == "unknown"


def test_a_threshold_moves_no_score_whose_scale_is_known() -> None:
    full = Score(name="a", status="passed", reward=1.0, maximum=1.0)
    assert chosen([full], threshold=7).status == "passed"


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ({"tests": {"value": "I"}}, "conflicting"),
        ({"tests": {"value": "C"}}, "passed"),
        ({"tests": {"value": 1}}, "passed"),
        ({"tests": {"value": None}}, "passed"),
        ({"other": {"value": "I"}}, "passed"),
        (None, "passed"),
    ],
)
def test_a_score_that_the_summaries_give_otherwise_conflicts_and_both_are_named(tmp_path: Path, told: Any, status: str) -> None:
    value = sample(*EVENTS, id="one", scores={"tests": {"value": "C"}})
    brief = [{"id": "one", "epoch": 1, "scores": told}, {"id": "two", "epoch": 1, "scores": {"tests": {"value": "I"}}}]
    found = made(archive(tmp_path, {"samples/one_epoch_1.json": value, SUMMARIES: brief}))
    (outcome,) = (item.outcome for item in found if item.task == "one")
    assert outcome.status == status
    assert (f"{SUMMARIES} says failed" in outcome.detail) is (status == "conflicting")
