"""From a report back to the source: a relative link to the file and the command that shows the step."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from urllib.parse import quote

from earned.records import AuditRow


def source_href(row: AuditRow, source: str, folder: Path) -> str:
    """A link, relative to the report's folder, to the file of the trajectory that `source` names (`file#/pointer`, or empty).

    Percent-encoded whole, so that a path cannot be a scheme: `javascript:x` becomes a file's name.
    """
    file, _, pointer = source.partition("#")
    path = row.trajectory
    if file and not row.member:
        start = os.path.dirname(path) if _is_beside(path, file) else path  # noqa: PTH120  # as below
        path = os.path.join(start, file)  # noqa: PTH118  # Path would drop what a hostile name means by '..' and '//'
    relative = path
    if "\0" not in path:
        relative = os.path.relpath(os.path.abspath(path), os.path.abspath(folder))  # noqa: PTH100  # as above
    encoded = quote(relative.encode("utf-8", "replace"))
    return f"{encoded}#{quote(pointer.encode('utf-8', 'replace'))}" if pointer else encoded


def _is_beside(path: str, file: str) -> bool:
    """Whether the trajectory is a file, so that `file` is it, a part that continues it, or what stands elsewhere near it."""
    name = os.path.basename(path)  # noqa: PTH119  # as above
    return file.startswith("../") or ("/" not in file and file.partition(".")[0] == name.partition(".")[0])


def show_command(row: AuditRow, step: int) -> str:
    """The command that prints a step of the trajectory."""
    place = f"{row.trajectory}:{row.member}" if row.member else row.trajectory
    return shlex.join(["earned", "read", row.trajectory, "--show", f"{place}:{step}"])
