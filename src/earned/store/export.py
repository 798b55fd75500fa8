"""`--export`: one surface pass a line, the file there whole or not there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from earned.errors import ConfigurationError
from earned.records import AuditRow
from earned.store.columns import json_text
from earned.store.whole import write_whole


def export_rows(path: Path, rows: Iterable[AuditRow]) -> None:
    """Write the rows as JSON Lines. Raises ConfigurationError (`cannot-write`) when the path cannot be written."""
    try:
        write_whole(path, (f"{json_text(row)}\n".encode() for row in rows))
    except OSError as error:
        raise ConfigurationError(
            f"Expected a file that can be written at {str(path)!r}; found: {error}. Give another --export.",
            slug="cannot-write",
        ) from error
