"""Runs `earned` as a user does, in this process or in one of its own, on small trials that are not alike."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from house_sources import ROOT
from made_files import atif, bash, call, trial

from earned.cli import main

EXAMPLES = ROOT / "examples" / "trials"
PROGRAM = (sys.executable, "-c", "import sys; from earned.cli import main; main(sys.argv[1:])")


class Result(NamedTuple):
    """What a call left behind."""

    code: int
    out: str
    err: str


def earned(*arguments: object) -> Result:
    """The command line in this process: quick, and its exit code is the argument of SystemExit."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Result(code, out.getvalue(), err.getvalue())


def earned_process(*arguments: object, cwd: Path | None = None) -> Result:
    """The command line in a process of its own."""
    command = [*PROGRAM, *map(str, arguments)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, timeout=120)
    return Result(found.returncode, found.stdout, found.stderr)


def small_trial(folder: Path, number: int, *, reward: float = 1.0, **result: Any) -> Path:
    """A trial whose files differ from those of every other number."""
    steps = (bash(f"echo {number} > hello.txt", f"wrote {number}"), call("finish", {"n": number}, None))
    name = f"task-{number:03}__abc{number:04}"
    return trial(folder, document=atif(*steps), reward=reward, name=name, **{"task_name": f"task-{number:03}", **result})


def small_trials(folder: Path, count: int) -> Path:
    """Several of them. Returns the folder."""
    for number in range(count):
        small_trial(folder, number)
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    """The documents of a JSON Lines file."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def skipped(out: Path) -> dict[str, dict[str, Any]]:
    """The rows of an audit folder's skipped.jsonl by the last name of their path."""
    return {row["path"].rsplit("/", 1)[-1]: row for row in lines(out / "skipped.jsonl")}
