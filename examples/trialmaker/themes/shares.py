"""Theme: splitting an amount by weights; the defect is that rounding loses or invents units."""

from __future__ import annotations

import random

from trialmaker.theme import Draft, choose, fill

_POOLS = {
    "package": ("splitwell", "tithe", "apportion", "ledgerline", "dividend"),
    "module": ("shares", "allocation", "portions", "splits"),
    "function": ("split_amount", "allocate", "apportion_units", "share_out"),
    "arg": ("amount", "total", "units", "whole"),
    "weights": ("weights", "ratios", "stakes", "parts"),
    "up_floor": ("guaranteed", "whole_units", "entitlement"),
    "up_claims": ("outstanding_claims", "fractional_rank", "remainders"),
    "up_rank": ("precedence", "seniority", "standing"),
    "up_spare": ("undistributed", "surplus_units", "spare_units"),
    "up_error": ("weights must not be negative and must not all be zero", "there is nothing to divide by in these weights"),
    "own_share": ("portion", "piece", "slice_size"),
    "own_left": ("remaining", "still_there", "left_over"),
    "own_debt": ("shortfall", "owed", "missing"),
    "own_best": ("neediest", "next_in_line", "most_owed"),
    "own_error": ("unusable weights", "invalid weights", "cannot use these weights"),
    "sibling": ("rates", "tariffs", "fees"),
}

_HEAD = '''"""Amounts in the smallest unit of a currency, divided among parties."""

from __future__ import annotations

ACCOUNT = @account@


def percent(part: int, whole: int) -> float:
    """Return what part is of whole, in percent."""
    return round(100 * part / whole, 2)


'''

_BASE = '''def @function@(@arg@: int, @weights@: list[int]) -> list[int]:
    """Return what each party gets."""
    everything = sum(@weights@)
    return [round(@arg@ * weight / everything) for weight in @weights@]
'''

_UPSTREAM = '''def @function@(@arg@: int, @weights@: list[int]) -> list[int]:
    """Return what each party gets; the results always add up to the amount.

    Uses the method of the largest remainder, ties going to the party named first.
    """
    everything = sum(@weights@)
    if everything <= 0 or min(@weights@) < 0:
        raise ValueError("@up_error@")
    sign, magnitude = (-1, -@arg@) if @arg@ < 0 else (1, @arg@)
    @up_floor@ = [magnitude * weight // everything for weight in @weights@]
    @up_claims@ = [magnitude * weight % everything for weight in @weights@]
    @up_rank@ = sorted(range(len(@weights@)), key=lambda party: (-@up_claims@[party], party))
    @up_spare@ = magnitude - sum(@up_floor@)
    for party in @up_rank@[:@up_spare@]:
        @up_floor@[party] += 1
    return [sign * granted for granted in @up_floor@]
'''

_OWN = '''def @function@(@arg@: int, @weights@: list[int]) -> list[int]:
    """Divide without losing a unit: whoever is furthest below the exact claim gets the next one."""
    if any(weight < 0 for weight in @weights@) or not any(@weights@):
        raise ValueError("@own_error@")
    if @arg@ < 0:
        return [-@own_share@ for @own_share@ in @function@(-@arg@, @weights@)]
    denominator = sum(@weights@)
    result = []
    for weight in @weights@:
        result.append((@arg@ * weight) // denominator)
    @own_left@ = @arg@ - sum(result)
    @own_debt@ = [@arg@ * weight - denominator * got for weight, got in zip(@weights@, result, strict=True)]
    while @own_left@ > 0:
        @own_best@ = @own_debt@.index(max(@own_debt@))
        result[@own_best@] += 1
        @own_debt@[@own_best@] -= denominator
        @own_left@ -= 1
    return result
'''

_TAIL = '''

def largest(@arg@: int, @weights@: list[int]) -> int:
    """Return the biggest single share."""
    return max(@function@(@arg@, @weights@))
'''

_SIBLING = '''"""Fees that depend on an amount."""

from __future__ import annotations


def fee(amount: int, per_mille: int = 15) -> int:
    """Return the fee for an amount, rounded up."""
    return -(-amount * per_mille // 1000)
'''

_ISSUE = (
    "The results of `@package@.@module@.@function@` do not always add up to the amount: rounding each share by itself "
    "loses or invents a unit. Use the largest remainder: everybody gets the share rounded down, the units left over go "
    "one each to the largest fractions, ties to the party named first. A negative amount is divided like the positive "
    "one with the sign put back. Negative weights, or weights that are all zero, must raise `ValueError`."
)

_MANUAL = (
    "Every party receives its exact claim rounded down to a whole unit. Units that are then left go to those whose claim "
    "was cut the most. Nobody may gain more than one unit this way. Account @account@ is used for test bookings."
)


def draft(rng: random.Random) -> Draft:
    """The theme with names and numbers drawn from `rng`."""
    names: dict[str, object] = {**choose(rng, _POOLS), "account": rng.randrange(10_000_000, 99_999_999)}
    return Draft(
        slug=f"{names['package']}-rounding-remainder",
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
        kept=tuple(f"{4 * rng.randrange(50, 900)}, [1, 1, 2]" for _ in range(3)),
        given=_vectors(rng, 3),
        hidden=_vectors(rng, 8),
        refused=f"{rng.randrange(100, 900)}, [0, 0]",
    )


def _vectors(rng: random.Random, count: int) -> tuple[str, ...]:
    """Calls on which rounding each share by itself gives another sum than the amount."""
    made: list[str] = []
    while len(made) < count:
        amount, weights = rng.randrange(10_001, 99_999), [rng.randrange(1, 60) for _ in range(rng.randrange(3, 6))]
        if sum(round(amount * weight / sum(weights)) for weight in weights) != amount:
            sign = "-" if len(made) % 4 == 3 else ""
            made.append(f"{sign}{amount}, {weights}")
    return tuple(made)
