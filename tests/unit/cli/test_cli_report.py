from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import earned, small_trials


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("report")
    assert earned("audit", small_trials(place / "trials", 2), "--out", place / "out").code == 0
    return place


def test_a_finished_folder_is_rendered_again_to_other_places(folder: Path, tmp_path: Path) -> None:
    options = ("--html", tmp_path / "a.html", "--markdown", tmp_path / "a.md", "--csv", tmp_path / "tables")
    found = earned("report", folder / "out", *options)
    assert found.code == 0
    assert "2 surface passes" in found.out
    assert "task-001" in (tmp_path / "a.html").read_text()
    assert "task-001" in (tmp_path / "a.md").read_text()
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == ["cohorts.csv", "passes.csv", "tasks.csv"]


def test_the_card_is_that_of_the_audit(folder: Path) -> None:
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    assert json.loads(earned("report", folder / "out", "--json").out) == manifest["card"]


def test_the_inputs_are_not_needed_any_more(folder: Path, tmp_path: Path) -> None:
    (folder / "out").rename(tmp_path / "moved")
    try:
        assert earned("report", tmp_path / "moved").code == 0
    finally:
        (tmp_path / "moved").rename(folder / "out")


def test_an_unfinished_folder_exits_3_and_says_how_to_go_on(folder: Path, tmp_path: Path) -> None:
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    stopped = {name: manifest[name] for name in ("kind", "schema", "configuration")} | {"state": "running"}
    (tmp_path / "manifest.json").write_text(json.dumps(stopped))
    found = earned("report", tmp_path, "--json")
    assert (found.code, found.out) == (3, "")
    assert "[audit-unfinished]" in found.err
    assert "Run the same `earned audit` again" in found.err


@pytest.mark.parametrize("name", ["gone", "trials"])
def test_a_folder_that_is_no_audit_exits_3(folder: Path, name: str) -> None:
    found = earned("report", folder / name)
    assert (found.code, found.out) == (3, "")
    assert "[not-an-audit-folder]" in found.err
