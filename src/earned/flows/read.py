"""`earned read`: what was recognised, without judging: format, task, model, outcome, steps, completeness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from earned.errors import InputError
from earned.flows.contested import ClaimCount, Contested, without_contested
from earned.flows.found import found_below, nothing_recognised
from earned.flows.notes import TAKEN, idle_outcomes, taken_outcomes
from earned.records import SCHEMA, Companion, Skip, Step, Trajectory
from earned.trajectory import Candidate, Outcomes, discover, load_outcomes, read_candidate


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
    reward: float | None
    steps: int
    actions: int
    completeness: str
    reasons: tuple[str, ...]
    submission: str
    submission_certainty: str
    oddities: tuple[str, ...]


Found = ReadRow | Companion | Skip


def read(paths: Sequence[Path], *, outcomes: Sequence[Path] = (), tell: Callable[[str], None] | None = None) -> Iterator[Found]:
    """What lies at and below `paths`, one row at a time, in order.

    `tell` is given, behind the last row, what one should know beside them: outcomes taken without asking, or without effect.

    Raises InputError: `path-missing`, `folder-empty`, and, after the last row, `nothing-recognised`.
    """
    named = load_outcomes(outcomes) if outcomes else None
    contested, fitted = _contested(paths, named) if named is not None else ((), ())
    is_any = False
    seen: list[str] = []
    read_from: dict[str, None] = {}
    for item in found_below(paths):
        if not isinstance(item, Candidate):
            if isinstance(item, Skip):
                seen = [*seen[:2], f"{item.path}: {item.detail}"]
            yield item
            continue
        is_any = True
        read_from.update((file, None) for file in item.outcome_files if file.endswith(TAKEN))
        for trajectory in read_candidate(item, outcomes=named):
            graded = without_contested(trajectory, named, contested)
            yield graded if isinstance(graded, Skip) else _row(graded)
    if not is_any:
        raise nothing_recognised(paths, seen)
    for note in (*taken_outcomes(read_from, outcomes), *idle_outcomes(outcomes, fitted)):
        if tell is not None:
            tell(note)


def _contested(paths: Sequence[Path], outcomes: Outcomes) -> tuple[Contested, Collection[str]]:
    """What of the outcome files fits more than one attempt, as `earned audit` finds it; and all that fits any."""
    counted = ClaimCount(outcomes)
    sources = {source for item in found_below(paths) if isinstance(item, Candidate) for source in counted.add(item)}
    return counted.contested(sources), counted.fitted


def document(found: Sequence[Found]) -> dict[str, Any]:
    """The rows as the one document of `earned read --json`."""
    rows = [item for item in found if isinstance(item, ReadRow)]
    skips = [item for item in found if isinstance(item, Skip)]
    companions = [item for item in found if isinstance(item, Companion)]
    counts = {
        "trajectories": len(rows),
        "companions": len(companions),
        "skipped": len(skips),
        "outcomes": dict(sorted(Counter(row.outcome for row in rows).items())),
        "formats": dict(sorted(Counter(row.format for row in rows).items())),
    }
    document = {"schema": SCHEMA, "trajectories": rows, "companions": companions, "skipped": skips, "counts": counts}
    return dict(msgspec.to_builtins(document))


def read_step(path: Path, number: int) -> Step:
    """Step `number` (from 0) of the one trajectory at `path`. Raises InputError (`no-such-step`) that says what there is."""
    for item in discover([path]):
        if isinstance(item, Candidate):
            for trajectory in read_candidate(item):
                if isinstance(trajectory, Skip):
                    raise InputError(f"Expected a trajectory at {path}; found: {trajectory.detail}.", slug="no-such-step")
                if not 0 <= number < len(trajectory.steps):
                    raise InputError(
                        f"Expected a step from 0 to {len(trajectory.steps) - 1} in {path}; found {number}.", slug="no-such-step"
                    )
                return trajectory.steps[number]
    raise InputError(f"Expected a trajectory at {path}; found none.", slug="nothing-recognised")


def _row(trajectory: Trajectory) -> ReadRow:
    return ReadRow(
        path=trajectory.source.path,
        member=trajectory.source.member,
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
        reward=trajectory.outcome.reward,
        steps=len(trajectory.steps),
        actions=sum(len(step.actions) for step in trajectory.steps if not step.copied and step.actor in ("agent", "subagent")),
        completeness=trajectory.completeness.grade,
        reasons=tuple(
            f"{reason.what} (step {reason.step})" if reason.step >= 0 else reason.what
            for reason in trajectory.completeness.reasons
        ),
        submission=trajectory.submission.recovered,
        submission_certainty=trajectory.submission.certainty,
        oddities=tuple(f"{oddity.place}: {oddity.what}" for oddity in trajectory.oddities),
    )
