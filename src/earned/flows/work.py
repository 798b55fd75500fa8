"""One shard, from its files to its committed rows: the unit of work that a process does alone."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import repeat
from multiprocessing import parent_process
from pathlib import Path
from sys import intern

import msgspec

from earned.audit import Audited, audit_pass, audited_pass
from earned.flows.place import place_of
from earned.flows.plan import Shard
from earned.flows.protected import protected_graph
from earned.flows.repeats import Attempts, repeated
from earned.flows.seen import Observer
from earned.records import AttemptCount, AuditedPass, Skip, Trajectory, Verdict
from earned.store import AuditFolder
from earned.trajectory import Candidate, Outcomes, load_outcomes, read_candidate, skip_of
from earned.trajectory.identity import attempt_digest


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker must know beside its shard."""

    benchmark: str = ""
    model: str = ""
    harness: str = ""
    outcomes: tuple[str, ...] = ()
    scorer: str = ""
    threshold: float | None = None
    protected: str | None = None
    prefilter: bool = True


def quiet_worker() -> None:
    """Leave Ctrl-C to the parent, which stops handing out work and keeps what is finished; and end when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # a worker waits for work on a pipe of which it holds both ends, so that it would outlive a parent that was killed
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def work(shard: Shard, settings: Settings, folder: AuditFolder) -> int:
    """Audit every surface pass of a shard and commit it. Returns the bytes of source files that were read.

    Raises InputError (`protected-invalid` and what else `protected_graph` raises) for protected content that does not hold.
    """
    attempts: Counter[tuple[str, str, str, str, str]] = Counter()
    with folder.shard(shard.key) as writer, Attempts() as met, _observer(settings) as observer:
        for digest, place in shard.repeated:
            met.twin_of(digest, place)
        for skip in shard.skips:
            writer.add_skip(skip)
        for candidate, item in _read(shard, settings):
            skipped = item if isinstance(item, Skip) else _met_again(item, candidate, met, observer)
            if skipped is None and isinstance(item, Trajectory):
                attempts[_counted_as(item)] += 1
                skipped = skip_of(item)
            if skipped is not None:
                writer.add_skip(skipped)
            elif isinstance(item, Trajectory):
                writer.add_pass(audit_safely(item, settings))
            del item  # or it would be held while the next one is read
        folder.keep_notes(shard.read_as, observer.lines())
        writer.commit(_attempt(key, count) for key, count in attempts.items())
    return shard.size


def _observer(settings: Settings) -> Observer:
    return Observer([Path(file) for file in settings.outcomes], settings.scorer, settings.threshold)


def _met_again(trajectory: Trajectory, candidate: Candidate, met: Attempts, observer: Observer) -> Skip | None:
    """The row of an attempt that was met before; None for one that was not. It is noted in any case."""
    place, digest = place_of(trajectory, candidate), attempt_digest(trajectory)
    observer.add(trajectory, candidate, digest, str(place))
    twin = met.twin_of(digest, str(place))
    return repeated(trajectory, place, twin) if twin else None


def _counted_as(trajectory: Trajectory) -> tuple[str, str, str, str, str]:
    """What attempts are counted by; names that come again and again are held once."""
    names = (trajectory.benchmark, trajectory.model, trajectory.harness, trajectory.task, trajectory.outcome.status)
    benchmark, model, harness, task, status = map(intern, names)
    return benchmark, model, harness, task, status


def _attempt(key: tuple[str, str, str, str, str], count: int) -> AttemptCount:
    named = dict(zip(AttemptCount.__struct_fields__, (*key, count), strict=True))
    return msgspec.convert(named, AttemptCount)


def _read(shard: Shard, settings: Settings) -> Iterator[tuple[Candidate, Trajectory | Skip]]:
    named = _outcomes(settings.outcomes)
    outcomes = named.held(shard.contested) if named is not None else None
    for candidate in shard.candidates:
        found = read_candidate(
            candidate,
            outcomes=outcomes,
            scorer=settings.scorer,
            threshold=settings.threshold,
            benchmark=settings.benchmark,
            model=settings.model,
            harness=settings.harness,
        )
        yield from zip(repeat(candidate), found)


def audit_safely(trajectory: Trajectory, settings: Settings) -> AuditedPass:
    """The audit of one surface pass; what goes wrong inside is an `undecided` row with its reason, never a lost run."""
    graph = protected_graph(settings.protected, trajectory.task) if settings.protected else None
    try:
        return audited_pass(trajectory, audit_pass(trajectory, graph=graph, prefilter=settings.prefilter))
    except Exception as error:  # noqa: BLE001  # containment: one hostile trajectory must not end the run
        reason = f"the audit failed: {type(error).__name__}: {str(error)[:300]}"
        verdict = Verdict(label="undecided", decided_by="none", undecided_reason=reason, why=reason)
        return audited_pass(trajectory, Audited(verdict, ()))


@cache
def _outcomes(files: tuple[str, ...]) -> Outcomes | None:
    return load_outcomes([Path(file) for file in files]) if files else None
