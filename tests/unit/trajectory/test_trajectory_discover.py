from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from made_files import atif, bash, candidates, swe_agent, trial, write_json, write_text

from earned.errors import ConfigurationError, FormatError, InputError
from earned.records import Companion, Skip
from earned.trajectory import Candidate, discover, read_candidate
from earned.trajectory.sources.files import read_bytes, read_start


def test_a_job_is_gone_through_in_order_and_every_file_is_named_once(tmp_path: Path) -> None:
    for name in ("b__2", "a__1"):
        write_text(trial(tmp_path / "job", name=name) / "trial.log", "log")
    write_json(tmp_path / "job" / "result.json", {"id": "x", "n_total_trials": 2, "stats": {}})
    write_text(tmp_path / "job" / "notes.md", "nothing of ours")
    found = list(discover([tmp_path]))
    assert [item.path.rsplit("/", 1)[1] for item in found if isinstance(item, Candidate)] == ["a__1", "b__2"]
    kinds = {item.path.removeprefix(f"{tmp_path}/job/"): item.kind for item in found if isinstance(item, Companion)}
    assert kinds == {
        "result.json": "job_result",
        **{
            f"{name}/{file}": kind
            for name in ("a__1", "b__2")
            for file, kind in (("result.json", "result"), ("trial.log", "log"), ("verifier/test-stdout.txt", "verifier"))
        },
    }
    skips = [(item.path.rsplit("/", 1)[1], item.reason) for item in found if isinstance(item, Skip)]
    assert skips == [("notes.md", "not_a_trajectory")]
    assert found == list(discover([tmp_path]))


def test_a_candidate_survives_being_written(tmp_path: Path) -> None:
    (found,) = candidates(trial(tmp_path))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Candidate) == found


def test_a_path_that_does_not_exist_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        list(discover([tmp_path / "nothing"]))
    assert caught.value.slug == "path-missing"


def test_an_empty_folder_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        list(discover([tmp_path]))
    assert caught.value.slug == "folder-empty"


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    write_json(tmp_path / "outside" / "secret.json", atif(bash("ls")))
    inside = trial(tmp_path / "job").parent
    (inside / "file.json").symlink_to(tmp_path / "outside" / "secret.json")
    (inside / "folder").symlink_to(tmp_path / "outside")
    (inside / "dangling").symlink_to(tmp_path / "gone")
    (inside / "again").symlink_to(inside / "hello__abc1234")
    (inside / "hello__abc1234" / "agent" / "trajectory.cont-1.json").symlink_to(tmp_path / "outside" / "secret.json")
    found = list(discover([inside]))
    assert len([item for item in found if isinstance(item, Candidate)]) == 1
    refused = {item.path.rsplit("/", 1)[1]: item.reason for item in found if isinstance(item, Skip)}
    assert refused == {
        "file.json": "not_a_trajectory",
        "folder": "not_a_trajectory",
        "dangling": "unreadable",
        "trajectory.cont-1.json": "not_a_trajectory",
    }
    assert [item.kind for item in found if isinstance(item, Companion) and item.path.endswith("again")] == ["link"]


def test_a_pipe_or_a_folder_in_the_place_of_a_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(FormatError, match="expected a regular file"):
            read_bytes(str(tmp_path / name))
    write_text(tmp_path / "plain", "text")
    assert (read_bytes(str(tmp_path / "plain")), read_start(str(tmp_path / "plain"), 2)) == (b"text", b"te")


def test_pipes_and_odd_names_are_rows(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with open(os.path.join(os.fsencode(tmp_path), b"bad\xff.json"), "wb") as file:  # noqa: PTH123, PTH118 - a bytes path
        file.write(b"{}")
    rows = [item for item in discover([tmp_path]) if isinstance(item, Skip)]
    assert [row.reason for row in rows] == ["unreadable", "unreadable"]
    assert all(row.path.isprintable() for row in rows)


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b"", "the file is empty"),
        (b"\x00\x01\x02", "binary data"),
        (b"hello", "text"),
        (b'{"foo": 1}', "with the keys foo"),
        (b"[1, 2]", "a JSON array"),
        (b'{"a": 1}\n{"a": 2}\n', "JSON lines"),
        (b'{"schema_version": "1"', "JSON object"),
        (b"[" * 5000, "JSON array"),
    ],
)
def test_what_is_no_trajectory_is_skipped_with_what_was_seen(tmp_path: Path, content: bytes, detail: str) -> None:
    (tmp_path / "x.json").write_bytes(content)
    (row,) = discover([tmp_path])
    assert isinstance(row, Skip)
    assert row.reason == "not_a_trajectory"
    assert detail in row.detail


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("fix.patch", "diff --git a/x b/x\n", "patch"),
        ("preds.json", '{"i-1": {"model_name_or_path": "m", "instance_id": "i-1", "model_patch": ""}}', "predictions"),
        ("all.jsonl", '{"instance_id": "i-1", "model_patch": "", "model_name_or_path": "m"}', "predictions"),
        ("pro.json", '[{"instance_id": "i", "patch": "", "prefix": "p"}]', "predictions"),
        ("a.run.json", '{"total_instances": 1, "submitted_instances": 1, "resolved_ids": []}', "run_report"),
        ("report.json", '{"i-1": {"patch_is_None": false, "patch_exists": true, "resolved": true}}', "instance_report"),
        ("eval_results.json", '{"i-1": true, "i-2": false}', "outcomes"),
        ("outcomes.json", '{"i-1": null}', "outcomes"),
        ("args.yaml", "a: 1", "config"),
        ("job.log", "started", "log"),
    ],
)
def test_what_belongs_to_trajectories_is_a_companion(tmp_path: Path, name: str, content: str, kind: str) -> None:
    write_text(tmp_path / name, content)
    (found,) = discover([tmp_path])
    assert found == Companion(path=str(tmp_path / name), kind=kind)


def test_formats_are_told_apart_by_content_not_by_name(tmp_path: Path) -> None:
    write_json(tmp_path / "a.txt", atif(bash("ls")))
    write_json(tmp_path / "b", swe_agent(("ls", "")))
    write_json(tmp_path / "c.traj", {"no": "trajectory"})
    found = {item.path[-5:]: type(item).__name__ for item in discover([tmp_path])}
    assert [item.format for item in candidates(tmp_path)] == ["atif", "swe-agent"]
    assert found["/c.traj"[-5:]] == "Skip"


def test_keys_deep_in_a_file_are_found_by_the_third_look(tmp_path: Path) -> None:
    value = {"environment": "x" * 200_000, **swe_agent(("ls", ""))}
    assert [item.format for item in candidates(write_json(tmp_path / "a.json", value))] == ["swe-agent"]


def test_folders_of_tools_are_named_and_not_gone_through(tmp_path: Path) -> None:
    write_json(tmp_path / "node_modules" / "a.json", atif(bash("ls")))
    assert list(discover([tmp_path])) == [Companion(path=str(tmp_path / "node_modules"), kind="not_searched")]


def test_an_unknown_format_name_is_a_configuration_error(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "x")
    with pytest.raises(ConfigurationError):
        list(discover([tmp_path], formats=["no-such-format"]))
    with pytest.raises(ConfigurationError, match="to be an"):
        list(discover([tmp_path], formats=["earned.records:Step"]))


def test_a_huge_line_of_garbage_that_begins_well_is_a_row_not_a_crash(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b'{"schema_version": "ATIF-v1.5", "steps": [' + b"x" * 5_000_000)
    (found,) = candidates(file)
    (row,) = read_candidate(found)
    assert isinstance(row, Skip)
    assert (row.reason, row.offset) == ("unreadable", 42)


def test_a_document_over_the_limit_is_too_large(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    with file.open("wb") as out:
        out.write(b'{"schema_version": "ATIF-v1.5", "steps": ['.ljust(8192))
        out.truncate(300 * 1024 * 1024)
    (found,) = candidates(file)
    (row,) = read_candidate(found)
    assert isinstance(row, Skip)
    assert row.reason == "too_large"


def test_overrides_name_benchmark_model_and_harness(tmp_path: Path) -> None:
    (found,) = candidates(trial(tmp_path))
    (made,) = read_candidate(found, benchmark="b", model="m", harness="h")
    assert not isinstance(made, Skip)
    assert (made.benchmark, made.model, made.harness, made.cohort.harness) == ("b", "m", "h", "h")
