from __future__ import annotations

import io

import pytest
from made_passes import HOSTILE, STAMP, attempts_of, made_passes, make_pass, make_row
from rich.console import Console

from earned.records import AttemptCount, AuditedPass, IntegrityCard, Skip, SkipReason
from earned.report import FEW_PASSES, gravest, integrity_card, terminal_table, terminal_text
from earned.report.wording import short_paths


def card_of(passes: list[AuditedPass]) -> IntegrityCard:
    return integrity_card(
        passes, attempts=attempts_of(passes), skipped={"failed": 3}, stamp=STAMP, task_selection="all tasks found"
    )


def text_of(passes: list[AuditedPass], width: int = 80) -> str:
    return terminal_text(card_of(passes), gravest(audited.row for audited in passes), {"failed": 3}, width=width)


def test_no_line_is_wider_than_eighty_columns() -> None:
    assert max(map(len, text_of(made_passes()).splitlines())) <= 80


def test_numbers_are_never_cut_even_where_there_is_little_room() -> None:
    passes = [make_pass(f"runs/{number}.json", label="violation") for number in range(12)]
    assert "[75.75, 100.00]" in text_of(passes)
    assert "100.00%" in text_of(passes, width=60)


def test_one_cohort_is_shown_once() -> None:
    text = text_of([make_pass()])
    assert text.count("rate       unit") == 1
    assert "All cohorts" not in text


def test_several_cohorts_come_after_their_total() -> None:
    text = text_of(made_passes())
    assert text.index("All cohorts") < text.index("swe-bench-verified") < text.index("terminal-bench")
    assert text.count("rate       unit") == 4


def test_few_passes_are_listed_with_label_categories_and_steps() -> None:
    line = next(line for line in text_of(made_passes()).splitlines() if "django-1" in line)
    assert line.split() == ["violation", "django-1/trajectory.json", "git_history", "5,", "7"]


def test_what_is_kept_of_a_legitimate_pass_names_its_step() -> None:
    line = next(line for line in text_of(made_passes()).splitlines() if "kept-1" in line)
    assert line.split() == ["legitimate", "kept-1/trajectory.json", "upstream_fetch", "3"]


def test_the_folders_that_all_passes_stand_in_are_not_repeated() -> None:
    paths = ["runs/long/way/a/x", "runs/long/way/b/x"]
    assert short_paths(paths) == ("a/x", "b/x")
    assert short_paths([*paths, "runs/other/c"]) == ("long/way/a/x", "long/way/b/x", "other/c")
    assert short_paths(paths[:1]) == ("x",)
    assert short_paths(["/a/b", "c/d"]) == ("/a/b", "c/d")
    assert short_paths([]) == ()


def test_of_many_passes_the_violations_and_the_unearned_are_listed_and_the_others_counted() -> None:
    passes = [make_pass(f"runs/plain-{number}.json") for number in range(FEW_PASSES)]
    passes += [make_pass("runs/bad.json", label="unearned"), make_pass("runs/worse.json", label="violation")]
    text = text_of(passes)
    assert text.index("worse.json") < text.index("bad.json")
    assert "plain-0.json" not in text
    assert f"\N{HORIZONTAL ELLIPSIS} and {FEW_PASSES} more: see report.html, or earned report DIR --csv TABLES" in text


def test_many_passes_of_which_none_is_grave_are_counted() -> None:
    text = text_of([make_pass(f"runs/{number}.json") for number in range(FEW_PASSES + 1)])
    assert f"and {FEW_PASSES + 1} more: see report.html" in text


def test_where_all_are_listed_no_more_are_named() -> None:
    assert " more: " not in text_of([make_pass(f"runs/{number}.json") for number in range(FEW_PASSES)])


def test_as_many_as_the_limit_are_listed() -> None:
    rows = [make_row(f"runs/{number}.json") for number in range(FEW_PASSES)]
    assert gravest(rows) == tuple(rows)
    assert gravest([*rows, make_row()]) == ()
    worst = [make_row(f"runs/{number}.json", label="violation") for number in range(FEW_PASSES + 3)]
    assert gravest([*rows, *worst]) == tuple(worst[:FEW_PASSES])


def skip(number: int, reason: SkipReason = "failed") -> Skip:
    return Skip(path=f"runs/job/t-{number}", reason=reason, detail=f"reward {number}")


def test_few_skipped_inputs_are_named_with_the_detail_and_many_are_not() -> None:
    card = card_of([make_pass()])
    few = terminal_text(card, (), {"failed": 7, "unreadable": 1}, skips=[*map(skip, range(7)), skip(9, "unreadable")])
    assert [number for number in range(10) if f"  t-{number}: reward {number}\n" in few] == [0, 1, 2, 3, 4, 9]
    assert "  and 2 more\n" in few
    many = terminal_text(card, (), {"failed": 21}, skips=map(skip, range(21)))
    assert "t-0" not in many


def test_skipped_inputs_are_counted_with_their_reason() -> None:
    assert "3  failed: the verifier gave no credit" in text_of(made_passes())


def test_nothing_skipped_says_nothing() -> None:
    assert "Not judged" not in terminal_text(card_of([make_pass()]), (), {})


def test_no_surface_pass_still_gives_a_table() -> None:
    assert "0/0" in text_of([])


@pytest.mark.parametrize("colour", [True, False])
def test_no_text_from_an_input_reaches_the_terminal_as_a_command(colour: bool) -> None:
    passes = [make_pass(HOSTILE, task=HOSTILE, benchmark=HOSTILE, model="[bold red]\x1b]0;title\x07", categories=(HOSTILE,))]
    stream = io.StringIO()
    console = Console(file=stream, width=80, force_terminal=colour, color_system="truecolor" if colour else None)
    console.print(terminal_table(card_of(passes), [passes[0].row], {}))
    text = stream.getvalue()
    assert "[bold red]" in text
    assert not set("\x07\x00\x85\u202e\u200b") & set(text)
    assert "\x1b]" not in text
    assert colour or "\x1b" not in text


def test_a_cohort_without_a_surface_pass_has_a_line_instead_of_a_table_of_nothing() -> None:
    failed = AttemptCount(benchmark="b", model="quiet", harness="h", task="t", status="failed", count=3)
    card = integrity_card([make_pass()], attempts=[failed], skipped={"failed": 3}, stamp=STAMP, task_selection="all")
    text = terminal_text(card, [], {"failed": 3})
    assert "  b · quiet · h: 3 attempts" in text
    assert "n/a" not in text
