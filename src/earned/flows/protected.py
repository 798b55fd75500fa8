"""What `--protected DIR` holds for a task: here its bundle, by which ancestry is decided exactly."""

from __future__ import annotations

import atexit
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from earned.audit import Graph
from earned.errors import InputError
from earned.gitgraph import KnownGraph

MAX_OPEN = 8
"""Bundles of which a clone is kept; trials of one task mostly stand together, so that few are needed at a time."""

_SHOWN = 3
"""Tasks that are given as examples."""

_open: dict[tuple[str, str], KnownGraph] = {}


def protected_graph(folder: str, task: str) -> Graph | None:
    """The ancestry of a task's bundle; None when the folder has none for this task.

    `folder` holds one folder a task id with `repo.bundle` and `base_commit`. Raises InputError (`protected-invalid`, and what
    `KnownGraph.from_bundle` raises) for a bundle without its base commit, or one that git cannot read.
    """
    place = task_folder(Path(folder), task)
    if place is None or not (place / "repo.bundle").exists():
        return None
    if (folder, task) not in _open:
        graph = _read(place)
        if len(_open) >= MAX_OPEN:
            _open.pop(next(iter(_open))).close()
        _open[folder, task] = graph
    return _open[folder, task]


def _read(place: Path) -> KnownGraph:
    bundle, base = place / "repo.bundle", place / "base_commit"
    if not base.is_file():
        raise InputError(
            f"Expected {base} beside {bundle}; found none. Write the base commit's hash into it.", slug="protected-invalid"
        )
    return KnownGraph.from_bundle(bundle, base.read_text(encoding="utf-8", errors="replace").strip())


def _close_all() -> None:
    for graph in _open.values():
        graph.close()
    _open.clear()


atexit.register(_close_all)


def task_folder(folder: Path, task: str) -> Path | None:
    """The folder of a task; a task id comes from a trajectory, so it may name nothing outside `folder`."""
    names = [part for part in PurePosixPath(task).parts if part not in ("/", "..", ".")]
    for parts in (names, names[-1:]):
        place = folder.joinpath(*parts)
        if parts and "\0" not in task and place.is_dir() and place.resolve().is_relative_to(folder.resolve()):
            return place
    return None


def idle_protected(folder: Path, tasks: Iterable[str]) -> Iterator[str]:
    """Says so where no task has a folder in the protected content."""
    seen: list[str] = []
    for task in tasks:
        if task_folder(folder, task) is not None:
            return
        seen.append(task)
    shown = ", ".join([*seen[:_SHOWN], *(["\N{HORIZONTAL ELLIPSIS}"] if len(seen) > _SHOWN else [])])
    yield f"warning: --protected {folder} has no folder that is called like a task that was read ({shown})"
