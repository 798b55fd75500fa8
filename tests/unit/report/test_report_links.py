from __future__ import annotations

from pathlib import Path

import pytest
from made_passes import make_row

from earned.report.links import show_command, source_href

FOLDER = Path("audit")


def test_a_link_leads_from_the_report_to_the_file() -> None:
    assert source_href(make_row("runs/a/trajectory.json"), "", FOLDER) == "../runs/a/trajectory.json"


def test_a_step_adds_its_pointer() -> None:
    assert source_href(make_row("runs/a.json"), "a.json#/steps/3", FOLDER) == "../runs/a.json#/steps/3"


def test_a_file_below_a_trajectory_folder_is_named() -> None:
    assert source_href(make_row("runs/a"), "agent/log.json#/3", FOLDER) == "../runs/a/agent/log.json#/3"


def test_a_part_that_continues_a_file_and_a_report_near_it_stand_in_its_folder_or_from_there() -> None:
    row = make_row("runs/a.json")
    assert source_href(row, "a.cont-1.json#/steps/3", FOLDER) == "../runs/a.cont-1.json#/steps/3"
    assert source_href(row, "../logs/a/test_output.txt", FOLDER) == "../logs/a/test_output.txt"


def test_a_member_of_an_archive_leads_to_the_archive() -> None:
    assert source_href(make_row("runs.zip", member="x/log.json"), "log.json#/3", FOLDER) == "../runs.zip#/3"


@pytest.mark.parametrize("path", ["javascript:alert(1)", "//host/x", "data:text/html,x", "a\0b", 'a"b<c>', "\ud800", "a?b#c"])
def test_no_path_becomes_another_scheme_or_host(path: str) -> None:
    link = source_href(make_row(path), "javascript:x#y", FOLDER)
    assert link.startswith(("..", "/", "a%00b"))
    assert not link.startswith("//")
    assert not set(link) & set('"<>:?')


def test_the_command_quotes_what_a_shell_would_act_on() -> None:
    assert show_command(make_row("a; rm -rf $HOME"), 4) == "earned read 'a; rm -rf $HOME' --show 'a; rm -rf $HOME:4'"


def test_the_command_names_the_member_of_an_archive_or_of_a_file_of_several() -> None:
    row = make_row("runs.zip", member="job/t__1")
    assert show_command(row, 4) == "earned read runs.zip --show runs.zip:job/t__1:4"
