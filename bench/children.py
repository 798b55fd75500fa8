"""Runs a command and says what it cost: wall clock, processor time and memory of it and of all that it started."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

LIMIT = 3600
"""Seconds after which a child is killed; the row then says so."""
KILOBYTE = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit of `ru_maxrss`."""


class Cost(NamedTuple):
    """What one command cost."""

    wall: float
    """Seconds by the clock."""
    processor: float
    """Seconds of user and system time, with all processes that it started and waited for."""
    peak: float
    """Resident memory of the largest single process among them, in MB (10^6 bytes)."""
    error: str
    """Empty when it ended with 0; else its exit code and the end of what it wrote to standard error."""
    output: str
    """Standard output, where it was asked for."""


def run_child(command: Sequence[str], *, environment: Mapping[str, str] | None = None, keep_output: bool = False) -> Cost:
    """Runs a command to its end. Its standard output goes to a file, so that no pipe slows it."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        target = output if keep_output else subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=target, stderr=errors, env=environment)
        timer = threading.Timer(LIMIT, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        error = "" if process.returncode == 0 else f"exit {process.returncode}: {_last_line(errors.read())}"
        text = output.read().decode(errors="replace")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * KILOBYTE / 1e6, error, text)


def run_best(command: Sequence[str], times: int) -> Cost:
    """The cheapest of several runs: what other programs on the machine add is left out."""
    return min((run_child(command) for _ in range(times)), key=lambda cost: cost.processor)


def _last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1][:160] if lines else "nothing on standard error"
