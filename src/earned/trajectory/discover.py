"""Goes through folders and says of every file what it is: something to read, a companion of it, or nothing known, and why.

Cheap, streaming, sorted and deterministic. Files are told apart by content. An archive is gone through as a folder is, unless a
format is a kind of archive itself.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path

from earned.errors import FormatError, InputError
from earned.records import Companion, Skip, SkipReason
from earned.trajectory.candidate import Candidate
from earned.trajectory.decode.document import decode_any
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.format import FORMATS, Family, Folder, Format, load_format
from earned.trajectory.outcomes.companions import companion_kind
from earned.trajectory.outcomes.reports import ReportFinder
from earned.trajectory.peek import SECOND_LOOK, THIRD_LOOK, Head, decoded_head, look
from earned.trajectory.sources import audit_folder, places
from earned.trajectory.sources.files import read_bytes
from earned.trajectory.sources.walk import NOT_REGULAR, NOT_SEARCHED, NOT_UTF8, Root, encodes, files_below, listing, shown

Found = Candidate | Companion | Skip
_ALONE = Family()


def discover(paths: Sequence[Path], *, formats: Sequence[str] = ()) -> Iterator[Found]:
    """What lies at and below `paths`, in order.

    Args:
        paths: Files and folders, as the user named them.
        formats: Names of further formats to try before the built-in ones (entry points or `module:attribute`).

    Raises:
        InputError: A path does not exist (slug `path-missing`), or a folder holds no file (slug `folder-empty`).
    """
    for path in paths:
        if not _is_there(path):
            raise InputError(f"Expected a file or a folder, found nothing at {path}. Check the path.", slug="path-missing")
        if path.is_dir() and not any(path.iterdir()):
            raise InputError(
                f"Expected trajectories in {path}, found an empty folder. Name the folder that holds them.",
                slug="folder-empty",
            )
    yield from discover_with([load_format(name) for name in dict.fromkeys([*formats, *FORMATS])], paths)


def _is_there(path: Path) -> bool:
    return path.exists() or places.is_file(str(path)) or places.is_folder(str(path))


def discover_with(formats: Sequence[Format], paths: Sequence[Path]) -> Iterator[Found]:
    """The same with given readers instead of names; the paths must exist."""
    search = _Search(formats, paths)
    for path in paths:
        archive = places.archive_of(str(path))
        root = Root(Path(archive) if archive else path.resolve(), archive)
        is_folder = places.is_folder(str(path))
        yield from search.folder(path, root) if is_folder else search.file(path, root, _names_beside(path))


class _Search:
    """One walk, with the formats that are tried."""

    def __init__(self, formats: Sequence[Format], named: Sequence[Path]) -> None:
        self.formats = formats
        self.named = frozenset(map(shown, named))
        self.reports = ReportFinder(self._is_attempt)

    def folder(self, start: Path, root: Root) -> Iterator[Found]:
        """Everything below one folder; a stack instead of recursion, for folders nested without end."""
        waiting: list[Path] = [start]
        own: set[Path] = set()
        while waiting:
            path = waiting.pop()
            if path.name in NOT_SEARCHED and path != start:
                yield Companion(path=shown(path), kind="not_searched")
                continue
            try:
                found = listing(str(path), root)
            except OSError as error:
                yield root.skip(path, "unreadable", f"the folder cannot be opened: {error.strerror}")
                continue
            folder = Folder(path=path, files=tuple(found.files), folders=tuple(sorted(found.folders)))
            match = self._match_folder(folder)
            if match is not None:
                yield from self._trial(folder, *match, root)
                continue
            yield from found.rows
            ours = audit_folder.names_written(path, folder.files)
            if ours:
                yield Companion(path=shown(path), kind=audit_folder.KIND)
                own.update(path / name for name in found.folders if name in ours)
            for name in found.in_order:
                here = self.file(path / name, root, folder.files)
                yield from audit_folder.without_own(here) if name in ours or path in own else here
            waiting += [path / name for name in reversed(found.folders)]

    def _match_folder(self, folder: Folder) -> tuple[Format, str] | None:
        for item in self.formats:
            why = item.recognise_folder(folder) if item.recognise_folder else ""
            if why:
                return item, why
        return None

    def _trial(self, folder: Folder, item: Format, why: str, root: Root) -> Iterator[Found]:
        """A folder that is one candidate, then the files in it that are companions."""
        sources: list[str] = []
        outcomes: list[str] = []
        size = 0
        companions: list[Companion] = []
        skips: list[Found] = []
        for below, path, row in files_below(str(folder.path), root):
            if row is not None:
                skips.append(row)
                continue
            side, _, kind = (item.role(below) if item.role else "source").partition(":")
            place = shown(path)
            if side == "source":
                sources.append(place)
                size += _size(path)
            elif side == "outcome":
                outcomes.append(place)
            if kind != "trajectory":
                companions.append(Companion(path=place, kind=kind or side))
        outcomes += map(shown, item.around(folder.path) if item.around else ())
        if item.graded_by_reports:
            outcomes += map(shown, self.reports.near(folder.path))
        yield Candidate(
            path=shown(folder.path),
            format=item.name,
            files=tuple(sources),
            outcome_files=tuple(outcomes),
            archive=root.archive,
            size=size,
            recognised=why,
        )
        yield from companions
        yield from skips

    def file(self, path: Path, root: Root, names: Sequence[str] = ()) -> Iterator[Found]:
        """One file: at most three looks, each only when the one before recognised nothing. `names`: sorted, of its folder."""
        if not encodes(path):
            yield root.skip(path, "unreadable", NOT_UTF8)
            return
        try:
            if not places.is_file(str(path)):
                yield root.skip(path, "unreadable", NOT_REGULAR)
                return
            head = look(path)
            found = self._known(head, path, names, root)
            if found is None and not head.whole and head.shape in {"object", "array", "lines"}:
                head = look(path, amount=SECOND_LOOK)
                found = self._known(head, path, names, root) or self._decoded(head, path, names, root)
            packing = places.packing_of(str(path)) if found is None and head.shape in {"binary", "text"} else ""
        except OSError as error:
            yield root.skip(path, _reason(error), f"the file cannot be opened: {error.strerror}")
            return
        if packing == "archive":
            yield from self._archive(path, root)
        elif packing:
            yield root.skip(path, "unreadable", f"packed as {packing} in a way that is not read: unpack it")
        else:
            yield found or _unknown(head, path, root)

    def _archive(self, path: Path, root: Root) -> Iterator[Found]:
        """What lies in an archive, as in a folder, then what of it is not read."""
        if root.archive:
            yield root.skip(path, "unreadable", "an archive in an archive is not opened: unpack the outer one")
            return
        inner = Root(path, shown(path))
        try:
            refused = places.refused_in(str(path))
            is_empty = not places.listing(str(path)) and not refused
        except OSError as error:
            yield root.skip(path, "unreadable", f"the archive cannot be opened: {error.strerror}")
            return
        if is_empty:
            yield root.skip(path, "not_a_trajectory", "the archive holds no file")
        yield from self.folder(path, inner)
        for row in refused:
            yield Skip(path=inner.archive, member=row.name, reason=row.reason, detail=row.detail)

    def _known(self, head: Head, path: Path, names: Sequence[str], root: Root) -> Candidate | Companion | None:
        for item in self.formats:
            why = item.recognise(head)
            if why:
                if item.main_of and item.main_of(path.name) in names:
                    return Companion(path=shown(path), kind="continuation")
                family = item.family(path, head, names) if item.family else _ALONE
                if family.main is not None and self._is_met(family.main):
                    return Companion(path=shown(path), kind=family.kind)
                near = self.reports.near(path) if item.graded_by_reports else ()
                near = item.reports_of(path, near) if item.reports_of is not None else near
                beside = (path.parent / name for name in _parts(path.name, names, item))
                return Candidate(
                    path=shown(path),
                    format=item.name,
                    files=tuple(map(shown, (path, *beside, *family.parts))),
                    outcome_files=tuple(shown(file) for file in near),
                    archive=root.archive,
                    size=head.size + sum(_size(str(part)) for part in family.parts),
                    recognised=why,
                )
        kind = companion_kind(head)
        return Companion(path=shown(path), kind=kind) if kind else None

    def _is_attempt(self, path: Path) -> bool:
        """Whether a format knows a file by its beginning."""
        try:
            head = look(path)
        except OSError:
            return False
        return any(item.recognise(head) for item in self.formats)

    def _is_met(self, path: Path) -> bool:
        """Whether this walk comes to a file: it, or a folder above it, is what the user named."""
        return any(shown(place) in self.named for place in (path, *path.parents))

    def _decoded(self, head: Head, path: Path, names: Sequence[str], root: Root) -> Candidate | Companion | None:
        """The third look: the whole document's keys, for files of moderate size."""
        if head.shape == "lines" or head.whole or head.size > THIRD_LOOK:
            return None
        try:
            value = decode_any(read_bytes(str(path), limit=THIRD_LOOK), Oddities())
        except FormatError:
            return None
        return self._known(decoded_head(head, value), path, names, root)


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
        return [entry.name for entry in places.listing(str(path.parent)) if entry.kind == "file"]
    except OSError:
        return []


def _unknown(head: Head, path: Path, root: Root) -> Skip:
    if head.shape == "empty":
        return root.skip(path, "not_a_trajectory", "the file is empty")
    what = {"object": "a JSON object", "array": "a JSON array", "lines": "JSON lines", "binary": "binary data"}
    keys = [key[1:] for key in head.values if key.count("/") == 1][:8]
    named = f" with the keys {', '.join(keys)}" if keys and head.shape != "array" else ""
    detail = f"no known format begins like this: {what.get(head.shape, 'text')}{named}"
    return root.skip(path, "not_a_trajectory", detail)


def _reason(error: OSError) -> SkipReason:
    cause = error.__cause__
    return "too_large" if isinstance(cause, FormatError) and cause.slug == "too_large" else "unreadable"


def _size(path: str) -> int:
    try:
        return places.size(path)
    except OSError:
        return 0
