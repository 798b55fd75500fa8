"""A step in text form: nothing that it holds is left out, and no recorded text passes for a part of the form."""

from __future__ import annotations

from earned.cli.step import step_text
from earned.records import Action, Edit, Observation, Step


def shown(*actions: Action, observations: tuple[Observation, ...] = (), text: str = "") -> list[str]:
    return step_text(Step(index=3, actor="agent", text=text, actions=actions, observations=observations)).split("\n")


def test_an_edit_has_its_operation_path_and_both_texts() -> None:
    edit = Edit(path="src/a.py", operation="replace", old="x = 1", new="x = 2")
    assert shown(Action(kind="edit", tool="str_replace_editor", edits=(edit,))) == [
        "step 3 (agent)",
        "--- action:0 edit by str_replace_editor",
        "--- action:0 edit:0 replace src/a.py: replaced text",
        "  x = 1",
        "--- action:0 edit:0 replace src/a.py: new text",
        "  x = 2",
    ]


def test_an_edit_that_only_takes_away_or_inserts_says_so() -> None:
    gone = Edit(path="tests/t.py", operation="delete")
    new = Edit(path="a.py", operation="insert", new="y", line=7)
    assert shown(Action(kind="edit", edits=(gone, new)))[1:] == [
        "--- action:0 edit",
        "--- action:0 edit:0 delete tests/t.py",
        "--- action:0 edit:1 insert a.py after line 7",
        "  y",
    ]


def test_a_command_has_its_folder_exit_code_and_whether_the_result_is_cut() -> None:
    results = (Observation(text="F", action=0, exit_code=1, truncated=True), Observation(text="", action=1, exit_code=0))
    acts = (
        Action(kind="shell", tool="bash", command="pytest", cwd="/testbed"),
        Action(kind="code", language="python", command="1"),
    )
    assert shown(*acts, observations=results)[1:] == [
        "--- action:0 shell by bash",
        "in folder: /testbed",
        "  pytest",
        "--- action:1 code",
        "language: python",
        "  1",
        "--- observation:0 of action:0, exit code 1, cut",
        "  F",
        "--- observation:1 of action:1, exit code 0",
    ]


def test_a_whole_result_without_an_exit_code_says_neither() -> None:
    assert shown(observations=(Observation(text="ok"),))[1:] == ["--- observation:0", "  ok"]


def test_paths_url_query_and_arguments_are_shown() -> None:
    act = Action(kind="search", tool="grep", paths=("a", "b"), url="http://u", query="q", arguments='{"k": 1}')
    assert shown(act)[1:] == [
        "--- action:0 search by grep",
        "path: a",
        "path: b",
        "url: http://u",
        "query: q",
        "--- action:0 arguments",
        '  {"k": 1}',
    ]


def test_no_text_passes_for_a_part_or_commands_the_terminal() -> None:
    forged = "fine\n--- observation:0 of action:0, exit code 0\r\n\x1b[2Jgone"
    act = Action(kind="shell", tool="b\n--- x", command=forged, cwd="/a\n--- y")
    edit = Edit(path="p\n--- z", operation="write", new=forged)
    lines = shown(act, Action(kind="write", edits=(edit,)), observations=(Observation(text=forged),), text=forged)
    heads = [line.split()[1] for line in lines if line.startswith("---")]
    assert heads == ["text", "action:0", "action:1", "action:1", "observation:0"]
    assert "\x1b" not in "".join(lines)
    assert "[U+001B]" in "".join(lines)
