"""What a user is told of outcome files beside the numbers: which were taken without being named, which had no effect."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

TAKEN = "outcomes.json"
"""The file that is used without asking where it stands near trajectories."""


def taken_outcomes(read: Iterable[str], named: Sequence[Path]) -> Iterator[str]:
    """Of the outcome files that were `read`, those called TAKEN that the user did not name."""
    known = {path.resolve() for path in named}
    for file in dict.fromkeys(path for path in read if PurePosixPath(path).name == TAKEN):
        if Path(file).resolve() not in known:
            yield f"outcomes were read from {file}, which stands near the trajectories; nobody named it"


def idle_outcomes(named: Sequence[Path], fitted: Collection[str]) -> Iterator[str]:
    """The named outcome files of which no claim is among the `fitted` sources."""
    for file in named:
        if not any(source.startswith(f"{file}#") for source in fitted):
            yield (
                f"warning: --outcomes {file} says nothing of any trajectory that was read: no id in it is a native id, a "
                "member, a file name or a task. `earned read PATH --json` shows those"
            )
