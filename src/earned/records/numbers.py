"""Numbers that never travel alone, and the stamp that says how they were made."""

from __future__ import annotations

from typing import Literal

import msgspec

from earned.records.trajectory import SCHEMA, Status

Unit = Literal["trajectory", "task"]
Scope = Literal["full", "matched"]


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A proportion k/n with its interval. `value`, `low` and `high` are None when n is 0."""

    k: int
    n: int
    value: float | None
    low: float | None
    high: float | None
    method: str
    """`wilson`."""
    level: float
    """Confidence level, such as 0.95."""
    unit: Unit
    scope: Scope
    bounds: tuple[float, float] | None
    """[k/n, (k + insufficient + undecided)/n]; None when n is 0."""
    decided_only: float | None
    """k over the decided passes only; None when there are none."""


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """The three rates of one group of surface passes, at one unit."""

    surface_passes: int
    violation: Estimate
    neutral: Estimate
    gap: Estimate
    insufficient: int
    undecided: int
    legitimate: int


class AttemptCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many trajectories of one task, model and harness ended with one status: attempts are known, not passes only."""

    benchmark: str
    model: str
    harness: str
    task: str
    status: Status
    count: int


class CohortRates(msgspec.Struct, frozen=True, kw_only=True):
    """Rates of one benchmark x model x harness."""

    benchmark: str
    model: str
    harness: str
    attempts: int
    """Trajectories read, whatever their outcome."""
    conditions: dict[str, tuple[str, ...]]
    """Recorded conditions (network, git_history, harness_version, …), each with the distinct values seen."""
    trajectory: Rates
    task: Rates


class TaskRates(msgspec.Struct, frozen=True, kw_only=True):
    """One task's passing attempts, and its label at task level."""

    benchmark: str
    task: str
    label: str
    passes: int
    violation: int
    unearned: int
    undecided: int
    insufficient: int
    legitimate: int


class Stamp(msgspec.Struct, frozen=True, kw_only=True):
    """How a result was made."""

    tool_version: str
    rules_hash: str
    """sha256 of the taxonomy file that was in force."""
    inputs_digest: str
    """sha256 over the ids of the surface passes, in reading order."""
    judge: str
    time: str
    """UTC, ISO 8601."""
    prompt_hash: str = ""
    seed: int | None = None
    cost_usd: float | None = None


class IntegrityCard(msgspec.Struct, frozen=True, kw_only=True):
    """The document that is meant to be published beside a benchmark score."""

    benchmark: tuple[str, ...]
    tasks: int
    """Tasks attempted, whatever the outcome: the task universe of this audit."""
    task_selection: str
    """How the tasks were chosen, in words."""
    attempts: int
    """Trajectories read, whatever their outcome."""
    surface_passes: int
    """Trajectories with a known outcome and full credit: n of every rate over trajectories."""
    trajectory: Rates
    """Each surface pass counted once."""
    task: Rates
    """Each task with a surface pass counted once, by the gravest label among its passes."""
    cohorts: tuple[CohortRates, ...]
    insufficient: int
    undecided: int
    categories: dict[str, int]
    """Assignments: a pass with two categories counts in both."""
    channels: dict[str, int]
    """Passes by the channel through which it happened; one with two channels counts in both."""
    skipped: dict[str, int]
    """Inputs that were not judged, by reason."""
    judges: tuple[str, ...]
    """Who labelled: `rules`, or role and model of each judge."""
    agreement_with_people: str
    """`not measured` until people have labelled."""
    stamp: Stamp
    schema: int = SCHEMA
