"""Whatever an input is, it is a row with a reason and a place, and the run goes on."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import PROGRAM, earned, lines, skipped, small_trial, small_trials
from made_files import atif, bash, trial, write_json, write_text

MEGABYTE = 1 << 20


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    """One good trial, beside which each test puts its bad one."""
    return small_trials(tmp_path / "trials", 1)


def audit(trials: Path, *paths: object) -> tuple[int, dict[str, dict[str, Any]]]:
    """How many surface passes there are, and the skipped rows by the last name of their path."""
    out = trials.parent / "out"
    call = ("audit", *(paths or (trials,)), "--out", out, "--export", trials.parent / "rows.jsonl", "--quiet")
    found = earned(*call)
    assert (found.code, found.out, found.err) == (0, "", "")
    return len(lines(trials.parent / "rows.jsonl")), skipped(out)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"schema_version": "ATIF-v1.5", "session_id": "s", "steps": [{"step_id": 1, "sou', "unreadable"),
        (b"", "not_a_trajectory"),
        (b"\x00\x01\x02PNG" * 400, "not_a_trajectory"),
        (b"[" * 200_000 + b"]" * 200_000, "not_a_trajectory"),
        (b'{"schema_version": "ATIF-v1.5", "agent": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001, "unreadable"),
        (b'{"some": "object"}', "not_a_trajectory"),
    ],
    ids=["truncated", "empty", "binary", "deep", "deep-inside", "foreign"],
)
def test_a_bad_file_is_a_row(trials: Path, content: bytes, reason: str) -> None:
    (trials / "bad.json").write_bytes(content)
    passes, rows = audit(trials)
    assert passes == 1
    assert rows["bad.json"]["reason"] == reason
    assert rows["bad.json"]["detail"]


def test_a_truncated_file_says_at_which_byte(trials: Path) -> None:
    place = small_trial(trials, 2) / "agent" / "trajectory.json"
    place.write_bytes(place.read_bytes()[:200])
    _, rows = audit(trials)
    assert rows["task-002__abc0002"]["offset"] in range(1, 201)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.5, 0.99])
def test_a_trial_whose_result_is_truncated_is_one_unreadable_row(trials: Path, share: float) -> None:
    place = small_trial(trials, 2) / "result.json"
    data = place.read_bytes()
    place.write_bytes(data[: int(len(data) * share)])
    passes, rows = audit(trials)
    assert passes == 1
    assert {name: row["reason"] for name, row in rows.items()} == {"task-002__abc0002": "unreadable"}
    assert rows["task-002__abc0002"]["detail"].startswith("result.json: ")


def test_a_result_of_something_else_beside_a_folder_called_agent_makes_no_trial(trials: Path) -> None:
    place = small_trial(trials, 2)
    write_json(place / "result.json", {"score": 1})
    _, rows = audit(trials)
    assert rows["trajectory.json"]["reason"] == "unknown_outcome"


def test_a_folder_in_the_place_of_the_trajectory_leaves_a_pass_that_shows_nothing(trials: Path) -> None:
    place = small_trial(trials, 2) / "agent" / "trajectory.json"
    place.unlink()
    place.mkdir()
    assert audit(trials) == (2, {})
    row = lines(trials.parent / "rows.jsonl")[1]
    assert (row["attempt"], row["label"], row["completeness"]) == ("task-002__abc0002", "insufficient", "none")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_a_row(trials: Path) -> None:
    place = small_trial(trials, 2) / "agent" / "trajectory.json"
    place.chmod(0)
    _, rows = audit(trials)
    assert rows["task-002__abc0002"]["reason"] == "unreadable"


def test_a_pipe_is_not_waited_for(trials: Path) -> None:
    os.mkfifo(trials / "pipe.json")
    passes, rows = audit(trials)
    assert (passes, rows["pipe.json"]["reason"]) == (1, "unreadable")


def test_bytes_that_are_no_utf8_are_read_and_named(trials: Path) -> None:
    place = small_trial(trials, 2) / "agent" / "trajectory.json"
    place.write_bytes(place.read_bytes().replace(b"wrote 2", b"wrote \xff\xfe"))
    passes, rows = audit(trials)
    assert (passes, rows) == (2, {})
    document = earned("read", place.parent.parent, "--json").out
    assert "not UTF-8" in document


def test_a_copied_trial_is_a_duplicate_that_names_its_twin(trials: Path) -> None:
    shutil.copytree(trials / "task-000__abc0000", trials / "task-000__copy")
    passes, rows = audit(trials)
    assert passes == 1
    row = rows["task-000__copy"]
    assert row["reason"] == "duplicate"
    assert row["detail"].endswith("task-000__abc0000")


def test_the_same_path_given_twice_counts_once(trials: Path) -> None:
    small_trial(trials, 1)
    passes, rows = audit(trials, trials, trials, trials / "task-001__abc0001")
    assert passes == 2
    assert {row["reason"] for row in rows.values()} == {"duplicate"}


def test_trials_of_the_same_size_that_differ_are_no_duplicates(trials: Path) -> None:
    small_trials(trials, 9)
    assert audit(trials) == (9, {})


def test_trials_without_any_trajectory_are_no_duplicates_of_each_other(trials: Path) -> None:
    for name in ("one", "two"):
        shutil.rmtree(trial(trials, name=name, reward=0.0) / "agent")
    _, rows = audit(trials)
    assert {name: row["reason"] for name, row in rows.items()} == {"one": "failed", "two": "failed"}


def test_trials_without_any_trajectory_count_each_with_an_id_of_its_own(trials: Path) -> None:
    for name in ("one", "two"):
        shutil.rmtree(trial(trials, name=name) / "agent")
    assert audit(trials) == (3, {})
    ids = [row["trajectory_id"] for row in lines(trials.parent / "rows.jsonl")]
    assert len(set(ids)) == 3


@pytest.mark.parametrize("other", [{"task_name": "another"}, {"trial_name": "hello__second"}])
def test_trials_of_other_names_are_no_duplicates_whatever_the_agent_wrote(trials: Path, other: dict[str, str]) -> None:
    trial(trials, name="hello__first")
    trial(trials, name="same-bytes", **{"trial_name": "hello__first", **other})
    assert audit(trials) == (3, {})


def test_a_continuation_that_leads_back_ends(trials: Path) -> None:
    place = trial(trials, name="circle", document=atif(bash("true"), continued_trajectory_ref="trajectory.cont-1.json"))
    again = atif(bash("false"), continued_trajectory_ref="trajectory.json")
    write_json(place / "agent" / "trajectory.cont-1.json", again)
    passes, rows = audit(trials)
    assert (passes, rows) == (2, {})


def test_a_link_out_of_the_folder_is_named_and_not_followed(trials: Path) -> None:
    outside = small_trial(trials.parent / "outside", 5)
    (trials / "link").symlink_to(outside)
    (trials / "loop").symlink_to(trials)
    passes, rows = audit(trials)
    assert passes == 1
    assert rows["link"]["reason"] == "not_a_trajectory"
    assert "not followed" in rows["link"]["detail"]
    assert "loop" not in rows


def test_a_link_inside_a_trial_lends_it_no_file_from_outside(trials: Path) -> None:
    place = small_trial(trials, 2)
    secret = write_text(trials.parent / "secret.patch", "diff --git a/s b/s\n--- a/s\n+++ b/s\n@@ -0,0 +1 @@\n+secret words\n")
    (place / "artifacts").mkdir()
    (place / "artifacts" / "submission.patch").symlink_to(secret)
    passes, rows = audit(trials)
    assert passes == 2
    assert rows["submission.patch"]["reason"] == "not_a_trajectory"
    written = b"".join(path.read_bytes() for path in (trials.parent / "out").rglob("*.*") if path.is_file())
    assert b"secret words" not in written


def test_names_with_line_breaks_and_escapes_are_one_row_each(trials: Path) -> None:
    (trials / "a\nb\x1b[2J.json").write_text("{")
    _, rows = audit(trials)
    assert rows["a\nb\x1b[2J.json"]["reason"] == "not_a_trajectory"


def test_folders_nested_very_deep_are_gone_through(trials: Path) -> None:
    deep = trials
    for _ in range(150):
        deep = deep / "d"
    small_trial(deep, 7)
    assert audit(trials) == (2, {})


@pytest.mark.slow
def test_a_line_of_200_megabytes_is_read_or_named_within_a_gigabyte(trials: Path) -> None:
    place = small_trial(trials, 2) / "agent" / "trajectory.json"
    before, after = place.read_bytes().split(b"wrote 2")
    with place.open("wb") as file:
        file.write(before)
        for _ in range(200):
            file.write(b"x" * MEGABYTE)
        file.write(after)
    out = trials.parent / "out"
    command = [*PROGRAM, "audit", str(trials), "--out", str(out), "--export", str(out) + ".jsonl", "--jobs", "1", "--quiet"]
    assert subprocess.run(command, check=False).returncode == 0
    assert len(lines(Path(f"{out}.jsonl"))) + len(skipped(out)) == 2
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    assert peak < 1024 * MEGABYTE
