"""`earned read`: what was recognised, without judging: format, task, model, outcome, steps, completeness, submission."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from earned.flows.contested import ClaimCount, Contested
from earned.flows.exported import check_export, export_among, exporting
from earned.flows.found import found_below, nothing_recognised
from earned.flows.notes import TAKEN, NeighbouringOutcomes, idle_outcomes, taken_outcomes
from earned.flows.place import Place, place_of
from earned.flows.repeats import Attempts
from earned.flows.scorers import ScorerUse
from earned.flows.spool import Spool
from earned.records import Companion, Skip, Trajectory
from earned.trajectory import Candidate, Outcomes, load_outcomes, read_candidate
from earned.trajectory.identity import attempt_digest


class ReadRow(msgspec.Struct, frozen=True, kw_only=True):
    """One trajectory as `earned read` lists it."""

    path: str
    member: str
    format: str
    recognised: str
    trajectory_id: str
    benchmark: str
    task: str
    model: str
    harness: str
    attempt: str
    outcome: str
    outcome_source: str
    outcome_detail: str
    reward: float | None
    scores: tuple[str, ...]
    """Names of the scorers, where the record names them."""
    steps: int
    actions: int
    """Of the agent and its subagents; what is copied is not counted."""
    subagents: int
    completeness: str
    reasons: tuple[str, ...]
    submission: str
    submission_certainty: str
    oddities: tuple[str, ...]
    same_as: str = ""
    """Place of the row that is the same attempt, which an audit counts once (design note 006); empty where there is none."""


Found = ReadRow | Companion | Skip
Progress = Callable[[int, int, int, int], None]
"""(bytes done, bytes in all, candidates done, candidates in all)"""


def read(
    paths: Sequence[Path],
    *,
    outcomes: Sequence[Path] = (),
    scorer: str = "",
    threshold: float | None = None,
    export: Path | None = None,
    tell: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> Iterator[Found]:
    """What lies at and below `paths`, one row at a time, in order.

    `scorer` and `threshold` decide outcomes where a record names several scorers, or leaves the threshold open. `export` is a
    file for the trajectories, one a line: written as they are read, there once the last row was taken. `tell` is given, behind
    the last row, what one should know beside them: outcomes taken without asking, options without effect.

    Raises InputError: `path-missing`, `folder-empty`, and, after the last row, `nothing-recognised`. ConfigurationError:
    `cannot-write`.
    """
    use = ScorerUse(scorer, threshold)
    named = load_outcomes(outcomes) if outcomes else None
    check_export(export, "trajectories", paths, beside=outcomes)
    with _listed(paths, export) as listed, exporting(export) as keep, Attempts() as met:
        contested, fitted = _contested(listed, named) if named is not None else ((), ())
        held = named.held(contested) if named is not None else None
        counter = _Counter(listed, progress)
        seen: list[str] = []
        read_from: dict[str, None] = {}
        beside = NeighbouringOutcomes(outcomes)
        for item in listed:
            if not isinstance(item, Candidate):
                if isinstance(item, Skip):
                    seen = [*seen[:2], f"{item.path}: {item.detail}"]
                yield item
                continue
            read_from.update((file, None) for file in item.outcome_files if file.endswith(TAKEN))
            for found in read_candidate(item, outcomes=held, scorer=scorer, threshold=threshold):
                row = _met(found, item, met)
                if isinstance(found, Trajectory) and isinstance(row, ReadRow) and not row.same_as:
                    use.add(found)
                    beside.add(found, item)
                    keep(found)
                del found  # or it would be held while the next one is read
                yield row
            counter.add(item)
        if not counter.total:
            raise nothing_recognised(paths, seen)
    notes = (*taken_outcomes(read_from, outcomes), *beside.notes(), *idle_outcomes(outcomes, fitted), *use.notes())
    for note in (*notes, *export_among(paths, export)):
        if tell is not None:
            tell(note)


def _listed(paths: Sequence[Path], export: Path | None) -> Spool[Candidate | Companion | Skip]:
    """Everything below the paths, looked at once, without what an earlier call with the same export wrote."""
    spool: Spool[Candidate | Companion | Skip] = Spool(Candidate, Companion, Skip)
    try:
        for item in found_below(paths, leave_out=(export,) if export else ()):
            spool.append(item)
    except BaseException:
        spool.__exit__(None, None, None)
        raise
    return spool


class _Counter:
    """Sums what was read, for whoever shows it."""

    def __init__(self, listed: Iterable[Candidate | Companion | Skip], progress: Progress | None) -> None:
        sizes = [item.size for item in listed if isinstance(item, Candidate)]
        self.size, self.total = sum(sizes), len(sizes)
        self.done = self.count = 0
        self.progress = progress

    def add(self, candidate: Candidate) -> None:
        self.done += candidate.size
        self.count += 1
        if self.progress is not None:
            self.progress(self.done, self.size, self.count, self.total)


def _contested(listed: Iterable[Candidate | Companion | Skip], outcomes: Outcomes) -> tuple[Contested, Collection[str]]:
    """What of the outcome files fits more than one attempt, as `earned audit` finds it; and all that fits any."""
    counted = ClaimCount(outcomes)
    sources = {source for item in listed if isinstance(item, Candidate) for source in counted.add(item)}
    return counted.contested(sources), counted.fitted


def counts(found: Iterable[Found]) -> dict[str, Any]:
    """How many there are of each. What is met again (`ReadRow.same_as`) is counted as that, and as nothing else."""
    kinds: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    formats: Counter[str] = Counter()
    traces: Counter[str] = Counter()
    for item in found:
        is_repeated = isinstance(item, ReadRow) and bool(item.same_as)
        kinds["repeated" if is_repeated else type(item).__name__] += 1
        if isinstance(item, ReadRow) and not is_repeated:
            outcomes[item.outcome] += 1
            formats[item.format] += 1
            traces[item.completeness] += 1
    return {
        "trajectories": kinds["ReadRow"],
        "repeated": kinds["repeated"],
        "companions": kinds["Companion"],
        "skipped": kinds["Skip"],
        "outcomes": dict(sorted(outcomes.items())),
        "formats": dict(sorted(formats.items())),
        "completeness": dict(sorted(traces.items())),
    }


def _met(found: Trajectory | Skip, candidate: Candidate, met: Attempts) -> ReadRow | Skip:
    """The row of what was read, with the place where the same attempt was met before."""
    if isinstance(found, Skip):
        return found
    place = place_of(found, candidate)
    return _row(found, place, met.twin_of(attempt_digest(found), str(place)))


def _row(trajectory: Trajectory, place: Place, twin: str) -> ReadRow:
    own = [step for step in trajectory.steps if step.actor in ("agent", "subagent") and not step.copied]
    return ReadRow(
        path=place.path,
        member=place.member,
        format=trajectory.source.format,
        recognised=trajectory.source.recognised,
        trajectory_id=trajectory.id,
        benchmark=trajectory.benchmark,
        task=trajectory.task,
        model=trajectory.model,
        harness=trajectory.harness,
        attempt=trajectory.attempt,
        outcome=trajectory.outcome.status,
        outcome_source=trajectory.outcome.source,
        outcome_detail=trajectory.outcome.detail,
        reward=trajectory.outcome.reward,
        scores=tuple(score.name for score in trajectory.scores),
        steps=len(trajectory.steps),
        actions=sum(len(step.actions) for step in own),
        subagents=len({step.subagent for step in own if step.subagent}),
        completeness=trajectory.completeness.grade,
        reasons=tuple(
            f"{reason.what} (step {reason.step})" if reason.step >= 0 else reason.what
            for reason in trajectory.completeness.reasons
        ),
        submission=trajectory.submission.recovered,
        submission_certainty=trajectory.submission.certainty,
        oddities=tuple(f"{oddity.place}: {oddity.what}" for oddity in trajectory.oddities),
        same_as=twin,
    )
