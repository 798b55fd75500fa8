"""What `earned read` prints: a table of trajectories, then counts of what there is, each kind that is not plain with a place.

Rows come from a temporary file, are gone through for widths and counts first and then printed one by one, so that a hundred
thousand of them need no more memory than a few. On a terminal that is too narrow for them the path has a line of its own, and
columns are left out that still have no room: no word of a closed list is broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

import click
from rich.cells import cell_len, chop_cells, set_cell_size

from earned.cli.kinds import Kinds, kinds_of
from earned.cli.printing import printed_json
from earned.flows.place import Place
from earned.flows.read import Found, ReadRow, counts
from earned.records import SCHEMA, Companion, Skip
from earned.report import counted, safe_line

if TYPE_CHECKING:
    from rich.console import Console

    from earned.flows.spool import Spool

GAP = 2
"""Blanks between columns, and before those that stand under a path."""
NARROWEST = 16
"""Columns of free text are folded or cut to no less."""
MAX_SKIPPED = 20
"""Inputs that were skipped, as a terminal lists them."""
_NUMBERS = ("steps", "acts", "subs", "odd")
_TEXT = ("trajectory", "format", "task", "model", "outcome", "scores")
_COLUMNS = (*_TEXT, *_NUMBERS[:-1], "trace", "submission", "odd")
"""In this order; one that no row fills is left out."""
_CUT = ("model", "scores")
"""Columns of free text that are cut at their end; only a task and a path are folded."""
_DROPPED = ("subs", "scores", "odd", "acts", "model", "task", "steps", "format", "trace", "submission")
"""In this order columns are left out where there is no room for all."""
_WIDENED = ("submission", "task", "model", "scores")
"""In this order columns get the room that is left."""
_SHARED = ("format", "model")
"""Columns that a terminal leaves out where all rows hold the same, which is said once."""


def write_json(found: Spool[Found]) -> None:
    """One JSON document on standard output, written row by row."""
    click.echo(f'{{\n  "schema": {SCHEMA},')
    for name, kind in (("trajectories", ReadRow), ("companions", Companion), ("skipped", Skip)):
        before = f'  "{name}": ['
        for item in found:
            if isinstance(item, kind):
                click.echo(f"{before}\n    {_indented(item, 4)}", nl=False)
                before = ","
        click.echo("\n  ]," if before == "," else f"{before}],")
    click.echo(f'  "counts": {_indented(counts(found), 2)}\n}}')


def _indented(value: object, depth: int) -> str:
    return printed_json(value).replace("\n", "\n" + " " * depth)


def write_listing(found: Spool[Found], screen: Console, *, is_terminal: bool) -> None:
    """The table, the rows that were skipped, and the counts."""
    sheet = _Sheet(found, screen.width if is_terminal else 0)
    if sheet.said:
        screen.print(sheet.said, style="dim", highlight=False)
    for line in sheet.header():
        screen.out(line, style="bold", highlight=False)
    for item in found:
        if isinstance(item, ReadRow):
            screen.file.write("".join(f"{line}\n" for line in sheet.lines(item)))
    _write_skipped(found, screen, most=MAX_SKIPPED if is_terminal else len(found))
    numbers = counts(found)
    told = counted(numbers["trajectories"], "trajectory", "trajectories")
    again = f" and {counted(numbers['repeated'], 'repetition')} of them" if numbers["repeated"] else ""
    screen.print(f"{told}{again}, {counted(numbers['companions'], 'companion')}, {numbers['skipped']:,} skipped")
    for line in _count_lines(kinds_of(found), screen.width if is_terminal else 0):
        screen.out(line, highlight=False)


def _write_skipped(found: Iterable[Found], screen: Console, *, most: int) -> None:
    number = 0
    for item in found:
        if isinstance(item, Skip):
            number += 1
            if number <= most:
                screen.print(safe_line(f"skipped ({item.reason}): {Place(item.path, item.member)}: {item.detail}"))
    if number > most:
        screen.print(f"\N{HORIZONTAL ELLIPSIS} and {number - most:,} more that were skipped: --json lists them")


def _count_lines(kinds: dict[str, Kinds], width: int) -> Iterator[str]:
    """What there is of each kind, how often; `width` in columns of the screen, 0 where nobody looks at one."""
    told = {name: list(found.lines()) for name, found in kinds.items()}
    first = max(map(len, told))
    second = max((len(count) for lines in told.values() for count, _ in lines), default=0)
    room = max(width - first - second - 2 * GAP, NARROWEST) if width else 0
    for name, lines in told.items():
        for number, (count, kind) in enumerate(lines):
            before = f"{'' if number else name:{first}}{' ' * GAP}{count:>{second}}{' ' * GAP}"
            for part in chop_cells(safe_line(kind), room) if room else [safe_line(kind)]:
                yield before + part
                before = " " * len(before)


class _Sheet:
    """How the rows are laid out, after one pass over all of them."""

    def __init__(self, found: Iterable[Found], width: int) -> None:
        """`width` in columns of the screen; 0 where nobody looks at one."""
        self.prefix = _shared_folders(item.path for item in found if isinstance(item, ReadRow))
        widths: dict[str, int] = {}
        under: dict[str, int] = {}
        values: dict[str, set[str]] = {name: set() for name in _SHARED}
        count = self._plain = 0
        for item in found:
            if isinstance(item, ReadRow):
                count += 1
                self._plain = max(self._plain, len(item.submission))
                cells = self._cells(item)
                _widen(widths, cells)
                _widen(under, _under_path(cells))
                for name, seen in values.items():
                    seen.update({getattr(item, name)} if len(seen) < 2 else ())
        shared = [name for name in _SHARED if width and count > 1 and len(values[name]) == 1]
        self.said = safe_line("all: " + ", ".join(f"{name} {values[name].pop()}" for name in shared)) if shared else ""
        self.widths = {name: widths[name] for name in _COLUMNS if name in widths and name not in shared}
        self.is_stacked = bool(width) and _total(self.widths) > width
        if self.is_stacked:
            kept = {name: under[name] for name in _COLUMNS if name in under and name not in shared}
            self.widths = _fitted(kept, _least(kept, self._plain), width - GAP)
            lost = [name for name in _COLUMNS if name in kept and name not in self.widths]
            without = f"no room for {', '.join(lost)}: see --json" if lost else ""
            self.said = "\n".join(filter(None, (self.said, without)))
        self.width = width

    def header(self) -> Iterator[str]:
        """Names of the columns; nothing where there is no row."""
        if self.widths:
            yield from self._laid_out({"trajectory": "trajectory", **{name: name for name in self.widths}})

    def lines(self, row: ReadRow) -> Iterator[str]:
        """One row."""
        yield from self._laid_out(self._cells(row))

    def _laid_out(self, cells: dict[str, str]) -> Iterator[str]:
        indent = " " * GAP if self.is_stacked else ""
        if self.is_stacked:
            yield from chop_cells(cells["trajectory"], self.width)
            cells = _under_path(cells)
        folded = [_in_column(name, cells[name], width) for name, width in self.widths.items()]
        blanks = [" " * width for width in self.widths.values()]
        for parts in zip_longest(*folded):
            filled = (blank if part is None else part for part, blank in zip(parts, blanks, strict=True))
            yield (indent + (" " * GAP).join(filled)).rstrip()

    def _cells(self, row: ReadRow) -> dict[str, str]:
        """The cells of a row; a column without any text is left out."""
        short = "/".join(row.path.split("/")[self.prefix :])
        return {
            "trajectory": safe_line(str(Place(short, row.member))),
            "format": safe_line(row.format),
            "task": safe_line(row.task),
            "model": safe_line(row.model),
            "outcome": row.outcome,
            "scores": safe_line(", ".join(row.scores)),
            "steps": str(row.steps),
            "acts": str(row.actions),
            "subs": str(row.subagents or ""),
            "trace": row.completeness,
            "submission": row.submission + (f", {row.submission_certainty}" if row.submission != "none" else ""),
            "odd": str(len(row.oddities) or ""),
        }


def _under_path(cells: dict[str, str]) -> dict[str, str]:
    """The cells that stand below a path; a task that the path names is not said again."""
    place = cells["trajectory"]
    return {
        name: "" if name == "task" and cell in place and cell != place else cell
        for name, cell in cells.items()
        if name != "trajectory"
    }


def _widen(widths: dict[str, int], cells: dict[str, str]) -> None:
    for name, cell in cells.items():
        if cell:
            wide = len(cell) if cell.isascii() else cell_len(cell)
            widths[name] = max(widths.get(name, 0), wide, len(name))


def _in_column(name: str, cell: str, width: int) -> list[str]:
    """The lines of a cell, all as wide as its column."""
    if name in _NUMBERS:
        return [cell.rjust(width)]
    if len(cell) <= width and cell.isascii():
        return [cell.ljust(width)]
    if name == "submission":
        return [set_cell_size(cell if cell_len(cell) <= width else cell.partition(",")[0], width)]
    if name in _CUT and cell_len(cell) > width:
        return [f"{set_cell_size(cell, width - 1)}\N{HORIZONTAL ELLIPSIS}"]
    return [set_cell_size(part, width) for part in chop_cells(cell, width)]


def _total(widths: dict[str, int]) -> int:
    return sum(widths.values()) + GAP * (len(widths) - 1)


def _least(widths: dict[str, int], plain: int) -> dict[str, int]:
    """The least width of each column; `plain` is that of a submission without how certain it is."""
    made = {name: min(width, NARROWEST) if name in (*_CUT, "task") else width for name, width in widths.items()}
    return {**made, "submission": max(plain, len("submission"))} if "submission" in made else made


def _fitted(widths: dict[str, int], least: dict[str, int], room: int) -> dict[str, int]:
    """The widths that fit: without the columns that there is no room for, and the rest as wide as there is room."""
    made = dict(least)
    for name in _DROPPED:
        if _total(made) <= room:
            break
        made.pop(name, None)
    for name in reversed(_DROPPED):  # behind a wide column that went there may be room for narrow ones that went before
        if name in least and name not in made and _total({**made, name: least[name]}) <= room:
            made[name] = least[name]
    for name in (name for name in _WIDENED if name in made):
        spare = room - _total(made)
        if name != "submission" or widths[name] - made[name] <= spare:
            made[name] = min(widths[name], made[name] + max(spare, 0))
    return {name: made[name] for name in _COLUMNS if name in made}


def _shared_folders(paths: Iterator[str]) -> int:
    """How many folders all paths have in common."""
    first = next(paths, "").split("/")[:-1]
    shared = len(first)
    for path in paths:
        folders = path.split("/")[:-1]
        while folders[:shared] != first[:shared]:
            shared -= 1
    return shared
