"""A file is either there whole or not there: bytes go to a temporary name, to the disk, and then to their name."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

TEMPORARY = ".part-"
"""Beginning of the name of a file that is not finished; what a killed run leaves starts with it."""


def write_whole(path: Path, chunks: Iterable[bytes]) -> None:
    """Write the chunks to `path` so that no reader, and no later run, ever sees half of them.

    A path that exists and is no regular file (a pipe, a terminal) is written straight, for it cannot be replaced. OSError
    passes through, and leaves no temporary file.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            stream.writelines(chunks)
        return
    write_whole_with(path, lambda stream: stream.writelines(chunks))


def write_whole_with(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """The same for a writer that wants the open file."""
    with open_whole(path, temporary_name(path)) as stream:
        write(stream)


def temporary_name(path: Path) -> Path:
    """A name beside `path` that no other file has, for what is not finished."""
    return path.with_name(f"{TEMPORARY}{os.getpid()}-{secrets.token_hex(4)}")


@contextmanager
def open_whole(path: Path, temporary: Path) -> Iterator[BinaryIO]:
    """A file that is open under a temporary name and gets its own when the block ends well, else is gone."""
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system lets a folder be opened."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
