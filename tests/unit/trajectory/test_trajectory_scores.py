from __future__ import annotations

import pytest

from earned.records import Score
from earned.records.trajectory import Status
from earned.trajectory.outcomes.scores import chosen


def score(name: str, status: Status, *, threshold: float | None = None, reward: float | None = None) -> Score:
    return Score(name=name, status=status, source=f"log#/{name}", threshold=threshold, reward=reward)


@pytest.mark.parametrize("status", ["passed", "failed", "partial_credit", "unknown"])
def test_one_scorer_decides(status: Status) -> None:
    assert chosen([score("a", status)]).status == status


@pytest.mark.parametrize("status", ["passed", "failed"])
def test_scorers_that_agree_decide(status: Status) -> None:
    assert chosen([score("a", status), score("b", status)]).status == status


def test_scorers_that_differ_decide_nothing_and_are_named() -> None:
    found = chosen([score("a", "passed"), score("b", "failed")])
    assert found.status == "unknown"
    assert "a says passed; b says failed" in found.detail
    assert "--scorer" in found.detail


def test_a_scorer_without_a_value_has_no_say_beside_one_that_gave_one() -> None:
    found = chosen([score("a", "unknown"), score("b", "passed")])
    assert (found.status, found.source, found.detail) == ("passed", "log#/b", "a gave no value")
    assert chosen([score("a", "unknown"), score("b", "unknown")]).status == "unknown"


def test_the_named_scorer_decides_alone() -> None:
    both = [score("a", "passed"), score("b", "failed")]
    assert chosen(both, scorer="b").status == "failed"
    assert chosen([score("a", "unknown"), score("b", "passed")], scorer="a").status == "unknown"


def test_a_name_that_no_scorer_has_decides_nothing() -> None:
    found = chosen([score("a", "passed")], scorer="z")
    assert (found.status, found.detail) == ("unknown", "expected a score of 'z', found a")


def test_a_threshold_moves_only_scores_that_have_one() -> None:
    with_one = score("a", "passed", threshold=0.75, reward=0.8)
    assert chosen([with_one], threshold=0.9).status == "failed"
    assert chosen([with_one], threshold=0.8).status == "passed"
    assert chosen([score("a", "passed", reward=0.8)], threshold=0.9).status == "passed"
