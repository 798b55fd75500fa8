"""What one audited surface pass is on disk: the exported row, and the page of it that a report shows."""

from __future__ import annotations

import msgspec

from earned.records.evidence import (
    Channel,
    Condition,
    Confidence,
    DecidedBy,
    Evidence,
    Finding,
    Gate,
    Integration,
    JudgeOpinion,
    Label,
    Location,
    Receipt,
)
from earned.records.trajectory import SCHEMA, Certainty, CompletenessGrade


class AuditRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of `--export`: one surface pass with its verdict, flat (contract.md, "Rows of --export")."""

    trajectory: str
    member: str
    trajectory_id: str
    format: str
    benchmark: str
    task: str
    model: str
    harness: str
    attempt: str
    attempt_index: int
    """Position, from 0, among the surface passes of the same benchmark, task, model and harness in reading order (by path and
    member). Known only where all are: given when rows are read back from the audit folder."""
    outcome: str
    outcome_source: str
    completeness: CompletenessGrade
    submission_certainty: Certainty
    label: Label
    categories: tuple[str, ...]
    gate: Gate
    mechanism: Condition
    intent: Condition
    grade_relevance: Condition
    locations: tuple[Location, ...]
    evidence: tuple[Evidence, ...]
    decided_by: DecidedBy
    judges: tuple[JudgeOpinion, ...]
    confidence: Confidence
    undecided_reason: str
    why: str = ""
    schema: int = SCHEMA


class ExcerptPart(msgspec.Struct, frozen=True, kw_only=True):
    """One text of a step as a report shows it, cut to what is around the quotes."""

    part: str
    """`text`, `reasoning`, `action:K`, `observation:K`."""
    kind: str
    """Tool or kind of action, for the heading."""
    text: str
    offset: int
    """Where `text` begins in the whole part."""
    length: int
    """Of the whole part, in characters."""


class Excerpt(msgspec.Struct, frozen=True, kw_only=True):
    """One step as a report shows it."""

    index: int
    native_id: str
    actor: str
    time: str
    source: str
    parts: tuple[ExcerptPart, ...]


class AuditedPass(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is kept of one surface pass: its row, its findings and the steps around them."""

    row: AuditRow
    findings: tuple[Finding, ...]
    receipts: tuple[Receipt, ...] = ()
    integrations: tuple[Integration, ...] = ()
    shares: dict[Channel, float] = {}
    """Share of rare added content first received through each channel, 0 to 1."""
    unexplained: float | None = None
    """Share of it that nothing explains; None when nothing had to be traced."""
    excerpts: tuple[Excerpt, ...]
    instruction: str
    """Cut to what a page shows."""
    steps: int
    conditions: dict[str, str]
    """Recorded conditions of the cohort: network, git_history, harness_version, …"""
    submission_recovered: str
    oddities: tuple[str, ...]
