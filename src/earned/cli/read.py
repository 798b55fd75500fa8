"""`earned read`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from earned.cli.printing import print_json, say

if TYPE_CHECKING:
    from earned.flows.read import Found
    from earned.records import Step

_DIGITS = 12


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--outcomes", multiple=True, type=click.Path(path_type=Path), help="File that says who passed; repeatable.")
@click.option("--show", metavar="PATH:STEP", help="Print one step of one trajectory, safely.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else.")
def read(paths: tuple[Path, ...], outcomes: tuple[Path, ...], show: str | None, *, as_json: bool) -> int:
    """Say what was recognised below PATHS: format, task, model, outcome, steps, completeness. Nothing is judged.

    \b
    Example:
      earned read jobs/2026-11-30__10-00-00
    """  # noqa: D301  # click's mark for lines that stay as they are
    if show is not None:
        return _show(show, as_json=as_json)
    if not paths:
        raise click.UsageError("Expected at least one PATH; found none.")
    from earned.errors import InputError
    from earned.flows.read import document
    from earned.flows.read import read as run

    found: list[Found] = []
    notes: list[str] = []
    try:
        found.extend(run(paths, outcomes=outcomes, tell=notes.append))
    except InputError:
        if found and not as_json:
            _print_rows(found)  # nothing was recognised: the rows say what each file was taken for
        raise
    if as_json:
        print_json(document(found))
    else:
        _print_rows(found)
    for note in notes:
        say(f"earned: {note}")
    return 0


def _print_rows(found: list[Found]) -> None:
    from collections import Counter

    from rich.table import Table

    from earned.cli.printing import console
    from earned.flows.read import ReadRow
    from earned.records import Skip
    from earned.report import counted, safe_line, short_paths, with_member

    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("trajectory", "format", "task", "model", "outcome", "steps", "trace", "submission"):
        table.add_column(name, justify="right" if name == "steps" else "left", overflow="fold")
    rows = [row for row in found if isinstance(row, ReadRow)]
    for row, short in zip(rows, short_paths([row.path for row in rows]), strict=True):
        cells = (with_member(short, row.member), row.format, row.task, row.model, row.outcome)
        table.add_row(*map(safe_line, (*cells, str(row.steps), row.completeness, row.submission)))
    screen = console()
    screen.print(table)
    for skip in found:
        if isinstance(skip, Skip):
            screen.print(safe_line(f"skipped ({skip.reason}): {skip.path}: {skip.detail}"))
    kinds = Counter(type(item).__name__ for item in found)
    read = counted(kinds["ReadRow"], "trajectory", "trajectories")
    screen.print(f"{read}, {counted(kinds['Companion'], 'companion')}, {kinds['Skip']} skipped")


def _show(place: str, *, as_json: bool) -> int:
    path, _, number = place.rpartition(":")
    if not path or not number.isdecimal() or len(number) > _DIGITS:
        raise click.UsageError(f"Expected PATH:STEP with a step number from 0; found {place!r}.")
    from earned.flows.read import read_step

    step = read_step(Path(path), int(number))
    if as_json:
        print_json(step)
    else:
        _print_step(step)
    return 0


def _print_step(step: Step) -> None:
    from earned.report import safe_text

    click.echo(f"step {step.index} ({step.actor}) {safe_text(step.source)}")
    parts = [("text", step.text), ("reasoning", step.reasoning)]
    parts += [(f"action:{number} {action.tool or action.kind}", action.text) for number, action in enumerate(step.actions)]
    parts += [(f"observation:{number}", observation.text) for number, observation in enumerate(step.observations)]
    for name, text in parts:
        if text:
            click.echo(f"--- {safe_text(name)}\n{safe_text(text)}")
