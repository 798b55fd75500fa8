"""Finds the reports and predictions of a trajectory without being told: near it, by the id of its instance.

Layouts searched, for the trajectory of instance I in folder D (D or its parent P is the trajectories' folder):
`D/report.json`, `D/I.pred`, `D/I.patch`, `P/patches/I.patch`, reports and predictions right in D, P and beside P,
`S/I/report.json` and reports in each folder S beside P, `logs/run_evaluation/*/*/I/report.json` below P or beside it. No other
place is opened. A folder beside P that holds an attempt at I itself is another run, whose reports say nothing of this one;
predictions in a folder beside P are another run's in any case.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from earned.trajectory import places
from earned.trajectory.companions import companion_kind
from earned.trajectory.peek import look

MAX_FOLDERS = 200
"""Folders beside the trajectories' folder that are searched."""
MAX_FILES = 200
"""Files of one folder that are looked at for reports, those of known names first."""
SUFFIXES = (".trajectory.json", ".traj.json", ".traj", ".json", ".jsonl")
INSTANCE_FILES = ("report.json", "test_output.txt", "patch.diff")
"""What the evaluation leaves in the folder of one instance; the patch is what was graded."""
_KNOWN = (
    *("outcomes.json", "report.json", "results.json", "eval_results.json"),
    *("preds.json", "all_preds.jsonl", "preds.jsonl", "predictions.json", "predictions.jsonl"),
)
_ENDINGS = (".json", ".jsonl", ".pred")
_REPORTS = ("run_report", "outcomes", "keyed_report")


def stem_of(name: str) -> str:
    """The file's name without the endings that trajectories have, and without those of compressed files."""
    name = places.bare_name(name)
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix) and name != suffix), name)


def is_submission(path: str) -> bool:
    """Whether a file found near a trajectory can only say what was submitted."""
    return path.endswith((".pred", ".patch", ".diff")) or PurePosixPath(path).stem.endswith("preds")


class _Names(NamedTuple):
    """What lies right in a folder."""

    files: frozenset[str]
    folders: frozenset[str]


class ReportFinder:
    """Looks up reports near trajectories; folders are listed once per walk."""

    def __init__(self) -> None:
        self._found = lru_cache(maxsize=4096)(_found_in)
        self._folders = lru_cache(maxsize=4096)(_folders_in)
        self._names = lru_cache(maxsize=4096)(_names_in)

    def near(self, path: Path) -> tuple[Path, ...]:
        """Outcome files that may speak of the trajectory at `path`, in a fixed order."""
        stem = stem_of(path.name)
        here = path.parent
        outer = here.parent if here.name == stem else here
        found: list[Path] = []
        if here.name == stem:
            found += [here / name for name in INSTANCE_FILES]
        found += [*self._found(here, with_predictions=True), here / f"{stem}.pred", here / f"{stem}.patch"]
        if outer != here:
            found += [*self._found(outer, with_predictions=True), *(outer / "logs" / stem / name for name in INSTANCE_FILES)]
        found.append(outer / "patches" / f"{stem}.patch")
        if outer.parent != outer:
            found += self._found(outer.parent, with_predictions=True)
            for beside in self._folders(outer.parent):
                if beside != outer and not self._is_other_run(beside, path.name, stem):
                    if stem in self._names(beside).folders:
                        found += [beside / stem / name for name in INSTANCE_FILES]
                    found += self._found(beside, with_predictions=False)
        for base in (outer, outer.parent):
            found += self._evaluation(base / "logs" / "run_evaluation", stem)
        return tuple(file for file in dict.fromkeys(found) if file != path and _is_plain(file))

    def _evaluation(self, logs: Path, stem: str) -> list[Path]:
        return [model / stem / name for run in self._folders(logs) for model in self._folders(run) for name in INSTANCE_FILES]

    def _is_other_run(self, folder: Path, name: str, stem: str) -> bool:
        """Whether a folder holds an attempt of its own at the same instance: its reports then speak of that attempt."""
        names = self._names(folder)
        return name in names.files or (stem in names.folders and places.is_file(str(folder / stem / name)))


def _is_plain(path: Path) -> bool:
    return places.is_file(str(path)) and not path.is_symlink() and not path.parent.is_symlink()


def _names_in(path: Path) -> _Names:
    try:
        entries = places.listing(str(path))
    except OSError:
        return _Names(frozenset(), frozenset())
    by_kind = {kind: frozenset(entry.name for entry in entries if entry.kind == kind) for kind in ("file", "folder")}
    return _Names(by_kind["file"], by_kind["folder"])


def _folders_in(path: Path) -> tuple[Path, ...]:
    """The first folders of a folder; in an archive those that are met first when it is unpacked."""
    try:
        entries = sorted(places.listing(str(path)), key=attrgetter("order"))
    except OSError:
        return ()
    names = [entry.name for entry in entries if entry.kind == "folder"]
    return tuple(path / name for name in names[:MAX_FOLDERS] if not name.startswith("."))


def _found_in(path: Path, *, with_predictions: bool) -> tuple[Path, ...]:
    """Reports, tables of outcomes and predictions right in a folder. An instance's report speaks for its own folder only."""
    try:
        names = [entry.name for entry in places.listing(str(path)) if entry.kind == "file"]
    except OSError:
        return ()
    wanted = [name for name in names if name.endswith(_ENDINGS) and not name.endswith((".traj.json", ".trajectory.json"))]
    wanted.sort(key=lambda name: name not in _KNOWN)
    kinds = (*_REPORTS, "predictions") if with_predictions else _REPORTS
    return tuple(path / name for name in wanted[:MAX_FILES] if _kind(path / name) in kinds)


def _kind(path: Path) -> str:
    """What a file says; of an instance's report only one that names its instance."""
    try:
        head = look(path)
    except OSError:
        return ""
    kind = companion_kind(head)
    if kind == "instance_report" and "/resolved" not in head.values:
        return "keyed_report"
    return kind
