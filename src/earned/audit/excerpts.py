"""What is kept of an audited pass: its row, its findings, and the steps around them cut to what a reader needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from earned.audit.pipeline import Audited
from earned.records import AuditedPass, AuditRow, Evidence, Excerpt, ExcerptPart, Finding, Step, Trajectory, part_text

AROUND = 1
"""Steps kept before and after each quoted one."""
MARGIN = 1200
"""Characters kept on either side of a quote."""
QUIET = 700
"""Characters kept of a part that holds no quote."""
INSTRUCTION = 4000
"""Characters of the instruction that a page shows."""
FINDINGS = 12
"""Findings that no evidence repeats whose steps are kept, in their order."""


class Span(NamedTuple):
    """Where a quote stands."""

    step: int
    part: str
    start: int
    end: int


def audited_pass(trajectory: Trajectory, audited: Audited) -> AuditedPass:
    """The record of one audited pass, for the audit folder and the report."""
    return AuditedPass(
        row=audit_row(trajectory, audited),
        findings=audited.findings,
        receipts=audited.trace.receipts,
        integrations=audited.trace.integrations,
        shares=audited.trace.shares,
        unexplained=audited.trace.unexplained,
        excerpts=excerpts(trajectory, quoted_spans(audited.verdict.evidence, audited.findings)),
        instruction=trajectory.instruction[:INSTRUCTION],
        steps=len(trajectory.steps),
        conditions={
            "network": trajectory.cohort.network,
            "git_history": trajectory.cohort.git_history,
            "harness_version": trajectory.cohort.harness_version,
            "agent_version": trajectory.cohort.agent_version,
            "environment": trajectory.cohort.environment,
            "started": trajectory.cohort.started[:10],
            "finished": trajectory.cohort.finished[:10],
        },
        submission_recovered=trajectory.submission.recovered,
        oddities=tuple(f"{oddity.place}: {oddity.what}" for oddity in trajectory.oddities),
    )


def audit_row(trajectory: Trajectory, audited: Audited) -> AuditRow:
    """One line of the export."""
    verdict = audited.verdict
    return AuditRow(
        trajectory=trajectory.source.path,
        member=trajectory.source.member,
        trajectory_id=trajectory.id,
        format=trajectory.source.format,
        benchmark=trajectory.benchmark,
        task=trajectory.task,
        model=trajectory.model,
        harness=trajectory.harness,
        attempt=trajectory.attempt,
        attempt_index=trajectory.attempt_index,
        outcome=trajectory.outcome.status,
        outcome_source=trajectory.outcome.source,
        completeness=trajectory.completeness.grade,
        submission_certainty=trajectory.submission.certainty,
        label=verdict.label,
        categories=verdict.categories,
        gate=verdict.gate,
        mechanism=verdict.mechanism,
        intent=verdict.intent,
        grade_relevance=verdict.grade_relevance,
        locations=verdict.locations,
        evidence=verdict.evidence,
        decided_by=verdict.decided_by,
        judges=verdict.judges,
        confidence=verdict.confidence,
        undecided_reason=verdict.undecided_reason,
        why=verdict.why,
    )


def quoted_spans(evidence: Iterable[Evidence], findings: Iterable[Finding]) -> tuple[Span, ...]:
    """Where the quotes of the evidence stand, and those of the first FINDINGS findings that it does not repeat."""
    cited = dict.fromkeys(Span(item.step, item.part, item.start, item.end) for item in evidence)
    quotes = (finding.quote for finding in findings)
    found = dict.fromkeys(Span(quote.step, quote.part, quote.start, quote.end) for quote in quotes)
    return (*cited, *[span for span in found if span not in cited][:FINDINGS])


def excerpts(trajectory: Trajectory, spans: Sequence[Span]) -> tuple[Excerpt, ...]:
    """The quoted steps and their neighbours, in order."""
    wanted = {at for span in spans for at in range(span.step - AROUND, span.step + AROUND + 1)}
    return tuple(
        _excerpt(trajectory.steps[at], [span for span in spans if span.step == at])
        for at in sorted(wanted)
        if 0 <= at < len(trajectory.steps)
    )


def _excerpt(step: Step, spans: Sequence[Span]) -> Excerpt:
    parts = [("text", step.actor), ("reasoning", "reasoning")]
    parts += [(f"action:{number}", action.tool or action.kind) for number, action in enumerate(step.actions)]
    parts += [(f"observation:{number}", "result") for number in range(len(step.observations))]
    return Excerpt(
        index=step.index,
        native_id=step.native_id,
        actor=step.actor,
        time=step.time,
        source=step.source,
        parts=tuple(_part(step, part, kind, spans) for part, kind in parts if part_text(step, part)),
    )


def _part(step: Step, part: str, kind: str, spans: Sequence[Span]) -> ExcerptPart:
    text = part_text(step, part)
    here = [span for span in spans if span.part == part]
    start = max(0, min(span.start for span in here) - MARGIN) if here else 0
    end = min(len(text), max(span.end for span in here) + MARGIN) if here else min(len(text), QUIET)
    return ExcerptPart(part=part, kind=kind, text=text[start:end], offset=start, length=len(text))
