"""The page of all formats names them in the order in which files are tried, and the limits that the code has."""

from __future__ import annotations

import re

from house_sources import ROOT

from earned.trajectory import FORMATS
from earned.trajectory.peek import FIRST_LOOK, SECOND_LOOK, TAIL, THIRD_LOOK
from earned.trajectory.sources import limits

PAGE = (ROOT / "docs" / "reference" / "formats" / "index.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())


def test_the_table_has_every_format_in_the_order_of_trying() -> None:
    assert re.findall(r"^\| \[`([^`]+)`\]\(([^)]+)\.md\) \|", PAGE, re.MULTILINE) == [(name, name) for name in FORMATS]


def test_the_page_names_the_limits() -> None:
    sizes = f"the first {FIRST_LOOK >> 10} KB and the last {TAIL >> 10} KB"
    assert sizes in TEXT
    assert f"the first {SECOND_LOOK >> 10} KB are" in TEXT
    assert f"at most {THIRD_LOOK >> 20} MB" in TEXT
    names = f"{limits.MAX_NAMES >> 20} MB of names"
    assert f"{limits.MAX_MEMBERS:,} files and {names} in an archive, {limits.MAX_DEPTH} folders deep" in TEXT
    assert f"{limits.MAX_RATIO:,} times the packed size for what is above {limits.RATIO_FROM >> 20} MB" in TEXT
    assert f"{limits.MAX_DOCUMENT >> 20} MB for a document" in TEXT
    assert limits.MAX_TOTAL == 1 << 40
    assert limits.MAX_WORK == 100
