"""The integrity card: every number of an audit, with its interval, in one document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from earned.records import AttemptCount, AuditedPass, IntegrityCard, Stamp
from earned.report.tally import Tally

NOT_MEASURED = "not measured"


def integrity_card(
    passes: Iterable[AuditedPass],
    *,
    attempts: Iterable[AttemptCount],
    skipped: Mapping[str, int],
    stamp: Stamp,
    task_selection: str,
    agreement_with_people: str = NOT_MEASURED,
) -> IntegrityCard:
    """Count the passes, once, into the card.

    `attempts` holds the attempts of every outcome, the passes among them; `task_selection` says in words how the tasks were
    chosen; `skipped` is reason to count.
    """
    tally = Tally()
    for audited in passes:
        tally.add_pass(audited)
    tally.add_attempts(attempts)
    trajectory = tally.trajectory_rates()
    return IntegrityCard(
        benchmark=tuple(sorted({key.benchmark for key in tally.attempts.keys() | tally.labels.keys()})),
        tasks=tally.task_count(),
        task_selection=task_selection,
        attempts=tally.attempts.total(),
        surface_passes=trajectory.surface_passes,
        trajectory=trajectory,
        task=tally.task_rates(),
        cohorts=tally.cohorts(),
        insufficient=trajectory.insufficient,
        undecided=trajectory.undecided,
        categories=dict(sorted(tally.categories.items())),
        channels=dict(sorted(tally.channels.items())),
        skipped=dict(sorted(skipped.items())),
        judges=tuple(sorted(tally.judges)) or (stamp.judge,),
        agreement_with_people=agreement_with_people,
        stamp=stamp,
    )
