"""`earned read`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from earned.cli.printing import print_json, say

if TYPE_CHECKING:
    from earned.flows.read import Found
    from earned.flows.spool import Spool


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--outcomes", multiple=True, type=click.Path(path_type=Path), help="File that says who passed; repeatable.")
@click.option("--scorer", default="", metavar="NAME", help="The scorer that decides, where a record names several.")
@click.option("--threshold", type=float, metavar="X", help="Reward from which on it passed, where that is open.")
@click.option("--export", type=click.Path(path_type=Path), help="Also write the trajectories to a file, one a line.")
@click.option("--show", metavar="PATH:STEP", help="Print one step, safely; PATH:MEMBER:STEP of a file of several attempts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else.")
def read(paths: tuple[Path, ...], show: str | None, *, as_json: bool, **options: Any) -> int:
    """Say what was recognised below PATHS: format, task, model, outcome, steps, completeness, submission. Nothing is judged.

    \b
    Example:
      earned read jobs/2026-11-30__10-00-00
    """  # noqa: D301  # click's mark for lines that stay as they are
    if show is not None:
        return _show(show, as_json=as_json)
    if not paths:
        raise click.UsageError("Expected at least one PATH; found none.")
    from earned.errors import InputError
    from earned.flows.read import ReadRow
    from earned.flows.spool import Spool
    from earned.records import Companion, Skip

    found: Spool[Found] = Spool(ReadRow, Companion, Skip)
    notes: list[str] = []
    with found:
        try:
            _fill(found, paths, options, notes, is_quiet=as_json)
        except InputError:
            if found and not as_json:
                _print(found, as_json=False)  # nothing was recognised: the rows say what each file was taken for
            raise
        _print(found, as_json=as_json)
    for note in notes:
        say(f"earned: {note}")
    return 0


def _fill(found: Spool[Found], paths: tuple[Path, ...], options: dict[str, Any], notes: list[str], *, is_quiet: bool) -> None:
    from earned.cli.progress import shown_progress
    from earned.flows.read import read as run

    with shown_progress("reading", quiet=is_quiet, unit="candidate") as progress:
        for item in run(paths, **options, tell=notes.append, progress=progress):
            found.append(item)


def _print(found: Spool[Found], *, as_json: bool) -> None:
    from earned.cli.listing import write_json, write_listing
    from earned.cli.printing import console

    if as_json:
        write_json(found)
    else:
        write_listing(found, console(), is_terminal=sys.stdout.isatty())


def _show(place: str, *, as_json: bool) -> int:
    from earned.flows.step import place_and_step, read_step

    parts = place_and_step(place)
    if parts is None:
        raise click.UsageError(f"Expected PATH:STEP with a step number from 0; found {place!r}.")
    step = read_step(*parts)
    if as_json:
        print_json(step)
    else:
        from earned.cli.step import step_text

        click.echo(step_text(step))
    return 0
