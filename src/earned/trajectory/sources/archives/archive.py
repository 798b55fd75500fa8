"""An archive as a tree of folders and files: what lies in which folder, what is left out and why, and each file's bytes.

Of a name that stands in it twice the last one counts, as for who unpacks it. A name that is a file and a folder is a folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from earned.errors import FormatError
from earned.trajectory.sources.archives.content import Content, Part
from earned.trajectory.sources.archives.members import Member, Refused
from earned.trajectory.sources.archives.tars import HEADER, is_tar, tar_members
from earned.trajectory.sources.archives.unpacked import Unpacked
from earned.trajectory.sources.archives.zip_members import is_zip, open_zip_member, zip_members
from earned.trajectory.sources.limits import MAX_MEMBERS, MAX_NAMES, MAX_TOTAL

START = HEADER
"""Bytes that tell whether a file is an archive."""


class Inner(NamedTuple):
    """A file or a folder right in a folder of an archive."""

    name: str
    order: int
    """Place in the archive, from 0; of a folder that of the first file in it."""
    is_folder: bool


def is_archive(start: bytes) -> bool:
    """Whether the first bytes of a file, unpacked where it is compressed, begin a ZIP or a tar."""
    return is_zip(start) or is_tar(start)


class Archive:
    """One archive, gone through once."""

    def __init__(self, content: Content) -> None:
        """`content` begins as `is_archive` wants it. Raises FormatError when its beginning cannot be read."""
        self._content = content
        self._is_zip = is_zip(self._content.read_at(0, 4))
        self.members: dict[str, Member] = {}
        self.refused: list[Refused] = []
        self._take(zip_members(self._content) if self._is_zip else tar_members(self._content))
        if isinstance(self._content, Unpacked) and self._content.is_cut:
            self.refused.append(Refused("", "unreadable", "the archive is cut off; what lies in it whole is read"))
        self._inner = _tree(self.members)
        self._drop_hidden()

    def _take(self, found: Iterable[Member | Refused]) -> None:
        """Keep what is within the limits; the first that is not ends the list with a row that says so."""
        count = names = total = 0
        for item in found:
            count += 1
            names += len(item.name)
            total += item.size if isinstance(item, Member) else 0
            if count > MAX_MEMBERS or names > MAX_NAMES or total > MAX_TOTAL:
                self.refused.append(Refused("", "too_large", _over(count, names)))
                return
            if isinstance(item, Refused):
                self.refused.append(item)
                continue
            if self.members.pop(item.name, None) is not None:
                again = "the archive holds another file of this name behind it, which is the one that is read"
                self.refused.append(Refused(item.name, "duplicate", again))
            self.members[item.name] = item

    def _drop_hidden(self) -> None:
        for name in [name for name in self.members if name in self._inner]:
            del self.members[name]
            self.refused.append(Refused(name, "unreadable", "the archive holds a folder of the same name"))

    def folder(self, name: str) -> list[Inner] | None:
        """What lies right in a folder, by name (the empty name is the archive itself); None when there is no such folder."""
        found = self._inner.get(name)
        return None if found is None and name else sorted((found or {}).values())

    def open(self, name: str) -> Content:
        """The bytes of a file. Raises FormatError."""
        member = self.members.get(name)
        if member is None:
            raise FormatError(f"the archive holds no file {name}")
        if self._is_zip:
            return open_zip_member(self._content, member)
        return Part(self._content, member.at, member.size)


def _over(count: int, names: int) -> str:
    if count > MAX_MEMBERS:
        return f"expected at most {MAX_MEMBERS} files in an archive, found more; those before are read"
    what = f"{MAX_NAMES} bytes of names" if names > MAX_NAMES else f"{MAX_TOTAL} bytes of files"
    return f"expected at most {what} in an archive, found more; what stands before is read"


def _tree(names: Iterable[str]) -> dict[str, dict[str, Inner]]:
    """Of every folder what lies right in it."""
    tree: dict[str, dict[str, Inner]] = {}
    for order, name in enumerate(names):
        folder, _, last = name.rpartition("/")
        tree.setdefault(folder, {}).setdefault(last, Inner(last, order, is_folder=False))
        for above in _folders(folder):
            over, _, own = above.rpartition("/")
            known = tree.setdefault(over, {}).get(own)
            if known is not None and known.is_folder:
                break
            tree[over][own] = Inner(own, order, is_folder=True)
    return tree


def _folders(folder: str) -> Iterator[str]:
    """A folder, the one it lies in, and so on up to the archive."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
