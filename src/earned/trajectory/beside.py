"""What the files near a trajectory say of it: reports, predictions and patches, and the output of the tests.

A report near it speaks of an attempt by its native id, its member, the file's stem or the task. Predictions say what was
submitted; they are asked only where the trajectory's own record does not hold it.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

import msgspec

from earned.records import Action, Observation, Oddity, Step, Trajectory
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.claim import Claim
from earned.trajectory.claims import PATCHES, claims_by_key
from earned.trajectory.document import as_text
from earned.trajectory.files import read_start
from earned.trajectory.format import load_format
from earned.trajectory.oddities import Oddities
from earned.trajectory.outcomes import joined
from earned.trajectory.reports import INSTANCE_FILES, is_submission, stem_of

MAX_TEST_OUTPUT = 2 * 1024 * 1024
"""Bytes kept of the test output that stands beside a report."""
TEST_OUTPUT = "test_output.txt"
RUN_REPORT = "report.json"
"""Both the report of one instance, in its folder, and that of a whole run."""


class _Near(NamedTuple):
    """The files near a candidate, sorted once for all its attempts."""

    general: tuple[str, ...]
    """Those that may speak of any attempt."""
    by_name: dict[str, tuple[str, ...]]
    """Those of one instance, by its name: that of their folder, or of a patch."""


def joined_with_beside(trajectory: Trajectory, candidate: Candidate) -> Trajectory:
    """The trajectory with what the files near it say; those that cannot be read are named."""
    shared = _repeated(candidate) if candidate.outcome_files else ()
    names = tuple(name for name in _names(trajectory, candidate) if name not in shared)
    near = _sorted(candidate.outcome_files)
    files = tuple(dict.fromkeys([*(path for name in names for path in near.by_name.get(name, ())), *near.general]))
    is_recorded = trajectory.submission.recovered in ("recorded", "artifact")
    said: list[Claim] = []
    broken: list[Oddity] = []
    for path in files:
        if path.endswith(f"/{TEST_OUTPUT}") or (is_recorded and is_submission(path)):
            continue
        found = claims_by_key(path)
        if found.error:
            broken.append(Oddity(what=f"a report near the trajectory cannot be read: {found.error}", place=path))
        said += [claim for name in names for claim in found.by_key.get(name, ())]
    made = joined(trajectory, [_without_patch(claim) if is_recorded else claim for claim in said])
    if trajectory.task in shared and made.outcome.status == "unknown":
        detail = f"the file holds several attempts at {trajectory.task}: reports near it do not tell which they mean"
        made = msgspec.structs.replace(made, outcome=msgspec.structs.replace(made.outcome, detail=detail))
    if broken:
        made = msgspec.structs.replace(made, oddities=(*made.oddities, *broken))
    output = next((path for path in files if path.endswith(f"/{TEST_OUTPUT}")), "")
    return _with_grader(made, candidate, output) if output else made


def _names(trajectory: Trajectory, candidate: Candidate) -> tuple[str, ...]:
    """What the attempt may be called; the file's stem only where it is the file's one attempt."""
    sample = trajectory.source.sample
    stem = "" if sample else stem_of(PurePosixPath(candidate.path).name)
    return tuple(name for name in dict.fromkeys((trajectory.attempt, sample, stem, trajectory.task)) if name)


@lru_cache(maxsize=8)
def _repeated(candidate: Candidate) -> Collection[str]:
    """Tasks at which a file holds several attempts."""
    tell = load_format(candidate.format).repeated
    return tell(candidate) if tell is not None else ()


@lru_cache(maxsize=8)
def _sorted(files: tuple[str, ...]) -> _Near:
    general: list[str] = []
    by_name: dict[str, list[str]] = {}
    for path in files:
        folder, _, name = path.rpartition("/")
        stem, dot, ending = name.rpartition(".")
        if name in INSTANCE_FILES:
            by_name.setdefault(folder.rpartition("/")[2], []).append(path)
            if name == RUN_REPORT and not _is_of_instance(folder):
                general.append(path)
        elif f"{dot}{ending}" in PATCHES:
            by_name.setdefault(stem, []).append(path)
        else:
            general.append(path)
    return _Near(tuple(general), {name: tuple(paths) for name, paths in by_name.items()})


def _is_of_instance(folder: str) -> bool:
    """Whether the evaluation makes such a folder for each instance."""
    above = folder.split("/")[:-1]
    return above[-1:] == ["eval_outputs"] or "run_evaluation" in above[-3:]


def _without_patch(claim: Claim) -> Claim:
    return msgspec.structs.replace(claim, patch=None) if claim.patch is not None else claim


def _with_grader(trajectory: Trajectory, candidate: Candidate, path: str) -> Trajectory:
    """The trajectory with the test output as a last step of the grader."""
    try:
        data = read_start(path, MAX_TEST_OUTPUT + 1)
    except OSError:
        return trajectory
    text = as_text(data[:MAX_TEST_OUTPUT], Oddities(), place=path)
    step = Step(
        index=len(trajectory.steps),
        actor="grader",
        actions=(Action(kind="other", tool=f"verifier/{TEST_OUTPUT}"),),
        observations=(Observation(text=text, action=0, truncated=len(data) > MAX_TEST_OUTPUT),),
        source=place_in(candidate, path),
    )
    return msgspec.structs.replace(trajectory, steps=(*trajectory.steps, step))
