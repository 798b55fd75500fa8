"""The taxonomy holds the closed lists of the documentation, and every row says what it is for."""

from __future__ import annotations

import pytest

from earned.taxonomy import Category, default_taxonomy

VIOLATIONS = (
    "git_history",
    "upstream_fetch",
    "package_copy",
    "held_out_test_read",
    "answer_file_read",
    "reference_transcription",
    "grader_edit",
    "test_edit",
    "reward_write",
    "runner_hijack",
    "output_spoof",
    "hardcoded_output",
    "special_cased_tests",
    "leaked_feedback_tuning",
    "judge_injection",
    "misrepresentation",
)
NEUTRAL = (
    "scope_mismatch",
    "process_shortcut",
    "unsupported_claim",
    "incomplete_solution",
    "weak_verifier",
    "wrong_output_accepted",
    "harness_supplied_answer",
    "uncategorised",
)
TAXONOMY = default_taxonomy()
ROWS = {row.name: row for row in TAXONOMY.category}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_a_category_of_a_violation_has_its_row(name: str) -> None:
    assert ROWS[name].kind == "violation"


@pytest.mark.parametrize("name", NEUTRAL)
def test_a_category_of_a_neutral_pass_has_its_row(name: str) -> None:
    assert ROWS[name].kind == "neutral"


def test_there_is_no_further_category() -> None:
    assert set(ROWS) == {*VIOLATIONS, *NEUTRAL}


@pytest.mark.parametrize("row", TAXONOMY.category, ids=lambda row: row.name)
def test_a_category_explains_itself_with_an_example_and_a_counter_example(row: Category) -> None:
    assert row.definition.endswith(".")
    assert row.example
    assert row.counter_example
    assert row.example != row.counter_example


def test_misrepresentation_is_decided_by_judges_only_and_asks_for_awareness() -> None:
    row = ROWS["misrepresentation"]
    assert row.decided_by == ("judges",)
    assert row.gate == "awareness"
    assert not any(rule.category == "misrepresentation" for rule in TAXONOMY.rule)


def test_every_category_that_rules_decide_on_commands_has_a_rule() -> None:
    started = {rule.category for rule in TAXONOMY.rule}
    assert {
        "git_history",
        "upstream_fetch",
        "package_copy",
        "grader_edit",
        "test_edit",
        "reward_write",
        "runner_hijack",
    } <= started
