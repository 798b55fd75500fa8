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

Passes = Callable[[], Iterator[AuditedPass]]


def write_reports(folder: Path, card: IntegrityCard, passes: Passes, skips: Iterable[Skip] = ()) -> None:
    """Write `report.html` and `report.md` into the folder, reading the passes and the skips once.

    Raises ConfigurationError (`cannot-write`).
    """
    page = build_page(folder, card, passes, skips)
    _write(folder / HTML, html_chunks(page))
    _write(folder / MARKDOWN, _encoded(markdown_lines(page)))


def write_html(path: Path, card: IntegrityCard, passes: Passes, skips: Iterable[Skip] = ()) -> None:
    """Write the page to any place, made with its folder, with links from there. Raises ConfigurationError (`cannot-write`)."""
    _write(path, html_chunks(build_page(path.parent, card, passes, skips)))


def write_markdown(path: Path, card: IntegrityCard, passes: Passes, skips: Iterable[Skip] = ()) -> None:
    """Write the Markdown to any place, whose folder is made. Raises ConfigurationError (`cannot-write`)."""
    _write(path, _encoded(markdown_lines(build_page(path.parent, card, passes, skips))))


def _encoded(lines: Iterable[str]) -> Iterator[bytes]:
    return (f"{line}\n".encode("utf-8", "replace") for line in lines)


def _write(path: Path, chunks: Iterable[bytes]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, chunks)
    except OSError as error:
        raise ConfigurationError(
            f"Expected to write the report to {str(path)!r}; found: {error}. Make room or give another place.",
            slug="cannot-write",
        ) from error
