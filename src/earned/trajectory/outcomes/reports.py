"""Finds the reports and predictions of a trajectory without being told: near it, by the id of its instance.

Layouts searched, for the trajectory of instance I in folder D (D or its parent P is the trajectories' folder):
`D/report.json`, `D/I.pred`, `D/I.patch`, `P/patches/I.patch`, reports and predictions right in D, P and beside P,
`S/I/report.json` and reports in each folder S beside P, `logs/run_evaluation/*/*/I/report.json` below P or beside it. No other
place is opened. A folder beside P that holds attempts of its own is another run, whose reports say nothing of this one;
predictions in a folder beside P are another run's in any case.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection
from functools import lru_cache
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from earned.trajectory.outcomes.companions import companion_kind
from earned.trajectory.outcomes.evaluations import is_evaluation
from earned.trajectory.peek import look
from earned.trajectory.sources import places

MAX_FOLDERS = 200
"""Folders beside the trajectories' folder that are searched."""
MAX_HELD = 2000
"""Names of one such folder that are held; of a larger one each name is asked for."""
MAX_FILES = 200
"""Files of one folder that are looked at for reports, those of known names first."""
SUFFIXES = (".trajectory.json", ".traj.json", ".traj", ".json", ".jsonl")
INSTANCE_FILES = ("report.json", "test_output.txt", "patch.diff")
"""What the evaluation leaves in the folder of one instance; the patch is what was graded."""
_KNOWN = (
    *("outcomes.json", "report.json", "results.json", "eval_results.json"),
    *("preds.json", "all_preds.jsonl", "preds.jsonl", "predictions.json", "predictions.jsonl"),
)
_TELLING = re.compile(
    r"(?:^|[-_.])(?:outcomes?|results?|reports?|rewards?|scores?|verdicts?|grades?|resolved|passed|solved|labels?|eval\w*)(?:[-_.]|$)"
)
"""What a file's name must say for its truths to be outcomes, where its keys are not all names of attempts beside it."""
MAX_LOOKS = 40
"""Files of a folder beside, and of the first folders in it, that are looked at for attempts of its own."""
_ENDINGS = (".json", ".jsonl", ".pred")
_REPORTS = ("run_report", "outcomes", "keyed_report")


def stem_of(name: str) -> str:
    """The file's name without the endings that trajectories have, and without those of compressed files."""
    name = places.bare_name(name)
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix) and name != suffix), name)


def is_submission(path: str) -> bool:
    """Whether a file found near a trajectory can only say what was submitted."""
    return path.endswith((".pred", ".patch", ".diff")) or PurePosixPath(path).stem.endswith("preds")


class _Beside(NamedTuple):
    """One of the folders of a folder, as every trajectory in another one of them sees it."""

    path: Path
    name: str
    files: frozenset[str] | None
    """Names of the files right in it; None for a folder of more than MAX_HELD entries."""
    folders: frozenset[str]
    reports: tuple[Path, ...]
    has_attempts: bool
    """Whether attempts lie in it: it is a run, and its reports are of that."""

    def holds(self, name: str) -> bool:
        """Whether a file of this name lies right in it."""
        return places.is_file(str(self.path / name)) if self.files is None else name in self.files

    def has_folder(self, name: str) -> bool:
        """Whether a folder of this name does."""
        return self.files is None or name in self.folders


class ReportFinder:
    """Looks up reports near trajectories; folders are listed once per walk."""

    def __init__(self, is_attempt: Callable[[Path], bool] | None = None) -> None:
        """`is_attempt`: whether a file holds attempts, by its content."""
        self._is_attempt = is_attempt or (lambda _: False)
        self._found = lru_cache(maxsize=4096)(_found_in)
        self._folders = lru_cache(maxsize=4096)(_folders_in)
        self._beside = lru_cache(maxsize=64)(self._all_in)

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
            own, name = outer.name, path.name
            for beside in self._beside(outer.parent):
                if beside.name != own and not _is_other_run(beside, name, stem):
                    if beside.has_folder(stem):
                        found += [beside.path / stem / name for name in INSTANCE_FILES]
                    found += beside.reports
        for base in (outer, outer.parent):
            found += self._evaluation(base / "logs" / "run_evaluation", stem)
        return tuple(file for file in dict.fromkeys(found) if file != path and _is_plain(file))

    def _evaluation(self, logs: Path, stem: str) -> list[Path]:
        return [model / stem / name for run in self._folders(logs) for model in self._folders(run) for name in INSTANCE_FILES]

    def _all_in(self, parent: Path) -> tuple[_Beside, ...]:
        return tuple(
            _beside(path, self._found(path, with_predictions=False), has_attempts=self._has_attempts(path))
            for path in self._folders(parent)
        )

    def _has_attempts(self, path: Path) -> bool:
        inner = (file for folder in self._folders(path)[:MAX_LOOKS] for file in _files_in(folder)[:3])
        tried = itertools.chain(_files_in(path)[:MAX_LOOKS], itertools.islice(inner, MAX_LOOKS))
        return any(self._is_attempt(file) for file in tried)


def _is_other_run(beside: _Beside, name: str, stem: str) -> bool:
    """Whether a folder holds an attempt of its own at the same instance: its reports then speak of that attempt."""
    return (
        beside.has_attempts
        or beside.holds(name)
        or (beside.has_folder(stem) and places.is_file(str(beside.path / stem / name)))
    )


def _is_plain(path: Path) -> bool:
    return places.is_file(str(path)) and not path.is_symlink() and not path.parent.is_symlink()


def _files_in(path: Path) -> list[Path]:
    """Files right in a folder that may hold attempts, by their names."""
    try:
        names = [entry.name for entry in places.listing(str(path)) if entry.kind == "file"]
    except OSError:
        return []
    return [
        path / name for name in names if places.bare_name(name).endswith(SUFFIXES) and name not in (*_KNOWN, *INSTANCE_FILES)
    ]


def _beside(path: Path, reports: tuple[Path, ...], *, has_attempts: bool) -> _Beside:
    try:
        entries = places.listing(str(path))
    except OSError:
        entries = []
    if len(entries) > MAX_HELD:
        return _Beside(path, path.name, None, frozenset(), reports, has_attempts)
    files, folders = (frozenset(entry.name for entry in entries if entry.kind == kind) for kind in ("file", "folder"))
    return _Beside(path, path.name, files, folders, reports, has_attempts)


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
        entries = places.listing(str(path))
    except OSError:
        return ()
    names = [entry.name for entry in entries if entry.kind == "file"]
    wanted = [name for name in names if name.endswith(_ENDINGS) and not name.endswith((".traj.json", ".trajectory.json"))]
    wanted.sort(key=lambda name: name not in _KNOWN)
    kinds = (*_REPORTS, "predictions") if with_predictions else _REPORTS
    ids = frozenset(map(stem_of, (entry.name for entry in entries)))
    return tuple(path / name for name in wanted[:MAX_FILES] if _kind(path / name, ids) in kinds)


def _kind(path: Path, ids: Collection[str]) -> str:
    """What a file says; of an instance's report only one that names its instance. `ids`: names of what lies beside it."""
    try:
        head = look(path)
    except OSError:
        return ""
    kind = companion_kind(head)
    if kind == "instance_report" and "/resolved" not in head.values:
        return "keyed_report"
    if kind == "outcomes" and not is_evaluation(head) and not _TELLING.search(path.name.lower()):
        return kind if all(key[1:] in ids for key in head.values if key.count("/") == 1) else ""
    return kind
