"""An earlier audit folder below the inputs: told by what its manifest says, and one row for all that an audit writes there.

A manifest is a file that anyone can write, so it hides nothing: what lies in such a folder is still looked at, only that no row
says of our own tables and reports that they are no trajectories.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from earned.records import Companion, Skip
from earned.trajectory.candidate import Candidate
from earned.trajectory.sources.files import read_start

KIND = "audit_folder"
_MANIFEST = "manifest.json"
_FILES = frozenset({_MANIFEST, ".lock", "skipped.jsonl", "report.html", "report.md"})
_FOLDERS = frozenset({"verdicts", "findings", "trajectories", "calls", "shards"})
_BEGIN = 256
"""Bytes of a manifest in which it says what it is of."""
_OURS = re.compile(rb'\s{0,8}\{\s{0,8}"kind":\s{0,8}"earned audit folder"\s{0,8},')


def names_written(folder: Path, files: Collection[str]) -> frozenset[str]:
    """Names that an audit writes right in its folder; none where the folder is no audit's. `files`: names of those in it."""
    if _MANIFEST not in files:
        return frozenset()
    try:
        begin = read_start(str(folder / _MANIFEST), _BEGIN)
    except OSError:
        return frozenset()
    return _FILES | _FOLDERS if _OURS.match(begin) else frozenset()


def own_folder(path: Path, out: Path | None = None) -> Path | None:
    """The audit folder of which a path is a file that an audit writes: that at `out`, or any with a manifest; else None."""
    place = path.absolute().parent.resolve() / path.name
    for folder in place.parents:
        names = _FILES | _FOLDERS if out is not None and folder == out.resolve() else names_written(folder, (_MANIFEST,))
        if place.relative_to(folder).parts[0] in names:
            return folder
    return None


def without_own(found: Iterable[Candidate | Companion | Skip]) -> Iterator[Candidate | Companion | Skip]:
    """What was found in files of our own without what says only that they are no trajectories."""
    for item in found:
        is_row = isinstance(item, Companion) or (isinstance(item, Skip) and item.reason == "not_a_trajectory")
        if not is_row:
            yield item
