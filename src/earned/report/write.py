"""The report files of an audit folder, each written whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from earned.errors import ConfigurationError
from earned.records import AuditedPass, IntegrityCard, Skip
from earned.report.html import html_chunks
from earned.report.markdown import markdown_lines
from earned.report.page import build_page
from earned.store import write_whole

HTML = "report.html"
MARKDOWN = "report.md"


def write_reports(
    folder: Path, card: IntegrityCard, passes: Callable[[], Iterator[AuditedPass]], skips: Iterable[Skip]
) -> None:
    """Write `report.html` and `report.md` into the folder. Raises ConfigurationError (`cannot-write`)."""
    page = build_page(folder, card, passes, skips)
    try:
        write_whole(folder / HTML, html_chunks(page))
        write_whole(folder / MARKDOWN, (f"{line}\n".encode("utf-8", "replace") for line in markdown_lines(page)))
    except OSError as error:
        raise ConfigurationError(
            f"Expected to write the report into {str(folder)!r}; found: {error}. Make room or give another --out.",
            slug="cannot-write",
        ) from error
