"""Writes Harbor trials that look like real software work, fast and the same for the same seed.

    python bench/generate.py OUT --megabytes 100 --seed 1 [--receipts 0.25] [--steps 120] [--worst] [--truth FILE]

A megabyte is 10^6 bytes of `agent/trajectory.json`; the number of trials follows from the mean size of the first few.
`--truth` writes one JSON line a trial: its name, whether it passed, the kind of the planted receipt.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
import time
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from repository import Material, make_material
from trial import Plan, make_trial, write_trial

SAMPLED = 8
"""Trials whose mean size sets how many are written."""
CHUNK = 40
"""Trials that a process makes at a time."""
MEASURED_WHOLE = 32
"""Megabytes up to which every line is looked at; above, one in 32 is. Every command is."""
MASK = 31
"""A line is looked at when these bits of its hash are 0: all copies of it or none, so that distinct ones are a fair share."""


class Texts(NamedTuple):
    """How many texts of one kind there are, and the hashes of those that were looked at."""

    total: int
    seen: set[int]


class Chunk(NamedTuple):
    """What one process wrote at a time."""

    rows: list[dict[str, object]]
    size: int
    commands: Texts
    lines: Texts


class Made(NamedTuple):
    """What one run of the generator wrote."""

    trials: int
    size: int
    """Bytes of trajectories."""
    passed: int
    planted: int
    planted_passed: int
    seconds: float
    distinct_commands: float
    distinct_lines: float


def generate(out: Path, megabytes: float, seed: int, plan: Plan, truth: Path | None = None) -> Made:
    """Writes trials under `out`. A larger run begins with the trials of a smaller one."""
    start = time.perf_counter()
    sizes = [len(make_trial(_material(), seed, number, plan).files["agent/trajectory.json"]) for number in range(SAMPLED)]
    count = max(1, math.ceil(megabytes * 1e6 * SAMPLED / sum(sizes)))
    mask = 0 if megabytes <= MEASURED_WHOLE else MASK
    make = partial(_make_chunk, out, seed, plan, mask)
    numbers = [range(first, min(first + CHUNK, count)) for first in range(0, count, CHUNK)]
    # fork, so that every process hashes texts alike and none prepares the material again
    with multiprocessing.get_context("fork").Pool(min(len(numbers), os.cpu_count() or 1)) as pool:
        chunks = pool.map(make, numbers, chunksize=1)
    rows = [row for chunk in chunks for row in chunk.rows]
    if truth is not None:
        truth.write_bytes(msgspec.json.Encoder().encode_lines(rows))
    return Made(
        trials=len(rows),
        size=sum(chunk.size for chunk in chunks),
        passed=sum(bool(row["passed"]) for row in rows),
        planted=sum(bool(row["planted"]) for row in rows),
        planted_passed=sum(bool(row["planted"] and row["passed"]) for row in rows),
        seconds=time.perf_counter() - start,
        distinct_commands=_ratio([chunk.commands for chunk in chunks], 0),
        distinct_lines=_ratio([chunk.lines for chunk in chunks], mask),
    )


@cache
def _material() -> Material:
    return make_material()


def _make_chunk(out: Path, seed: int, plan: Plan, mask: int, numbers: range) -> Chunk:
    rows, size, lines = list[dict[str, object]](), 0, 0
    commands, seen = list[str](), set[int]()
    for number in numbers:
        trial = make_trial(_material(), seed, number, plan)
        write_trial(out, trial)
        size += len(trial.files["agent/trajectory.json"])
        rows.append({"trial": trial.name, "passed": trial.passed, "planted": trial.planted})
        commands += [str(act.arguments["command"]) for act in trial.acts if act.tool == "execute_bash"]
        observed = "\n".join(act.observation for act in trial.acts).split("\n")
        lines += len(observed)
        seen.update(digest for digest in map(hash, observed) if not digest & mask)
    return Chunk(rows, size, Texts(len(commands), set(map(hash, commands))), Texts(lines, seen))


def _ratio(parts: list[Texts], mask: int) -> float:
    """Distinct texts / texts."""
    return len(set[int]().union(*(part.seen for part in parts))) * (mask + 1) / max(1, sum(part.total for part in parts))


def main(arguments: list[str]) -> int:
    """Reads the options, writes the trials, prints what was made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--megabytes", type=float, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--receipts", type=float, default=0.25)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--worst", action="store_true", help="every step is a candidate for a receipt")
    parser.add_argument("--truth", type=Path)
    chosen = parser.parse_args(arguments)
    made = generate(chosen.out, chosen.megabytes, chosen.seed, Plan(chosen.steps, chosen.receipts, chosen.worst), chosen.truth)
    rate = made.size / 1e6 / made.seconds
    print(f"{made.trials} trials, {made.size / 1e6:.1f} MB of trajectories in {made.seconds:.1f} s ({rate:.0f} MB/s)")
    print(f"passed {made.passed}, with a planted receipt {made.planted} ({made.planted_passed} of them passed)")
    print(f"distinct commands / commands {made.distinct_commands:.3f}, distinct lines / lines {made.distinct_lines:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
