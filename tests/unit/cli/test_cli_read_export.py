"""What is read back from an export is listed as standing in it, and its steps are shown by the place that the list gives."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import msgspec
import pytest
from command_line import earned, small_trials
from made_files import atif, bash, trajectories, trial

from earned.trajectory.formats.earned_jsonl.reader import READ_BACK


@pytest.fixture
def export(tmp_path: Path) -> Path:
    small_trials(tmp_path / "trials", 3)
    target = tmp_path / "all.jsonl"
    assert earned("read", tmp_path / "trials", "--export", target).code == 0
    return target


def test_the_list_names_the_export_with_the_former_place_as_member(export: Path) -> None:
    rows = json.loads(earned("read", export, "--json").out)["trajectories"]
    assert [row["path"] for row in rows] == [str(export)] * 3
    assert [row["member"] for row in rows] == [item.source.path for item in trajectories(export.parent / "trials")]
    assert f"all.jsonl:{rows[0]['member']}" in earned("read", export).out


def test_a_step_is_shown_by_the_listed_place(export: Path) -> None:
    for row in json.loads(earned("read", export, "--json").out)["trajectories"]:
        shown = earned("read", "--show", f"{export}:{row['member']}:2", "--json")
        assert (shown.code, shown.err) == (0, "")
        assert shown.out == earned("read", "--show", f"{row['member']}:2", "--json").out


def test_a_place_that_is_not_in_it_lists_places_that_are(export: Path) -> None:
    found = earned("read", "--show", f"{export}:nothing:2")
    assert found.code == 3
    listed = [line.strip() for line in found.err.splitlines()[1:4]]
    assert len(listed) == 3
    assert all(earned("read", "--show", f"{place}:2").code == 0 for place in listed)


def test_an_export_in_an_archive_or_compressed_is_named_too(export: Path, tmp_path: Path) -> None:
    packed = tmp_path / "runs.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(export, "kept/all.jsonl")
    pressed = tmp_path / "all.jsonl.gz"
    pressed.write_bytes(gzip.compress(export.read_bytes()))
    for file in (packed, pressed):
        for row in json.loads(earned("read", file, "--json").out)["trajectories"]:
            assert earned("read", "--show", f"{row['path']}:{row['member']}:2").code == 0


def test_the_records_themselves_keep_their_source(export: Path) -> None:
    kept = [
        msgspec.structs.replace(item, oddities=tuple(note for note in item.oddities if note.what != READ_BACK))
        for item in trajectories(export)
    ]
    assert kept == trajectories(export.parent / "trials")


def test_what_is_no_export_keeps_its_own_place(tmp_path: Path) -> None:
    place = trial(tmp_path / "jobs", document=atif(bash("ls", "a")))
    (row,) = json.loads(earned("read", tmp_path, "--json").out)["trajectories"]
    assert (row["path"], row["member"]) == (str(place), "")
