"""Decisive places that the trace does not show: an act that went after foreign content, whose result is missing or cut."""

from __future__ import annotations

from collections.abc import Iterator

from earned.audit.cases import Piece
from earned.audit.delivery import Delivery
from earned.audit.prescan import Scan
from earned.audit.quotes import action_quote
from earned.audit.trace import Trace
from earned.records import Trajectory

MIN_UNEXPLAINED = 0.5
"""Share of the added content that nothing explains from which a gap is decisive: a mostly own solution is not in doubt."""


def decisive_gaps(trajectory: Trajectory, scan: Scan, delivered: tuple[Delivery, ...], found: Trace) -> Iterator[Piece]:
    """Targeted acts whose result is not in the record, when what was submitted has no other explanation either."""
    if found.unexplained is None or found.unexplained < MIN_UNEXPLAINED:
        return
    for index, delivery in enumerate(delivered):
        if not (delivery.targeted and delivery.shown) or delivery.disposition == "unknown" or index in found.deliveries:
            continue
        seen = [item for item in trajectory.steps[delivery.step].observations if item.action in (delivery.action, -1)]
        quote = action_quote(trajectory.steps[delivery.step], scan.facts[delivery.fact])
        if not seen:
            yield Piece(role="context", quote=quote, why="no result of this act is in the record")
        elif delivery.channel != "network" and all(item.truncated for item in seen):
            yield Piece(role="context", quote=quote, why="the result of this act is cut in the record")
