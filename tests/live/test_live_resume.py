"""Stopped at any moment, nothing that was finished is lost or done twice, and the rows come out the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import small_shards
from command_line import lines, small_trial, small_trials

COUNT = 16
ITEMS = 2
SAID = "\nearned: stopped. What was finished is kept; the same command goes on from there.\n"


def command(trials: Path, out: Path, *options: object, slow: bool = False) -> list[str]:
    how = ["slow"] if slow else []
    call = ["audit", str(trials), "--out", str(out), "--export", f"{out}.jsonl", "--quiet", *map(str, options)]
    return [sys.executable, small_shards.__file__, str(ITEMS), *how, *call]


def run(trials: Path, out: Path, *options: object) -> bytes:
    """A whole run, or the rest of one; the bytes of its export."""
    found = subprocess.run(command(trials, out, *options), capture_output=True, text=True, check=False, timeout=120)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")
    return Path(f"{out}.jsonl").read_bytes()


def finished(out: Path) -> dict[str, int]:
    """When each finished shard was committed."""
    return {path.name: path.stat().st_mtime_ns for path in (out / "shards").glob("*.json")}


def started(trials: Path, out: Path, *options: object, after: int) -> subprocess.Popen[str]:
    """A slow run of which `after` shards are finished and more are to be done."""
    call = command(trials, out, *options, slow=True)
    process = subprocess.Popen(call, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert waited(lambda: len(finished(out)) >= after or process.poll() is not None)
    assert process.poll() is None, process.communicate()[1]
    return process


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code of a run, and what it said."""
    _, said = process.communicate(timeout=60)
    return process.returncode, said


def waited(condition: Callable[[], bool], *, seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    return condition()


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = small_trials(tmp_path_factory.mktemp("resume") / "trials", COUNT)
    (folder / "broken.json").write_text('{"schema_version": "ATIF-v1.5", "agent"')
    return folder


@pytest.fixture(scope="module")
def undisturbed(trials: Path) -> bytes:
    return run(trials, trials.parent / "undisturbed", "--jobs", 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_run_goes_on_where_it_was_and_exports_the_same_bytes(
    trials: Path, undisturbed: bytes, tmp_path: Path, jobs: int
) -> None:
    process = started(trials, tmp_path / "out", "--jobs", jobs, after=2)
    process.kill()
    assert ended(process)[0] == -signal.SIGKILL
    assert not Path(f"{tmp_path / 'out'}.jsonl").exists()
    kept = finished(tmp_path / "out")
    assert 2 <= len(kept) < COUNT // ITEMS
    assert run(trials, tmp_path / "out", "--jobs", jobs) == undisturbed
    after = finished(tmp_path / "out")
    assert kept.items() <= after.items()
    assert len(after) > len(kept)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_exits_1_says_so_and_the_same_command_goes_on(
    trials: Path, undisturbed: bytes, tmp_path: Path, jobs: int
) -> None:
    process = started(trials, tmp_path / "out", "--jobs", jobs, after=2)
    os.killpg(process.pid, signal.SIGINT)
    assert ended(process) == (1, SAID)
    kept = finished(tmp_path / "out")
    assert len(kept) >= 2
    assert run(trials, tmp_path / "out", "--jobs", jobs) == undisturbed
    assert kept.items() <= finished(tmp_path / "out").items()


def test_workers_end_with_a_parent_that_was_killed(trials: Path, tmp_path: Path) -> None:
    process = started(trials, tmp_path / "out", "--jobs", 2, after=1)
    workers = processes("--ppid", str(process.pid))
    assert len(workers) >= 2
    process.kill()
    ended(process)
    assert waited(lambda: not processes("-p", ",".join(workers)), seconds=20)


def processes(*which: str) -> list[str]:
    """The numbers of processes that live; one that has ended and waits to be asked for its exit code does not."""
    listed = subprocess.run(["ps", "-o", "pid=,stat=", *which], capture_output=True, text=True, check=False).stdout
    return [line.split()[0] for line in listed.splitlines() if not line.split()[1].startswith("Z")]


def test_one_process_and_two_export_the_same_bytes(trials: Path, undisturbed: bytes, tmp_path: Path) -> None:
    assert run(trials, tmp_path / "out", "--jobs", 2) == undisturbed
    assert len(lines(Path(f"{tmp_path / 'out'}.jsonl"))) == COUNT


def test_a_finished_run_is_not_done_again(trials: Path, tmp_path: Path) -> None:
    first = run(trials, tmp_path / "out", "--jobs", 1)
    before = finished(tmp_path / "out")
    assert run(trials, tmp_path / "out", "--jobs", 1) == first
    assert finished(tmp_path / "out") == before


def test_only_the_shard_of_a_changed_input_is_done_again(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "trials", 8)
    run(trials, tmp_path / "out", "--jobs", 1)
    before = finished(tmp_path / "out")
    small_trial(trials, 3, trial_name="renamed")
    rows = run(trials, tmp_path / "out", "--jobs", 1)
    after = finished(tmp_path / "out")
    assert b'"attempt":"renamed"' in rows
    assert len(before.items() & after.items()) == len(before) - 1
    assert len(after) == len(before)


def test_the_rows_of_a_removed_input_vanish(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "trials", 6)
    assert b"task-002" in run(trials, tmp_path / "out", "--jobs", 1)
    for path in sorted((trials / "task-002__abc0002").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (trials / "task-002__abc0002").rmdir()
    rows = run(trials, tmp_path / "out", "--jobs", 1)
    assert b"task-002" not in rows
    assert len(rows.splitlines()) == 5
