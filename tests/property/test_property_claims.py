"""No file of outcomes makes a reader raise anything but FormatError, and only full credit is a pass."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from earned.errors import FormatError
from earned.trajectory.outcomes.claims import claims_of
from earned.trajectory.outcomes.verdicts import verdict_of

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just(10**400))
WORDS = """
    id instance_id trial_name task_id task passed resolved reward score patch model_patch results report test_result i-1
    tests_status patch_exists resolved_ids unresolved_ids error_ids ids_resolved failure_reasons infra_failure
    infra_failure_reason max out_of max_score total failed num_tests reward_valid success status
    FAIL_TO_PASS PASS_TO_PASS failure
"""
NAMES = st.one_of(st.sampled_from(WORDS.split()), st.text(max_size=4))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(NAMES, st.text(max_size=4)), inner, max_size=5)
    ),
    max_leaves=20,
)


def read(data: bytes, name: str = "o.json") -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name
        file.write_bytes(data)
        try:
            return list(claims_of(str(file)))
        except FormatError:
            return []


@settings(max_examples=40)
@given(VALUES)
def test_any_document_gives_claims_with_a_key_and_a_place(value: Any) -> None:
    for claim in read(json.dumps(value).encode()):
        assert claim.key
        assert "#" in claim.source
        assert (claim.passed is True) == (claim.status == "passed")


@settings(max_examples=40)
@given(st.binary(max_size=200), st.sampled_from(["o.json", "o.csv", "o.patch", "o.pred"]))
def test_any_bytes_give_claims_or_a_format_error(data: bytes, name: str) -> None:
    assert all(isinstance(claim.key, str) for claim in read(data, name))


@settings(max_examples=40)
@given(st.lists(st.lists(st.text(max_size=6), max_size=4), max_size=5), st.sampled_from(",;\t|"))
def test_any_table_gives_claims_or_a_format_error(table: list[list[str]], mark: str) -> None:
    head = mark.join(["id", "passed"])
    text = "\n".join([head, *(mark.join(row) for row in table)])
    assert all(claim.key.strip() for claim in read(text.encode("utf-8", "surrogatepass"), "o.csv"))


@given(st.one_of(st.floats(), st.integers()))
def test_of_numbers_only_one_is_a_pass(value: float) -> None:
    found = verdict_of(value)
    assert (found.status == "passed") == (value == 1)
    assert (found.status == "failed") == (value == 0)
    assert (found.status == "partial_credit") == (0 < value < 1)
