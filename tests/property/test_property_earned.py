"""What is exported is read back the same, with one note of where; whatever anyone makes of a line, a row or a sound record."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
from damaged import paths_in
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_records import TEXT, trajectories

from earned.records import Skip, Trajectory
from earned.store import TrajectoryExport, trajectory_line
from earned.trajectory import Candidate, load_format, read_candidate
from earned.trajectory.contract import _check_trajectory
from earned.trajectory.formats.earned_jsonl.reader import READ_BACK

FEW = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])


def exported(folder: Path, made: list[Trajectory]) -> Path:
    with TrajectoryExport(folder / "made.jsonl") as export:
        for item in made:
            export.add(item)
    return export.path


def read_back(path: Path) -> list[Trajectory | Skip]:
    candidate = Candidate(path=str(path), format="earned", files=(str(path),), size=path.stat().st_size)
    return list(read_candidate(candidate))


def without_note(item: Trajectory | Skip) -> Trajectory:
    assert isinstance(item, Trajectory), item
    *rest, note = item.oddities
    assert note.what == READ_BACK
    return msgspec.structs.replace(item, oddities=tuple(rest))


@FEW
@given(st.lists(trajectories(), min_size=1, max_size=3, unique_by=lambda item: item.id[:15]))
def test_what_is_exported_is_read_back(made: list[Trajectory]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = exported(Path(folder), made)
        again = read_back(path)
        assert [without_note(item) for item in again] == made
        assert [item.oddities[-1].place for item in again if isinstance(item, Trajectory)] == [
            f"made.jsonl#line {number}" for number in range(1, len(made) + 1)
        ]
        twice = exported(Path(folder), [item for item in again if isinstance(item, Trajectory)])
        assert read_back(twice) == again


@FEW
@given(trajectories())
def test_a_line_is_the_record_as_json(made: Trajectory) -> None:
    assert msgspec.json.decode(trajectory_line(made), type=Trajectory) == made


@FEW
@given(trajectories(), st.data())
def test_a_line_that_was_changed_is_a_row_or_a_sound_record(made: Trajectory, data: st.DataObject) -> None:
    value = msgspec.to_builtins(made)
    at = data.draw(st.sampled_from(paths_in(value)))
    odd: Any = data.draw(st.sampled_from([None, True, -1, 10**30, 0.5, "", "passed", [], {}]) | TEXT)
    inner = value
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = odd
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "made.jsonl")
        path.write_bytes(msgspec.json.encode(value) + b"\n")
        (found,) = read_back(path)
    if isinstance(found, Trajectory):
        _check_trajectory(found, "changed")
    else:
        assert "the reader of" not in found.detail, found


def test_the_format_is_one_that_ships() -> None:
    assert load_format("earned").name == "earned"
