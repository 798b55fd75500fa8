"""What the numbers of an ATIF document say of steps that are not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_files import atif, bash, only, write_json

BEGINS = "the beginning is not recorded: the numbers of the steps begin at 31"


def numbered(first: int, *, total: Any = None) -> dict[str, Any]:
    """Four steps from a number on, with the count that the record gives."""
    document = atif(bash("ls"), bash("make"))
    for number, step in enumerate(document["steps"], start=first):
        step["step_id"] = number
    return {**document, "final_metrics": {"total_steps": total}}


def reasons(*documents: dict[str, Any], folder: Path) -> list[str]:
    """What is missing in a document and its continuation."""
    for number, document in enumerate(documents[1:], start=1):
        write_json(folder / f"trajectory.cont-{number}.json", document)
    first = {**documents[0], "continued_trajectory_ref": "trajectory.cont-1.json"} if len(documents) > 1 else documents[0]
    made = only(write_json(folder / "trajectory.json", first) if len(documents) == 1 else _in(folder, first))
    assert all(reason.hides_acts for reason in made.completeness.reasons)
    return [reason.what for reason in made.completeness.reasons]


def _in(folder: Path, first: dict[str, Any]) -> Path:
    write_json(folder / "trajectory.json", first)
    return folder


@pytest.mark.parametrize(("first", "missing"), [(31, [BEGINS]), (1, []), (0, [])])
def test_a_document_whose_numbers_begin_late_lacks_its_beginning(tmp_path: Path, first: int, missing: list[str]) -> None:
    assert reasons(numbered(first), folder=tmp_path) == missing


@pytest.mark.parametrize(("first", "missing"), [(1, []), (5, []), (9, ["the numbers of the steps leave out steps 5 to 8"])])
def test_a_continuation_may_go_on_counting_or_begin_anew(tmp_path: Path, first: int, missing: list[str]) -> None:
    assert reasons(numbered(1), numbered(first), folder=tmp_path) == missing


@pytest.mark.parametrize(
    ("total", "missing"), [(40, ["the record counts 40 steps, of which 4 are there"]), (4, []), (3, []), ("40", []), (True, [])]
)
def test_a_record_that_counts_more_steps_than_are_there_lacks_some(tmp_path: Path, total: Any, missing: list[str]) -> None:
    assert reasons(numbered(1, total=total), folder=tmp_path) == missing
