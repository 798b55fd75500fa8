"""Finds the reports of a trajectory without being told: beside it, or beside the trajectories' folder, by instance id.

Layouts searched, for the trajectory of instance I in folder D (D or its parent P is the trajectories' folder):
`D/report.json`, `D/*.json` reports, `P/*.json` reports, `S/I/report.json` and `S/*.json` for each folder S beside P, reports
right beside P, and `logs/run_evaluation/*/*/I/report.json` below P or beside it. No other place is opened. A
folder beside P that holds an attempt at I itself is another run, whose reports say nothing of this one.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from earned.trajectory import places
from earned.trajectory.companions import report_kind
from earned.trajectory.peek import look

MAX_FOLDERS = 200
"""Folders beside the trajectories' folder that are searched."""
MAX_FILES = 200
"""JSON files of one folder that are looked at for reports."""
SUFFIXES = (".trajectory.json", ".traj.json", ".traj", ".json", ".jsonl")
INSTANCE_FILES = ("report.json", "test_output.txt")


def stem_of(name: str) -> str:
    """The file's name without the endings that trajectories have, and without those of compressed files."""
    name = places.bare_name(name)
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix) and name != suffix), name)


class ReportFinder:
    """Looks up reports near trajectories; folders are listed once per walk."""

    def __init__(self) -> None:
        self._reports = lru_cache(maxsize=4096)(_reports_in)
        self._folders = lru_cache(maxsize=4096)(_folders_in)

    def near(self, path: Path) -> tuple[Path, ...]:
        """Outcome files that may speak of the trajectory at `path`, in a fixed order."""
        stem = stem_of(path.name)
        here = path.parent
        outer = here.parent if here.name == stem else here
        found: list[Path] = []
        if here.name == stem:
            found += [here / name for name in INSTANCE_FILES]
        found += self._reports(here)
        if outer != here:
            found += [*self._reports(outer), *(outer / "logs" / stem / name for name in INSTANCE_FILES)]
        if outer.parent != outer:
            found += self._reports(outer.parent)
            for beside in self._folders(outer.parent):
                if beside != outer and not _is_other_run(beside, path.name, stem):
                    found += [*(beside / stem / name for name in INSTANCE_FILES), *self._reports(beside)]
        for base in (outer, outer.parent):
            found += self._evaluation(base / "logs" / "run_evaluation", stem)
        return tuple(file for file in dict.fromkeys(found) if _is_plain(file) and file != path)

    def _evaluation(self, logs: Path, stem: str) -> list[Path]:
        return [model / stem / name for run in self._folders(logs) for model in self._folders(run) for name in INSTANCE_FILES]


def _is_other_run(folder: Path, name: str, stem: str) -> bool:
    """Whether a folder holds an attempt of its own at the same instance: its reports then speak of that attempt."""
    return places.is_file(str(folder / name)) or places.is_file(str(folder / stem / name))


def _is_plain(path: Path) -> bool:
    return places.is_file(str(path)) and not path.is_symlink() and not path.parent.is_symlink()


def _folders_in(path: Path) -> tuple[Path, ...]:
    try:
        names = [entry.name for entry in places.listing(str(path)) if entry.kind == "folder"]
    except OSError:
        return ()
    return tuple(path / name for name in names[:MAX_FOLDERS] if not name.startswith("."))


def _reports_in(path: Path) -> tuple[Path, ...]:
    """Run reports and tables of outcomes right in a folder. An instance's report speaks for its own folder only."""
    try:
        names = [entry.name for entry in places.listing(str(path)) if entry.kind == "file"]
    except OSError:
        return ()
    files = [path / name for name in names if name.endswith(".json") and not name.endswith((".traj.json", ".trajectory.json"))]
    return tuple(file for file in files[:MAX_FILES] if _is_report(file))


def _is_report(path: Path) -> bool:
    try:
        kind = report_kind(look(path))
    except OSError:
        return False
    return kind in {"run_report", "outcomes"}
