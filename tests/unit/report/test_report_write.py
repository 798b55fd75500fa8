from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from made_passes import HOSTILE, STAMP, attempts_of, made_passes, made_skips, make_pass

from earned.errors import ConfigurationError
from earned.records import AuditedPass
from earned.report import integrity_card, write_html, write_markdown, write_reports

VOID = {"meta", "link", "line", "rect", "br"}


class Outline(HTMLParser):
    """Tags, attributes and ids of a page; notes tags that do not close as they opened."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.stack: list[str] = []
        self.crossed: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend((name, value or "") for name, value in attrs)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend((name, value or "") for name, value in attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.stack or self.stack.pop() != tag:
            self.crossed.append(tag)

    def values(self, name: str) -> list[str]:
        return [value for attribute, value in self.attributes if attribute == name]


def write(folder: Path, passes: list[AuditedPass]) -> str:
    card = integrity_card(passes, attempts=attempts_of(passes), skipped={}, stamp=STAMP, task_selection="all tasks found")
    write_reports(folder, card, lambda: iter(passes), made_skips())
    return (folder / "report.html").read_text(encoding="utf-8")


def test_the_page_is_well_nested(tmp_path: Path) -> None:
    outline = Outline(write(tmp_path, made_passes()))
    assert outline.crossed == []
    assert outline.stack == []


def test_every_link_inside_the_page_has_its_target(tmp_path: Path) -> None:
    outline = Outline(write(tmp_path, made_passes()))
    ids = outline.values("id")
    inside = [link[1:] for link in outline.values("href") if link.startswith("#")]
    assert set(inside) <= set(ids)
    assert len(ids) == len(set(ids))


def test_the_page_runs_nothing_and_asks_nothing(tmp_path: Path) -> None:
    outline = Outline(write(tmp_path, made_passes()))
    assert not {"script", "img", "iframe", "object", "form"} & set(outline.tags)
    assert not [name for name, _ in outline.attributes if name.startswith("on") or name == "src"]
    assert not [link for link in outline.values("href") if ":" in link and link != "data:,"]


def test_the_policy_forbids_everything_but_the_pages_own_style(tmp_path: Path) -> None:
    policy = next(value for value in Outline(write(tmp_path, made_passes())).values("content") if "default-src" in value)
    assert "default-src 'none'" in policy
    assert "'unsafe" not in policy
    assert "script-src" not in policy


def test_quotes_are_marked_in_their_steps(tmp_path: Path) -> None:
    page = write(tmp_path, made_passes())
    assert '<a class="ref" id="p1-m-1" href="#p1-e-1">1</a>git show 4f0b2c1</mark>' in page


def test_rates_stand_with_counts_interval_bounds_and_unit(tmp_path: Path) -> None:
    page = write(tmp_path, made_passes())
    assert 'aria-label="gap 3/13 23.08% [8.18, 50.26], bounds [23.08, 38.46]"' in page
    assert "By trajectory" in page
    assert "By task" in page


def test_no_unseen_character_reaches_either_report(tmp_path: Path) -> None:
    page = write(tmp_path, made_passes())
    for text in (page, (tmp_path / "report.md").read_text(encoding="utf-8")):
        assert not set("\x1b\x00\x07\x85\u202e\u200b") & set(text)
        assert "U+202E" in text


def test_no_markup_from_an_input_reaches_the_page(tmp_path: Path) -> None:
    page = write(tmp_path, made_passes())
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_the_markdown_holds_no_html_at_all(tmp_path: Path) -> None:
    write(tmp_path, made_passes())
    assert "<" not in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_a_report_of_no_passes_says_so(tmp_path: Path) -> None:
    page = write(tmp_path, [])
    assert "No surface pass, so no rate." in page
    assert "No pass has a finding." in page


def test_text_that_is_no_valid_unicode_is_written(tmp_path: Path) -> None:
    assert "[U+D800]" in write(tmp_path, [make_pass("\ud800.json", task="\ud800")])


def test_page_and_markdown_can_be_written_elsewhere(tmp_path: Path) -> None:
    passes = made_passes()
    card = integrity_card(passes, attempts=[], skipped={"failed": 2}, stamp=STAMP, task_selection="all tasks found")
    write_html(tmp_path / "a.html", card, lambda: iter(passes))
    write_markdown(tmp_path / "b.md", card, lambda: iter(passes))
    assert "<title>Was the pass earned?" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert (tmp_path / "b.md").read_text(encoding="utf-8").startswith("# Was the pass earned?\n")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(ConfigurationError, match="taken") as caught:
        write(tmp_path / "taken", [make_pass(task=HOSTILE)])
    assert caught.value.slug == "cannot-write"
