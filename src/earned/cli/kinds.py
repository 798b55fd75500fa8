"""How often there is what among the rows of `earned read`; a kind that is worth a look comes with the first place of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from earned.flows.place import Place
from earned.flows.read import Found, ReadRow
from earned.records import Skip

MAX_KINDS = 12
"""Kinds of one thing that are told apart; the rest is summed."""
MAX_TEXT = 300
"""Characters of a kind that are shown."""
KEPT_KINDS = 500
"""Kinds that are counted at all."""
_STEP = re.compile(r" \(step (\d+)\)$")


class Kinds:
    """Counts of the kinds of one thing."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._first: dict[str, str] = {}
        self._rest = 0

    def add(self, kind: str, place: str = "") -> None:
        """Count one; `place`, where its kind is worth looking at."""
        if kind in self._counts:
            self._counts[kind] += 1
        elif len(self._counts) < KEPT_KINDS:
            self._counts[kind], self._first[kind] = 1, place
        else:
            self._rest += 1

    def lines(self) -> Iterator[tuple[str, str]]:
        """How often there is each kind, the most frequent first, and what it is."""
        ranked = sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))
        shown = MAX_KINDS + 1 if len(ranked) == MAX_KINDS + 1 and not self._rest else MAX_KINDS  # one more takes no more lines
        for kind, count in ranked[:shown]:
            place = self._first[kind]
            told = _shortened(kind)
            yield f"{count:,}", f"{told} ({place})" if place else told
        rest = self._rest + sum(count for _, count in ranked[shown:])
        if rest:
            yield f"{rest:,}", "of further kinds, which --json lists"


def kinds_of(found: Iterable[Found]) -> dict[str, Kinds]:
    """The kinds of every thing that a user should know of, those of which there is none left out."""
    kinds = {name: Kinds() for name in ("format", "outcome", "trace", "reason", "submission", "oddity", "repeated", "skipped")}
    for item in found:
        if isinstance(item, ReadRow) and item.same_as:
            kinds["repeated"].add(
                "the same attempt as another row, counted once", f"{Place(item.path, item.member)} is {item.same_as}"
            )
        elif isinstance(item, ReadRow):
            _add(kinds, item)
        elif isinstance(item, Skip):
            kinds["skipped"].add(item.reason)
    return kinds


def _add(kinds: dict[str, Kinds], row: ReadRow) -> None:
    place = str(Place(row.path, row.member))
    kinds["format"].add(f"{row.format}: {row.recognised}")
    kinds["outcome"].add(_outcome(row), place if row.outcome_detail else "")
    kinds["trace"].add(row.completeness)
    sure = f", {row.submission_certainty}" if row.submission != "none" else ""
    kinds["submission"].add(f"{row.submission}{sure}")
    for reason in row.reasons:
        step = _STEP.search(reason)
        kinds["reason"].add(_STEP.sub("", reason), f"{place}:{step.group(1)}" if step else place)
    for oddity in row.oddities:
        where, _, what = oddity.partition(": ")
        kinds["oddity"].add(what or oddity, place if _is_of(row.path, where) else f"at {where}; {place}")


def _is_of(path: str, where: str) -> bool:
    """Whether an oddity stands in the trajectory's own file, or says no file."""
    return not where or f"/{path}".endswith(f"/{where.partition('#')[0]}")


def _shortened(kind: str) -> str:
    return kind if len(kind) <= MAX_TEXT else f"{kind[: MAX_TEXT - 1]}\N{HORIZONTAL ELLIPSIS}"


def _outcome(row: ReadRow) -> str:
    """Status with the name of the file it was read from, and why it is no plain pass or fail."""
    file = row.outcome_source.partition("#")[0]
    source = f" from {file.rsplit('/', 1)[-1]}" if file else ""
    detail = f": {row.outcome_detail}" if row.outcome_detail else ""
    return f"{row.outcome}{source}{detail}"
