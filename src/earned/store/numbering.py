"""Which of several passes of one task a pass is: counted while rows are read back, for one shard alone cannot know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from earned.records import AuditedPass, AuditRow


def numbered_rows(rows: Iterable[AuditRow]) -> Iterator[AuditRow]:
    """The rows, in the order given, with `attempt_index`. Holds one number for each task and cohort, never a row."""
    seen: Counter[tuple[str, str, str, str]] = Counter()
    for row in rows:
        group = (row.benchmark, row.task, row.model, row.harness)
        yield msgspec.structs.replace(row, attempt_index=seen[group])
        seen[group] += 1


def numbered_passes(passes: Iterable[AuditedPass]) -> Iterator[AuditedPass]:
    """The same for whole passes."""
    seen: Counter[tuple[str, str, str, str]] = Counter()
    for audited in passes:
        row = audited.row
        group = (row.benchmark, row.task, row.model, row.harness)
        yield msgspec.structs.replace(audited, row=msgspec.structs.replace(row, attempt_index=seen[group]))
        seen[group] += 1
