"""docs/reference/traces.md names every grade, way, certainty and column, and its phrases are taken for cuts."""

from __future__ import annotations

import re
from typing import get_args

from house_sources import ROOT

from earned.cli.listing import _COLUMNS
from earned.records.trajectory import Certainty, CompletenessGrade, Recovery
from earned.trajectory.completeness.cuts import is_cut

PAGE = (ROOT / "docs" / "reference" / "traces.md").read_text(encoding="utf-8")


def test_the_page_names_every_word_of_the_table() -> None:
    words = [*get_args(CompletenessGrade), *get_args(Recovery), *get_args(Certainty), *_COLUMNS]
    assert [word for word in words if f"`{word}`" not in PAGE] == []


def test_the_phrases_of_the_page_are_cuts_where_they_are_whole() -> None:
    page = " ".join(PAGE.split())
    told = page[page.index("a result that the harness cut") : page.index("A file or a manual")]
    phrases = re.findall(r"`([^`]+)`", told)
    whole = [phrase for phrase in phrases if any(character.isdigit() for character in phrase) and "bytes" not in phrase]
    assert len(whole) >= 4
    assert [phrase for phrase in whole if not is_cut(phrase)] == []
