"""From surviving evidence to locations: channel, control surface, fault side, addresses. Always code, never a judge's word."""

from __future__ import annotations

from earned.audit.cases import Case
from earned.records import ControlSurface, Location
from earned.taxonomy import Category, Taxonomy, category


def locations(cases: tuple[tuple[Case, tuple[int, ...]], ...], taxonomy: Taxonomy) -> tuple[Location, ...]:
    """One location for each channel and control surface of the deciding cases, with all the addresses used there.

    `cases` pairs each deciding case with the indices of its evidence in the verdict.
    """
    found: dict[tuple[str, str], Location] = {}
    for case, indices in cases:
        row = category(taxonomy, case.category)
        new = Location(
            channel=case.channel,
            control_surface=_surface(case, row, taxonomy),
            fault_side=row.fault_side,
            addresses=case.addresses,
            evidence=indices,
        )
        old = found.get((new.channel, new.control_surface))
        found[new.channel, new.control_surface] = new if old is None else _merged(old, new)
    return tuple(found.values())


def _surface(case: Case, row: Category, taxonomy: Taxonomy) -> ControlSurface:
    if case.channel == row.channel:
        return row.control_surface
    for entry in taxonomy.catalogue:
        if entry.category == case.category and entry.channel == case.channel:
            return entry.control_surface
    return next((entry.control_surface for entry in taxonomy.catalogue if entry.channel == case.channel), row.control_surface)


def _merged(old: Location, new: Location) -> Location:
    return Location(
        channel=old.channel,
        control_surface=old.control_surface,
        fault_side=old.fault_side,
        addresses=tuple(dict.fromkeys(old.addresses + new.addresses)),
        evidence=tuple(dict.fromkeys(old.evidence + new.evidence)),
    )
