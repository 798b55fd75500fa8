"""Theme: text such as "1h 30m" to seconds; the defect is that only one unit is read."""

from __future__ import annotations

import random

from trialmaker.theme import Draft, choose, fill

_POOLS = {
    "package": ("tickwise", "lapsekit", "chronicle", "metronome", "hourglass"),
    "module": ("durations", "periods", "elapsed", "spells"),
    "function": ("parse_duration", "seconds_from", "read_period", "to_seconds"),
    "arg": ("text", "phrase", "source", "spoken"),
    "table": ("_SECONDS", "_LENGTHS", "_WORTH"),
    "up_clock": ("_COLON_FORM", "_DIAL", "_WRISTWATCH"),
    "up_pair": ("_AMOUNT_AND_UNIT", "_PIECE", "_SEGMENT"),
    "up_total": ("accumulated", "running_sum", "gathered"),
    "up_sign": ("polarity", "direction", "orientation"),
    "up_rest": ("leftover", "unread", "residue"),
    "up_error": ("has parts that are not durations", "contains something other than lengths of time", "is no length of time"),
    "own_buffer": ("pending", "number_so_far", "collected"),
    "own_sum": ("outcome", "answer_seconds", "elapsed_seconds"),
    "own_flag": ("below_zero", "is_negative", "counts_down"),
    "own_error": ("misplaced character", "unexpected symbol", "stray character"),
    "sibling": ("calendar_words", "speaking", "phrases"),
}

_HEAD = '''"""Lengths of time in the short form of command lines."""

from __future__ import annotations

import re

LONGEST = @longest@


def looks_short(@arg@: str) -> bool:
    """Tell whether the text ends with a unit letter."""
    return bool(re.search(r"[smhdw]$", @arg@.strip()))


'''

_BASE = '''@table@ = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def @function@(@arg@: str) -> int:
    """Return the number of seconds that the text stands for."""
    @arg@ = @arg@.strip()
    if @arg@[-1] in @table@:
        return int(@arg@[:-1]) * @table@[@arg@[-1]]
    return int(@arg@)
'''

_UPSTREAM = '''@table@ = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
@up_clock@ = re.compile(r"(?:([0-9]+):)?([0-9]{1,2}):([0-9]{2})$")
@up_pair@ = re.compile(r"([0-9]+)\\s*([smhdw]|$)")


def @function@(@arg@: str) -> int:
    """Return the number of seconds that the text stands for, all of its parts added up."""
    @up_sign@ = -1 if @arg@.strip().startswith("-") else 1
    body = @arg@.strip().lstrip("+-").strip().lower()
    dial = @up_clock@.match(body)
    if dial:
        hours, minutes, seconds = (int(part or 0) for part in dial.groups())
        return @up_sign@ * (hours * 3600 + minutes * 60 + seconds)
    @up_rest@ = @up_pair@.sub("", body).strip()
    if @up_rest@ or not body:
        raise ValueError(f"{@arg@!r} @up_error@")
    @up_total@ = sum(int(number) * @table@[unit or "s"] for number, unit in @up_pair@.findall(body))
    return @up_sign@ * @up_total@
'''

_OWN = '''@table@ = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def @function@(@arg@: str) -> int:
    """Read unit by unit, or colon by colon, and return whole seconds."""
    trimmed = @arg@.strip().lower()
    @own_flag@ = trimmed[:1] == "-"
    trimmed = trimmed.lstrip("-+")
    @own_sum@, @own_buffer@ = 0, ""
    if ":" in trimmed:
        for piece in trimmed.split(":"):
            @own_sum@ = @own_sum@ * 60 + int(piece)
        return -@own_sum@ if @own_flag@ else @own_sum@
    for character in trimmed.replace(" ", "") + ("s" if trimmed[-1:].isdigit() else ""):
        if character.isdigit():
            @own_buffer@ += character
        elif character in @table@ and @own_buffer@:
            @own_sum@ += @table@[character] * int(@own_buffer@)
            @own_buffer@ = ""
        else:
            raise ValueError("@own_error@ " + repr(character))
    return -@own_sum@ if @own_flag@ else @own_sum@
'''

_TAIL = '''

def within_bounds(@arg@: str, longest: int = LONGEST) -> bool:
    """Tell whether the length of time may be used for a job."""
    return 0 <= @function@(@arg@) <= longest
'''

_SIBLING = '''"""Lengths of time in words."""

from __future__ import annotations


def in_words(seconds: int) -> str:
    """Return the largest whole unit, in words."""
    for name, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            return f"{seconds // size} {name}{'' if seconds // size == 1 else 's'}"
    return f"{seconds} seconds"
'''

_ISSUE = (
    "`@package@.@module@.@function@` fails as soon as there is more than one unit: `1h 30m` raises instead of giving "
    "5400. Please accept any sequence of numbers with units (`2d4h`, `1w 3d`, with or without spaces), a trailing number "
    "without unit as seconds, a leading minus sign for the whole, and the clock forms `h:mm:ss` and `mm:ss`. "
    "Anything else must raise `ValueError`."
)

_MANUAL = (
    "A length of time is a run of numbers, each with one of five letters for weeks, days, hours, minutes and seconds. "
    "The parts are added. A clock form with colons is understood too. A minus sign in front turns the whole round. "
    "Jobs may last no longer than @longest@ seconds."
)


def draft(rng: random.Random) -> Draft:
    """The theme with names and numbers drawn from `rng`."""
    names: dict[str, object] = {**choose(rng, _POOLS), "longest": rng.randrange(100_000, 999_999)}
    return Draft(
        slug=f"{names['package']}-compound-durations",
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
        kept=tuple(repr(f"{rng.randrange(2, 59)}{unit}") for unit in ("s", "m", "h", "d")),
        given=_vectors(rng, 3),
        hidden=_vectors(rng, 9),
        refused=repr(f"{rng.randrange(2, 90)} apples"),
    )


def _vectors(rng: random.Random, count: int) -> tuple[str, ...]:
    def small(low: int = 2, high: int = 59) -> int:
        return rng.randrange(low, high)

    shapes = (
        lambda: f"{small(1, 9)}h {small()}m",
        lambda: f"{small(1, 6)}d{small(1, 23)}h{small()}s",
        lambda: f"{small(1, 30)}:{small(10, 59)}:{small(10, 59)}",
        lambda: f"-{small(1, 9)}w {small(1, 6)}d",
        lambda: f"{small()}m {small()}",
        lambda: f"{small()}:{small(10, 59)}",
    )
    start = rng.randrange(len(shapes))
    return tuple(repr(shapes[(start + index) % len(shapes)]()) for index in range(count))
