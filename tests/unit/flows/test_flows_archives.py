"""What is done with a folder can be done with an archive of it: read, shown, audited, audited again."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

import pytest
from command_line import lines, small_trials
from made_archives import files_of, packed, zipped

from earned.errors import InputError
from earned.flows.audit import audit
from earned.flows.read import ReadRow, read
from earned.flows.step import read_step
from earned.trajectory.sources.files import read_bytes

KINDS = pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.zst"])


@KINDS
def test_a_step_in_an_archive_is_shown_by_its_place_or_its_member(tmp_path: Path, kind: str) -> None:
    trials = small_trials(tmp_path / "runs" / "job", 2)
    name = min(path.name for path in trials.iterdir())
    archive = packed(tmp_path / "runs", tmp_path / "runs.bin", kind)
    outside = read_step(str(trials / name), 2)
    assert read_step(f"{archive}/job/{name}", 2) == read_step(f"{archive}:job/{name}", 2) == outside
    with pytest.raises(InputError, match="There are"):
        read_step(str(archive), 2)


@KINDS
def test_an_audit_of_an_archive_says_what_that_of_the_folder_says(tmp_path: Path, kind: str) -> None:
    small_trials(tmp_path / "runs" / "job", 4)
    archive = packed(tmp_path / "runs", tmp_path / "runs.bin", kind)
    exported: list[list[dict[str, object]]] = []
    for number, path in enumerate((tmp_path / "runs", archive)):
        card = audit([path], out=tmp_path / str(number), jobs=1, export=tmp_path / f"{number}.jsonl").card
        assert card.surface_passes == 4
        exported.append(lines(tmp_path / f"{number}.jsonl"))
    for outside, inside in zip(*exported, strict=True):
        assert inside["member"] == str(outside["trajectory"]).removeprefix(f"{tmp_path}/runs/")
        same = {"trajectory", "member", "outcome_source"}
        assert {key: value for key, value in inside.items() if key not in same} == {
            key: value for key, value in outside.items() if key not in same
        }


def test_an_archive_that_changed_is_audited_again_and_an_unchanged_one_is_not(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "runs", 3)
    archive, out = packed(trials, tmp_path / "runs.zip", "zip"), tmp_path / "out"
    audit([archive], out=out, jobs=1)
    before = {path: path.stat().st_mtime_ns for path in (out / "shards").iterdir()}
    audit([archive], out=out, jobs=1)
    assert {path: path.stat().st_mtime_ns for path in (out / "shards").iterdir()} == before
    archive.write_bytes(zipped(dict(list(files_of(trials).items())[: len(files_of(trials)) // 3])))
    assert audit([archive], out=out, jobs=1).card.surface_passes == 1


@KINDS
def test_processes_that_inherit_an_open_archive_do_not_disturb_each_other(tmp_path: Path, kind: str) -> None:
    trials = small_trials(tmp_path / "runs", 6)
    archive = packed(trials, tmp_path / "runs.bin", kind)
    expected = [data for _ in range(20) for data in files_of(trials).values()]
    names = [f"{archive}/{name}" for _ in range(20) for name in files_of(trials)]
    assert read_bytes(names[0]) == expected[0]
    with get_context("fork").Pool(3) as pool:
        running = pool.map_async(read_bytes, names, chunksize=5)
        assert [read_bytes(name) for name in reversed(names)] == expected[::-1]
        assert running.get(60) == expected


def test_outcome_files_and_rows_name_what_lies_in_an_archive(tmp_path: Path) -> None:
    archive = packed(small_trials(tmp_path / "runs", 2), tmp_path / "runs.zip", "zip")
    found = [row for row in read([archive]) if isinstance(row, ReadRow)]
    (tmp_path / "passed.csv").write_text("".join(["id,passed\n", *(f"{row.member},false\n" for row in found)]))
    graded = [row for row in read([archive], outcomes=[tmp_path / "passed.csv"]) if isinstance(row, ReadRow)]
    assert [row.outcome for row in found] == ["passed", "passed"]
    assert [row.outcome for row in graded] == ["conflicting", "conflicting"]


def test_an_outcome_file_may_lie_in_an_archive(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "runs", 2)
    (tmp_path / "said.csv").write_text("".join(["id,passed\n", *(f"{path.name},false\n" for path in trials.iterdir())]))
    (tmp_path / "said.zip").write_bytes(zipped({"a/said.csv": (tmp_path / "said.csv").read_bytes()}))
    for name in ("said.csv", "said.zip/a/said.csv"):
        card = audit([trials], out=tmp_path / f"out {len(name)}", jobs=1, outcomes=[tmp_path / name]).card
        assert card.skipped == {"conflicting_outcome": 2}
