"""`earned report`: an audit folder rendered again, from what is on disk alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from earned.errors import ConfigurationError
from earned.records import IntegrityCard
from earned.report import gravest, terminal_table, write_csv, write_html, write_markdown
from earned.store import read_folder

if TYPE_CHECKING:
    from rich.console import RenderableType


def card(folder: Path) -> IntegrityCard:
    """The integrity card of a finished audit.

    Raises ConfigurationError: `not-an-audit-folder`, or `audit-unfinished` when the audit has not come to its end.
    """
    manifest = read_folder(folder).manifest()
    if "card" not in manifest:
        raise ConfigurationError(
            f"Expected a finished audit in {folder}; found one that was stopped. Run the same `earned audit` again.",
            slug="audit-unfinished",
        )
    return msgspec.convert(manifest["card"], IntegrityCard)


def table(folder: Path) -> RenderableType:
    """The table that `earned audit` prints."""
    opened = read_folder(folder)
    found = card(folder)
    skipped = opened.counts().skipped
    return terminal_table(found, gravest(opened.rows()), skipped, skips=opened.skips(), folder=str(folder))


def report(folder: Path, *, html: Path | None = None, markdown: Path | None = None, csv: Path | None = None) -> IntegrityCard:
    """Write the page, the Markdown, or CSV tables (into the folder `csv`) to other places; the card of the audit.

    Folders that are missing are made. Raises as `card` does, and ConfigurationError `cannot-write`.
    """
    opened, found = read_folder(folder), card(folder)
    if html is not None:
        write_html(html, found, opened.passes, opened.skips())
    if markdown is not None:
        write_markdown(markdown, found, opened.passes, opened.skips())
    if csv is not None:
        write_csv(csv, found, opened.passes)
    return found
