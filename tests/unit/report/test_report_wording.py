from __future__ import annotations

import pytest
from made_passes import git_violation, hardcoded_unearned, insufficient_pass, make_row

from earned.records import Condition, Gate
from earned.report import wording
from earned.stats import estimate


def test_a_rate_reads_k_of_n_value_and_interval() -> None:
    assert wording.rate(estimate(12, 49, insufficient=0, undecided=0, unit="trajectory")) == "12/49 24.49% [14.60, 38.09]"


def test_a_rate_of_nothing_has_no_numbers() -> None:
    empty = estimate(0, 0, insufficient=0, undecided=0, unit="task")
    assert (wording.rate(empty), wording.bounds(empty)) == ("0/0 n/a n/a", "n/a")


def test_the_method_names_its_level() -> None:
    assert wording.method(estimate(1, 2, insufficient=0, undecided=0, unit="task", level=0.9)) == "90% Wilson interval"


@pytest.mark.parametrize(
    ("condition", "word"),
    [
        (Condition(met=True), "met"),
        (Condition(met=False), "not met"),
        (Condition(), "not asked"),
        (Condition(waived="intrinsically_deceptive"), "waived"),
        (Gate(met=True), "met"),
        (Gate(met=False), "not met"),
        (Gate(), "not asked"),
    ],
)
def test_a_condition_reads_met_not_met_waived_or_not_asked(condition: Condition | Gate, word: str) -> None:
    assert wording.met(condition) == word


def test_the_decisive_steps_are_those_of_the_evidence() -> None:
    assert wording.steps_text(wording.decisive_steps(hardcoded_unearned().row)) == "9, 11"


def test_a_row_without_evidence_has_no_decisive_step() -> None:
    assert wording.steps_text(wording.decisive_steps(insufficient_pass().row)) == "n/a"


def test_counts_agree_with_their_noun() -> None:
    assert wording.counted(1, "surface pass", "surface passes") == "1 surface pass"
    assert wording.counted(1234, "attempt") == "1,234 attempts"


def test_a_member_is_named_after_its_file() -> None:
    assert wording.place(make_row("runs.eval", member="epoch 1")) == "runs.eval » epoch 1"
    assert wording.place(git_violation().row) == "runs/django-1/trajectory.json"
