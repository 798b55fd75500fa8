"""The file that `--export` writes: never read by the call that writes it, and never put over what a call reads."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from earned.errors import ConfigurationError
from earned.records import Trajectory
from earned.store import TrajectoryExport
from earned.trajectory.sources.audit_folder import own_folder

ExportKind = Literal["trajectories", "rows"]
_BEGIN = 4096
"""Bytes of a file in which the first line says whether it is an export."""
_FIRST: dict[ExportKind, re.Pattern[bytes]] = {
    "trajectories": re.compile(rb'\{"schema":\d{1,9},"id":"[0-9a-f]{64}","source":\{'),
    "rows": re.compile(rb'\{"schema":\d{1,9},"trajectory":"'),
}


def check_export(
    export: Path | None,
    kind: ExportKind,
    paths: Sequence[Path],
    *,
    beside: Sequence[Path] = (),
    protected: Path | None = None,
    out: Path | None = None,
) -> None:
    """Refuse an export that would destroy what the call reads or a file of an audit, or that is no place for a file.

    Args:
        export: The file to be written; None when nothing is.
        kind: What it will hold: a file that holds the same, from an earlier call, may be replaced wherever it lies.
        paths: The inputs.
        beside: Further files that are read.
        protected: A folder of further files that are read.
        out: The audit folder that the call writes.

    Raises ConfigurationError (`cannot-write`).
    """
    if export is None:
        return
    _check_place(export)
    if any(_is_same(path, export) or path.resolve().is_relative_to(export.resolve()) for path in (*paths, *beside)):
        raise _refused("another file than the inputs", f"{export} among them")
    audit = next((folder for place in (export, export.resolve()) if (folder := own_folder(place, out)) is not None), None)
    if audit is not None:
        raise _refused("another file than those of an audit", f"{export}, which the audit in {audit} writes itself")
    folders = (*paths, *((protected,) if protected is not None else ()))
    if os.path.lexists(export) and any(_lies_below(export, folder) for folder in folders) and not _is_export(export, kind):
        raise _refused(
            "a new file, or an earlier export", f"{export}, which lies among the inputs and holds something else: it is kept"
        )


def _check_place(export: Path) -> None:
    if not export.absolute().parent.is_dir():
        raise ConfigurationError(
            f"Expected a folder for --export {export}; found none at {export.absolute().parent}. Make it, or give another.",
            slug="cannot-write",
        )
    if export.exists() and not export.is_file():
        raise _refused("a regular file", f"{export}, which is a folder, a pipe or a device")


def _refused(expected: str, found: str) -> ConfigurationError:
    return ConfigurationError(f"Expected {expected} for --export; found {found}. Give another.", slug="cannot-write")


def _is_same(path: Path, export: Path) -> bool:
    """Whether both are one file, also by way of links."""
    if path.resolve() == export.resolve():
        return True
    return path.is_file() and export.is_file() and path.samefile(export)


def _lies_below(export: Path, folder: Path) -> bool:
    """Whether a file, or what it links to, lies below a folder."""
    named = export.absolute().parent.resolve() / export.name
    return any(place.is_relative_to(folder.resolve()) for place in (named, export.resolve()))


def _is_export(export: Path, kind: ExportKind) -> bool:
    """Whether a file is empty, or its first line one of an export of this kind."""
    try:
        with export.open("rb") as stream:
            begin = stream.read(_BEGIN)
    except OSError:
        return False
    return not begin or _FIRST[kind].match(begin) is not None


@contextmanager
def exporting(export: Path | None) -> Iterator[Callable[[Trajectory], None]]:
    """What takes each trajectory; the file is there when the block ends well. Raises ConfigurationError (`cannot-write`)."""
    if export is None:
        yield _nowhere
        return
    with TrajectoryExport(export) as opened:
        yield opened.add


def _nowhere(_trajectory: Trajectory) -> None:
    pass


def export_among(paths: Sequence[Path], export: Path | None) -> Iterator[str]:
    """A note when the export lies among the inputs: the next call without it would read every trajectory twice."""
    if export is not None and any(export.resolve().is_relative_to(path.resolve()) for path in paths):
        yield f"{export} lies among the inputs: this call did not read it, a call without this --export does"
