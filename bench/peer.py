"""The nearest other tool, `atif-scan`, on a few of the same trials, in a throw-away environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from children import run_child
from table import Row

PACKAGE = "atif-scan==0.7.3"


def run_peer(build: Path, trials: Path, count: int) -> Row:
    """Its row on the first `count` trials; without numbers, but with the reason, where it cannot be installed or run."""
    name = "atif-scan"
    try:
        program = _install(build / "peer-env")
    except subprocess.CalledProcessError as error:
        return Row(name=name, note=f"skipped, cannot be installed: {_reason(error)}")
    sample = build / "peer-trials"
    shutil.rmtree(sample, ignore_errors=True)
    for trial in sorted(trials.iterdir())[:count]:
        shutil.copytree(trial, sample / trial.name)
    size = sum(path.stat().st_size for path in sample.glob("*/agent/trajectory.json")) / 1e6
    # its home is moved, so that nothing it keeps lands in the user's
    environment = {**os.environ, "ATIF_SCAN_HOME": str(build / "peer-home"), "HOME": str(build / "peer-home")}
    command = [str(program), "--no-cache", "--format", "json", "--summary", str(sample)]
    cost = run_child(command, environment=environment)
    note = f"skipped, {cost.error}" if cost.error else f"{PACKAGE}, sub-sample of {count} trials"
    return Row(
        name=name, megabytes=size, wall=cost.wall, processor=0 if cost.error else cost.processor, peak=cost.peak, note=note
    )


def _install(folder: Path) -> Path:
    program = folder / "bin" / "atif-scan"
    if not program.exists():
        for command in ([sys.executable, "-m", "venv", str(folder)], [str(folder / "bin/pip"), "install", "--quiet", PACKAGE]):
            subprocess.run(command, check=True, capture_output=True, text=True)
    return program


def _reason(error: subprocess.CalledProcessError) -> str:
    lines = str(error.stderr or error.stdout or error).strip().splitlines()
    return lines[-1][:160] if lines else str(error)
