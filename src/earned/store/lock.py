"""Two runs do not share an audit folder: one process holds the lock, and a dead one holds nothing.

The lock is `flock` on an open file, so the system frees it when the process ends, however it ends. A forked child would keep
the open file, and with it the lock, beyond the death of its parent; it therefore closes its copy at once.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

from earned.errors import ConfigurationError

LOCK_NAME = ".lock"

_held: Final[set[int]] = set()


def acquire(folder: Path) -> int:
    """Take the folder's lock and return its descriptor.

    Raises ConfigurationError (`folder-in-use`) when a live process has it.
    """
    descriptor = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise ConfigurationError(
            f"Expected {str(folder)!r} to be free; found that process {holder or 'of unknown number'} is writing to it. "
            "Wait for it to end, or give another --out.",
            slug="folder-in-use",
        ) from error
    except OSError:
        os.close(descriptor)
        raise
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    _remember(descriptor)
    return descriptor


def release(descriptor: int) -> None:
    """Free the lock; a descriptor that this process does not hold (a forked child's) is left alone."""
    if descriptor in _held:
        # a child forked a moment ago may not have closed its copy yet; unlocking frees the lock whoever has a copy
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        _held.discard(descriptor)
        os.close(descriptor)


def _remember(descriptor: int) -> None:
    if not getattr(_remember, "registered", False):
        os.register_at_fork(after_in_child=_forget_in_child)
        setattr(_remember, "registered", True)  # noqa: B010  # once a process: a function attribute needs no global statement
    _held.add(descriptor)


def _forget_in_child() -> None:
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()
