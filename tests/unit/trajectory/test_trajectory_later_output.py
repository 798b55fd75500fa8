"""Which command an action belongs to that polls, waits or types."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cost import check_in_proportion

from earned.records import Action, Observation, Step
from earned.records.trajectory import Actor
from earned.trajectory.later_output import LaterOutput, later_output

RUNNING = "Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"
ENDED = RUNNING.replace("running with session ID 7", "exited with code 0")
FILE = "/tmp/claude-0/-w/tasks/b1.output"
BACKGROUND = "Command running in background with ID: b1."


def shell(command: str, text: str = "", *, tool: str = "exec_command", **arguments: Any) -> tuple[Action, str]:
    raw = json.dumps(arguments) if arguments else ""
    return Action(kind="shell", tool=tool, command=command, arguments=raw, cwd="/app"), text


def typed(chars: str, text: str = "", name: Any = 7) -> tuple[Action, str]:
    return shell(chars, text, tool="write_stdin", session_id=name)


def other(tool: str, text: str = "", **arguments: Any) -> tuple[Action, str]:
    return Action(kind="other", tool=tool, arguments=json.dumps(arguments)), text


def read(path: str) -> tuple[Action, str]:
    return Action(kind="read", tool="Read", paths=(path,)), ""


def steps(*acts: tuple[Action, str], actor: Actor = "agent", copied: bool = False) -> list[Step]:
    """One step for each act, with its result."""
    return [
        Step(index=number, actor=actor, actions=(act,), observations=(Observation(text=text, action=0),), copied=copied)
        for number, (act, text) in enumerate(acts)
    ]


def found(*acts: tuple[Action, str]) -> LaterOutput:
    return later_output(steps(*acts))


def origins(*acts: tuple[Action, str]) -> dict[int, int]:
    return {step: origin for (step, _), (origin, _) in found(*acts).origins.items()}


def commands(*acts: tuple[Action, str]) -> dict[int, tuple[str, str]]:
    """What was typed, by step, as kind and text."""
    return {step: (item.action.kind, item.action.command) for (step, _), item in found(*acts).typed.items()}


@pytest.mark.parametrize(
    ("start", "poll"),
    [
        (shell("make", RUNNING), typed("")),
        (shell("make", RUNNING), typed("", name="7")),
        (shell("make", BACKGROUND, tool="Bash"), other("BashOutput", bash_id="b1")),
        (shell("make", f"so far\n{BACKGROUND}", tool="Bash"), other("TaskOutput", task_id="b1", block=True)),
        (shell("make", "It was moved to the background (ID: b1).", tool="Bash"), other("TaskOutput", task_id="b1")),
        (shell("make", f"{BACKGROUND} Output is being written to: {FILE}. Wait."), read(FILE)),
        (shell("make", f"{BACKGROUND} Output is being written to: {FILE}. Wait."), shell(f"tail -5 {FILE}", tool="Bash")),
        (shell("make"), shell("")),
        (shell("make"), shell("C-c")),
    ],
)
def test_a_poll_belongs_to_the_command_whose_process_it_names(start: tuple[Action, str], poll: tuple[Action, str]) -> None:
    assert origins(shell("ls", "a"), start, other("think"), poll, poll) == {3: 1, 4: 1}


@pytest.mark.parametrize(
    "acts",
    [
        (shell("make", RUNNING), typed("", name=8)),
        (shell("make", RUNNING), typed("", name=True)),
        (shell("make", "done"), typed("")),
        (shell("make", f"Wall time: 1 seconds\nOutput:\n{RUNNING}"), typed("")),
        (shell("make", BACKGROUND), other("TaskOutput", task_id="b2")),
        (shell("make", f"{BACKGROUND} Output is being written to: {FILE}."), read("/w/other.output")),
        (other("Task", BACKGROUND), other("TaskOutput", task_id="b1")),
        (shell("make"), shell("", tool="bash")),
        (shell("make"), shell("ls")),
        (shell("make", RUNNING), (Action(kind="other", tool="x", arguments='{"session_id": '), "")),
        (shell("make", RUNNING), (Action(kind="other", tool="x", arguments='{"session_id": [7]}'), "")),
    ],
)
def test_an_action_that_names_no_process_of_this_run_belongs_to_none(acts: tuple[tuple[Action, str], ...]) -> None:
    assert origins(*acts) == {}


@pytest.mark.parametrize("words", ["has no new output", "timed out"])
def test_in_a_terminal_what_is_typed_while_a_command_runs_shows_that_command(words: str) -> None:
    goes_on = f"so far\n[The command {words} after 30 seconds. You may wait.]"
    assert origins(shell("make", goes_on), shell("y", goes_on), shell("n", "made"), shell("ls"), shell("")) == {
        1: 0,
        2: 0,
        4: 3,
    }


def test_an_id_that_is_given_again_after_its_process_ended_is_another_process() -> None:
    assert origins(shell("a", RUNNING), typed("", ENDED), shell("b", RUNNING), typed("", RUNNING), typed("")) == {
        1: 0,
        3: 2,
        4: 2,
    }


def test_an_id_stays_taken_while_its_process_is_not_seen_to_end() -> None:
    assert origins(shell("a", RUNNING), typed("", RUNNING), shell("b", RUNNING), typed("")) == {1: 0, 3: 0}
    assert origins(shell("a", RUNNING), typed("", f"{RUNNING}{ENDED}"), typed("")) == {1: 0, 2: 0}


@pytest.mark.parametrize("tool", ["shell", "bash", "Bash"])
def test_the_words_of_a_program_announce_no_session(tool: str) -> None:
    assert origins(shell("cat notes", RUNNING, tool=tool), typed("")) == {}
    assert origins(shell("make", RUNNING), shell("cat notes", RUNNING, tool=tool), typed("")) == {2: 0}
    assert origins(shell("cat notes", f"so far\n{RUNNING}"), typed("")) == {}


def test_the_words_of_a_program_take_over_no_background_task() -> None:
    acts = (shell("make", BACKGROUND), shell(f"echo {BACKGROUND}", BACKGROUND), other("BashOutput", bash_id="b1"))
    assert origins(*acts) == {2: 0}


def test_copied_steps_and_other_actors_start_nothing() -> None:
    acts = (shell("make", RUNNING), typed(""))
    assert later_output(steps(*acts)).origins
    assert not later_output(steps(*acts, copied=True)).origins
    assert not later_output(steps(*acts, actor="grader")).origins


@pytest.mark.parametrize(
    ("pieces", "taken"),
    [
        (["ls\n"], [("shell", "ls")]),
        (["ls", " -l", "\r"], [("other", ""), ("other", ""), ("shell", "ls -l")]),
        (["a\nb\nc", "d\n"], [("shell", "a\nb"), ("shell", "cd")]),
        (["rm x", "\x03ls\n"], [("other", ""), ("shell", "ls")]),
        ([" ", "q", "ls\n"], [("other", ""), ("other", ""), ("shell", "ls")]),
        (["\n"], [("other", "")]),
    ],
)
@pytest.mark.parametrize("start", ["bash", "/bin/sh -i", "docker exec -it box bash -l", "cd /x && zsh"])
def test_lines_typed_into_a_shell_are_its_commands(start: str, pieces: list[str], taken: list[tuple[str, str]]) -> None:
    made = commands(shell(start, RUNNING), *map(typed, pieces))
    assert [made[number] for number in range(1, len(pieces) + 1)] == taken


@pytest.mark.parametrize(
    ("start", "kind"), [("python3 -iq", "code"), ("python x.py", "other"), ("bash x.sh", "other"), ("less a", "other")]
)
def test_lines_typed_into_python_are_a_program_and_into_others_input(start: str, kind: str) -> None:
    assert commands(shell(start, RUNNING), typed("ls()\n"))[1][0] == kind


def test_a_shell_shows_what_was_typed_into_it_last() -> None:
    acts = (shell("bash", RUNNING), typed(""), typed("make\n"), typed(""), typed("git log"), typed("\n"), typed(""))
    assert origins(*acts) == {1: 0, 3: 2, 4: 2, 6: 5}


def test_what_is_typed_into_a_process_that_is_not_recorded_stays_as_it_is() -> None:
    assert commands(typed("y\n")) == {}


def test_every_place_that_shows_a_command_is_listed_in_order() -> None:
    made = found(shell("make", RUNNING), typed(""), shell("ls"), typed(""))
    assert made.shown_at((0, 0)) == ((0, 0), (1, 0), (3, 0))
    assert made.shown_at((2, 0)) == ((2, 0),)


def test_a_hundred_thousand_polls_are_read_in_time_in_proportion() -> None:
    acts = [shell("make", f"{RUNNING}{BACKGROUND}"), *[typed("", RUNNING)] * 100_000]
    made = steps(*acts)
    assert len(later_output(made).origins) == 100_000
    check_in_proportion(lambda count: later_output(made[:count]), 100_000)


def page(tool: str, url: str = "https://code.example/a") -> tuple[Action, str]:
    return Action(kind="fetch", tool=tool, url=url), "opened"


@pytest.mark.parametrize(
    ("opens", "shows"),
    [
        ("browser_navigate", "browser_get_content"),
        ("mcp__playwright__browser_navigate", "mcp__playwright__browser_evaluate"),
        ("mcp__chrome-devtools__navigate_page", "mcp__chrome-devtools__take_snapshot"),
        ("puppeteer_navigate", "puppeteer_evaluate"),
        ("browse_interactive", "browse_interactive"),
    ],
)
def test_a_browser_shows_the_page_that_was_opened_last(opens: str, shows: str) -> None:
    assert origins(page(opens), other(shows), page(opens), shell("ls"), other(shows), other(shows)) == {1: 0, 4: 2, 5: 2}


def test_what_is_no_browser_shows_no_page_and_a_browser_none_before_it_opened_one() -> None:
    assert origins(other("browser_snapshot"), page("browser_navigate"), read("/a"), other("lookup"), shell("ls")) == {}
    assert origins(page("web_fetch"), other("browser_snapshot"), page("web_fetch"), other("get_issue")) == {}
