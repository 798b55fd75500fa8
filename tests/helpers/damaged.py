"""Files that were damaged, and what must hold of reading them: places in a JSON value, a value put there, rows or readings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from earned.records import Skip, Trajectory
from earned.trajectory import Candidate, discover, read_candidate


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += paths_in(item, (*path, key))
    return found


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of a JSON value with another value at a place."""
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return copy


def found_at(place: Path) -> list[Trajectory | Skip]:
    """Everything that discovery and reading say of a place; rows of files that nobody reads are among it."""
    found: list[Trajectory | Skip] = []
    for item in discover([place]):
        if isinstance(item, Candidate):
            found += read_candidate(item)
        elif isinstance(item, Skip):
            found.append(item)
    return found


def check_read(found: list[Trajectory | Skip]) -> None:
    """Readable records or rows with a reason; a reader that raised anything else says so in its row."""
    assert found
    for item in found:
        if isinstance(item, Trajectory):
            assert [step.index for step in item.steps] == list(range(len(item.steps)))
            for step in item.steps:
                assert all(-1 <= result.action < len(step.actions) for result in step.observations)
        else:
            assert item.detail
            assert "the reader of" not in item.detail, item.detail
