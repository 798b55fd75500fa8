"""What files near trajectories say belongs to one attempt, as what named files say does: all that is read is asked who fits.

Only attempts that have outcome files near them are looked at beforehand. Of files that hold one attempt each, whose name every
such file knows, the name is enough, unless another one has it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

import msgspec

from earned.flows.contested import Contested, Holders, file_of
from earned.flows.spool import Spool
from earned.records import Companion, Skip
from earned.trajectory import Candidate, load_format
from earned.trajectory.outcomes.beside import said_beside
from earned.trajectory.outcomes.claims import claims_held
from earned.trajectory.outcomes.fits import FILE
from earned.trajectory.outcomes.reports import stem_of
from earned.trajectory.read import attempts_of

Found = Candidate | Companion | Skip
_SINGLE = (".traj", ".traj.json")
"""Endings of files that hold one attempt each."""


def with_contested(found: Iterable[Found]) -> Iterator[Found]:
    """The same in the same order, each candidate with the claims near it that fit further attempts as well."""
    with Spool[Found](Candidate, Companion, Skip) as spool:
        stems: Counter[str] = Counter()
        for item in found:
            spool.append(item)
            if isinstance(item, Candidate) and _is_graded_near(item):
                stems[_stem(item)] += 1
        holders = Holders()
        for item in spool:
            if isinstance(item, Candidate) and _is_graded_near(item):
                _add(holders, item, is_alone=stems[_stem(item)] == 1)
        contested: dict[str, Contested] = holders.by_file()
        for item in spool:
            near = item.outcome_files if contested and isinstance(item, Candidate) else ()
            shared = tuple(pair for file in near for pair in contested.get(file_of(file), ()))
            yield msgspec.structs.replace(item, contested=shared) if shared and isinstance(item, Candidate) else item


def _is_graded_near(candidate: Candidate) -> bool:
    return bool(candidate.outcome_files) and load_format(candidate.format).graded_by_reports


def _stem(candidate: Candidate) -> str:
    return stem_of(PurePosixPath(candidate.path).name)


def _add(holders: Holders, candidate: Candidate, *, is_alone: bool) -> None:
    by_name = _by_name(candidate) if is_alone and candidate.path.endswith(_SINGLE) else None
    for source, rank in by_name if by_name is not None else _by_reading(holders, candidate):
        holders.count(source, rank)


def _by_name(candidate: Candidate) -> list[tuple[str, int]] | None:
    """What the files near it say of its name; None where one of them does not know it."""
    stem = _stem(candidate)
    found: list[tuple[str, int]] = []
    for file in candidate.outcome_files:
        claims = claims_held(file).found.of(stem) if not file.endswith(".txt") else ()
        if not claims and not file.endswith(".txt"):
            return None
        found += [(claim.source, FILE) for claim in claims]
    return found


def _by_reading(holders: Holders, candidate: Candidate) -> Iterator[tuple[str, int]]:
    """What fits the attempts of a candidate; one that was met before fits what the first one fits."""
    for attempt in attempts_of(candidate):
        if not holders.has_met(attempt):
            yield from ((fit.claim.source, fit.rank) for fit in said_beside(attempt, candidate).fits)
