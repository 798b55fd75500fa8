"""`earned report`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path), help="Write the page here.")
@click.option("--markdown", type=click.Path(path_type=Path), help="Write the Markdown here.")
@click.option("--json", "as_json", is_flag=True, help="Print the integrity card as JSON, and nothing else.")
def report(folder: Path, html: Path | None, markdown: Path | None, *, as_json: bool) -> int:
    r"""Render an audit FOLDER again: the table, and on request the page or the Markdown elsewhere.

    \b
    Example:
      earned report audit --html public/integrity.html
    """
    from earned.flows.report import card, render, table

    render(folder, html=html, markdown=markdown)
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(card(folder))).decode())
        return 0
    from rich.console import Console

    Console(highlight=False).print(table(folder))
    return 0
