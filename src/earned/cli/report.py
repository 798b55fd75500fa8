"""`earned report`."""

from __future__ import annotations

from pathlib import Path

import click

from earned.cli.printing import console, print_json


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path), help="Write the page here.")
@click.option("--markdown", type=click.Path(path_type=Path), help="Write the Markdown here.")
@click.option("--csv", type=click.Path(path_type=Path), help="Write cohorts.csv, tasks.csv and passes.csv into this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the integrity card as JSON, and nothing else.")
def report(folder: Path, html: Path | None, markdown: Path | None, csv: Path | None, *, as_json: bool) -> int:
    """Render an audit FOLDER again: the table, and on request the page, the Markdown or tables of numbers elsewhere.

    \b
    Example:
      earned report audit --html public/integrity.html
    """  # noqa: D301  # click's mark for lines that stay as they are
    from earned.flows.report import report as run
    from earned.flows.report import table

    found = run(folder, html=html, markdown=markdown, csv=csv)
    if as_json:
        print_json(found)
    else:
        console().print(table(folder))
    return 0
