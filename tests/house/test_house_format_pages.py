"""Every format has a page that says what is read, what is not, and shows an example whose output the program prints."""

from __future__ import annotations

import re

import pytest
from house_sources import ROOT

from earned.trajectory import FORMATS

PAGES = ROOT / "docs" / "reference" / "formats"


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_has_its_page(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert sections[:3] == ["What is read", "What is not", "Example"]
    assert f"Name: `{name}`" in page
    assert re.search(r"<!-- output of: earned read [^\n]+ -->", page)


def test_every_page_is_of_a_format_and_in_the_navigation() -> None:
    named = {path.stem for path in PAGES.glob("*.md")} - {"index"}
    assert named == set(FORMATS)
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [name for name in named if f"reference/formats/{name}.md" not in navigation] == []


def test_the_example_of_a_page_is_of_its_format() -> None:
    for name in FORMATS:
        shown = (PAGES / f"{name}.md").read_text(encoding="utf-8").partition("<!-- output of:")[2]
        of = "harbor" if name == "earned" else name  # an export gives back trajectories of other formats
        assert re.search(rf"^\S.*  +{re.escape(of)}  +", shown, re.MULTILINE), name
