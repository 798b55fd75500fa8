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


@pytest.mark.parametrize(
    ("name", "what"),
    [("gone", "nothing there"), ("trials", "no manifest.json"), ("empty", "no manifest.json"), ("f", "a file")],
)
def test_a_folder_that_is_no_audit_exits_3_and_says_what_is_to_be_named(folder: Path, name: str, what: str) -> None:
    (folder / "empty").mkdir(exist_ok=True)
    (folder / "f").write_text("")
    found = earned("report", folder / name)
    assert (found.code, found.out) == (3, "")
    assert "[not-an-audit-folder]" in found.err
    assert f"found {what}" in found.err
    assert "Name the folder that `earned audit --out` was given" in found.err
    assert "Give another --out" not in found.err


def test_a_folder_that_is_missing_is_made_for_the_page_and_the_markdown(folder: Path, tmp_path: Path) -> None:
    html, markdown = tmp_path / "new" / "deep" / "x.html", tmp_path / "other" / "x.md"
    assert earned("report", folder / "out", "--html", html, "--markdown", markdown).code == 0
    assert html.is_file()
    assert markdown.is_file()


def test_a_place_that_cannot_be_written_exits_3_and_names_it(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    found = earned("report", folder / "out", "--html", tmp_path / "taken" / "x.html")
    assert (found.code, found.out) == (3, "")
    assert "[cannot-write]" in found.err
    assert "taken" in found.err
