"""An earlier audit folder among the inputs is one companion, and hides no trajectory that lies in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import earned, small_trials
from made_files import swe_agent, write_json, write_text


def read(path: Path) -> dict[str, Any]:
    return dict(json.loads(earned("read", path, "--json").out))


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    small_trials(tmp_path / "trials", 2)
    assert earned("audit", tmp_path / "trials", "--out", tmp_path / "out", "--export", tmp_path / "rows.jsonl").code == 0
    return tmp_path


def test_an_audit_folder_is_one_companion(runs: Path) -> None:
    (runs / "rows.jsonl").unlink()
    alone = read(runs / "trials")
    found = read(runs)
    assert found["counts"]["trajectories"] == 2
    assert found["skipped"] == alone["skipped"]
    others = [item for item in found["companions"] if "/trials/" not in item["path"]]
    assert others == [{"path": str(runs / "out"), "kind": "audit_folder"}]


def test_the_rows_that_an_audit_exports_are_a_companion(runs: Path) -> None:
    kinds = {item["path"]: item["kind"] for item in read(runs)["companions"]}
    assert kinds[str(runs / "rows.jsonl")] == "audit_export"


def test_an_audit_folder_hides_no_trajectory(runs: Path) -> None:
    for number, folder in enumerate(("out", "out/trajectories", "out/shards", "out/other")):
        write_json(runs / folder / f"{number}.traj", swe_agent((f"ls {number}", "x")))
    assert read(runs)["counts"]["trajectories"] == 6


def test_what_an_audit_does_not_write_there_is_told(runs: Path) -> None:
    write_text(runs / "out" / "notes.txt", "mine")
    assert str(runs / "out" / "notes.txt") in [item["path"] for item in read(runs)["skipped"]]


@pytest.mark.parametrize(
    "manifest", ["{}", '{"kind": "audit folder"}', "earned audit folder", '{"x": {"kind": "earned audit folder"}}']
)
def test_a_manifest_of_something_else_is_no_audit_folder(tmp_path: Path, manifest: str) -> None:
    small_trials(tmp_path / "trials", 1)
    write_text(tmp_path / "manifest.json", manifest)
    write_text(tmp_path / "skipped.jsonl", '{"a": 1}\n')
    found = read(tmp_path)
    assert "audit_folder" not in [item["kind"] for item in found["companions"]]
    assert str(tmp_path / "skipped.jsonl") in [item["path"] for item in found["skipped"]]
