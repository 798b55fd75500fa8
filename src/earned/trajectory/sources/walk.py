"""What lies in a folder and below it, in order, on disk or in an archive, with a row for everything that is not gone through.

No link is followed out of the folder that the user named; one that stays inside it would only show the same file twice. In an
archive no link is followed at all, and files come in the order of the archive, in which they are best unpacked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from earned.records import Companion, Skip, SkipReason
from earned.trajectory.sources import places
from earned.trajectory.sources.places import Entry

NOT_SEARCHED = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", ".mypy_cache", "__MACOSX"})
"""Folders of tools: named once, not gone through."""

NOT_REGULAR = "expected a regular file, found a device or pipe"
NOT_UTF8 = "the name of the file is not UTF-8"


class Root(NamedTuple):
    """What is gone through: a folder that the user named, or an archive."""

    path: Path
    """Without links; out of it no link is followed."""
    archive: str = ""
    """Path of the archive; empty for what lies on disk."""

    def skip(self, path: str | Path, reason: SkipReason, detail: str) -> Skip:
        """A row for a place below it; what lies in an archive is a member of it."""
        place = shown(path)
        if not self.archive:
            return Skip(path=place, reason=reason, detail=detail)
        return Skip(path=self.archive, member=place[len(self.archive) + 1 :], reason=reason, detail=detail)


class Listing(NamedTuple):
    """What lies right in one folder."""

    files: list[str]
    """Names, by name."""
    in_order: list[str]
    """The same, in the order in which they are best read."""
    folders: list[str]
    """In that order."""
    rows: list[Companion | Skip]
    """For what is neither: links, devices, pipes."""


class Below(NamedTuple):
    """One file below a folder, or a row instead of it."""

    name: str
    """Below the folder."""
    path: str
    row: Companion | Skip | None = None


def listing(path: str, root: Root) -> Listing:
    """What lies right in a folder. Raises OSError."""
    files: list[Entry] = []
    folders: list[Entry] = []
    rows: list[Companion | Skip] = []
    for entry in places.listing(path):
        if entry.kind == "link":
            rows.append(_link(Path(path, entry.name), root))
        elif entry.kind == "folder":
            folders.append(entry)
        elif entry.kind == "file":
            files.append(entry)
        else:
            rows.append(root.skip(inside(path, entry.name), "unreadable", NOT_REGULAR))
    names = [entry.name for entry in files]
    if not root.archive:
        return Listing(names, names, [entry.name for entry in folders], rows)
    by_order = attrgetter("order")
    in_order = [entry.name for entry in sorted(files, key=by_order)]
    return Listing(names, in_order, [entry.name for entry in sorted(folders, key=by_order)], rows)


def files_below(start: str, root: Root) -> Iterator[Below]:
    """Regular files below a folder in order; of what cannot be gone through or read a row instead."""
    waiting = [("", start)]
    while waiting:
        prefix, path = waiting.pop()
        try:
            found = listing(path, root)
        except OSError as error:
            yield Below(prefix, path, root.skip(path, "unreadable", f"cannot be opened: {error.strerror}"))
            continue
        yield from (Below(prefix, path, row) for row in found.rows)
        for name in found.in_order:
            file = inside(path, name)
            row = None if encodes(file) else root.skip(file, "unreadable", NOT_UTF8)
            yield Below(prefix + name, file, row)
        deeper = [name for name in reversed(found.folders) if name not in NOT_SEARCHED]
        waiting += [(f"{prefix}{name}/", inside(path, name)) for name in deeper]


def _link(path: Path, root: Root) -> Companion | Skip:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return root.skip(path, "unreadable", "a symbolic link that leads nowhere")
    if target.is_relative_to(root.path):
        return Companion(path=shown(path), kind="link")
    return root.skip(path, "not_a_trajectory", "a symbolic link out of the folder is not followed")


def inside(folder: str, name: str) -> str:
    """The path of a name in a folder, written as pathlib writes it, at a tenth of the cost."""
    return name if folder == "." else os.path.join(folder, name)  # noqa: PTH118 - one for each file of a trial


def encodes(path: str | Path) -> bool:
    """Whether a path can be written as UTF-8."""
    try:
        os.fspath(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def shown(path: str | Path) -> str:
    """The path as text that can be written anywhere."""
    text = os.fspath(path)
    return text if text.isascii() else os.fsencode(path).decode("utf-8", "replace")
