"""Theme: text such as "1.5 GiB" to a number of bytes; the defect is that only whole numbers of decimal units work."""

from __future__ import annotations

import random

from trialmaker.theme import Draft, choose, fill

_POOLS = {
    "package": ("parcelkit", "quotabox", "stowage", "cratefs", "ballast"),
    "module": ("sizes", "capacity", "amounts", "volume"),
    "function": ("parse_size", "read_amount", "to_bytes", "size_from_text"),
    "arg": ("text", "value", "raw", "given"),
    "table": ("_UNITS", "_FACTORS", "_SCALE"),
    "up_table": ("_EXPONENTS", "_LADDER", "_MAGNITUDES", "_RUNGS"),
    "up_pattern": ("_QUANTITY", "_SHAPE", "_READING", "_NOTATION"),
    "up_number": ("mantissa", "leading", "figure", "coefficient"),
    "up_unit": ("symbol", "letters", "trailer", "abbreviation"),
    "up_radix": ("radix", "step_width", "multiplier_base", "stride"),
    "up_error": ("is not a quantity of data", "does not name an amount of storage", "cannot be understood as bytes"),
    "own_split": ("cut", "boundary", "edge", "pivot"),
    "own_digits": ("digits", "numeric", "count_text"),
    "own_name": ("unit_name", "suffix", "tail_word"),
    "own_order": ("order", "prefixes", "ranks"),
    "own_error": ("unknown unit", "no such unit", "unrecognised unit"),
    "sibling": ("labels", "display", "wording"),
}

_HEAD = '''"""Amounts of storage as people write them."""

from __future__ import annotations

import re
from decimal import Decimal

DEFAULT_LIMIT = @limit@


def is_amount(@arg@: str) -> bool:
    """Tell whether the text begins with a digit."""
    return bool(re.match(r"\\s*[0-9]", @arg@))


'''

_BASE = '''@table@ = {"kb": 1000, "mb": 1000**2, "gb": 1000**3}


def @function@(@arg@: str) -> int:
    """Return the number of bytes that the text stands for."""
    @arg@ = @arg@.strip().lower()
    for suffix, factor in @table@.items():
        if @arg@.endswith(suffix):
            return int(@arg@[: -len(suffix)]) * factor
    return int(@arg@)
'''

_UPSTREAM = '''@up_table@ = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
@up_pattern@ = re.compile(r"\\s*([0-9][0-9_]*(?:[.][0-9]+)?)\\s*([kmgtp]?)(i?)b?\\s*$", re.IGNORECASE)


def @function@(@arg@: str) -> int:
    """Return the number of bytes that the text stands for.

    Units with an "i" count in steps of 1024, the others in steps of 1000.
    """
    matched = @up_pattern@.match(@arg@)
    if matched is None:
        raise ValueError(f"{@arg@!r} @up_error@")
    @up_number@ = Decimal(matched.group(1).replace("_", ""))
    @up_unit@ = matched.group(2).lower()
    @up_radix@ = 1024 if matched.group(3) else 1000
    return int(@up_number@ * @up_radix@ ** @up_table@[@up_unit@])
'''

_OWN = '''def @function@(@arg@: str) -> int:
    """Return the number of bytes, for plain, decimal and binary units alike."""
    compact = "".join(@arg@.split()).replace("_", "").lower()
    @own_split@ = len(compact.rstrip("abcdefghijklmnopqrstuvwxyz"))
    @own_digits@, @own_name@ = compact[:@own_split@], compact[@own_split@:].removesuffix("b")
    power = 10
    if @own_name@.endswith("i"):
        @own_name@, power = @own_name@[:-1], 2
    @own_order@ = ["", "k", "m", "g", "t", "p"]
    if @own_name@ not in @own_order@:
        raise ValueError("@own_error@ in " + repr(@arg@))
    per_rank = 10 if power == 2 else 3
    shift = per_rank * @own_order@.index(@own_name@)
    return int(Decimal(@own_digits@) * Decimal(power) ** shift)
'''

_TAIL = '''

def fits(@arg@: str, limit: int = DEFAULT_LIMIT) -> bool:
    """Tell whether the amount stays within the limit."""
    return @function@(@arg@) <= limit
'''

_SIBLING = '''"""Short labels for amounts of storage."""

from __future__ import annotations


def label_for(count: int) -> str:
    """Return the count with its unit, one decimal place."""
    for name, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {name}"
    return f"{count} B"
'''

_ISSUE = (
    "`@package@.@module@.@function@` only understands whole numbers with the units kB, MB and GB. People also write "
    "fractions (`1.5 GB`), binary units (`2 KiB`, `3MiB`), the bigger units TB and PB, underscores between digits and a "
    "space before the unit. Units with an `i` count in steps of 1024, the others in steps of 1000; a lone letter such as "
    "`4k` is a decimal unit; fractions of a byte are cut off. Anything else must raise `ValueError`."
)

_MANUAL = (
    "Amounts are written as a number followed by an optional unit. Decimal units grow by a thousand from one to the next, "
    "binary units, recognisable by the letter i, by one thousand and twenty-four. Upper and lower case mean the same. "
    "A limit of @limit@ bytes applies to uploads unless an operator sets another."
)


def draft(rng: random.Random) -> Draft:
    """The theme with names and numbers drawn from `rng`."""
    names: dict[str, object] = {**choose(rng, _POOLS), "limit": rng.randrange(3_000_000, 9_000_000)}
    return Draft(
        slug=f"{names['package']}-binary-units",
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
        kept=tuple(repr(f"{rng.randrange(2, 900)}{unit}") for unit in ("kB", "MB", "GB", "")),
        given=_vectors(rng, 3),
        hidden=_vectors(rng, 9),
        refused=repr(f"{rng.randrange(2, 90)} furlongs"),
    )


def _vectors(rng: random.Random, count: int) -> tuple[str, ...]:
    units = ("KiB", "MiB", " GiB", "TB", " TiB", "k", "PB", " mib")
    chosen = [units[(index + rng.randrange(2)) % len(units)] for index in range(count)]
    return tuple(repr(f"{rng.randrange(2, 700)}.{rng.randrange(1, 99):02d}{unit}") for unit in chosen)
