"""How much memory reading and auditing take when the input grows: files of many attempts, each attempt small.

    python bench/memory.py [--megabytes 1000] [--kind jsonl …] [--steps 30] [--keep]

For each kind of input a file of that size and one of a quarter of it are made; `earned read` and `earned audit` run over both,
each in a process of its own. Nothing is asserted: compare the peaks of a whole with those of its quarter. How to read it:
bench/README.md.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shutil
import sys
import tarfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import BinaryIO

import msgspec
from backports.zstd import ZstdFile, zipfile
from children import run_child

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

import render_chat
import render_inspect
from actions import Act
from made_attempt import Attempt, Call, Turn
from repository import Material, make_material
from trial import Plan, Trial, make_trial

BUILD = Path(__file__).parent.parent / "build" / "bench" / "memory"
RECEIPTS = 0.25
"""Share of attempts that hold a receipt, so that there are findings to keep."""


def main(arguments: list[str]) -> int:
    """Makes the inputs, measures, prints one line for each run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=1000)
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), help="only these; repeatable")
    parser.add_argument("--steps", type=int, default=30, help="of each attempt")
    parser.add_argument("--keep", action="store_true", help="leave the inputs under build/")
    chosen = parser.parse_args(arguments)
    BUILD.mkdir(parents=True, exist_ok=True)
    print(f"{'input':12} {'MB':>6} {'packed':>6} {'attempts':>8}  {'command':8} {'wall s':>7} {'peak MB':>8}", flush=True)
    for kind in chosen.kind or sorted(KINDS):
        for megabytes in (chosen.megabytes / 4, chosen.megabytes):
            path = BUILD / f"attempts-{megabytes:g}.{kind}"
            number = _made_in_a_child(kind, path, megabytes, chosen.steps)
            for command in ("read", "audit"):
                print(_measured(kind, path, megabytes, number, command), flush=True)
            if not chosen.keep:
                path.unlink()
                Path(f"{path}.count").unlink()
    return 0


def _made_in_a_child(kind: str, path: Path, megabytes: float, steps: int) -> int:
    """Makes an input; in a child, because a child's peak of memory starts at its parent's."""
    process = os.fork()
    if process == 0:
        number = KINDS[kind](path, attempts(megabytes * 1e6, steps))
        Path(f"{path}.count").write_text(str(number))
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]):
        raise RuntimeError(f"the input {path} could not be made")
    return int(Path(f"{path}.count").read_text())


def _measured(kind: str, path: Path, megabytes: float, number: int, command: str) -> str:
    out = BUILD / "audit"
    shutil.rmtree(out, ignore_errors=True)
    options = ["--json"] if command == "read" else ["--out", str(out), "--jobs", "1", "--quiet", "--export", f"{out}.jsonl"]
    cost = run_child([str(Path(sys.executable).with_name("earned")), command, str(path), *options])
    shutil.rmtree(out, ignore_errors=True)
    packed = path.stat().st_size / 1e6
    shown = f"{kind:12} {megabytes:6.0f} {packed:6.0f} {number:8}  {command:8} {cost.wall:7.1f} {cost.peak:8.0f}"
    return f"{shown}  {cost.error}".rstrip()


@cache
def _material() -> Material:
    return make_material()


def attempts(size: float, steps: int) -> Iterator[Attempt]:
    """Attempts until they are that many bytes together, as JSON lines of chat messages; always the same ones."""
    made = 0
    for number in count():
        attempt = _attempt(make_trial(_material(), 1, number, Plan(steps, RECEIPTS, worst=False)))
        made += len(_line(attempt))
        yield attempt
        if made >= size:
            return


def _attempt(trial: Trial) -> Attempt:
    return Attempt(
        turns=tuple(Turn("I go on.", (_call(act),)) for act in trial.acts),
        task=trial.name,
        patch=trial.files["artifacts/submission.patch"].decode(),
        passed=trial.passed,
    )


def _call(act: Act) -> Call:
    told = {name: str(value) for name, value in act.arguments.items()}
    if "old_str" in told:
        return Call("edit", path=told["path"], old=told["old_str"], new=told["new_str"], result=act.observation)
    return Call("bash", command=told.get("command", act.tool), result=act.observation)


def _line(attempt: Attempt) -> bytes:
    row = {
        "instance_id": attempt.task,
        "model": attempt.model,
        "messages": render_chat.messages_of(attempt),
        "resolved": attempt.passed,
        "git_patch": attempt.patch,
    }
    return msgspec.json.encode(row) + b"\n"


def _lines(path: Path, made: Iterator[Attempt], *, opened: Callable[[Path], BinaryIO]) -> int:
    """Chat messages, an attempt a line."""
    with opened(path) as stream:
        return sum(bool(stream.write(_line(attempt))) for attempt in made)


def _eval(path: Path, made: Iterator[Attempt]) -> int:
    """An Inspect log, an attempt a member."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_ZSTANDARD) as archive:
        for attempt in made:
            archive.writestr(f"samples/{attempt.task}_epoch_1.json", msgspec.json.encode(render_inspect.sample(attempt)))
        archive.writestr("header.json", msgspec.json.encode(render_inspect.header(attempt)))
        return len(archive.infolist()) - 1


def _tar(path: Path, made: Iterator[Attempt]) -> int:
    """A compressed tar of files of one attempt each, which lie in no order."""
    rng = random.Random(1)
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for attempt in made:
            data = _line(attempt)
            header = tarfile.TarInfo(f"runs/{rng.randrange(1 << 40):010x}/{attempt.task}.json")
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
        return len(archive.getmembers())


KINDS: dict[str, Callable[[Path, Iterator[Attempt]], int]] = {
    "jsonl": partial(_lines, opened=lambda path: path.open("wb")),
    "jsonl.zst": partial(_lines, opened=lambda path: ZstdFile(path, "wb")),  # type: ignore[arg-type]
    "eval": _eval,
    "tar.gz": _tar,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
