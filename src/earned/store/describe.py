"""The columns of the audit folder in words, as docs/reference/audit-folder.md shows them."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from earned.store.columns import Column
from earned.store.tables import FINDINGS, SCHEMAS, TRAJECTORIES, VERDICTS

_COLUMNS: dict[str, tuple[Column, ...]] = {
    "verdicts": VERDICTS.columns,
    "findings": FINDINGS.columns,
    "trajectories": TRAJECTORIES.columns,
}
_KEYS = {
    "trajectory": "path as given; ties the tables together, with `member`",
    "member": "inside an archive or a multi-sample file",
    "trajectory_id": "as in `verdicts`",
    "position": "place of the pass in its shard",
}


def describe_tables() -> str:
    """Markdown: one table of columns for each Parquet table."""
    return "\n".join(line for name in SCHEMAS for line in _table(name))


def _table(name: str) -> Iterator[str]:
    about = {column.name: column.about + (", or null" if column.nullable else "") for column in _COLUMNS[name]}
    yield f"### `{name}/`\n"
    yield "| column | type | content |"
    yield "|---|---|---|"
    for field in SCHEMAS[name]:
        yield _line(field, about.get(field.name) or _KEYS[field.name])
    yield ""


def _line(field: pa.Field, about: str) -> str:
    return f"| `{field.name}` | {field.type} | {about} |"
