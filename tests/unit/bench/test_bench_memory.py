"""The inputs of the memory bench are read as what they are meant to be."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from made_files import rows

from earned.records import Trajectory

BENCH = Path(__file__).parents[3] / "bench"


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.zst", "eval", "tar.gz"])
def test_an_input_holds_attempts_of_both_outcomes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    memory = import_module("memory")
    path = tmp_path / f"made.{kind}"
    count = memory.KINDS[kind](path, memory.attempts(200_000, 12))
    made = rows(path)
    assert len(made) == count > 5
    assert all(isinstance(row, Trajectory) for row in made)
    assert {row.outcome.status for row in made if isinstance(row, Trajectory)} == {"passed", "failed"}
