"""Records become pages: the integrity card, the terminal's tables, `report.html` and `report.md`."""

from earned.report.card import integrity_card
from earned.report.tables import write_csv
from earned.report.terminal import FEW_PASSES, gravest, terminal_table, terminal_text
from earned.report.text import safe_json, safe_line, safe_text
from earned.report.wording import counted, short_paths, with_member
from earned.report.write import write_html, write_markdown, write_reports

__all__ = [
    "FEW_PASSES",
    "counted",
    "gravest",
    "integrity_card",
    "safe_json",
    "safe_line",
    "safe_text",
    "short_paths",
    "terminal_table",
    "terminal_text",
    "with_member",
    "write_csv",
    "write_html",
    "write_markdown",
    "write_reports",
]
