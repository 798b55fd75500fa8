"""The audit of one surface pass, top to bottom: prescan, trace, cases, adjudicate, localise."""

from __future__ import annotations

import msgspec

from earned.audit.adjudicate import adjudicate
from earned.audit.cases import Case
from earned.audit.claims import claim_cases
from earned.audit.copied import copied_cases
from earned.audit.delivery import deliveries, graded_paths
from earned.audit.gaps import decisive_gaps, may_have_gap
from earned.audit.keys import key_places
from earned.audit.prefilter import first_look, is_settled, second_look
from earned.audit.prescan import Graph, prescan
from earned.audit.rules import Ruleset, default_ruleset, signals
from earned.audit.tampering import tampering_cases
from earned.audit.targets import Targets, submission_targets
from earned.audit.trace import Trace, trace
from earned.audit.values import is_mostly_values, value_cases
from earned.records import Finding, Trajectory, Verdict
from earned.taxonomy import Taxonomy


class Audited(msgspec.Struct, frozen=True):
    """What the audit of one surface pass found."""

    verdict: Verdict
    findings: tuple[Finding, ...]
    trace: Trace = Trace()


def audit_pass(
    trajectory: Trajectory, *, taxonomy: Taxonomy | None = None, graph: Graph | None = None, prefilter: bool = True
) -> Audited:
    """Label one surface pass by rules.

    `graph` decides ancestry exactly where protected content gave a bundle. Without `prefilter` every command is parsed, also
    those whose facts cannot matter; the findings are the same.
    """
    rules = Ruleset(taxonomy) if taxonomy is not None else default_ruleset()
    scan = first_look(trajectory, rules, graph) if prefilter else prescan(trajectory, graph=graph)
    found = rules.matches(scan.facts)
    if prefilter and is_settled(scan, found, trajectory, rules) and not may_have_gap(trajectory):
        signalled = signals(found, scan.facts, trajectory)
        return Audited(adjudicate((), signalled, trajectory, rules.taxonomy), signalled)

    targets = submission_targets(trajectory.submission)
    hits = key_places(trajectory, targets)
    if prefilter:
        scan = second_look(trajectory, rules, graph, scan, targets, hits)
        found = rules.matches(scan.facts)

    delivered = deliveries(scan, trajectory, rules, graded=graded_paths(trajectory, scan, targets))
    traced = trace(trajectory, scan, delivered, targets, hits)

    cases = (
        *copied_cases(trajectory, scan, delivered, traced),
        *value_cases(trajectory, scan, delivered, targets),
        *tampering_cases(trajectory, scan, found, targets),
        *claim_cases(trajectory, scan),
    )
    signalled = signals(found, scan.facts, trajectory)
    gaps = tuple(decisive_gaps(trajectory, scan, delivered, traced, targets, hits))
    verdict = adjudicate(_one_of_twins(cases, traced, targets), signalled, trajectory, rules.taxonomy, gaps=gaps)

    return Audited(verdict, (*(_finding(case) for case in cases), *signalled), traced)


def _finding(case: Case) -> Finding:
    """A case as a finding, quoted from its first piece."""
    piece = case.pieces[0]
    return Finding(
        category=case.category,
        rule=case.rule,
        quote=piece.quote,
        channel=case.channel,
        address=case.addresses[0] if case.addresses else "",
        strength=case.strength,
        why=case.why,
        acts=case.acts,
        receipts=case.receipts,
        integrations=case.integrations,
    )


def _one_of_twins(cases: tuple[Case, ...], traced: Trace, targets: Targets) -> tuple[Case, ...]:
    """Where lines and values of one channel both are proof, the case that says what was taken: a table of values, or text."""
    proven = {(case.channel, case.category == "hardcoded_output"): case for case in cases if case.strength == "proof"}
    kept = []
    for case in cases:
        is_value = case.category == "hardcoded_output"
        other = proven.get((case.channel, not is_value)) if case.kind == "content" else None
        if other is None or is_value == is_mostly_values(case if not is_value else other, traced, targets):
            kept.append(case)
    return tuple(kept)
