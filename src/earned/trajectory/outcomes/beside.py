"""What the files near a trajectory say of it: reports, predictions and patches, and the output of the tests.

A report near it speaks of an attempt by its native id, its member, the file's stem or the task. Predictions say what was
submitted, and an evaluation keeps what it graded: a record that holds another patch is not what the outcome is of.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

import msgspec

from earned.records import Action, Observation, Oddity, Step, Trajectory
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.document import as_text
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.format import load_format
from earned.trajectory.outcomes.claim import Claim
from earned.trajectory.outcomes.claims import PATCHES, claims_held
from earned.trajectory.outcomes.fits import TASK, Fit, is_of_model
from earned.trajectory.outcomes.joined import is_graded, joined, same_changes
from earned.trajectory.outcomes.reports import INSTANCE_FILES, is_submission, stem_of
from earned.trajectory.sources.files import read_start

MAX_TEST_OUTPUT = 2 * 1024 * 1024
"""Bytes kept of the test output that stands beside a report."""
TEST_OUTPUT = "test_output.txt"
RUN_REPORT = "report.json"
"""Both the report of one instance, in its folder, and that of a whole run."""
EVALUATION = 5
"""Parts of a path from `run_evaluation` to the report of an instance."""
_PLAIN_NAMES = frozenset(
    (
        *("report", "reports", "result", "results", "outcome", "outcomes", "eval", "evaluation", "swebench"),
        *("swebench_eval", "eval_results", "preds", "output", "all"),
    )
)
"""What stands in names of reports without naming a model or run."""


class _Near(NamedTuple):
    """The files near a candidate, sorted once for all its attempts."""

    general: tuple[str, ...]
    """Those that may speak of any attempt."""
    by_name: dict[str, tuple[str, ...]]
    """Those of one instance, by its name: that of their folder, or of a patch."""


class Said(NamedTuple):
    """What the files near a trajectory say of it."""

    fits: list[Fit]
    broken: list[Oddity]
    foreign: str
    """The first file that was left out since its name is that of another model or run; empty when there is none."""
    output: str
    """The file that holds the output of its tests."""
    predicted: Claim | None
    """A prediction for it that names another model."""


def said_beside(trajectory: Trajectory, candidate: Candidate) -> Said:
    """What fits the trajectory of the files near it, whoever else it fits."""
    shared = _repeated(candidate) if candidate.outcome_files else ()
    names = tuple(name for name in _names(trajectory, candidate) if name not in shared)
    near = _sorted(candidate.outcome_files)
    files = tuple(dict.fromkeys([*(path for name in names for path in near.by_name.get(name, ())), *near.general]))
    own = [path for path in files if is_of_model(model_of(path), trajectory)]
    is_collected = _is_collected(trajectory)
    fits: list[Fit] = []
    broken: list[Oddity] = []
    predicted: Claim | None = None
    for path in own:
        if path.endswith(f"/{TEST_OUTPUT}") or (is_collected and is_submission(path)):
            continue
        found = claims_held(path)
        if found.error:
            broken.append(Oddity(what=f"a report near the trajectory cannot be read: {found.error}", place=path))
        fits += [fit for fit in found.found.about(trajectory, has_file=not trajectory.source.sample) if _key(fit) not in shared]
        predicted = predicted or found.found.foreign(trajectory)
    foreign = next((path for path in files if path not in own), "")
    return Said(fits, broken, foreign, next((path for path in own if path.endswith(f"/{TEST_OUTPUT}")), ""), predicted)


def _names(trajectory: Trajectory, candidate: Candidate) -> tuple[str, ...]:
    """What the attempt may be called; the file's stem only where it is the file's one attempt."""
    sample = trajectory.source.sample
    stem = "" if sample else stem_of(PurePosixPath(candidate.path).name)
    return tuple(name for name in dict.fromkeys((trajectory.attempt, sample, stem, trajectory.task)) if name)


def _key(fit: Fit) -> str:
    return fit.claim.task if fit.rank == TASK and fit.claim.task else fit.claim.key


def joined_with_beside(trajectory: Trajectory, candidate: Candidate) -> Trajectory:
    """The trajectory with what the files near it say; those that cannot be read are named, and what belongs to another."""
    said = said_beside(trajectory, candidate)
    holders = dict(candidate.contested)
    kept = [fit.claim for fit in said.fits if fit.rank <= holders.get(fit.claim.source, fit.rank)]
    made = _with_odd_predictions(joined(trajectory, [_heard(claim, trajectory) for claim in kept]), kept, said.predicted)
    why = _why_unknown(trajectory, candidate, said) if made.outcome.status == "unknown" else ""
    if why:
        made = msgspec.structs.replace(made, outcome=msgspec.structs.replace(made.outcome, detail=why))
    if said.broken:
        made = msgspec.structs.replace(made, oddities=(*made.oddities, *said.broken))
    is_alone = said.output and not any(source in holders for source in _sources(said))
    return _with_grader(made, candidate, said.output) if is_alone else made


def _is_collected(trajectory: Trajectory) -> bool:
    """Whether the harness collected what was submitted, or an answer is what is graded: then no patch beside it is asked."""
    own = trajectory.submission
    return own.recovered == "artifact" or (own.recovered == "recorded" and not own.patch.strip())


def _sources(said: Said) -> list[str]:
    """Places of what is said by the report that stands beside the output of the tests."""
    folder = said.output.rpartition("/")[0]
    return [fit.claim.source for fit in said.fits if fit.claim.source.startswith(f"{folder}/")]


def _why_unknown(trajectory: Trajectory, candidate: Candidate, said: Said) -> str:
    """Why files near a trajectory say nothing of it, though they seem to."""
    if trajectory.task in (_repeated(candidate) if candidate.outcome_files else ()):
        return f"the file holds several attempts at {trajectory.task}: reports near it do not tell which they mean"
    holders = dict(candidate.contested)
    lost = [fit.claim for fit in said.fits if fit.rank > holders.get(fit.claim.source, fit.rank) and fit.claim.is_outcome]
    if lost:
        return f"{lost[0].source} fits more than one attempt of this task"
    if said.foreign and not said.fits and not trajectory.outcome.detail:
        return f"{said.foreign} is named for another model or run than {trajectory.model}"
    return ""


def model_of(path: str) -> str:
    """The model or run that the place of a report names: `run_evaluation/RUN/MODEL/ID/report.json`, `MODEL.RUN.json`."""
    parts = path.split("/")
    if len(parts) > EVALUATION and parts[-EVALUATION] == "run_evaluation":
        return parts[-3]
    name = parts[-1].removesuffix(".json")
    model, dot, run = name.rpartition(".")
    if not dot or name == parts[-1] or run.lower() in _PLAIN_NAMES or model.lower() in _PLAIN_NAMES:
        return ""
    return model


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


def _heard(claim: Claim, trajectory: Trajectory) -> Claim:
    """A claim with the patch that it states, where that counts: of predictions only for a record that holds none."""
    is_recorded = trajectory.submission.recovered in ("recorded", "artifact")
    if claim.patch is None or not is_recorded or (is_graded(claim) and not _is_collected(trajectory)):
        return claim
    return msgspec.structs.replace(claim, patch=None)


def _with_odd_predictions(made: Trajectory, claims: Collection[Claim], predicted: Claim | None) -> Trajectory:
    """The trajectory with an oddity where predictions near it hold another patch than its record, or name another model."""
    own = made.submission
    others = [claim for claim in claims if claim.patch and claim.patch.strip() and not is_graded(claim)]
    what, place = "", ""
    if (
        own.recovered == "recorded"
        and own.patch.strip()
        and not own.source
        and others
        and not any(claim.patch and is_graded(claim) for claim in claims)
    ):
        if not any(same_changes(own.patch, claim.patch or "") for claim in others):
            what, place = "predictions near the trajectory hold another patch than its own record", others[0].source
    elif own.recovered not in ("recorded", "artifact") and predicted is not None:
        what, place = f"predictions of another model are left out: {predicted.model[:100]}", predicted.source
    return msgspec.structs.replace(made, oddities=(*made.oddities, Oddity(what=what, place=place))) if what else made


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
