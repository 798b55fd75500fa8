"""kill -9 at any moment: what is finished is there, what is not is done again, and the rows come out the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from made_passes import attempts_of, made_passes, made_skips, make_pass

from earned.errors import ConfigurationError
from earned.records import AuditedPass
from earned.store import AuditFolder, open_folder

SHARDS = 20


def shard(number: int) -> list[AuditedPass]:
    return [make_pass(f"runs/{number:03}-{audited.row.trajectory}", task=f"task-{number}") for audited in made_passes(1)]


def run(out: Path) -> None:
    """A whole run, or the rest of one."""
    with open_folder(out, {"judge": "rules"}) as folder:
        for number in range(SHARDS):
            if not folder.done(f"shard-{number}"):
                folder.commit(f"shard-{number}", shard(number), made_skips(), attempts_of(shard(number)))
        folder.finish({})


def start(out: Path, what: str = "run") -> subprocess.Popen[bytes]:
    code = f"import runpy; runpy.run_path({__file__!r})[{what!r}](__import__('pathlib').Path({str(out)!r}))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE)


def markers(out: Path) -> int:
    return len(list(out.glob("shards/*.json")))


def kill_after(out: Path, *, finished: int) -> None:
    process = start(out)
    deadline = time.monotonic() + 30
    while markers(out) < finished and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL


def contents(out: Path) -> dict[str, bytes]:
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def test_a_run_killed_twice_ends_with_the_same_bytes_as_an_undisturbed_one(tmp_path: Path) -> None:
    run(tmp_path / "undisturbed")
    kill_after(tmp_path / "killed", finished=4)
    kept = markers(tmp_path / "killed")
    kill_after(tmp_path / "killed", finished=kept + 4)
    assert kept < markers(tmp_path / "killed") < SHARDS
    run(tmp_path / "killed")
    assert contents(tmp_path / "killed") == contents(tmp_path / "undisturbed")


def test_a_killed_run_leaves_no_lock(tmp_path: Path) -> None:
    kill_after(tmp_path, finished=1)
    with open_folder(tmp_path, {"judge": "rules"}) as folder:
        assert folder.counts().shards >= 1


def open_and_fork(out: Path) -> None:
    """Hold the folder, with a forked worker that outlives us."""
    folder = open_folder(out, {})
    reading, writing = os.pipe()
    worker = os.fork()
    if worker == 0:
        os.write(writing, b"+")
        time.sleep(20)
        os._exit(0)
    os.read(reading, 1)
    sys.stdout.write(f"{worker}\n")
    sys.stdout.flush()
    time.sleep(20)
    folder.close()


def test_a_forked_worker_that_outlives_its_run_holds_no_lock(tmp_path: Path) -> None:
    process = start(tmp_path, "open_and_fork")
    assert process.stdout is not None
    worker = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    try:
        with open_folder(tmp_path, {}) as again:
            assert again.path == tmp_path
    finally:
        os.kill(worker, signal.SIGKILL)


def test_the_lock_of_a_live_process_is_respected_and_named(tmp_path: Path) -> None:
    folder = open_folder(tmp_path, {})
    worker = os.fork()
    if worker == 0:
        os._exit(_refused(tmp_path, str(os.getppid())))
    assert os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]) == 0
    folder.close()


def _refused(path: Path, holder: str) -> int:
    try:
        opened: AuditFolder = open_folder(path, {})
    except ConfigurationError as error:
        return 0 if error.slug == "folder-in-use" and holder in str(error) else 1
    opened.close()
    return 2


@pytest.mark.parametrize("name", [".part-9-abc", "shards/.part-9-abc", "trajectories/none.parquet"])
def test_leftovers_of_a_killed_run_are_no_obstacle(tmp_path: Path, name: str) -> None:
    open_folder(tmp_path, {}).close()
    (tmp_path / name).write_bytes(b"half a file")
    open_folder(tmp_path, {}).close()
    assert not (tmp_path / name).exists()
