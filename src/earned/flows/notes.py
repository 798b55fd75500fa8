"""What a user is told of outcome files beside the numbers: which were taken without being named, which had no effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from earned.records import Trajectory
from earned.trajectory import Candidate

TAKEN = "outcomes.json"
"""The file that is used without asking where it stands near trajectories."""
MAX_NAMES = 3
"""Names of files that one line tells."""


def taken_outcomes(read: Iterable[str], named: Sequence[Path]) -> Iterator[str]:
    """Of the outcome files that were `read`, those called TAKEN that the user did not name."""
    known = {path.resolve() for path in named}
    for file in dict.fromkeys(path for path in read if PurePosixPath(path).name == TAKEN):
        if Path(file).resolve() not in known:
            yield f"outcomes were read from {file}, which stands near the trajectories; nobody named it"


class NeighbouringOutcomes:
    """The files in folders beside those of trajectories that decided outcomes without being named, counted by name."""

    def __init__(self, named: Sequence[Path]) -> None:
        self._named = {path.resolve() for path in named}
        self._seen: set[int] = set()
        self._counts: Counter[str] = Counter()
        self._first = ""

    def add(self, trajectory: Trajectory, candidate: Candidate) -> str:
        """Count the file that the outcome is from, and give it, where it is such a file and was not met before; else empty."""
        file = trajectory.outcome.source.partition("#")[0]
        name = PurePosixPath(file).name
        if name == TAKEN or file not in candidate.outcome_files or _is_own(file, candidate):
            return ""
        return self.count(file)

    def count(self, file: str) -> str:
        """Count one such file, and give it, where it was not met before."""
        if hash(file) in self._seen:
            return ""
        self._seen.add(hash(file))
        if Path(file).resolve() in self._named:
            return ""
        self._counts[PurePosixPath(file).name] += 1
        self._first = self._first or file
        return file

    def notes(self) -> Iterator[str]:
        """One line; none where there is no such file."""
        if self._first:
            number = self._counts.total()
            told = ", ".join(f"{name} ({count:,})" for name, count in self._counts.most_common(MAX_NAMES))
            more = f" and {len(self._counts) - MAX_NAMES:,} further names" if len(self._counts) > MAX_NAMES else ""
            files = "a file" if number == 1 else f"{number:,} files"
            where = f"{told}{more}; the first is {self._first}"
            yield f"outcomes were read from {files} in folders near the trajectories; nobody named them: {where}"


def _is_own(file: str, candidate: Candidate) -> bool:
    """Whether a file lies beside an attempt in a file, or in the folder of one in a folder."""
    place, parent = PurePosixPath(candidate.path), PurePosixPath(file).parent
    return parent == place.parent if candidate.path in candidate.files else parent.is_relative_to(place)


def idle_outcomes(named: Sequence[Path], fitted: Collection[str]) -> Iterator[str]:
    """The named outcome files of which no claim is among the `fitted` sources."""
    for file in named:
        if not any(source.startswith(f"{file}#") for source in fitted):
            yield (
                f"warning: --outcomes {file} says nothing of any trajectory that was read: no id in it is a native id, a "
                "member, a file name or a task. `earned read PATH --json` shows those"
            )
