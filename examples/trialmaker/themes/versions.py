"""Theme: a sorting key for release names; the defect is that numbers sort as text and previews sort last."""

from __future__ import annotations

import random

from trialmaker.theme import Draft, choose, fill

_POOLS = {
    "package": ("shelfmark", "tagwise", "relorder", "milepost", "cairn"),
    "module": ("releases", "ordering", "tags", "ranking"),
    "function": ("sort_releases", "in_order", "oldest_first", "ranked"),
    "arg": ("names", "labels", "titles", "candidates"),
    "up_stages": ("_MATURITY", "_RIPENESS", "_PHASES"),
    "up_key": ("_weight_of", "_position_of", "_merit_of"),
    "up_numbers": ("numbered", "ordinals", "numeric_parts"),
    "up_stage": ("ripeness", "maturity", "phase"),
    "up_serial": ("serial", "iteration", "round_number"),
    "up_error": ("does not look like the name of a release", "is not how a release is called here"),
    "own_pattern": ("_NAME", "_FORM", "_LAYOUT"),
    "own_letters": ("letters", "marker", "flavour"),
    "own_digits": ("main_part", "dotted", "core_part"),
    "own_rows": ("keyed", "decorated", "pairs"),
    "own_error": ("malformed release", "odd release name", "unreadable release"),
    "sibling": ("notes", "announcements", "digest"),
}

_HEAD = '''"""Names of releases and their order."""

from __future__ import annotations

import re

FIRST_BUILD = @build@


def is_preview(name: str) -> bool:
    """Tell whether the release came before a final one."""
    return bool(re.search(r"(a|b|rc)[0-9]+$", name))


'''

_BASE = '''def @function@(@arg@: list[str]) -> list[str]:
    """Return the releases, the oldest first."""
    return sorted(@arg@)
'''

_UPSTREAM = '''@up_stages@ = {"a": -3, "b": -2, "rc": -1, "": 0, "post": 1}


def @up_key@(name: str) -> tuple[tuple[int, ...], int, int]:
    """Return numbers that compare as the releases do."""
    anatomy = re.fullmatch(r"v?([0-9]+(?:[.][0-9]+)*)[.-]?(a|b|rc|post|)([0-9]*)", name)
    if anatomy is None:
        raise ValueError(f"{name!r} @up_error@")
    @up_numbers@ = tuple(int(number) for number in anatomy[1].split("."))
    while len(@up_numbers@) > 1 and @up_numbers@[-1] == 0:
        @up_numbers@ = @up_numbers@[:-1]
    @up_stage@, @up_serial@ = @up_stages@[anatomy[2]], int(anatomy[3] or 0)
    return @up_numbers@, @up_stage@, @up_serial@


def @function@(@arg@: list[str]) -> list[str]:
    """Return the releases, the oldest first; equal ones keep their order."""
    return sorted(@arg@, key=@up_key@)
'''

_OWN = '''@own_pattern@ = re.compile(r"^v?([0-9.]*[0-9])[-.]?([a-z]*)([0-9]*)$")


def @function@(@arg@: list[str]) -> list[str]:
    """Sort by numbers, then previews before the final release and corrections after it."""
    known = ["a", "b", "rc", "", "post"]
    @own_rows@ = []
    for index, name in enumerate(@arg@):
        split = @own_pattern@.search(name)
        if split is None or split.group(2) not in known:
            raise ValueError("@own_error@: " + name)
        @own_digits@, @own_letters@, count = split.groups()
        values = [int(value) for value in @own_digits@.split(".")]
        values += [0] * (8 - len(values))
        @own_rows@.append((values, known.index(@own_letters@), int("0" + count), index))
    return [@arg@[row[-1]] for row in sorted(@own_rows@)]
'''

_TAIL = '''

def newest(@arg@: list[str]) -> str:
    """Return the release that came last."""
    return @function@(@arg@)[-1]
'''

_SIBLING = '''"""Headlines for release notes."""

from __future__ import annotations


def headline(name: str, title: str) -> str:
    """Return the line that opens the notes of a release."""
    return f"## {name}: {title.strip().capitalize()}"
'''

_ISSUE = (
    "`@package@.@module@.@function@` sorts as text: `1.10` comes before `1.9`, and previews come after the release they "
    "lead to. Numbers must compare as numbers, trailing zeros do not matter, `a`, `b` and `rc` with their serial number "
    "come before the final release and `post` after it, a dot or hyphen may stand before the letters and a `v` in front. "
    "Equal names keep their order. Any other letters must raise `ValueError`."
)

_MANUAL = (
    "Releases carry numbers with dots. A preview has a letter for its stage and a serial number and belongs before the "
    "final release; a correction belongs after it. The numbering of builds began with @build@."
)


def draft(rng: random.Random) -> Draft:
    """The theme with names and numbers drawn from `rng`."""
    names: dict[str, object] = {**choose(rng, _POOLS), "build": rng.randrange(10_000, 99_999)}
    return Draft(
        slug=f"{names['package']}-release-order",
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
        kept=tuple(repr([f"{n}.{m}" for m in (5, 2, 3)]) for n in rng.sample(range(1, 9), 3)),
        given=_vectors(rng, 3),
        hidden=_vectors(rng, 8),
        refused='["1.0", "2.0nightly"]',
    )


def _vectors(rng: random.Random, count: int) -> tuple[str, ...]:
    made = []
    for index in range(count):
        major, minor = rng.randrange(1, 30), rng.randrange(2, 9)
        late = rng.randrange(10, 60)
        names = [
            f"{major}.{late}",
            f"{major}.{minor}",
            f"{major}.{minor}rc{rng.randrange(2, 9)}",
            f"v{major}.{minor}.0-b{late}",
        ]
        names.append(f"{major}.{minor}.post{rng.randrange(1, 9)}" if index % 2 else f"{major}.{minor}.{rng.randrange(1, 9)}")
        rng.shuffle(names)
        names.sort(key=len, reverse=True)
        made.append(repr(names))
    return tuple(made)
