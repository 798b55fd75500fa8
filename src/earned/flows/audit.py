"""`earned audit`: from folders of trajectories to labels with evidence, rates with intervals, and a report."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import msgspec

from earned import __version__
from earned.errors import ConfigurationError, EarnedError, InputError
from earned.flows.exported import check_export
from earned.flows.failon import FailOn
from earned.flows.notes import idle_outcomes, taken_outcomes
from earned.flows.plan import Plan, Shard, read_as
from earned.flows.protected import idle_protected
from earned.flows.repeats import Attempts
from earned.flows.scorers import ScorerUse
from earned.flows.seen import notes_of, repeated_in
from earned.flows.work import Settings, quiet_worker, work
from earned.records import IntegrityCard, Stamp
from earned.report import integrity_card, write_reports
from earned.store import JSON, AuditFolder, export_rows, open_folder
from earned.taxonomy import default_taxonomy
from earned.trajectory import load_outcomes
from earned.trajectory.sources.files import content_digest

DEFAULT_OUT = Path("earned-audit")
TASK_SELECTION = "every task with a recorded attempt among the inputs"
_AHEAD = 2
"""Shards handed out beyond the one each process works on: enough to keep it busy, little to lose."""

Progress = Callable[[int, int, int, int], None]
"""(bytes done, bytes in all, shards done, shards in all)"""


class AuditResult(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit leaves: the card, where everything is, and whether the given limits are crossed."""

    card: IntegrityCard
    folder: Path
    report: Path
    is_over_undecided: bool
    """Undecided passes over `max_undecided` of all: the tool could not do its work."""
    fails: bool
    """The `fail_on` expression is true."""
    fails_why: str = ""
    """The values that make it true."""
    notes: tuple[str, ...] = ()
    """What one should know beside the numbers: outcomes taken without asking, options that had no effect."""


def audit(  # noqa: PLR0913  # the options of the command, with the same names
    paths: Sequence[Path],
    *,
    out: Path = DEFAULT_OUT,
    judge: str = "rules",
    escalate: str | None = None,
    protected: Path | None = None,
    outcomes: Sequence[Path] = (),
    scorer: str = "",
    threshold: float | None = None,
    benchmark: str = "",
    model: str = "",
    harness: str = "",
    jobs: int | None = None,
    engine: str = "local",
    fail_on: str | None = None,
    max_undecided: float = 0.05,
    prefilter: bool = True,
    export: Path | None = None,
    progress: Progress | None = None,
) -> AuditResult:
    """Audit every surface pass at and below `paths`, write the audit folder `out`, and give the numbers.

    Running again with the same inputs and configuration resumes. `benchmark`, `model` and `harness` name what the record does
    not. `scorer` and `threshold` decide outcomes where a record names several scorers, or leaves the threshold open. `jobs` is
    the number of processes (default: one a core). `max_undecided` is a share, 0 to 1.

    Raises InputError (`path-missing`, `folder-empty`, `nothing-recognised`, `nothing-readable`), ConfigurationError
    (`not-built-yet`, `configuration-differs`, `not-an-audit-folder`, `fail-on-invalid`, …) and EarnedError (`worker-died`).
    """
    expression = check_request(judge=judge, escalate=escalate, engine=engine, fail_on=fail_on)
    check_export(export, "rows", paths, beside=outcomes, protected=protected, out=out)
    use = ScorerUse(scorer, threshold)
    settings = Settings(
        benchmark=benchmark,
        model=model,
        harness=harness,
        outcomes=tuple(str(path) for path in outcomes),
        scorer=scorer,
        threshold=threshold,
        protected=_folder(protected),
        prefilter=prefilter,
    )
    named = load_outcomes(outcomes) if outcomes else None
    with (
        Plan(paths, outcomes=named, leave_out=(out, *((export,) if export else ()))) as plan,
        open_folder(out, _configuration(paths, judge, settings, outcomes)) as folder,
    ):
        _run(plan, settings, folder, jobs or os.cpu_count() or 1, progress)
        card = _finish(folder, plan, judge)
        if export is not None:
            export_rows(export, folder.rows())
        notes = (*_notes(plan, folder, outcomes, protected), *notes_of(folder, plan.keys, outcomes, use))
    if not card.attempts:
        raise _nothing_readable(paths, out)
    is_over = card.surface_passes > 0 and card.undecided / card.surface_passes > max_undecided
    return _result(card, out, expression, notes, is_over_undecided=is_over)


def _folder(protected: Path | None) -> str | None:
    if protected is not None and not protected.is_dir():
        raise InputError(f"Expected a folder, found none at {protected}. Check --protected.", slug="path-missing")
    return str(protected) if protected else None


def _result(
    card: IntegrityCard, out: Path, expression: FailOn | None, notes: tuple[str, ...], *, is_over_undecided: bool
) -> AuditResult:
    return AuditResult(
        card=card,
        folder=out,
        report=out / "report.html",
        is_over_undecided=is_over_undecided,
        fails=expression is not None and expression.holds(card),
        fails_why=expression.why(card) if expression is not None else "",
        notes=notes,
    )


def check_request(*, judge: str, escalate: str | None, engine: str, fail_on: str | None) -> FailOn | None:
    """What of a request can be refused before any work; the parsed `fail_on`. Raises ConfigurationError."""
    if judge != "rules" or escalate:
        named = f"--judge {judge}" if judge != "rules" else f"--escalate {escalate}"
        raise ConfigurationError(
            f"Expected --judge rules, the one judge of this version; found {named}. Leave the option out.", slug="not-built-yet"
        )
    if engine != "local":
        raise ConfigurationError(
            f"Expected --engine local, the one engine of this version; found {engine!r}. Leave the option out.",
            slug="not-built-yet",
        )
    return FailOn(fail_on) if fail_on is not None else None


def _notes(plan: Plan, folder: AuditFolder, outcomes: Sequence[Path], protected: Path | None) -> tuple[str, ...]:
    found = [*taken_outcomes(plan.outcome_files, outcomes), *idle_outcomes(outcomes, plan.fitted)]
    if protected is not None:
        found += idle_protected(protected, dict.fromkeys(attempt.task for attempt in folder.counts().attempts))
    return tuple(found)


def _nothing_readable(paths: Sequence[Path], out: Path) -> InputError:
    return InputError(
        f"Expected at least one trajectory that can be read in {', '.join(map(str, paths))}; found none. "
        f"{out / 'skipped.jsonl'} gives the reason for each.",
        slug="nothing-readable",
    )


def _configuration(paths: Sequence[Path], judge: str, settings: Settings, outcomes: Sequence[Path]) -> dict[str, JSON]:
    """What makes two runs the same: inputs as given, judge, what names are overridden, rules and version."""
    return {
        "inputs": [_text(path) for path in paths],
        "judge": judge,
        "benchmark": settings.benchmark,
        "model": settings.model,
        "harness": settings.harness,
        "scorer": settings.scorer,
        "threshold": settings.threshold,
        "outcomes": {_text(path): content_digest(str(path)).hex() for path in outcomes},
        "protected": settings.protected,
        "prefilter": settings.prefilter,
        "rules_hash": default_taxonomy().digest,
        "tool_version": __version__,
    }


def _text(path: Path) -> str:
    """A path as a file can hold it, whatever bytes its name has."""
    return os.fsencode(path).decode("utf-8", "replace")


def _run(plan: Plan, settings: Settings, folder: AuditFolder, jobs: int, progress: Progress | None) -> None:
    """Work off every shard that is not finished; those that hold attempts of earlier ones once more, without these.

    Which these are is known when all shards were read once.
    """
    report = _Counter(plan, progress)
    keys = set(plan.keys)
    folder.retain(lambda key: read_as(key) in keys)
    unread = (shard for shard in plan.shards() if not report.skip_if(shard, done=folder.has_notes(shard.key)))
    _work_off(unread, len(plan.keys), settings, folder, jobs, report.add)
    final = {*keys}
    _work_off(_unfinished(plan, folder, final), len(plan.keys), settings, folder, jobs, lambda _size: None)
    folder.retain(final.__contains__)


def _unfinished(plan: Plan, folder: AuditFolder, final: set[str]) -> Iterator[Shard]:
    """The shards as they are to be, where they are not done so; `final` gets their keys."""
    with Attempts() as met:
        for shard in plan.shards():
            made = shard.without(repeated_in(folder, shard.key, met))
            final.add(made.key)
            if made.key != shard.key:
                folder.drop(shard.key)  # at no time is an attempt in the folder twice
            if not folder.done(made.key):
                yield made


def _work_off(
    shards: Iterator[Shard], number: int, settings: Settings, folder: AuditFolder, jobs: int, done: Callable[[int], None]
) -> None:
    """One process where there is one shard, else as many as asked."""
    if jobs == 1 or number == 1:
        for shard in shards:
            done(work(shard, settings, folder))
        return
    with ProcessPoolExecutor(min(jobs, number), mp_context=get_context("spawn"), initializer=quiet_worker) as pool:
        try:
            for size in _in_parallel(pool, partial(work, settings=settings, folder=folder), shards, jobs + _AHEAD):
                done(size)
        except BrokenProcessPool as error:
            raise EarnedError(
                "Expected the worker processes to finish; one was ended from outside (out of memory?). What was finished is "
                "kept: run the same command again, with fewer --jobs.",
                slug="worker-died",
            ) from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _in_parallel(pool: ProcessPoolExecutor, task: Callable[[Shard], int], shards: Iterator[Shard], ahead: int) -> Iterator[int]:
    """Results as they come, with never more than `ahead` shards handed out."""
    waiting: set[Future[int]] = set()
    for shard in shards:
        with _interrupt_held_back():
            waiting.add(pool.submit(task, shard))
        if len(waiting) >= ahead:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        yield from (future.result() for future in done)


@contextmanager
def _interrupt_held_back() -> Iterator[None]:
    """A worker that is being started inherits the hold, so that Ctrl-C cannot break it off with a traceback."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Counter:
    """Sums what is done, for whoever shows it."""

    def __init__(self, plan: Plan, progress: Progress | None) -> None:
        self.plan = plan
        self.progress = progress
        self.size = 0
        self.shards = 0

    def add(self, size: int) -> None:
        self.size += size
        self.shards += 1
        if self.progress is not None:
            self.progress(self.size, self.plan.size, self.shards, len(self.plan.keys))

    def skip_if(self, shard: Shard, *, done: bool) -> bool:
        if done:
            self.add(shard.size)
        return done


def _finish(folder: AuditFolder, plan: Plan, judge: str) -> IntegrityCard:
    inputs = hashlib.sha256()
    for row in folder.rows():
        inputs.update(row.trajectory_id.encode())
    stamp = Stamp(
        tool_version=__version__,
        rules_hash=default_taxonomy().digest,
        inputs_digest=inputs.hexdigest(),
        judge=judge,
        time=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    counts = folder.counts()
    card = integrity_card(
        folder.passes(), attempts=counts.attempts, skipped=counts.skipped, stamp=stamp, task_selection=TASK_SELECTION
    )
    folder.finish(
        {
            "stamp": msgspec.to_builtins(stamp),
            "engine": "local",
            "pattern_engine": "google-re2",
            "companions": dict(sorted(plan.companions.items())),
            "card": msgspec.to_builtins(card),
        }
    )
    write_reports(folder.path, card, folder.passes, folder.skips())
    return card
