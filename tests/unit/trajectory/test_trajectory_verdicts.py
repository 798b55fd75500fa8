"""Full credit on a known scale, and what speaks against it in one row: the words of outcome files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_files import write_text

from earned.trajectory.outcomes.claims import claims_of
from earned.trajectory.outcomes.verdicts import verdict_of

TESTS = {"FAIL_TO_PASS": {"success": ["a"], "failure": []}, "PASS_TO_PASS": {"success": ["b"], "failure": []}}


def said(tmp_path: Path, row: dict[str, Any] | str) -> tuple[str, str]:
    """Status and detail of the only claim of a row of JSON, or of a table."""
    text = row if isinstance(row, str) else json.dumps({"i-1": row})
    (claim,) = claims_of(str(write_text(tmp_path / "deep" / ("o.csv" if isinstance(row, str) else "o.json"), text)))
    return claim.status, claim.detail


@pytest.mark.parametrize("kind", ["FAIL_TO_PASS", "PASS_TO_PASS"])
@pytest.mark.parametrize("failure", [["c"], []])
def test_a_resolved_report_with_a_failed_test_conflicts(tmp_path: Path, kind: str, failure: list[str]) -> None:
    status, detail = said(tmp_path, {"resolved": True, "tests_status": {**TESTS, kind: {"success": [], "failure": failure}}})
    assert (status, kind in detail) == (("conflicting", True) if failure else ("passed", False))


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ({"score": 1, "max": 10}, "partial_credit"),
        ({"score": 1, "out_of": 10}, "partial_credit"),
        ({"score": 10, "out_of": 10}, "passed"),
        ({"score": 1, "max": 1}, "passed"),
        ({"score": 1, "max": None}, "passed"),
        ({"score": 1, "max": "a lot"}, "unknown"),
        ({"score": 1, "max_score": [2]}, "unknown"),
        ({"reward": 1, "max_score": 10}, "partial_credit"),
        ({"reward": 1, "score": 10, "max_score": 10}, "passed"),
        ({"score": 11, "max_score": 10}, "unknown"),
        ({"score": 1, "total": 10}, "unknown"),
        ({"score": 10, "total": 10}, "passed"),
        ({"score": 3, "total": 10}, "partial_credit"),
        ({"score": 0, "total": 10}, "failed"),
        ({"score": 1, "total": 1}, "passed"),
        ({"reward": 1.0, "total": 10}, "passed"),
        ({"reward": 1.0, "total_tests": 10}, "passed"),
        ("id,score,max\ni-1,1,5\n", "partial_credit"),
        ("id,score,points_possible\ni-1,10,10\n", "passed"),
        ("id,score,max\ni-1,1,\n", "passed"),
    ],
)
def test_a_score_passes_at_the_maximum_that_its_row_states(tmp_path: Path, row: Any, status: str) -> None:
    assert said(tmp_path, row)[0] == status


@pytest.mark.parametrize("other", ["total_tests", "num_tests", "not_passed", "failed", "out_of"])
def test_a_number_of_passed_tests_is_no_verdict(tmp_path: Path, other: str) -> None:
    assert said(tmp_path, {"passed": 1, other: 5}) == ("unknown", "passed is a count and no verdict")
    assert said(tmp_path, f"id,passed,{other}\ni-1,1,5\n")[0] == "unknown"
    assert said(tmp_path, {"passed": True, other: 0})[0] == "passed"
    assert said(tmp_path, {"passed": 1, "total_tokens": 5})[0] == "passed"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("1,000", "unknown"),
        ("12,000.0", "unknown"),
        ("1,0", "passed"),
        ("1,00", "passed"),
        ("0,500", "partial_credit"),
        ("1.000", "passed"),
    ],
)
def test_a_comma_that_may_part_thousands_is_no_known_number(text: str, status: str) -> None:
    assert verdict_of(text).status == status


@pytest.mark.parametrize("word", ["reward_valid", "valid", "is_valid"])
def test_a_pass_that_its_row_does_not_count_is_unknown(tmp_path: Path, word: str) -> None:
    assert said(tmp_path, {"reward": 1.0, word: False}) == ("unknown", f"{word} says that it does not count")
    assert said(tmp_path, f"id,reward,{word}\ni-1,1,false\n")[0] == "unknown"
    assert said(tmp_path, {"reward": 1.0, word: True})[0] == "passed"
    assert said(tmp_path, {"reward": 1.0, word: None})[0] == "passed"


@pytest.mark.parametrize(
    ("cells", "status"),
    [("true,false", "conflicting"), ("true,true", "passed"), ("true,1", "passed"), ("true,", "passed"), (",false", "failed")],
)
def test_columns_of_one_name_agree_or_conflict(tmp_path: Path, cells: str, status: str) -> None:
    assert said(tmp_path, f"id,passed,passed\ni-1,{cells}\n")[0] == status


@pytest.mark.parametrize(("other", "status"), [("no_apply", "conflicting"), ("no_logs", "conflicting"), ("applied", "passed")])
def test_an_id_that_was_resolved_stands_in_no_list_that_excludes_it(tmp_path: Path, other: str, status: str) -> None:
    claims = list(
        claims_of(str(write_text(tmp_path / "deep" / "r.json", json.dumps({"resolved_ids": ["i-1"], other: ["i-1"]}))))
    )
    assert {claim.status for claim in claims} == {status}


def test_words_of_one_row_that_differ_are_both_named(tmp_path: Path) -> None:
    status, detail = said(tmp_path, {"passed": True, "score": 0.4})
    assert status == "conflicting"
    assert detail.endswith("passed says passed; score says partial credit")
