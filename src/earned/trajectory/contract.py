"""What every reader of a format keeps, ours or anyone's: `check_format(reader, samples)` raises AssertionError otherwise.

The same bytes give the same ids wherever they lie; steps are numbered without gaps; every text of a step can be quoted and
written as UTF-8; results point at actions that exist; and no cut and no flipped byte makes a reader raise anything but
FormatError.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from earned.errors import FormatError
from earned.records import Outcome, Step, Submission, Trajectory, part_text
from earned.trajectory.candidate import Candidate
from earned.trajectory.discover import discover_with
from earned.trajectory.format import Format

CUTS = 24
"""Positions at which each source file is cut, spread over it, besides its last bytes."""
FLIPS = 24
"""Bytes of each source file that are changed, one at a time."""


def check_format(reader: Format, samples: Sequence[Path]) -> None:
    """Check a reader on samples: files or folders that it reads, each at least one trajectory.

    Raises AssertionError that names the sample and what does not hold.
    """
    _claim(bool(reader.name) and reader.version >= 1, "a reader has a name and a version from 1")
    for sample in samples:
        found = _candidates(reader, sample)
        _claim(bool(found), f"{sample}: the reader does not recognise its own sample")
        for candidate in found:
            _claim(bool(candidate.recognised), f"{sample}: it does not say why it recognised the file")
            made = _read(reader, candidate)
            _claim(bool(made), f"{sample}: no trajectory was read")
            for trajectory in made:
                _check_trajectory(trajectory, str(sample))
        _check_ids(reader, sample)
        _check_damage(reader, sample)


def _claim(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)


def _candidates(reader: Format, sample: Path) -> list[Candidate]:
    return [item for item in discover_with([reader], [sample]) if isinstance(item, Candidate)]


def _read(reader: Format, candidate: Candidate) -> list[Trajectory]:
    return [item for item in reader.read(candidate) if isinstance(item, Trajectory)]


def _check_trajectory(trajectory: Trajectory, sample: str) -> None:
    packed = msgspec.json.encode(trajectory)
    _claim(msgspec.json.decode(packed, type=Trajectory) == trajectory, f"{sample}: the record does not survive being written")
    indices = [step.index for step in trajectory.steps]
    _claim(indices == list(range(len(indices))), f"{sample}: steps are not numbered 0, 1, 2, … but {indices[:8]}")
    _claim(bool(trajectory.source.files), f"{sample}: no source file is named")
    for step in trajectory.steps:
        _check_step(step, f"{sample}, step {step.index}")
    for reason in trajectory.completeness.reasons:
        _claim(-1 <= reason.step < len(indices), f"{sample}: a reason names step {reason.step}, which does not exist")
    _check_submission(trajectory.submission, sample)
    _check_outcome(trajectory.outcome, sample)


def _check_step(step: Step, place: str) -> None:
    names = ["text", "reasoning"]
    names += [f"action:{number}" for number in range(len(step.actions))]
    names += [f"observation:{number}" for number in range(len(step.observations))]
    for name in names:
        _claim(isinstance(part_text(step, name), str), f"{place}: {name} cannot be quoted")
    for observation in step.observations:
        inside = -1 <= observation.action < len(step.actions)
        _claim(inside, f"{place}: a result names action {observation.action}, which does not exist")
    _claim((step.actor == "subagent") == bool(step.subagent), f"{place}: a subagent's step names its subagent, no other does")


def _check_submission(submission: Submission, sample: str) -> None:
    nothing = submission.recovered == "none"
    _claim(nothing == (submission.certainty == "none"), f"{sample}: a submission and its certainty contradict each other")
    holds = bool(submission.patch or submission.files or submission.answer)
    _claim(
        holds != nothing, f"{sample}: a submission says {submission.recovered} and holds {'something' if holds else 'nothing'}"
    )


def _check_outcome(outcome: Outcome, sample: str) -> None:
    if outcome.status == "passed":
        _claim(bool(outcome.source), f"{sample}: a pass does not say where it was read")
        full = outcome.reward is None or outcome.maximum is None or outcome.reward >= outcome.maximum
        _claim(full, f"{sample}: a pass with less than full credit")


def _check_ids(reader: Format, sample: Path) -> None:
    """The same ids again, and again in another place."""
    before = [item.id for candidate in _candidates(reader, sample) for item in _read(reader, candidate)]
    _claim(len(set(before)) == len(before), f"{sample}: two trajectories share an id")
    with tempfile.TemporaryDirectory() as folder:
        moved = _copy(sample, Path(folder))
        after = [item.id for candidate in _candidates(reader, moved) for item in _read(reader, candidate)]
    _claim(before == after, f"{sample}: the ids change when the files are moved")


def _copy(sample: Path, folder: Path) -> Path:
    target = folder / "moved" / sample.name
    if sample.is_dir():
        shutil.copytree(sample, target)
    else:
        target.parent.mkdir()
        shutil.copy(sample, target)
    return target


def _check_damage(reader: Format, sample: Path) -> None:
    """Cuts and flipped bytes of every file, one at a time."""
    with tempfile.TemporaryDirectory() as folder:
        moved = _copy(sample, Path(folder))
        for candidate in _candidates(reader, moved):
            for name in (*candidate.files, *candidate.outcome_files):
                file = Path(name)
                whole = file.read_bytes()
                for what, data in _damaged(whole):
                    file.write_bytes(data)
                    _check_survives(reader, candidate, f"{sample}: {file.name} {what}")
                file.write_bytes(whole)


def _damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    size = len(data)
    positions = {size * number // CUTS for number in range(CUTS)} | {size - number for number in range(1, 4) if size > number}
    for position in sorted(positions):
        yield f"cut at byte {position}", data[:position]
    for number in range(min(FLIPS, size)):
        position = size * number // FLIPS
        flipped = bytes([data[position] ^ (1 << number % 8)])
        yield f"with byte {position} flipped", data[:position] + flipped + data[position + 1 :]


def _check_survives(reader: Format, candidate: Candidate, what: str) -> None:
    try:
        made = _read(reader, candidate)
    except FormatError:
        return
    except Exception as error:
        raise AssertionError(f"{what}: the reader raised {type(error).__name__}: {error}") from error
    for trajectory in made:
        _check_trajectory(trajectory, what)
