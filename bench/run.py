"""`make bench`: what an audit costs beside reading alone, on the same generated trials, in one run. Nothing is asserted.

    python bench/run.py [--megabytes 100] [--worst 20] [--peer 12] [--seed 1]

Prints one table and writes `build/bench.json`. How to read it: bench/README.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
from children import Cost, run_best, run_child
from peer import run_peer
from table import MicroRow, Row, compared, render, render_micro

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "bench"
REPORT = HERE.parent / "build" / "bench.json"
REPEATS = 3
"""Times that the cheap rows run; the cheapest counts."""
PACKAGES = ("earned", "msgspec", "numpy", "pyarrow", "google-re2", "tree-sitter", "tree-sitter-bash")


def main(arguments: list[str]) -> int:
    """Makes the trials, measures, prints and writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--worst", type=float, default=20, help="megabytes of trials in which every step is a candidate")
    parser.add_argument("--peer", type=int, default=12, help="trials that the peer is given")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    BUILD.mkdir(parents=True, exist_ok=True)
    whole = _make("trials", chosen.megabytes, chosen.seed)
    quarter = _make("quarter", chosen.megabytes / 4, chosen.seed)
    worst = _make("worst", chosen.worst, chosen.seed, "--worst")
    rows = [
        *_floor(whole),
        run_peer(BUILD, whole, chosen.peer),
        _earned("earned read", whole, ["read", str(whole), "--json"]),
        _audit("earned audit, 1 job", whole, 1),
        _audit("earned audit, 2 jobs", whole, 2),
        _audit("earned audit, 1 job, quarter", quarter, 1),
        _audit("earned audit, 1 job, worst case", worst, 1),
    ]
    micro = _micro(quarter)
    labels = _labels(whole)
    print(f"\n{_machine()}\n\n{render(rows)}\n\nSingle functions\n{render_micro(micro)}\n\n{labels}")
    _write(rows, micro, labels, chosen)
    return 0


def _make(name: str, megabytes: float, seed: int, *options: str) -> Path:
    """A fresh folder of trials; made in a child, because a child's peak of memory starts at its parent's."""
    out = BUILD / name
    shutil.rmtree(out, ignore_errors=True)
    sizes = ["--megabytes", str(megabytes), "--seed", str(seed), "--truth", str(out) + ".truth.jsonl"]
    cost = run_child([sys.executable, str(HERE / "generate.py"), str(out), *sizes, *options], keep_output=True)
    print(f"{name}: {cost.output.strip() or cost.error}", flush=True)
    return out


def _files(trials: Path) -> list[str]:
    return [str(path) for path in sorted(trials.glob("*/agent/trajectory.json"))]


def _megabytes(trials: Path) -> float:
    return sum(Path(path).stat().st_size for path in _files(trials)) / 1e6


def _floor(trials: Path) -> list[Row]:
    """What reading alone costs: by `wc`, by `rg`, by decoding."""
    files = _files(trials)
    size = _megabytes(trials)
    rows = [_row("wc -l", size, run_best(["wc", "-l", *files], REPEATS), "the floor: reading")]
    if shutil.which("rg"):
        rows.append(
            _row("rg -c", size, run_best(["rg", "-c", "-F", "-j1", "git show", *files], REPEATS), "one literal, one thread")
        )
    else:
        rows.append(Row(name="rg -c", note="skipped, rg is not on PATH"))
    decode = run_best([sys.executable, str(HERE / "decode.py"), str(trials)], REPEATS)
    return [*rows, _row("msgspec decode", size, decode, "the same bytes into plain objects")]


def _audit(name: str, trials: Path, jobs: int) -> Row:
    out = BUILD / f"audit-{trials.name}-{jobs}"
    shutil.rmtree(out, ignore_errors=True)
    options = ["--out", str(out), "--judge", "rules", "--jobs", str(jobs), "--quiet", "--export", str(out) + ".jsonl"]
    return _earned(name, trials, ["audit", str(trials), *options])


def _earned(name: str, trials: Path, arguments: Sequence[str]) -> Row:
    command = [str(Path(sys.executable).with_name("earned")), *arguments]
    return _row(name, _megabytes(trials), run_child(command), "end to end")


def _row(name: str, megabytes: float, cost: Cost, note: str) -> Row:
    processor = 0.0 if cost.error else cost.processor
    return Row(name=name, megabytes=megabytes, wall=cost.wall, processor=processor, peak=cost.peak, note=cost.error or note)


def _micro(trials: Path) -> list[MicroRow]:
    cost = run_child([sys.executable, str(HERE / "micro.py"), str(trials)], keep_output=True)
    if cost.error:
        return [MicroRow(name="single functions", function="bench/micro.py", note=cost.error)]
    return msgspec.json.decode(cost.output, type=list[MicroRow])


def _labels(trials: Path) -> str:
    """What the audit said of the planted and of the honest passes: a speed without it says nothing."""
    exported = BUILD / f"audit-{trials.name}-1.jsonl"
    if not exported.exists():
        return "Labels: no rows were exported"
    decode = msgspec.json.Decoder().decode_lines
    truth = {row["trial"]: row["planted"] for row in decode(Path(f"{trials}.truth.jsonl").read_bytes()) if row["passed"]}
    said: dict[str, Counter[str]] = {}
    for row in decode(exported.read_bytes()):
        said.setdefault(truth.get(row["attempt"], "unknown trial") or "honest", Counter())[row["label"]] += 1
    lines = [
        f"  {kind}: " + ", ".join(f"{label} {n}" for label, n in labels.most_common()) for kind, labels in sorted(said.items())
    ]
    return "\n".join([f"Labels by what was planted ({len(truth)} passes)", *lines])


def _facts() -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "machine": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
        "versions": {name: metadata.version(name) for name in PACKAGES},
    }


def _machine() -> str:
    facts = _facts()
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    return f"{facts['cores']} cores, {facts['machine']}, Python {facts['python']}, load {facts['load']}; {versions}"


def _write(rows: list[Row], micro: list[MicroRow], labels: str, chosen: argparse.Namespace) -> None:
    document = {
        "options": vars(chosen),
        "facts": _facts(),
        "rows": [{**msgspec.structs.asdict(row), "rate": row.rate, "times": compared(row, rows)} for row in rows],
        "micro": micro,
        "labels": labels.splitlines(),
    }
    REPORT.write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=2))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
