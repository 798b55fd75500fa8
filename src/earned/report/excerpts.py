"""The steps around a finding, with every quote marked at its own position and tied to the evidence list.

A quote is marked only where it really stands: at the position that the evidence names, or, where the text was cut around it, at
the place where the same words are found. Long stretches without a quote are left out, and how much is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from earned.records import AuditedPass, Evidence, Excerpt, ExcerptPart, Finding

GAP = 1200
"""Unquoted stretch, in characters, that is shown whole; of a longer one its ends are shown."""
EDGE = GAP // 2
STEPS = 60
"""Steps shown of one pass."""


class Citation(NamedTuple):
    """One quoted piece: a line of the evidence list, and a mark in the steps."""

    number: str
    """`1` for the first piece of evidence, `F1` for the first finding that no evidence repeats."""
    step: int
    native_id: str
    part: str
    start: int
    quote: str
    role: str
    category: str
    why: str
    rule: str
    """Of a finding; empty for evidence."""


class Piece(NamedTuple):
    """A stretch of text of one step."""

    text: str
    numbers: tuple[str, ...]
    """Of the citations that quote it; empty for ordinary text."""
    begins: tuple[str, ...]
    """Of those, the ones whose quote starts here."""
    left_out: int
    """Characters left out in its place; its text is empty then."""


class PartView(NamedTuple):
    """One text of a step."""

    name: str
    pieces: tuple[Piece, ...]
    before: int
    """Characters of the part that the excerpt does not hold, before it."""
    after: int


class StepView(NamedTuple):
    """One step as it is shown."""

    excerpt: Excerpt
    parts: tuple[PartView, ...]


class _Span(NamedTuple):
    start: int
    end: int
    number: str


def citations(audited: AuditedPass) -> tuple[Citation, ...]:
    """The evidence of the verdict in its order, then findings that it does not repeat."""
    cited = [_from_evidence(number, evidence) for number, evidence in enumerate(audited.row.evidence, 1)]
    known = {(citation.step, citation.part, citation.start, citation.quote) for citation in cited}
    more = [finding for finding in audited.findings if _position(finding) not in known]
    return (*cited, *(_from_finding(number, finding) for number, finding in enumerate(more, 1)))


def step_views(audited: AuditedPass, cited: Sequence[Citation]) -> tuple[StepView, ...]:
    """The steps of the excerpt with their quotes marked, STEPS at most."""
    return tuple(_step_view(excerpt, cited) for excerpt in audited.excerpts[:STEPS])


def pieces(text: str, spans: Iterable[tuple[int, int, str]]) -> tuple[Piece, ...]:
    """Cut the text at the ends of the spans `(start, end, number)`, which may overlap; every character stays in its order."""
    marked = [_Span(*span) for span in spans]
    cuts = sorted({0, len(text), *(cut for span in marked for cut in span[:2])})
    found: list[Piece] = []
    for start, end in pairwise(cuts):
        over = [span for span in marked if span.start <= start and end <= span.end]
        if over:
            begins = tuple(span.number for span in over if span.start == start)
            found.append(Piece(text[start:end], tuple(span.number for span in over), begins, 0))
        else:
            found.extend(_unquoted(text[start:end]))
    return tuple(found)


def _unquoted(text: str) -> Iterator[Piece]:
    if len(text) <= GAP:
        yield Piece(text, (), (), 0)
        return
    yield Piece(text[:EDGE], (), (), 0)
    yield Piece("", (), (), len(text) - 2 * EDGE)
    yield Piece(text[-EDGE:], (), (), 0)


def _step_view(excerpt: Excerpt, cited: Sequence[Citation]) -> StepView:
    here = [citation for citation in cited if citation.step == excerpt.index and citation.quote]
    return StepView(excerpt, tuple(_part_view(part, here) for part in excerpt.parts))


def _part_view(part: ExcerptPart, here: Sequence[Citation]) -> PartView:
    spans = [span for citation in here if (span := _find(part, citation))]
    name = f"{part.part} · {part.kind}" if part.kind else part.part
    after = max(0, part.length - part.offset - len(part.text))
    return PartView(name, pieces(part.text, spans), max(0, part.offset), after)


def _find(part: ExcerptPart, citation: Citation) -> _Span | None:
    if citation.part and citation.part != part.part:
        return None
    start = citation.start - part.offset
    if start < 0 or not part.text.startswith(citation.quote, start):
        start = part.text.find(citation.quote)
    return _Span(start, start + len(citation.quote), citation.number) if start >= 0 else None


def _from_evidence(number: int, evidence: Evidence) -> Citation:
    return Citation(
        number=str(number),
        step=evidence.step,
        native_id=evidence.native_id,
        part=evidence.part,
        start=evidence.start,
        quote=evidence.quote,
        role=evidence.role,
        category=evidence.category,
        why=evidence.why,
        rule="",
    )


def _from_finding(number: int, finding: Finding) -> Citation:
    step, part, start, quote = _position(finding)
    return Citation(
        number=f"F{number}",
        step=step,
        native_id="",
        part=part,
        start=start,
        quote=quote,
        role=finding.strength,
        category=finding.category,
        why=finding.why,
        rule=finding.rule,
    )


def _position(finding: Finding) -> tuple[int, str, int, str]:
    quote = finding.quote
    return quote.step, quote.part, quote.start, quote.text
