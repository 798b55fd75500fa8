"""What `--protected DIR` holds for a task: here its bundle, by which ancestry is decided exactly."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePosixPath

from earned.audit import Graph
from earned.errors import InputError
from earned.gitgraph import KnownGraph


@lru_cache(maxsize=64)
def protected_graph(folder: str, task: str) -> Graph | None:
    """The ancestry of a task's bundle; None when the folder has none for this task.

    `folder` holds one folder a task id with `repo.bundle` and `base_commit`. Raises InputError
    (`protected-invalid`) for a bundle without its base commit.
    """
    place = task_folder(Path(folder), task)
    if place is None:
        return None
    bundle, base = place / "repo.bundle", place / "base_commit"
    if not bundle.exists():
        return None
    if not base.exists():
        raise InputError(
            f"Expected {base} beside {bundle}; found none. Write the base commit's hash into it.", slug="protected-invalid"
        )
    return KnownGraph.from_bundle(bundle, base.read_text(encoding="utf-8", errors="replace").strip())


def task_folder(folder: Path, task: str) -> Path | None:
    """The folder of a task; a task id comes from a trajectory, so it may name nothing outside `folder`."""
    names = [part for part in PurePosixPath(task).parts if part not in ("/", "..", ".")]
    for parts in (names, names[-1:]):
        place = folder.joinpath(*parts)
        if parts and place.is_dir() and place.resolve().is_relative_to(folder.resolve()):
            return place
    return None
