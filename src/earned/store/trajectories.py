"""What `earned read --export` writes: one trajectory a line, each with the version of the records, the file whole or not there.

A line is the record as JSON behind its `schema`, so that `msgspec.json.decode(line, type=Trajectory)` gives the trajectory.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from earned.errors import ConfigurationError
from earned.records import SCHEMA, Trajectory
from earned.store.columns import json_text
from earned.store.whole import open_whole, temporary_name

_START = f'{{"schema":{SCHEMA},'.encode()


def trajectory_line(trajectory: Trajectory) -> bytes:
    """One line with its end. Lone surrogates, which no file can hold, are replaced."""
    try:
        text = msgspec.json.encode(trajectory)
    except UnicodeEncodeError:
        text = json_text(trajectory).encode()
    return b"".join((_START, text[1:], b"\n"))


class TrajectoryExport:
    """A file of trajectories: written while they are read, there under its name once the block ends well."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with _writing(self.path):
            opened: AbstractContextManager[BinaryIO]
            if self.path.exists() and not self.path.is_file():
                opened = self.path.open("wb")  # a pipe or a terminal cannot be replaced
            else:
                opened = open_whole(self.path, temporary_name(self.path))
            self._stream = self._stack.enter_context(opened)
        return self

    def add(self, trajectory: Trajectory) -> None:
        """Write one. Raises ConfigurationError (`cannot-write`)."""
        with _writing(self.path):
            self._stream.write(trajectory_line(trajectory))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with _writing(self.path):
            self._stack.__exit__(kind, error, trace)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ConfigurationError(
            f"Expected a file that can be written at {str(path)!r}; found: {error}. Give another --export.", slug="cannot-write"
        ) from error
