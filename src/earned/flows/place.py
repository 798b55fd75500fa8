"""Where a trajectory is said to stand, and found again: in the file that was read.

What is read back from our own export keeps the source that it had, so that it equals what was exported. Its place is the
export, and the place it had before is the member.
"""

from __future__ import annotations

from typing import NamedTuple

from earned.records import Trajectory
from earned.trajectory import Candidate


class Place(NamedTuple):
    """A file or folder, and what in it."""

    path: str
    member: str

    def __str__(self) -> str:
        """As `--show` takes it."""
        return f"{self.path}:{self.member}" if self.member else self.path

    @property
    def names(self) -> tuple[str, ...]:
        """Every way to write it: what lies in an archive can also be named like a file in a folder."""
        return (str(self), f"{self.path}/{self.member}") if self.member else (self.path,)


def place_of(trajectory: Trajectory, candidate: Candidate) -> Place:
    """The place of a trajectory that was read from a candidate."""
    source = trajectory.source
    if candidate.format != "earned":
        return Place(source.path, source.member)
    return Place(candidate.given, candidate.inner(candidate.path, str(Place(source.path, source.member))))
