from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from made_passes import STAMP, attempts_of, git_violation, hardcoded_unearned, made_passes, made_skips, make_pass

from earned.records import AuditedPass, Condition
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


def html_of(passes: list[AuditedPass]) -> str:
    return b"".join(html_chunks(page_of(passes))).decode()


def test_conditions_that_were_not_asked_of_a_legitimate_pass_have_no_table() -> None:
    kept = msgspec.structs.replace(git_violation(), row=make_pass().row)
    asked = msgspec.structs.replace(
        kept, row=msgspec.structs.replace(kept.row, intent=Condition(met=False, why="By accident."))
    )
    for audited, is_shown in ((kept, False), (asked, True), (git_violation(), True)):
        assert ("<h4>Conditions</h4>" in html_of([audited])) == is_shown
        assert ("| condition | holds |" in "\n".join(markdown_lines(page_of([audited])))) == is_shown


@pytest.mark.parametrize(("count", "is_cut"), [(30, False), (31, True)])
def test_a_table_that_is_cut_to_a_box_says_so_and_a_short_one_is_whole(count: int, *, is_cut: bool) -> None:
    text = html_of([make_pass(f"runs/{number}.json", task=f"task-{number}") for number in range(count)])
    assert (text.count(f"{count} rows: scroll in the box to see all.") == 2) == is_cut
    assert ('class="scroll tall"' in text) == is_cut
