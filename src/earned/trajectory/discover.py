"""Goes through folders and says of every file what it is: something to read, a companion of it, or nothing known, and why.

Cheap, streaming, sorted and deterministic. Files are told apart by content. No link is followed out of the folder that the user
named; one that stays inside it would only show the same file twice.
"""

from __future__ import annotations

import itertools
import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path

from earned.errors import FormatError, InputError
from earned.records import Companion, Skip
from earned.trajectory.candidate import Candidate
from earned.trajectory.companions import companion_kind
from earned.trajectory.document import decode_any
from earned.trajectory.files import read_bytes
from earned.trajectory.format import FORMATS, Folder, Format, load_format
from earned.trajectory.oddities import Oddities
from earned.trajectory.peek import SECOND_LOOK, THIRD_LOOK, Head, decoded_head, look
from earned.trajectory.reports import ReportFinder

NOT_SEARCHED = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", ".mypy_cache"})
"""Folders of tools: named once, not gone through."""

Found = Candidate | Companion | Skip


def discover(paths: Sequence[Path], *, formats: Sequence[str] = ()) -> Iterator[Found]:
    """What lies at and below `paths`, in order.

    Args:
        paths: Files and folders, as the user named them.
        formats: Names of further formats to try before the built-in ones (entry points or `module:attribute`).

    Raises:
        InputError: A path does not exist (slug `path-missing`), or a folder holds no file (slug `folder-empty`).
    """
    for path in paths:
        if not path.exists():
            raise InputError(f"Expected a file or a folder, found nothing at {path}. Check the path.", slug="path-missing")
        if path.is_dir() and not any(path.iterdir()):
            raise InputError(
                f"Expected trajectories in {path}, found an empty folder. Name the folder that holds them.",
                slug="folder-empty",
            )
    yield from discover_with([load_format(name) for name in dict.fromkeys([*formats, *FORMATS])], paths)


def discover_with(formats: Sequence[Format], paths: Sequence[Path]) -> Iterator[Found]:
    """The same with given readers instead of names; the paths must exist."""
    search = _Search(formats)
    for path in paths:
        yield from search.folder(path, path.resolve()) if path.is_dir() else search.file(path, _names_beside(path))


class _Search:
    """One walk, with the formats that are tried."""

    def __init__(self, formats: Sequence[Format]) -> None:
        self.formats = formats
        self.reports = ReportFinder()

    def folder(self, start: Path, root: Path) -> Iterator[Found]:
        """Everything below one folder; a stack instead of recursion, for folders nested without end."""
        waiting: list[Path] = [start]
        while waiting:
            path = waiting.pop()
            if path.name in NOT_SEARCHED and path != start:
                yield Companion(path=_shown(path), kind="not_searched")
                continue
            try:
                files, folders, rest = _listing(str(path), root)
            except OSError as error:
                yield Skip(path=_shown(path), reason="unreadable", detail=f"the folder cannot be opened: {error.strerror}")
                continue
            folder = Folder(path=path, files=tuple(file.name for file in files), folders=tuple(folders))
            match = self._match_folder(folder)
            if match is not None:
                yield from self._trial(folder, *match, root)
                continue
            yield from rest
            for name in folder.files:
                yield from self.file(path / name, folder.files)
            waiting += [path / name for name in reversed(folder.folders)]

    def _match_folder(self, folder: Folder) -> tuple[Format, str] | None:
        for item in self.formats:
            why = item.recognise_folder(folder) if item.recognise_folder else ""
            if why:
                return item, why
        return None

    def _trial(self, folder: Folder, item: Format, why: str, root: Path) -> Iterator[Found]:
        """A folder that is one candidate, then the files in it that are companions."""
        sources: list[str] = []
        outcomes: list[str] = []
        size = 0
        companions: list[Companion] = []
        skips: list[Found] = []
        for below, path, found in _files_below(str(folder.path), root):
            if not isinstance(found, os.DirEntry):
                skips.append(found)
                continue
            side, _, kind = (item.role(below) if item.role else "source").partition(":")
            shown = _shown(path)
            if side == "source":
                sources.append(shown)
                size += _size(found)
            elif side == "outcome":
                outcomes.append(shown)
            if kind != "trajectory":
                companions.append(Companion(path=shown, kind=kind or side))
        yield Candidate(
            path=_shown(folder.path),
            format=item.name,
            files=tuple(sources),
            outcome_files=tuple(outcomes),
            size=size,
            recognised=why,
        )
        yield from companions
        yield from skips

    def file(self, path: Path, names: Sequence[str] = ()) -> Iterator[Found]:
        """One file: at most three looks, each only when the one before recognised nothing. `names`: sorted, of its folder."""
        shown = _shown(path)
        if not _encodes(path):
            yield Skip(path=shown, reason="unreadable", detail="the name of the file is not UTF-8")
            return
        try:
            if not path.is_file():
                yield Skip(path=shown, reason="unreadable", detail="expected a regular file, found a device or pipe")
                return
            head = look(path)
            found = self._known(head, path, names)
            if found is None and not head.whole and head.shape in {"object", "array", "lines"}:
                head = look(path, amount=SECOND_LOOK)
                found = self._known(head, path, names) or self._decoded(head, path, names)
        except OSError as error:
            yield Skip(path=shown, reason="unreadable", detail=f"the file cannot be opened: {error.strerror}")
            return
        yield found or _unknown(head, shown)

    def _known(self, head: Head, path: Path, names: Sequence[str]) -> Candidate | Companion | None:
        for item in self.formats:
            why = item.recognise(head)
            if why:
                if item.main_of and item.main_of(path.name) in names:
                    return Companion(path=_shown(path), kind="continuation")
                near = self.reports.near(path) if item.graded_by_reports else ()
                return Candidate(
                    path=_shown(path),
                    format=item.name,
                    files=(_shown(path), *(_shown(path.parent / name) for name in _parts(path.name, names, item))),
                    outcome_files=tuple(_shown(file) for file in near),
                    size=head.size,
                    recognised=why,
                )
        kind = companion_kind(head)
        return Companion(path=_shown(path), kind=kind) if kind else None

    def _decoded(self, head: Head, path: Path, names: Sequence[str]) -> Candidate | Companion | None:
        """The third look: the whole document's keys, for files of moderate size."""
        if head.shape == "lines" or head.whole or head.size > THIRD_LOOK:
            return None
        try:
            value = decode_any(read_bytes(str(path), limit=THIRD_LOOK), Oddities())
        except FormatError:
            return None
        return self._known(decoded_head(head, value), path, names)


def _parts(name: str, names: Sequence[str], item: Format) -> list[str]:
    """Names of the files that continue one; they share its stem, so that a folder of many is not gone through for each."""
    if item.main_of is None:
        return []
    stem = f"{name.partition('.')[0]}."
    first = bisect_left(names, stem)
    beside = itertools.takewhile(lambda other: other.startswith(stem), itertools.islice(names, first, None))
    return [other for other in beside if item.main_of(other) == name]


def _names_beside(path: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(path.parent) if entry.is_file(follow_symlinks=False))
    except OSError:
        return []


def _unknown(head: Head, shown: str) -> Skip:
    if head.shape == "empty":
        return Skip(path=shown, reason="not_a_trajectory", detail="the file is empty")
    what = {"object": "a JSON object", "array": "a JSON array", "lines": "JSON lines", "binary": "binary data"}
    keys = [path[1:] for path in head.values if path.count("/") == 1][:8]
    named = f" with the keys {', '.join(keys)}" if keys and head.shape != "array" else ""
    detail = f"no known format begins like this: {what.get(head.shape, 'text')}{named}"
    return Skip(path=shown, reason="not_a_trajectory", detail=detail)


def _listing(path: str, root: Path) -> tuple[list[os.DirEntry[str]], list[str], list[Found]]:
    """The files in a folder and the names of the folders in it, both sorted, and rows for the links in it."""
    files: list[os.DirEntry[str]] = []
    folders: list[str] = []
    rest: list[Found] = []
    for entry in sorted(os.scandir(path), key=attrgetter("name")):
        if entry.is_symlink():
            rest.append(_link(Path(path, entry.name), root))
        elif entry.is_dir():
            folders.append(entry.name)
        else:
            files.append(entry)
    return files, folders, rest


def _link(path: Path, root: Path) -> Found:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return Skip(path=_shown(path), reason="unreadable", detail="a symbolic link that leads nowhere")
    if target.is_relative_to(root):
        return Companion(path=_shown(path), kind="link")
    return Skip(path=_shown(path), reason="not_a_trajectory", detail="a symbolic link out of the folder is not followed")


def _files_below(start: str, root: Path) -> Iterator[tuple[str, str, os.DirEntry[str] | Found]]:
    """Regular files below a folder in order: path below it, whole path, entry; of what cannot be gone through a row instead."""
    waiting = [("", start)]
    while waiting:
        prefix, path = waiting.pop()
        try:
            files, folders, rest = _listing(path, root)
        except OSError as error:
            shown = _shown(path)
            yield prefix, path, Skip(path=shown, reason="unreadable", detail=f"cannot be opened: {error.strerror}")
            continue
        yield from ((prefix, path, row) for row in rest)
        for entry in files:
            file = _inside(path, entry.name)
            if entry.is_file() and _encodes(file):
                yield prefix + entry.name, file, entry
            else:
                detail = "no regular file with a UTF-8 name"
                yield prefix, file, Skip(path=_shown(file), reason="unreadable", detail=detail)
        deeper = [name for name in reversed(folders) if name not in NOT_SEARCHED]
        waiting += [(f"{prefix}{name}/", _inside(path, name)) for name in deeper]


def _inside(folder: str, name: str) -> str:
    """The path of a name in a folder, written as pathlib writes it, at a tenth of the cost."""
    return name if folder == "." else os.path.join(folder, name)  # noqa: PTH118 - one for each file of a trial


def _encodes(path: str | Path) -> bool:
    try:
        os.fspath(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(path: str | Path) -> str:
    """The path as text that can be written anywhere."""
    text = os.fspath(path)
    return text if text.isascii() else os.fsencode(path).decode("utf-8", "replace")


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_size
    except OSError:
        return 0
