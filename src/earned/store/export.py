"""`--export`: one surface pass a line, the file there whole or not there.

A line has the fields that are published for others to build on and no more; what the audit folder holds beside them (where in
its step a quote stands, the sentence that sums a label up) can change without a new version.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from earned.errors import ConfigurationError
from earned.records import AuditRow
from earned.store.columns import json_text
from earned.store.whole import write_whole

FIELDS = (
    "schema",
    "trajectory",
    "member",
    "trajectory_id",
    "format",
    "benchmark",
    "task",
    "model",
    "harness",
    "attempt",
    "attempt_index",
    "outcome",
    "outcome_source",
    "completeness",
    "submission_certainty",
    "label",
    "categories",
    "gate",
    "mechanism",
    "intent",
    "grade_relevance",
    "locations",
    "evidence",
    "decided_by",
    "judges",
    "confidence",
    "undecided_reason",
)
_INNER = {
    "gate": ("name", "met", "evidence"),
    "mechanism": ("met", "evidence"),
    "intent": ("met", "evidence", "waived"),
    "grade_relevance": ("met", "evidence"),
    "locations": ("channel", "control_surface", "fault_side", "addresses", "evidence"),
    "evidence": ("step", "native_id", "role", "quote", "why", "category"),
    "judges": ("role", "model", "prompt_hash", "label", "gate"),
}


def exported(row: AuditRow) -> dict[str, Any]:
    """A row as it is published: exactly the documented fields, in their order."""
    plain = msgspec.to_builtins(row)
    return {name: _chosen(plain[name], _INNER.get(name, ())) for name in FIELDS}


def export_rows(path: Path, rows: Iterable[AuditRow]) -> None:
    """Write the rows as JSON Lines. Raises ConfigurationError (`cannot-write`) when the path cannot be written."""
    try:
        write_whole(path, (f"{json_text(exported(row))}\n".encode() for row in rows))
    except OSError as error:
        raise ConfigurationError(
            f"Expected a file that can be written at {str(path)!r}; found: {error}. Give another --export.",
            slug="cannot-write",
        ) from error


def _chosen(value: Any, names: tuple[str, ...]) -> Any:
    if not names:
        return value
    if isinstance(value, dict):
        return {name: value[name] for name in names}
    return [_chosen(item, names) for item in value]
