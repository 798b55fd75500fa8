"""An export is never written over a file of an audit folder; beside these it may lie."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import earned, small_trials


@pytest.mark.parametrize("command", ["read", "audit"])
@pytest.mark.parametrize("name", ["manifest.json", "skipped.jsonl", "report.html", "shards/new.jsonl", "verdicts/new.parquet"])
def test_an_export_into_the_files_of_an_audit_is_refused(tmp_path: Path, command: str, name: str) -> None:
    trials, out = small_trials(tmp_path / "trials", 1), tmp_path / "out"
    assert earned("audit", trials, "--out", out, "--quiet").code == 0
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    done = earned(command, trials, *(("--out", tmp_path / "other") if command == "audit" else ()), "--export", out / name)
    assert (done.code, "cannot-write" in done.err, "which the audit in" in done.err) == (3, True, True)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_a_folder_that_an_audit_is_about_to_write_is_guarded_too(tmp_path: Path) -> None:
    trials, out = small_trials(tmp_path / "trials", 1), tmp_path / "out"
    out.mkdir()
    assert earned("audit", trials, "--out", out, "--export", out / "manifest.json").code == 3
    assert list(out.iterdir()) == []


def test_a_link_to_a_file_of_an_audit_is_refused(tmp_path: Path) -> None:
    trials, out = small_trials(tmp_path / "trials", 1), tmp_path / "out"
    assert earned("audit", trials, "--out", out, "--quiet").code == 0
    (tmp_path / "link.jsonl").symlink_to(out / "skipped.jsonl")
    assert earned("read", trials, "--export", tmp_path / "link.jsonl").code == 3


@pytest.mark.parametrize("command", ["read", "audit"])
def test_a_name_of_its_own_in_an_audit_folder_and_such_names_elsewhere_are_not_refused(tmp_path: Path, command: str) -> None:
    trials, out = small_trials(tmp_path / "trials", 1), tmp_path / "out"
    assert earned("audit", trials, "--out", out, "--quiet").code == 0
    (tmp_path / "plain").mkdir()
    for place in (out / "rows.jsonl", tmp_path / "plain" / "skipped.jsonl"):
        done = earned(command, trials, *(("--out", out) if command == "audit" else ()), "--export", place)
        assert (done.code, place.is_file()) == (0, True), done.err
