"""Which call of its step a result of an ATIF document answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_files import atif, only, write_json

from earned.records import Trajectory


def _step(names: list[str], *results: tuple[str | None, str]) -> dict[str, Any]:
    calls = [{"tool_call_id": name, "function_name": "bash", "arguments": {"command": f"run {name}"}} for name in names]
    answers = [{"source_call_id": name, "content": text} for name, text in results]
    return {"step_id": 3, "source": "agent", "message": "", "tool_calls": calls, "observation": {"results": answers}}


def _read(tmp_path: Path, *steps: dict[str, Any]) -> Trajectory:
    return only(write_json(tmp_path / "trajectory.json", atif(*steps)))


@pytest.mark.parametrize(
    ("results", "answered"),
    [
        ([("b", "B"), (None, "A")], {0: "A", 1: "B"}),
        ([(None, "A"), ("b", "B")], {0: "A", 1: "B"}),
        ([(None, "A"), (None, "B")], {0: "A", 1: "B"}),
        ([("b", "B"), ("a", "A")], {0: "A", 1: "B"}),
    ],
)
def test_a_result_without_an_id_answers_a_call_that_no_other_answers(
    tmp_path: Path, results: list[tuple[str | None, str]], answered: dict[int, str]
) -> None:
    made = _read(tmp_path, _step(["a", "b"], *results))
    assert {item.action: item.text for item in made.steps[2].observations} == answered


def test_a_result_of_a_call_that_is_not_there_is_a_gap(tmp_path: Path) -> None:
    made = _read(tmp_path, _step(["a"], ("zz", "x")))
    assert made.completeness.grade == "partial"
    assert [reason.what for reason in made.completeness.reasons] == ["a result answers a call that is not in the record"]


def test_a_late_result_of_a_call_before_is_no_missing_call(tmp_path: Path) -> None:
    late = {
        "step_id": 4,
        "source": "system",
        "message": "",
        "observation": {"results": [{"source_call_id": "a", "content": "x"}]},
    }
    made = _read(tmp_path, _step(["a"]), late)
    assert [reason.what for reason in made.completeness.reasons] == ["the call of bash has no result"]
