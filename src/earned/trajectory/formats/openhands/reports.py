"""Which reports speak of a file of OpenHands rows: those in its folder or of its instances, and no other file's.

OpenHands writes `report.json` or `output.report.json` (a run report) and `output.swebench_eval.jsonl` beside
`output.jsonl`, and a report of each instance under `eval_outputs/` or `logs/run_evaluation/`. Attempts that were not chosen
(`output.critic_attempt_2`) and those that broke (`output_errors`) were not graded: a report that names their instance means
the chosen one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from earned.trajectory.outcomes.reports import stem_of
from earned.trajectory.sources import places

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
    """The reports that may speak of the attempts in a file; `near`: what lies near it by its name.

    What lies elsewhere than in its folder counts only where the folder holds no rows of its own: they are another run's.
    """
    stem, folder = stem_of(path.name), path.parent
    own = [file for file in near if file.parent == folder and file.name.startswith(f"{stem}.")]
    if _UNCHOSEN.search(stem):
        return tuple(own)
    beside = {file.parent: file.parent == folder or _is_of_reports(file.parent, folder) for file in near}
    others = [file for file in near if beside[file.parent] and not file.name.endswith(".report.json")]
    return tuple(dict.fromkeys([*own, *others, *_instances(folder)]))


def _is_of_reports(place: Path, folder: Path) -> bool:
    """Whether a folder beside another, or below such a one, holds reports and no rows."""
    top = next((above for above in (place, *place.parents) if above.parent == folder.parent), None)
    if top is None or top == folder:
        return top == folder
    try:
        return not any(entry.name.endswith(".jsonl") for entry in places.listing(str(top)))
    except OSError:
        return False


def _instances(folder: Path) -> Iterator[Path]:
    """Reports of instances below the folder, with the output of their tests, and that of Multi-SWE-bench."""
    final = folder / "eval_files" / "dataset" / "final_report.json"
    if places.is_file(str(final)):
        yield final
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
