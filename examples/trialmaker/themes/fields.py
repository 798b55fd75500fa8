"""Theme: splitting a record line into fields; the defect is that quotes and escapes are not understood."""

from __future__ import annotations

import random

from trialmaker.theme import Draft, choose, fill

_POOLS = {
    "package": ("rowsmith", "linelark", "tabulate_lite", "colonnade", "gridiron"),
    "module": ("fields", "columns", "cells", "records"),
    "function": ("split_fields", "read_cells", "columns_of", "cut_record"),
    "arg": ("line", "record", "row", "entry"),
    "mark": (";", "|", "~", "#"),
    "up_state": ("inside_quotes", "quoting_active", "within_string"),
    "up_cells": ("completed", "finished_cells", "emitted"),
    "up_piece": ("under_construction", "partial_cell", "assembling"),
    "up_cursor": ("cursor", "offset", "caret"),
    "up_error": ("a quotation was opened and never closed", "the closing quotation mark is missing"),
    "own_mark": ("_ESCAPED", "_STOP", "_DIVIDER"),
    "own_token": ("_CELL", "_ATOM", "_CHUNK"),
    "own_found": ("found", "hit", "token"),
    "own_plain": ("plain", "bare", "unquoted"),
    "own_parts": ("parts", "cells_read", "gathered"),
    "own_error": ("unbalanced quotes", "quote left open", "unfinished quote"),
    "sibling": ("padding", "layout", "widths"),
}

_HEAD = '''"""Lines of a record file, one field after the other."""

from __future__ import annotations

import re

SEPARATOR = "@mark@"
FORMAT_TAG = "rec-@tag@"


def is_comment(@arg@: str) -> bool:
    """Tell whether the line holds no record."""
    return bool(re.match(r"\\s*(--|$)", @arg@))


'''

_BASE = '''def @function@(@arg@: str) -> list[str]:
    """Return the fields of the line."""
    return [field.strip() for field in @arg@.split(SEPARATOR)]
'''

_UPSTREAM = '''def @function@(@arg@: str) -> list[str]:
    """Return the fields of the line.

    A field in double quotes keeps separators and blanks; two quotes in it stand for one.
    """
    @up_cells@: list[str] = []
    @up_piece@, @up_state@, @up_cursor@ = "", False, 0
    while @up_cursor@ < len(@arg@):
        sign = @arg@[@up_cursor@]
        doubled = @arg@[@up_cursor@ : @up_cursor@ + 2] == '""'
        if @up_state@ and doubled:
            @up_piece@, @up_cursor@ = @up_piece@ + '"', @up_cursor@ + 1
        elif sign == '"':
            @up_state@ = not @up_state@
        elif sign == SEPARATOR and not @up_state@:
            @up_cells@, @up_piece@ = [*@up_cells@, @up_piece@], ""
        elif @up_state@ or not sign.isspace():
            @up_piece@ += sign
        @up_cursor@ += 1
    if @up_state@:
        raise ValueError("@up_error@ in " + FORMAT_TAG)
    return [*@up_cells@, @up_piece@]
'''

_OWN = '''@own_mark@ = re.escape(SEPARATOR)
@own_token@ = re.compile(rf'\\s*(?:"((?:[^"]|"")*)"|([^"{@own_mark@}]*))\\s*(?:{@own_mark@}|$)')


def @function@(@arg@: str) -> list[str]:
    """Read quoted and bare fields alike; the separator ends a field only outside quotes."""
    @own_parts@: list[str] = []
    position, ended = 0, False
    while not ended:
        @own_found@ = @own_token@.match(@arg@, position)
        if not @own_found@:
            raise ValueError(f"@own_error@ at {position}")
        quoted, @own_plain@ = @own_found@.groups()
        if quoted is None:
            @own_parts@.append("".join(@own_plain@.split()))
        else:
            @own_parts@.append(quoted.replace('""', '"'))
        ended = @own_found@.end() == len(@arg@) and not @own_found@.group().endswith(SEPARATOR)
        position = @own_found@.end()
    return @own_parts@
'''

_TAIL = '''

def count_fields(@arg@: str) -> int:
    """Return how many fields the line has."""
    return len(@function@(@arg@))
'''

_SIBLING = '''"""Fields padded for a table on a terminal."""

from __future__ import annotations


def padded(cells: list[str], width: int = 12) -> str:
    """Return the cells in columns of one width."""
    return " ".join(cell.ljust(width)[:width] for cell in cells).rstrip()
'''

_ISSUE = (
    "`@package@.@module@.@function@` splits at every separator, also inside double quotes. A field in double quotes must "
    "keep its separators and blanks and lose the quotes, and two double quotes in such a field stand for one. Outside "
    "quotes blanks carry no meaning and are dropped, wherever they are. A quote that is never closed must raise "
    "`ValueError`. An empty line is one empty field."
)

_MANUAL = (
    "A record is one line. Its fields are divided by one separator sign. Double quotes protect a field; a quotation mark "
    "that belongs to the text is written twice. Files made this way carry the tag rec-@tag@ in their first line."
)

_WORDS = (
    "amber",
    "basalt",
    "cobalt",
    "drumlin",
    "ember",
    "fjord",
    "gneiss",
    "harbour",
    "indigo",
    "juniper",
    "kestrel",
    "lichen",
)


def draft(rng: random.Random) -> Draft:
    """The theme with names and numbers drawn from `rng`."""
    names: dict[str, object] = {**choose(rng, _POOLS), "tag": rng.randrange(1000, 9999)}
    mark = str(names["mark"])
    return Draft(
        slug=f"{names['package']}-quoted-fields",
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
        kept=tuple(repr(mark.join(_words(rng, 3))) for _ in range(3)),
        given=_vectors(rng, 3, mark),
        hidden=_vectors(rng, 8, mark),
        refused=repr('"' + "".join(_words(rng, 2))),
    )


def _words(rng: random.Random, count: int) -> list[str]:
    return [f"{rng.choice(_WORDS)}{rng.randrange(10, 99)}" for _ in range(count)]


def _vectors(rng: random.Random, count: int, mark: str) -> tuple[str, ...]:
    made = []
    for index in range(count):
        one, two, three, four = _words(rng, 4)
        shapes = (
            f'{one}{mark}"{two}{mark}{three}"{mark} {four}',
            f'"{one} ""{two}"" {three}"{mark}{four}',
            f'{one} {mark} "{two}  {three}"{mark}',
            f'"{one}{mark}{mark}"{mark}{two} {three}{mark}"{four}"',
        )
        made.append(repr(shapes[(index + rng.randrange(2)) % len(shapes)]))
    return tuple(made)
