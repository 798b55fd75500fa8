"""`earned read --show`: one step of one trajectory, found by the place that tables and reports give it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from earned.errors import InputError
from earned.flows.place import Place, place_of
from earned.records import Skip, Step, Trajectory
from earned.report import safe_line
from earned.trajectory import Candidate, discover, read_candidate

MAX_NAMED = 12
"""Trajectories that an error lists."""
_PLACE = re.compile(r"(.+):(\d{1,12})", re.DOTALL)


def place_and_step(text: str) -> tuple[str, int] | None:
    """The parts of `PATH:STEP`, `PATH:MEMBER:STEP` or `ARCHIVE/FILE:STEP`; None when no number of a step is behind it."""
    found = _PLACE.fullmatch(text)
    return (found.group(1), int(found.group(2))) if found else None


def read_step(place: str, number: int) -> Step:
    """Step `number` (from 0) of the trajectory at `place`: a path, a path and a member, or a folder that holds one.

    Raises InputError (`no-such-step`, `nothing-recognised`, `path-missing`) that says what there is.
    """
    path = _existing(place)
    chosen = _chosen(path, place)
    if not chosen.steps:
        raise InputError(f"Expected a step of {place}; found none: the trajectory has no steps.", slug="no-such-step")
    if not 0 <= number < len(chosen.steps):
        raise InputError(f"Expected a step from 0 to {len(chosen.steps) - 1} in {place}; found {number}.", slug="no-such-step")
    return chosen.steps[number]


def _existing(named: str) -> Path:
    """The longest beginning of a place that is there: what is behind it names a member, or a file in an archive."""
    if Path(named).exists():
        return Path(named)
    ends = [match.start() for match in re.finditer("[:/]", named)]
    for end in reversed(ends):
        if end and Path(named[:end]).is_file():
            return Path(named[:end])
    raise InputError(f"Expected a file or a folder, found nothing at {named}. Check the path.", slug="path-missing")


def _chosen(path: Path, named: str) -> Trajectory:
    """The trajectory that is called so; of a path that holds a single one, that one."""
    is_whole = str(path) == str(Path(named))
    others: list[str] = []
    only: Trajectory | None = None
    for item, place in _below(path, named):
        if isinstance(item, Trajectory) and named in place.names:
            return item
        if len(others) > MAX_NAMED and is_whole:
            break  # a path is no name of one among so many
        if isinstance(item, Skip):
            named_so = f"{place} ({item.detail})"
        else:
            only, named_so = item, str(place)
        others += [named_so] if len(others) <= MAX_NAMED else []
    if only is not None and len(others) == 1 and is_whole:
        return only
    raise _none_such(named, others)


def _below(path: Path, named: str) -> Iterator[tuple[Trajectory | Skip, Place]]:
    """Every trajectory at and below the path; of files in an archive only those of the name, where one has it."""
    candidates = [item for item in discover([path]) if isinstance(item, Candidate)]
    meant = [item for item in candidates if named.startswith((item.path, str(Place(item.given, item.member))))]
    for candidate in meant or candidates:
        for item in read_candidate(candidate):
            yield item, Place(item.path, item.member) if isinstance(item, Skip) else place_of(item, candidate)


def _none_such(named: str, others: list[str]) -> InputError:
    if not others:
        return InputError(f"Expected a trajectory at {named}; found none.", slug="nothing-recognised")
    more = ["\N{HORIZONTAL ELLIPSIS}"] if len(others) > MAX_NAMED else []
    listed = "\n  ".join([*map(safe_line, others[:MAX_NAMED]), *more])
    return InputError(f"Expected the place of one trajectory; found {named}. There are:\n  {listed}\n", slug="no-such-step")
