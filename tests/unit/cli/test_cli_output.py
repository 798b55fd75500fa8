"""What each command prints: one document with --json, nothing with --quiet, nothing raw from an input ever."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from command_line import earned, earned_process, lines, small_trial, small_trials
from made_files import atif, bash, trial, write_text
from made_passes import HOSTILE

from earned.cli.main import COMMANDS
from earned.taxonomy import default_taxonomy

CATEGORIES = sorted(row.name for row in default_taxonomy().category)


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audited")
    small_trials(folder / "trials", 3)
    assert earned("audit", folder / "trials", "--out", folder / "out").code == 0
    return folder


def test_every_command_prints_one_document_with_json_and_nothing_else(audited: Path) -> None:
    trials, out = audited / "trials", audited / "out"
    step = f"{trials / 'task-000__abc0000'}:2"
    for arguments in (
        ("audit", trials, "--out", out, "--json"),
        ("audit", trials, "--out", out, "--json", "--dry-run"),
        ("audit", "--explain", "git_history", "--json"),
        ("read", trials, "--json"),
        ("read", trials, "--show", step, "--json"),
        ("report", out, "--json"),
    ):
        found = earned(*arguments)
        assert (found.code, found.err) == (0, ""), arguments
        assert isinstance(json.loads(found.out), dict)


def test_the_commands_that_print_json_are_all_there_are() -> None:
    assert set(COMMANDS) == {"audit", "read", "report"}


def test_json_of_a_call_whose_fail_on_is_true_is_still_one_document(audited: Path) -> None:
    found = earned("audit", audited / "trials", "--out", audited / "out", "--json", "--fail-on", "gap.n>0")
    assert found.code == 2
    assert json.loads(found.out)["surface_passes"] == 3


def test_json_of_a_read_that_recognises_nothing_prints_nothing_on_standard_output(tmp_path: Path) -> None:
    notes = write_text(tmp_path / "notes.rst", "x")
    found = earned("read", notes, "--json")
    assert (found.code, found.out) == (3, "")
    assert "notes.rst" in found.err
    plain = earned("read", notes)
    assert plain.code == 3
    assert "skipped (not_a_trajectory)" in plain.out


def test_quiet_prints_nothing_but_errors(audited: Path) -> None:
    call = ("audit", audited / "trials", "--out", audited / "out", "--quiet")
    assert earned(*call) == (0, "", "")
    found = earned(*call, "--fail-on", "gap.n>0")
    assert (found.code, found.out) == (2, "")
    assert "is true" in found.err


def test_a_run_that_is_no_terminal_prints_plain_lines(audited: Path) -> None:
    found = earned_process("audit", audited / "trials", "--out", audited / "out", "--jobs", 1)
    assert found.code == 0
    assert "\x1b" not in found.out + found.err
    assert "task-002__abc0002" in found.out
    assert str(audited / "out" / "report.html") in found.out


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_help_of_a_command_has_an_example(command: str) -> None:
    found = earned(command, "--help")
    assert found.code == 0
    assert "Example:" in found.out
    assert f"earned {command} " in found.out.split("Example:")[1]
    top = earned("--help").out
    for text, start in ((found.out, f"    earned {command} "), (top, "    earned audit ")):
        lines = text.splitlines()
        assert lines[lines.index("  Example:") + 1].startswith(start)
        assert "\\b" not in text


@pytest.mark.parametrize("category", CATEGORIES)
def test_explain_says_of_every_category_what_it_is_and_what_fires(category: str) -> None:
    row = next(row for row in default_taxonomy().category if row.name == category)
    plain = earned("audit", "--explain", category)
    assert plain.code == 0
    assert plain.out.startswith(f"{category} ({row.kind})")
    assert row.definition in plain.out
    assert f"gate: {row.gate}" in plain.out
    document = json.loads(earned("audit", "--explain", category, "--json").out)
    assert document["name"] == category
    assert {"rules", "routes", "also_called"} <= document.keys()


def test_explain_of_an_unknown_category_names_the_known_ones() -> None:
    found = earned("audit", "--explain", "gremlins")
    assert (found.code, found.out) == (3, "")
    assert "git_history" in found.err


def test_a_dry_run_says_what_would_be_read_and_writes_nothing(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "trials", 2)
    before = sorted(tmp_path.rglob("*"))
    found = earned("audit", trials, "--out", tmp_path / "out", "--export", tmp_path / "rows.jsonl", "--dry-run")
    assert found.code == 0
    assert "Would read 2 candidates" in found.out
    assert sorted(tmp_path.rglob("*")) == before


def test_a_dry_run_refuses_what_the_run_would_refuse(tmp_path: Path) -> None:
    assert earned("audit", small_trials(tmp_path / "trials", 1), "--dry-run", "--fail-on", "nonsense").code == 3


def test_read_lists_what_the_contract_names(audited: Path) -> None:
    write_text(audited / "beside" / "notes.rst", "x")
    write_text(audited / "beside" / "fix.patch", "diff --git a/x b/x\n")
    document = json.loads(earned("read", audited / "trials", audited / "beside", "--json").out)
    assert set(document) == {"schema", "trajectories", "companions", "skipped", "counts"}
    row = document["trajectories"][0]
    assert (row["format"], row["task"], row["model"], row["outcome"]) == ("harbor", "task-000", "model-a", "passed")
    assert (row["completeness"], row["outcome_source"][:11]) == ("full", "result.json")
    assert row["steps"] > 0
    assert {"path", "kind"} == set(document["companions"][0])
    assert "fix.patch" in [Path(item["path"]).name for item in document["companions"]]
    (skip,) = document["skipped"]
    assert {"path", "member", "reason", "detail", "offset"} <= set(skip)
    assert document["counts"]["trajectories"] == 3


def test_the_table_of_read_names_format_task_model_outcome_steps_and_completeness(audited: Path) -> None:
    found = earned("read", audited / "trials")
    assert found.out.split("\n")[0].split() == [
        "trajectory", "format", "task", "model", "outcome", "steps", "acts", "trace", "submission",
    ]  # fmt: skip
    line = next(line for line in found.out.splitlines() if "task-001__abc0001" in line)
    assert {"harbor", "task-001", "model-a", "passed", "full"} <= set(line.split())
    assert "3 trajectories" in found.out


def test_show_makes_control_characters_visible(tmp_path: Path) -> None:
    odd = "\x1b[31mred\x07 \u202eback\u202c"
    place = trial(tmp_path, document=atif(bash(f"printf '{odd}'", odd)))
    found = earned("read", "--show", f"{place}:2")
    assert found.code == 0
    assert "[U+001B][31mred[U+0007]" in found.out
    assert "[U+202E]back" in found.out
    assert not {"\x1b", "\x07", "\u202e"} & set(found.out)


def test_json_has_no_character_that_acts_on_a_terminal_and_the_same_values(tmp_path: Path) -> None:
    odd = "\x9b31mred\x7f \u202eback\u202c zero\u200bwidth caf\u00e9"
    place = trial(tmp_path, document=atif(bash(f"printf '{odd}'", odd)), task_name=odd)
    shown = earned("read", "--show", f"{place}:2", "--json")
    listed = earned("read", place, "--json")
    assert not set("\x9b\x7f\u202e\u202c\u200b") & set(shown.out + listed.out)
    assert json.loads(shown.out)["observations"][0]["text"] == odd
    assert json.loads(listed.out)["trajectories"][0]["task"] == odd
    assert "caf\u00e9" in shown.out


@pytest.mark.parametrize("step", ["99", "4000000000"])
def test_show_of_a_step_that_is_not_there_names_the_range(tmp_path: Path, step: str) -> None:
    found = earned("read", "--show", f"{small_trial(tmp_path, 1)}:{step}")
    assert (found.code, found.out) == (3, "")
    assert "from 0 to" in found.err


def test_hostile_names_and_texts_reach_neither_terminal_nor_page(tmp_path: Path) -> None:
    name = "evil\x1b[2J\n<script>alert(1)<"
    tag = HOSTILE.replace("\x00", "")
    document = atif(bash("cat x", tag), agent={"name": tag, "version": "1", "model_name": tag})
    place = trial(tmp_path / "trials", document=document, name=name, task_name=tag, source=tag, trial_name=tag, agent_info=None)
    (tmp_path / "trials" / "bad\x1b[2J<img src=x>.json").write_text("{")
    found = earned("audit", tmp_path / "trials", "--out", tmp_path / "out", "--export", tmp_path / "rows.jsonl")
    assert found.code == 0
    assert earned("report", tmp_path / "out", "--markdown", tmp_path / "page.md").code == 0
    listed = earned("read", tmp_path / "trials")
    for text in (found.out, found.err, listed.out, listed.err):
        assert not {"\x1b", "\x07", "\u202e", "\u200b", "\x85"} & set(text)
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<script>alert" not in page
    assert "<img src" not in page
    assert "\x1b" not in page + (tmp_path / "page.md").read_text()
    assert [row["trajectory"] for row in lines(tmp_path / "rows.jsonl")] == [str(place)]


def test_an_error_message_carries_no_control_character(tmp_path: Path) -> None:
    found = earned("audit", tmp_path / "gone\x1b[2J")
    assert found.code == 3
    assert "\x1b" not in found.err


def test_what_nobody_foresaw_is_a_message_with_a_place_and_no_stack(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def explode(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a\x1bb")

    monkeypatch.setattr(click.Group, "invoke", explode)
    found = earned("read", tmp_path)
    assert (found.code, found.out) == (1, "")
    assert "[internal-error]" in found.err
    assert "ZeroDivisionError" in found.err
    assert "Traceback" not in found.err
    assert "\x1b" not in found.err
