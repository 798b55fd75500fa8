from __future__ import annotations

from pathlib import Path

import msgspec
from made_passes import STAMP, attempts_of, git_violation, hardcoded_unearned, made_passes, made_skips, make_pass

from earned.records import AuditedPass
from earned.report import integrity_card, page
from earned.report.html import html_chunks
from earned.report.markdown import markdown_lines
from earned.report.page import Page, build_page


def page_of(passes: list[AuditedPass]) -> Page:
    card = integrity_card(passes, attempts=attempts_of(passes), skipped={}, stamp=STAMP, task_selection="all")
    return build_page(Path(), card, lambda: iter(passes), made_skips())


def test_sections_go_from_violation_to_legitimate_with_findings() -> None:
    labels = [section.row.label for section in page_of(list(reversed(made_passes()))).sections]
    assert labels == ["violation", "violation", "unearned", "undecided", "insufficient", "legitimate"]


def test_legitimate_passes_without_findings_have_no_section() -> None:
    found = page_of(made_passes())
    assert len(found.clean) == 7
    assert all(row.label == "legitimate" for row in found.clean)


def test_many_passes_keep_the_page_bounded_and_the_gravest_on_it() -> None:
    passes = [hardcoded_unearned(f"runs/u{number}/t.json") for number in range(page.SECTIONS + 20)]
    passes += [git_violation(f"runs/v{number}/t.json") for number in range(5)]
    found = page_of(passes)
    assert (len(found.sections), len(found.listed), found.listed_left_out) == (page.SECTIONS, 25, 0)
    assert [section.row.label for section in found.sections[:6]] == ["violation"] * 5 + ["unearned"]


def test_the_page_says_of_how_many_passes_it_shows_the_gravest() -> None:
    few = [git_violation("runs/a/t.json"), make_pass("runs/b.json")]
    assert "1 pass with something to show, of 2 surface passes:" in b"".join(html_chunks(page_of(few))).decode()
    many = [git_violation(f"runs/v{number}/t.json") for number in range(page.SECTIONS + 7)]
    text = b"".join(html_chunks(page_of([*many, make_pass()]))).decode()
    assert "The 300 gravest of 307 passes with something to show, of 308 surface passes:" in text


def test_a_listed_pass_comes_with_the_command_that_shows_its_step() -> None:
    passes = [git_violation(f"runs/v{number}/t.json") for number in range(page.SECTIONS + 1)]
    lines = list(markdown_lines(page_of(passes)))
    assert any("earned read runs/v300/t.json --show runs/v300/t.json:5" in line for line in lines)


def test_what_is_not_even_listed_is_counted() -> None:
    passes = [make_pass(f"runs/{number}.json") for number in range(page.LISTED + 7)]
    found = page_of(passes)
    assert (len(found.clean), found.clean_left_out) == (page.LISTED, 7)


def test_more_passes_than_are_listed_are_counted() -> None:
    passes = [make_pass(f"runs/{n}.json", label="unearned") for n in range(page.SECTIONS + page.LISTED + 9)]
    found = page_of(passes)
    assert (len(found.sections), len(found.listed), found.listed_left_out) == (page.SECTIONS, page.LISTED, 9)


def test_only_what_is_marked_in_a_step_has_a_link_to_it() -> None:
    (shown,) = page_of([git_violation()]).sections
    assert shown.marked == {"1", "2", "3"}
    (bare,) = page_of([msgspec.structs.replace(git_violation(), excerpts=())]).sections
    assert bare.marked == frozenset()
    assert "#p1-m-1" not in b"".join(html_chunks(page_of([bare.audited]))).decode()
    assert "#p1-m-1" in b"".join(html_chunks(page_of([shown.audited]))).decode()


def test_tasks_beyond_the_table_are_counted() -> None:
    passes = [make_pass(f"runs/{n}.json", task=f"task-{n}") for n in range(page.TASKS + 3)]
    assert page_of(passes).tasks_left_out == 3


def test_skips_are_grouped_by_reason_with_examples() -> None:
    groups = {group.reason: group for group in page_of([]).skips}
    assert (groups["failed"].total, len(groups["failed"].examples)) == (2, 2)
    assert groups["unreadable"].examples[0].path == "runs/skip-3/trajectory.json"


def test_counts_of_the_card_stand_where_no_skip_is_given() -> None:
    card = integrity_card([], attempts=[], skipped={"failed": 9}, stamp=STAMP, task_selection="all")
    (group,) = build_page(Path(), card, lambda: iter(()), ()).skips
    assert (group.reason, group.total, group.examples) == ("failed", 9, ())
