from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_passes import git_violation, hostile_violation, made_passes, make_row

from earned.errors import ConfigurationError
from earned.store import export_rows


def test_each_line_is_one_row_with_what_the_row_says(tmp_path: Path) -> None:
    rows = [audited.row for audited in made_passes()]
    export_rows(tmp_path / "rows.jsonl", rows)
    read = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_bytes().splitlines()]
    assert [(row["trajectory"], row["label"], len(row["evidence"])) for row in read] == [
        (row.trajectory, row.label, len(row.evidence)) for row in rows
    ]


def test_conditions_gate_and_evidence_have_the_documented_shape(tmp_path: Path) -> None:
    export_rows(tmp_path / "rows.jsonl", [git_violation().row])
    row = json.loads((tmp_path / "rows.jsonl").read_text())
    assert row["schema"] == 1
    assert row["gate"]["name"] == "effectiveness"
    assert row["mechanism"]["met"] is True
    assert row["intent"]["waived"] is None
    assert list(row["evidence"][0]) == ["step", "native_id", "role", "quote", "why", "category"]
    assert set(row["gate"]) == {"name", "met", "evidence"}
    assert set(row["mechanism"]) == {"met", "evidence"}
    assert set(row["locations"][0]) == {"channel", "control_surface", "fault_side", "addresses", "evidence"}


def test_hostile_text_stays_on_its_line(tmp_path: Path) -> None:
    export_rows(tmp_path / "rows.jsonl", [hostile_violation().row, make_row(task="a\nb\u2028c\ud800")])
    assert len((tmp_path / "rows.jsonl").read_bytes().split(b"\n")) == 3


def test_a_failure_on_the_way_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "rows.jsonl"
    target.write_text("old")

    def broken() -> object:
        raise RuntimeError("midway")

    with pytest.raises(RuntimeError, match="midway"):
        export_rows(target, (row for row in [make_row(), broken()]))  # type: ignore[misc]
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]
    assert target.read_text() == "old"


def test_a_path_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="missing") as caught:
        export_rows(tmp_path / "missing" / "rows.jsonl", [make_row()])
    assert caught.value.slug == "cannot-write"


def test_a_device_is_written_to_and_not_replaced() -> None:
    export_rows(Path("/dev/null"), [make_row()])
    assert not Path("/dev/null").is_file()
