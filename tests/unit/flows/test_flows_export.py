"""Rows of --export: exactly the documented fields, closed lists, and quotes that anyone can find again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from command_line import EXAMPLES, earned, lines, small_trial

from earned.records import Channel, ControlSurface, FaultSide, Label, Role, Step, Trajectory, part_text
from earned.records.evidence import Confidence, DecidedBy, GateName
from earned.records.trajectory import Certainty, CompletenessGrade
from earned.taxonomy import default_taxonomy
from earned.trajectory import Candidate, discover, read_candidate

FIELDS = [
    "schema", "trajectory", "member", "trajectory_id", "format", "benchmark", "task", "model", "harness", "attempt",
    "attempt_index", "outcome", "outcome_source", "completeness", "submission_certainty", "label", "categories", "gate",
    "mechanism", "intent", "grade_relevance", "locations", "evidence", "decided_by", "judges", "confidence", "undecided_reason",
]  # fmt: skip


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("export")
    assert earned("audit", EXAMPLES, "--out", folder / "out", "--export", folder / "rows.jsonl", "--quiet").code == 0
    return lines(folder / "rows.jsonl")


def evidence(rows: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    return ((row, item) for row in rows for item in row["evidence"])


def test_a_row_has_exactly_the_documented_fields(exported: list[dict[str, Any]]) -> None:
    assert len(exported) >= 12
    for row in exported:
        assert list(row) == FIELDS
        assert set(row["gate"]) == {"name", "met", "evidence"}
        assert set(row["mechanism"]) == set(row["grade_relevance"]) == {"met", "evidence"}
        assert set(row["intent"]) == {"met", "evidence", "waived"}
        assert all(
            set(place) == {"channel", "control_surface", "fault_side", "addresses", "evidence"} for place in row["locations"]
        )
    assert all(set(item) == {"step", "native_id", "role", "quote", "why", "category"} for _, item in evidence(exported))


def test_every_value_is_of_its_closed_list(exported: list[dict[str, Any]]) -> None:
    known = {row.name for row in default_taxonomy().category}
    for row in exported:
        assert row["outcome"] == "passed"
        assert row["schema"] == 1
        assert row["label"] in get_args(Label)
        assert row["completeness"] in get_args(CompletenessGrade)
        assert row["submission_certainty"] in get_args(Certainty)
        assert row["decided_by"] in get_args(DecidedBy)
        assert row["confidence"] in get_args(Confidence)
        assert row["gate"]["name"] in get_args(GateName)
        assert row["intent"]["waived"] in (None, "intrinsically_deceptive")
        assert set(row["categories"]) <= known
        for place in row["locations"]:
            assert place["channel"] in get_args(Channel)
            assert place["control_surface"] in get_args(ControlSurface)
            assert place["fault_side"] in get_args(FaultSide)
    assert {item["role"] for _, item in evidence(exported)} <= set(get_args(Role))


def test_every_index_points_at_a_piece_of_evidence(exported: list[dict[str, Any]]) -> None:
    for row in exported:
        holders = [row["gate"], row["mechanism"], row["intent"], row["grade_relevance"], *row["locations"]]
        pointed = {index for holder in holders for index in holder["evidence"]}
        assert pointed <= set(range(len(row["evidence"])))
    assert any(row["gate"]["evidence"] for row in exported)


def texts(step: Step) -> list[str]:
    parts = ["text", "reasoning"]
    parts += [f"action:{number}" for number in range(len(step.actions))]
    parts += [f"observation:{number}" for number in range(len(step.observations))]
    return [part_text(step, part) for part in parts]


def test_every_quote_is_found_again_by_reading_the_trajectory(exported: list[dict[str, Any]]) -> None:
    read = {
        trajectory.source.path: trajectory
        for item in discover([EXAMPLES])
        if isinstance(item, Candidate)
        for trajectory in read_candidate(item)
        if isinstance(trajectory, Trajectory)
    }
    found = list(evidence(exported))
    assert found
    for row, item in found:
        trajectory = read[row["trajectory"]]
        step = trajectory.steps[item["step"]]
        assert trajectory.id == row["trajectory_id"]
        assert item["quote"]
        assert any(item["quote"] in text for text in texts(step))
        assert item["native_id"] == step.native_id


def test_a_quote_stands_in_the_file_itself(exported: list[dict[str, Any]]) -> None:
    row, item = next((row, item) for row, item in evidence(exported) if item["role"] == "receipt")
    document = json.loads((Path(row["trajectory"]) / "agent" / "trajectory.json").read_text())
    step = next(step for step in document["steps"] if str(step["step_id"]) == item["native_id"])
    shown = [result["content"] for result in (step.get("observation") or {}).get("results", [])]
    said = [json.dumps(call["arguments"]) for call in step.get("tool_calls") or ()]
    assert any(item["quote"] in text for text in shown) or json.dumps(item["quote"])[1:-1] in "".join(said)


def test_attempts_of_one_task_are_numbered_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for number, task in ((1, "a"), (2, "b"), (3, "a"), (4, "a")):
        small_trial(tmp_path / "trials", number, reward=0.0 if number == 3 else 1.0, task_name=task)
    call = ("audit", tmp_path / "trials", "--out", tmp_path / "out", "--export", tmp_path / "rows.jsonl", "--quiet")
    assert earned(*call).code == 0
    numbers = [(Path(row["trajectory"]).name[:8], row["attempt_index"]) for row in lines(tmp_path / "rows.jsonl")]
    assert numbers == [("task-001", 0), ("task-002", 0), ("task-004", 1)]


def test_the_export_is_replaced_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    small_trial(tmp_path / "trials", 1)
    target = tmp_path / "here" / "rows.jsonl"
    target.parent.mkdir()
    target.write_text("old\n")
    before = target.stat().st_ino
    call = ("audit", tmp_path / "trials", "--out", tmp_path / "out", "--export", target, "--quiet")
    assert earned(*call).code == 0
    assert [path.name for path in target.parent.iterdir()] == ["rows.jsonl"]
    assert target.stat().st_ino != before
    assert len(lines(target)) == 1


def test_an_audit_never_reads_what_it_writes_among_its_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    small_trial(tmp_path / "trials", 1)
    call = ("audit", ".", "--export", "rows.jsonl", "--json")
    cards = [json.loads(earned(*call).out) for _ in range(2)]
    assert [card["skipped"] for card in cards] == [{}, {}]
    assert [card["attempts"] for card in cards] == [1, 1]
