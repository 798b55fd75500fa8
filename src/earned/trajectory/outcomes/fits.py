"""Which claims of a file fit an attempt, and how well: by native id, member, file stem or task, and by the model it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from earned.records import Trajectory
from earned.trajectory.outcomes.claim import Claim
from earned.trajectory.outcomes.reports import stem_of

ID, MEMBER, FILE, TASK = range(4)
"""How well a claim fits, the best first."""
NOBODY = -1
_DATE = re.compile(r"(?:[-_@]?(?:20\d{6}|20\d\d-\d\d-\d\d|latest))+$")
_MARKS = re.compile(r"[^a-z0-9]+")


class Fit(NamedTuple):
    """A claim that fits an attempt, and how well."""

    claim: Claim
    rank: int


RUN_PARTS = 3
"""From so many parts on a name is a run's, and no provider with its model."""


class Index:
    """The claims of one file, to be asked for many attempts."""

    def __init__(self) -> None:
        self._by_key: dict[str, list[Claim]] = {}
        self._by_task: dict[str, list[Claim]] = {}

    def add(self, claim: Claim) -> None:
        """Hold one more claim."""
        self._by_key.setdefault(claim.key, []).append(claim)
        if claim.task and claim.task != claim.key:
            self._by_task.setdefault(claim.task, []).append(claim)

    def of(self, key: str) -> list[Claim]:
        """The claims with this key."""
        return self._by_key.get(key, [])

    def about(self, trajectory: Trajectory, *, has_file: bool = True) -> list[Fit]:
        """The claims that fit by the first of its names that fits any; `has_file`: the file's stem is one of them."""
        for rank, key in _names(trajectory):
            if not key or (rank == FILE and not has_file):
                continue
            found = self.of(key)
            if rank == TASK:
                found = [*found, *self._by_task.get(key, ())]
            if found:
                return [Fit(claim, rank) for claim in found if is_of_model(claim.model, trajectory)]
        return []

    def foreign(self, trajectory: Trajectory) -> Claim | None:
        """The first prediction under one of its names that is another model's."""
        keys = (key for _, key in _names(trajectory) if key)
        found = (claim for key in keys for claim in self.of(key) if claim.patch and not claim.is_outcome)
        return next((claim for claim in found if not is_of_model(claim.model, trajectory)), None)


def _names(trajectory: Trajectory) -> Iterator[tuple[int, str]]:
    """What an attempt is called, the most particular first; a native id or a member that is the task's name names the task."""
    source = trajectory.source
    if trajectory.attempt != trajectory.task:
        yield ID, trajectory.attempt
    yield from ((MEMBER, name) for name in (source.sample, source.member) if name != trajectory.task)
    yield FILE, stem_of(PurePosixPath(source.place).name)
    yield TASK, trajectory.task


def is_of_model(name: str, trajectory: Trajectory) -> bool:
    """Whether a name may be that of the attempt's model or run; true where either is not known."""
    return not name or trajectory.model in ("", "unknown") or names_attempt(name, trajectory)


def names_attempt(name: str, trajectory: Trajectory) -> bool:
    """Whether a name is that of the attempt's model, with or without provider and date, or of a folder that it lies in."""
    plain = _plain(name)
    own = {_plain(part) for part in PurePosixPath(trajectory.source.place).parts}
    own |= {_plain(PurePosixPath(part).stem) for part in (trajectory.source.path, trajectory.source.place)}
    return plain in own or not _forms(name).isdisjoint(_forms(trajectory.model)) or _is_run_of(name, trajectory.model)


def _is_run_of(name: str, model: str) -> bool:
    """Whether a run's name, put together of many parts (`gen__claude-3.7__t-0.0`), has the model's name in short as one."""
    parts = [_plain(part) for part in name.replace("/", "__").split("__") if part]
    own = _forms(model)
    return len(parts) >= RUN_PARTS and any(form.startswith(f"{part}-") for part in parts if "-" in part for form in own)


def _forms(name: str) -> set[str]:
    """A model's name as a whole, and its parts where `/`, or `__` instead of it, parts it; a provider alone is no model."""
    parts = [part for part in name.replace("/", "__").split("__") if part]
    return {_plain(form) for form in (name, *parts[min(1, len(parts) - 1) :])} - {""}


def _plain(name: str) -> str:
    return _MARKS.sub("-", _DATE.sub("", name.lower())).strip("-")
