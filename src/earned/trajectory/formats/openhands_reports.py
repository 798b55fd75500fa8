"""Which reports speak of a file of OpenHands rows: those in its folder, of the instances, and no other file's.

OpenHands writes `report.json` or `output.report.json` (a run report) and `output.swebench_eval.jsonl` beside
`output.jsonl`, and a report of each instance under `eval_outputs/` or `logs/run_evaluation/`. Attempts that were not chosen
(`output.critic_attempt_2`) and those that broke (`output_errors`) were not graded: a report that names their instance means
the chosen one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from earned.trajectory import places
from earned.trajectory.reports import stem_of

MAX_INSTANCES = 20_000
"""Folders of instances that are looked through below a file's folder."""
_COPY = re.compile(r"^(.+?)(?:\.critic_attempt_\d{1,6}|\.with_completions)?\.jsonl(?:\.bak)?$")
_UNCHOSEN = re.compile(r"\.critic_attempt_\d{1,6}$|_errors$")


def main_of(name: str) -> str:
    """The file whose attempts a file of this name holds once more: what was written before grading, or before choosing."""
    match = _COPY.match(name)
    main = f"{match.group(1)}.jsonl" if match else ""
    return "" if main == name else main


def reports_of(path: Path, near: Sequence[Path]) -> tuple[Path, ...]:
    """The reports that may speak of the attempts in a file; `near`: what lies near it by its name."""
    stem = stem_of(path.name)
    own = [file for file in near if file.name.startswith(f"{stem}.")]
    beside = path.with_name(f"{stem}.swebench_eval.jsonl")
    own += [beside] if places.is_file(str(beside)) else []
    if _UNCHOSEN.search(stem):
        return tuple(own)
    others = [file for file in near if file not in own and not file.name.endswith(".report.json")]
    return tuple(dict.fromkeys([*own, *others, *_instances(path.parent)]))


def _instances(folder: Path) -> Iterator[Path]:
    """Reports of instances below the folder, with the output of their tests."""
    for base in (folder / "eval_outputs", *_folders(folder / "logs" / "run_evaluation", depth=2)):
        for instance in _folders(base, depth=1):
            for name in ("report.json", "test_output.txt"):
                if places.is_file(str(instance / name)):
                    yield instance / name


def _folders(path: Path, *, depth: int) -> list[Path]:
    """Folders at this depth below one, by name; links are not followed."""
    found = [path]
    for _ in range(depth):
        found = [above / name for above in found for name in _names(above)][:MAX_INSTANCES]
    return found


def _names(path: Path) -> list[str]:
    try:
        return [entry.name for entry in places.listing(str(path)) if entry.kind == "folder"]
    except OSError:
        return []
