"""Theme: merging booked spans; the defect is that input must be sorted and touching spans stay apart."""

from __future__ import annotations

import random

from trialmaker.theme import Draft, choose, fill

_POOLS = {
    "package": ("berthplan", "slotwork", "roomledger", "dockhand", "tramline"),
    "module": ("spans", "bookings", "stretches", "slots"),
    "function": ("merge_spans", "join_bookings", "coalesce", "fold_slots"),
    "arg": ("spans", "bookings", "items", "ranges"),
    "gap": ("slack", "tolerance", "margin", "leeway"),
    "up_event": ("boundaries", "turnstile", "crossings"),
    "up_depth": ("occupancy", "nesting", "concurrent"),
    "up_open": ("opened_at", "entry_mark", "began"),
    "up_out": ("consolidated", "unified", "condensed"),
    "up_error": ("ends before it starts", "runs backwards", "has its ends exchanged"),
    "own_order": ("by_start", "ordered", "queue"),
    "own_low": ("low", "left", "first"),
    "own_high": ("high", "right", "last"),
    "own_result": ("merged", "result", "joined"),
    "own_error": ("reversed span", "negative span", "span with a negative length"),
    "sibling": ("totals", "usage", "tally"),
}

_HEAD = '''"""Booked stretches of a day, as pairs of minutes."""

from __future__ import annotations

DAY_CODE = @code@


def length(pair: tuple[int, int]) -> int:
    """Return how many minutes the pair covers."""
    return pair[1] - pair[0]


'''

_BASE = '''def @function@(@arg@: list[tuple[int, int]], @gap@: int = 0) -> list[tuple[int, int]]:
    """Return the pairs with the overlapping ones joined."""
    kept: list[tuple[int, int]] = []
    for pair in @arg@:
        if kept and pair[0] < kept[-1][1]:
            kept[-1] = (kept[-1][0], pair[1])
        else:
            kept.append(pair)
    return kept
'''

_UPSTREAM = '''def @function@(@arg@: list[tuple[int, int]], @gap@: int = 0) -> list[tuple[int, int]]:
    """Return the pairs with the overlapping ones joined.

    Works as a sweep over all ends, so the order of the pairs does not matter.
    """
    @up_event@: list[tuple[int, int]] = []
    for start, stop in @arg@:
        if stop < start:
            raise ValueError(f"({start}, {stop}) @up_error@")
        @up_event@ += [(start, -1), (stop + @gap@, 1)]
    @up_out@: list[tuple[int, int]] = []
    @up_depth@, @up_open@ = 0, 0
    for moment, change in sorted(@up_event@):
        if @up_depth@ == 0:
            @up_open@ = moment
        @up_depth@ -= change
        if @up_depth@ == 0:
            @up_out@.append((@up_open@, moment - @gap@))
    return @up_out@
'''

_OWN = '''def @function@(@arg@: list[tuple[int, int]], @gap@: int = 0) -> list[tuple[int, int]]:
    """Join pairs that overlap, touch or lie no further apart than the given distance."""
    if any(pair[1] < pair[0] for pair in @arg@):
        raise ValueError("@own_error@")
    @own_order@ = sorted(@arg@)
    @own_result@: list[tuple[int, int]] = []
    while @own_order@:
        @own_low@, @own_high@ = @own_order@.pop(0)
        while @own_order@ and @own_order@[0][0] - @gap@ <= @own_high@:
            @own_high@ = max(@own_high@, @own_order@.pop(0)[1])
        @own_result@.append((@own_low@, @own_high@))
    return @own_result@
'''

_TAIL = '''

def covered(@arg@: list[tuple[int, int]]) -> int:
    """Return how many minutes are booked at all."""
    return sum(length(pair) for pair in @function@(@arg@))
'''

_SIBLING = '''"""How much of a day is in use."""

from __future__ import annotations


def share_of_day(minutes: int) -> float:
    """Return the minutes as a share of one day."""
    return round(minutes / 1440, 4)
'''

_ISSUE = (
    "`@package@.@module@.@function@` gives wrong answers for input that is not sorted, for pairs that only touch, and for "
    "a short pair inside a long one (the end of the long one is lost). The parameter `@gap@` is ignored: pairs that lie "
    "at most that many minutes apart must be joined too. A pair whose end lies before its start must raise `ValueError`. "
    "The result is sorted."
)

_MANUAL = (
    "A booking is a pair of minutes since midnight. Bookings that overlap or follow each other directly count as one. "
    "An operator may bridge short pauses by naming their length. Day code @code@ marks a day of normal opening hours."
)


def draft(rng: random.Random) -> Draft:
    """The theme with names and numbers drawn from `rng`."""
    names: dict[str, object] = {**choose(rng, _POOLS), "code": rng.randrange(10_000, 99_999)}
    return Draft(
        slug=f"{names['package']}-merge-order",
        package=str(names["package"]),
        module=str(names["module"]),
        function=str(names["function"]),
        head=fill(_HEAD, names),
        base=fill(_BASE, names),
        upstream=fill(_UPSTREAM, names),
        own=fill(_OWN, names),
        tail=fill(_TAIL, names),
        sibling=str(names["sibling"]),
        sibling_text=_SIBLING,
        issue=fill(_ISSUE, names),
        manual=fill(_MANUAL, names),
        kept=_sorted_vectors(rng, 3),
        given=_vectors(rng, 3),
        hidden=_vectors(rng, 8),
        refused="[(30, 45), (90, 60)]",
    )


def _sorted_vectors(rng: random.Random, count: int) -> tuple[str, ...]:
    made = []
    for _ in range(count):
        start = rng.randrange(100, 400)
        made.append(repr([(start, start + 50), (start + rng.randrange(10, 40), start + 90), (start + 200, start + 260)]))
    return tuple(made)


def _vectors(rng: random.Random, count: int) -> tuple[str, ...]:
    made = []
    for index in range(count):
        start = rng.randrange(1000, 1200)
        middle, width = start + rng.randrange(30, 90), rng.randrange(101, 140)
        pairs = [(middle, middle + 7), (start, start + width), (start + width, start + width + rng.randrange(11, 60))]
        far = start + width + rng.randrange(75, 99)
        pairs.append((far, far + rng.randrange(5, 50)))
        made.append(repr(pairs) + (f", {rng.randrange(3, 90)}" if index % 2 else ""))
    return tuple(made)
