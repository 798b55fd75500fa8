from __future__ import annotations

import csv
from pathlib import Path

import pytest
from made_passes import STAMP, attempts_of, git_violation, made_passes, make_pass

from earned.errors import ConfigurationError
from earned.records import AuditedPass
from earned.report import integrity_card, write_csv


def tables(folder: Path, passes: list[AuditedPass]) -> dict[str, list[dict[str, str]]]:
    card = integrity_card(passes, attempts=attempts_of(passes), skipped={}, stamp=STAMP, task_selection="all")
    write_csv(folder, card, lambda: iter(passes))
    found = {}
    for path in folder.glob("*.csv"):
        with path.open(newline="", encoding="utf-8") as file:
            found[path.stem] = list(csv.DictReader(file))
    return found


def test_three_tables_hold_cohorts_tasks_and_passes(tmp_path: Path) -> None:
    found = tables(tmp_path / "new", made_passes())
    assert {name: len(rows) for name, rows in found.items()} == {"cohorts": 6, "tasks": 11, "passes": 13}
    row = next(row for row in found["passes"] if row["trajectory"] == git_violation().row.trajectory)
    assert (row["label"], row["categories"], row["steps"]) == ("violation", "git_history", "5 7")


def test_a_number_stands_beside_its_count_interval_and_method(tmp_path: Path) -> None:
    row = tables(tmp_path, [git_violation()])["cohorts"][0]
    assert {row[f"gap_{part}"] for part in ("k", "n")} == {"1"}
    assert float(row["gap_low"]) < float(row["gap_value"]) <= float(row["gap_high"])
    assert (row["method"], row["level"]) == ("wilson", "0.95")


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@x", "\tx"])
def test_a_name_that_a_spreadsheet_would_run_is_made_text(tmp_path: Path, name: str) -> None:
    (row,) = tables(tmp_path, [make_pass(task=name)])["passes"]
    assert row["task"] == f"'{name}"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="file") as caught:
        tables(tmp_path / "file", [make_pass()])
    assert caught.value.slug == "cannot-write"
