"""Demonstrations and quoted calls are no acts; results without ids go to the call of their tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_chat import BASH, USER, acts, call, read, result, says

LOOKS = says(call("bash", '{"command": "cat /solution/solve.py"}', "d"))
QUOTED = '<tool_call>{"name": "bash", "arguments": {"command": "cat /solution"}}</tool_call>'
INVOKED = '<invoke name="bash"><parameter name="command">cat /solution</parameter></invoke>'


@pytest.mark.parametrize("mark", [{"is_demo": True}, {"name": "example_assistant"}])
def test_a_demonstration_is_shown_as_copied(tmp_path: Path, mark: dict[str, object]) -> None:
    made = read(tmp_path, USER, LOOKS | mark, result("x", "d") | mark, USER, BASH, result("a.py"))
    assert [step.copied for step in made.steps if step.actions] == [True, False]


@pytest.mark.parametrize("mark", [{"is_demo": False}, {"name": "assistant"}])
def test_an_act_that_is_no_demonstration_counts(tmp_path: Path, mark: dict[str, object]) -> None:
    made = read(tmp_path, USER, LOOKS | mark, result("x", "d"))
    assert [step.copied for step in made.steps if step.actions] == [False]


@pytest.mark.parametrize(
    "text",
    [
        f"The docs show:\n```\n{INVOKED}\n```\nI will not do that.",
        f"The file says `{QUOTED}`, which I will not do.",
        f"```\n{INVOKED}\n```\nand `{INVOKED}` are refused.",
    ],
)
def test_a_quoted_call_is_no_act(tmp_path: Path, text: str) -> None:
    made = read(tmp_path, USER, {"role": "assistant", "content": text}, BASH, result("a.py"))
    assert acts(made) == [("ls", "a.py")]


def test_a_quoted_call_beside_a_native_one_is_no_act(tmp_path: Path) -> None:
    said = BASH | {"content": f"It says `{QUOTED}`, which I will not do."}
    assert acts(read(tmp_path, USER, said, result("a.py"))) == [("ls", "a.py")]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (f"```xml\n{QUOTED}\n```", {"role": "user", "content": "the solution"}),
        (f"```\n{INVOKED}\n```\nThat will do.", {"role": "user", "content": "OBSERVATION:\nthe solution"}),
        (f"```\n{INVOKED}\n```\nThat will do.", {"role": "tool", "content": "the solution"}),
        (f'Print "`" first, in ```\ncode\n```.\n{QUOTED}', {"role": "user", "content": "the solution"}),
    ],
)
def test_a_fenced_call_that_was_answered_is_an_act(tmp_path: Path, text: str, answer: dict[str, object]) -> None:
    made = read(tmp_path, USER, {"role": "assistant", "content": text}, answer)
    assert acts(made) == [("cat /solution", "the solution")]


def test_what_a_call_holds_opens_no_quote(tmp_path: Path) -> None:
    writes = '<invoke name="bash"><parameter name="command">cat > a.md <<E\n```\nE</parameter></invoke>\n'
    made = read(tmp_path, USER, {"role": "assistant", "content": f"{writes}{INVOKED}\n"}, {"role": "user", "content": "x"})
    assert [action.command for step in made.steps for action in step.actions][1] == "cat /solution"


def test_results_without_ids_answer_the_call_of_the_tool_that_they_name(tmp_path: Path) -> None:
    calls = [
        {"function": {"name": "bash", "arguments": {"command": "cat /solution"}}},
        {"function": {"name": "my_gen", "arguments": {"x": 1}}},
    ]
    answers = [
        {"role": "tool", "name": "my_gen", "content": "made"},
        {"role": "tool", "name": "bash", "content": "No such file"},
    ]
    made = read(tmp_path, USER, says(*calls), *answers)
    assert {item.action: item.text for item in made.steps[1].observations} == {1: "made", 0: "No such file"}


def test_a_name_that_no_call_has_does_not_keep_a_result_from_its_call(tmp_path: Path) -> None:
    calls = [{"function": {"name": "bash", "arguments": {"command": "ls"}}}]
    made = read(tmp_path, USER, says(*calls), {"role": "tool", "name": "terminal", "content": "a.py"})
    assert acts(made) == [("ls", "a.py")]
