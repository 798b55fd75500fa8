"""Where files lie: on disk, or in an archive on disk, whose files have places such as `runs.zip/job/trial/result.json`.

Everything that lists, measures or opens a place asks here, so that nobody else has to know which of the two it is. A file that
is compressed as a whole (`rollout.jsonl.zst`) keeps its place and is read as what it holds. Both are told by their first bytes.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import OrderedDict
from operator import attrgetter
from typing import Literal, NamedTuple

from earned.errors import FormatError
from earned.trajectory.sources.archives.archive import START, Archive, is_archive
from earned.trajectory.sources.archives.codecs import codec_of
from earned.trajectory.sources.archives.content import Content, DiskFile
from earned.trajectory.sources.archives.members import Refused
from earned.trajectory.sources.archives.unpacked import Unpacked

MAX_ARCHIVES = 2
"""Kept open in a process: the list of a hundred thousand files takes 60 MB."""
MAX_CONTENTS = 8
"""Unpacked files whose state is kept."""
COMPRESSED = (".gz", ".zst", ".zstd")
MAGIC = 4
"""Bytes that tell whether a file is compressed."""
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# A pipe without a writer is opened at once, to be refused; a descriptor costs half of a file object.

_NOT_READ = {b"\xfd7zXZ\0": ".xz", b"7z\xbc\xaf\x27\x1c": ".7z", b"Rar!\x1a\x07": ".rar"}
"""First bytes of archives and compressed files of kinds that are not read."""
Kind = Literal["file", "folder", "link", "other"]
_Stamp = tuple[int, int, int]
_archives: OrderedDict[str, tuple[_Stamp, Archive]] = OrderedDict()
_contents: OrderedDict[str, tuple[_Stamp, Content]] = OrderedDict()


class Entry(NamedTuple):
    """One name in a folder."""

    name: str
    kind: Kind
    order: int = 0
    """In which files are best read: 0 on disk, the place in an archive."""


class _Inside(NamedTuple):
    """A place in a file on disk."""

    archive: str
    name: str
    """Of the file or folder in the archive; empty for the archive itself."""
    status: os.stat_result


def listing(folder: str) -> list[Entry]:
    """What lies right in a folder, on disk, in an archive or at the top of one, by name. Raises OSError."""
    try:
        with os.scandir(folder) as found:
            entries = [Entry(entry.name, _kind(entry)) for entry in found]
    except NotADirectoryError:
        entries = _listed(folder)
    return sorted(entries, key=attrgetter("name"))


def is_file(path: str) -> bool:
    """Whether a regular file is there; a link to one counts."""
    inside = _in_known(path)
    try:
        return _holds(inside) if inside is not None else stat.S_ISREG(_status(path).st_mode)
    except NotADirectoryError:
        inside = _inside(path)
        return inside is not None and _holds(inside)
    except OSError:
        return False


def is_folder(path: str) -> bool:
    """Whether a folder is there, on disk or in an archive; an archive itself is a file."""
    try:
        return stat.S_ISDIR(_status(path).st_mode)
    except NotADirectoryError:
        try:
            return bool(_listed(path))
        except OSError:
            return False
    except OSError:
        return False


def archive_of(path: str) -> str:
    """Path of the archive in which a place lies; empty for a place on disk, and for the archive itself."""
    inside = _inside(path) if not os.path.lexists(path) else None
    return inside.archive if inside is not None and inside.name else ""


def size(path: str) -> int:
    """Bytes that a file takes, compressed where it is. Raises OSError."""
    try:
        return _status(path).st_size
    except NotADirectoryError:
        inside = _found(path)
        return _opened(inside).members[inside.name].size


def content_size(path: str) -> int:
    """Bytes that a file holds, unpacked. Raises OSError."""
    try:
        content = content_of(path)
        known = content.declared() if isinstance(content, Unpacked) else None
        return content.length() if known is None else known
    except FormatError as error:
        raise as_os_error(error) from error


def stamp(path: str) -> str:
    """What changes when a file changes. Raises OSError."""
    try:
        status = _status(path)
    except NotADirectoryError:
        inside = _found(path)
        member = _opened(inside).members[inside.name]
        return f"{inside.status.st_size}:{inside.status.st_mtime_ns}:{member.at}:{member.size}"
    return f"{status.st_size}:{status.st_mtime_ns}"


def packing_of(path: str) -> str:
    """What a file is that holds others or is compressed once more; empty for any other file. Raises OSError.

    `archive` is one that is gone through; of one that is not read the ending that such files have.
    """
    try:
        start = content_of(path).read_at(0, START)
    except FormatError as error:
        raise as_os_error(error) from error
    if is_archive(start):
        return "archive"
    if codec_of(start[:MAGIC]) is not None:
        return ".gz or .zst"
    if start[:3] == b"BZh" and start[4:10] == b"1AY&SY":
        return ".bz2"
    return next((ending for magic, ending in _NOT_READ.items() if start.startswith(magic)), "")


def refused_in(path: str) -> tuple[Refused, ...]:
    """What the archive at a place holds that is not read. Raises OSError when it is not one, or cannot be read."""
    return tuple(_opened(_found(path, is_member=False)).refused)


def content_of(path: str) -> Content:
    """The bytes of a file, unpacked where it is compressed as a whole. Raises OSError, and FormatError for damaged ones."""
    try:
        status = _status(path)
    except NotADirectoryError:
        inside = _found(path)
        return _kept(path, inside.status) or _keep(path, inside.status, _opened(inside).open(inside.name))
    kept = _kept(path, status)
    if kept is not None:
        return kept
    if not stat.S_ISREG(status.st_mode):
        raise FormatError("expected a regular file, found a device, pipe or folder")
    return _keep(path, status, DiskFile(os.open(path, FLAGS)))


def is_cut(path: str) -> bool:
    """Whether a file that was read lately is compressed and was found to be cut off."""
    known = _contents.get(path)
    return known is not None and isinstance(known[1], Unpacked) and known[1].is_cut


def bare_name(name: str) -> str:
    """A file's name without the ending of compressed files, which says nothing of what it holds."""
    return next((name.removesuffix(suffix) for suffix in COMPRESSED if name.endswith(suffix)), name)


def as_os_error(error: FormatError) -> OSError:
    """The same as an error of reading, for those that expect nothing else of a file."""
    return OSError(errno.EIO, str(error))


def _status(path: str) -> os.stat_result:
    try:
        return os.stat(path)  # noqa: PTH116 - asked of every file; Path costs as much again
    except ValueError as error:
        raise FileNotFoundError(errno.ENOENT, str(error)) from error  # NUL in the name


def _kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return "link"
    if entry.is_dir():
        return "folder"
    return "file" if entry.is_file() else "other"


def _listed(path: str) -> list[Entry]:
    inside = _inside(path)
    found = None if inside is None else _opened(inside).folder(inside.name)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return [Entry(item.name, "folder" if item.is_folder else "file", item.order) for item in found]


def _inside(path: str) -> _Inside | None:
    """The file on disk that is a beginning of a place."""
    known = _in_known(path)
    if known is not None:
        return known
    end = len(path)
    while end > 0:
        try:
            status = _status(path[:end])
        except NotADirectoryError:
            end = path.rfind("/", 0, end)
            continue
        except OSError:
            return None
        return _Inside(path[:end], path[end + 1 :], status) if stat.S_ISREG(status.st_mode) else None
    return None


def _in_known(path: str) -> _Inside | None:
    """The same for an archive that is open: a place in it is asked for after another."""
    for archive, (known, _) in _archives.items():
        if path.startswith(archive) and path[len(archive) : len(archive) + 1] == "/":
            status = _status(archive)
            return _Inside(archive, path[len(archive) + 1 :], status) if _stamp(status) == known else None
    return None


def _found(path: str, *, is_member: bool = True) -> _Inside:
    inside = _inside(path)
    if inside is None or (is_member and inside.name not in _opened(inside).members):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return inside


def _holds(inside: _Inside) -> bool:
    try:
        return inside.name in _opened(inside).members
    except OSError:
        return False


def _stamp(status: os.stat_result) -> _Stamp:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _opened(inside: _Inside) -> Archive:
    """The archive, gone through when it is first asked for. Raises OSError when the file is none."""
    known = _archives.get(inside.archive)
    if known is not None and known[0] == _stamp(inside.status):
        _archives.move_to_end(inside.archive)
        return known[1]
    try:
        content = content_of(inside.archive)
        if not is_archive(content.read_at(0, START)):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), inside.archive)
        archive = Archive(content)
    except FormatError as error:
        raise as_os_error(error) from error
    _archives[inside.archive] = _stamp(inside.status), archive
    if len(_archives) > MAX_ARCHIVES:
        _archives.popitem(last=False)
    return archive


def _kept(path: str, status: os.stat_result) -> Content | None:
    known = _contents.get(path)
    if known is None or known[0] != _stamp(status):
        return None
    _contents.move_to_end(path)
    return known[1]


def _keep(path: str, status: os.stat_result, content: Content) -> Content:
    """The content, unpacked where it is compressed; what took work to get to is kept."""
    codec = codec_of(content.read_at(0, MAGIC))
    if codec is not None:
        content = Unpacked(content, codec)
    if isinstance(content, Unpacked):
        _contents[path] = _stamp(status), content
        if len(_contents) > MAX_CONTENTS:
            _contents.popitem(last=False)
    return content
