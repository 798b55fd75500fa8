"""What reading costs in each format beside plain decoding of the same bytes, in one process. Nothing is asserted.

    python bench/formats.py [--megabytes 16] [--format NAME …] [--repeat 3]

One attempt of about that size is written in each format that the tests can write, then read (`read_candidate`, without
discovery) and decoded (`msgspec.json.decode` of each document or line). The best of several runs counts. How to read it:
bench/README.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from backports.zstd import zipfile

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

from made_attempt import RENDERINGS, Attempt, Call, Turn, rendering
from words import NOUNS

from earned.records import Trajectory
from earned.trajectory import Candidate, discover, read_candidate

RESULT = 1500
"""Characters of a result: between a short listing and a page of a file."""


def main(arguments: list[str]) -> int:
    """Writes, measures and prints one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=16)
    parser.add_argument("--format", action="append", choices=sorted(RENDERINGS), help="only these; repeatable")
    parser.add_argument("--repeat", type=int, default=3)
    chosen = parser.parse_args(arguments)
    attempt = made(chosen.megabytes)
    print(f"{'format':24} {'MB':>6} {'read MB/s':>10} {'decode MB/s':>12} {'ratio':>6}")
    for name in chosen.format or sorted(RENDERINGS):
        with tempfile.TemporaryDirectory() as folder:
            print(measured(name, attempt, Path(folder), chosen.repeat), flush=True)
    return 0


def made(megabytes: float) -> Attempt:
    """An attempt of about that size: a command, a sentence and a result at every turn."""
    rng = random.Random(1)
    turns: list[Turn] = []
    for number in range(int(megabytes * 1e6 / (RESULT + 400))):
        lines = (" ".join(rng.choices(NOUNS, k=9)) for _ in range(RESULT // 60))
        call = Call("bash", command=f"sed -n {number},{number + 40}p src/module_{number % 97}.py", result="\n".join(lines))
        turns.append(Turn(" ".join(rng.choices(NOUNS, k=25)), (call,)))
    return Attempt(turns=tuple(turns))


def measured(name: str, attempt: Attempt, folder: Path, repeat: int) -> str:
    """One line of the table."""
    render, _ = rendering(name)
    candidates = [item for item in discover([render(attempt, folder)]) if isinstance(item, Candidate)]
    documents = [part for candidate in candidates for path in candidate.files for part in parts_of(Path(path))]
    size = sum(map(len, documents)) / 1e6
    if not all(map(is_json, documents)):
        documents = []

    def read() -> None:
        steps = [len(item.steps) for part in candidates for item in read_candidate(part) if isinstance(item, Trajectory)]
        if sum(steps) < len(attempt.turns):
            raise RuntimeError(f"{name}: expected {len(attempt.turns)} steps, found {sum(steps)}")

    def decode() -> None:
        for document in documents:
            msgspec.json.decode(document)

    speed = size / best(read, repeat)
    if not documents:
        return f"{name:24} {size:6.1f} {speed:10.1f} {'(no JSON)':>12}"
    plain = size / best(decode, repeat)
    return f"{name:24} {size:6.1f} {speed:10.1f} {plain:12.1f} {speed / plain:6.2f}"


def best(run: Callable[[], None], repeat: int) -> float:
    """Seconds of the quickest of several runs."""
    taken: list[float] = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def parts_of(path: Path) -> Iterator[bytes]:
    """The documents of a file: its lines where it holds lines of JSON, the members of an archive, else the whole."""
    data = path.read_bytes()
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name) for name in archive.namelist())
    elif is_json(data) or data[:1] not in b"{[":
        yield data
    else:
        yield from (line for line in data.split(b"\n") if line.strip())


def is_json(data: bytes) -> bool:
    """Whether it is one sound document."""
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
