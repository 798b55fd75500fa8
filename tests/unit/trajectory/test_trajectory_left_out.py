"""What a record leaves out by its own words, and where it begins in the middle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_files import only, write_json
from render_codex import write_lines

from earned.records import Action, Step, Trajectory
from earned.records.trajectory import Actor
from earned.trajectory.completeness.left_out import note_left_out
from earned.trajectory.steps import Steps

TASK = {"role": "user", "content": "Fix the bug."}


def call(name: str, command: str = "ls") -> dict[str, Any]:
    made = {"id": name, "type": "function", "function": {"name": "bash", "arguments": f'{{"command": "{command}"}}'}}
    return {"role": "assistant", "content": "", "tool_calls": [made]}


def result(name: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": name, "content": "a.py"}


def chat(folder: Path, *messages: dict[str, Any], **row: Any) -> Trajectory:
    return only(write_json(folder / "chat.json", {"instance_id": "t", "messages": list(messages), **row}))


def said(made: Trajectory) -> list[tuple[str, int]]:
    assert all(reason.hides_acts for reason in made.completeness.reasons)
    return [(reason.what, reason.step) for reason in made.completeness.reasons]


def noted(actor: Actor, text: str, *, before: bool = True, keeps_all: bool = False) -> bool:
    steps = Steps()
    steps.keeps_all = keeps_all
    if before:
        steps.append(Step(index=0, actor="user", text="Fix the bug."))
    steps.append(Step(index=steps.next, actor=actor, text=text))
    note_left_out(steps)
    return bool(steps.reasons)


NOTES = [
    "[... 12 messages omitted ...]",
    "[...12 earlier messages omitted to save space...]",
    "(12 earlier messages were removed)",
    "[context truncated]",
    "<conversation history truncated>",
    "*[Earlier steps have been removed from the context]*",
    "[Omitted 3 turns]",
    "[... 1,204 tool calls hidden ...]",
    "[Previous messages removed due to the context limit.]",
]
SUMS = ["[conversation summarized]", "[Earlier conversation was compacted]", "[12 messages condensed]"]
PROSE = [
    "Earlier messages were removed by a retention job, so I check the queue first.",
    "The parser says [... N messages omitted ...] when the log is long; that is the bug.",
    "I think the conversation was truncated.",
    "Why is the context truncated after 10 turns?",
    "messages are omitted",
    "[see the messages that were removed]",
    "removed 3 calls to the old function",
    "[ERROR] 3 events dropped",
    "a [context truncated] b",
    "",
]


@pytest.mark.parametrize("actor", ["user", "harness", "agent", "environment"])
@pytest.mark.parametrize("text", [*NOTES, *SUMS])
def test_a_message_that_is_a_note_of_left_out_messages_is_a_gap(actor: Actor, text: str) -> None:
    assert noted(actor, text)


@pytest.mark.parametrize("text", ["conversation summarized", "Context truncated.", "12 earlier messages were removed."])
def test_a_note_needs_no_brackets_where_nobody_else_speaks(text: str) -> None:
    assert noted("harness", text)
    assert noted("user", text)
    assert not noted("agent", text)
    assert not noted("user", text, before=False)


@pytest.mark.parametrize("actor", ["user", "harness", "agent"])
@pytest.mark.parametrize("text", PROSE)
def test_prose_that_speaks_of_left_out_messages_is_no_gap(actor: Actor, text: str) -> None:
    assert not noted(actor, text)


def test_a_note_may_stand_at_the_begin_or_the_end_of_what_is_told_and_not_in_its_middle() -> None:
    assert noted("user", "[... 12 messages omitted ...]\n\nGo on.")
    assert noted("harness", "Go on.\n[context truncated]")
    assert not noted("user", "It prints\n[... 12 messages omitted ...]\nand stops.")
    assert not noted("agent", "[... 12 messages omitted ...]\nThat is what it prints.")


@pytest.mark.parametrize("text", SUMS)
def test_a_sum_is_no_gap_where_the_record_keeps_what_was_summed_up(text: str) -> None:
    assert not noted("harness", text, keeps_all=True)


def test_messages_that_a_chat_says_are_left_out_make_it_partial(tmp_path: Path) -> None:
    note = {"role": "user", "content": "[... 12 messages omitted ...]"}
    made = chat(tmp_path, TASK, call("a"), result("a"), note, call("b"), result("b"))
    assert made.completeness.grade == "partial"
    assert said(made) == [("the record says that a part of it is left out: [... 12 messages omitted ...]", 2)]


@pytest.mark.parametrize(
    ("messages", "reasons"),
    [
        ([TASK, call("a"), result("a")], []),
        ([{"role": "assistant", "content": "How can I help?"}, TASK, call("a"), result("a")], []),
        ([{"role": "system", "content": "You act."}, call("a"), result("a")], ["an act"]),
        ([call("a"), result("a"), TASK], ["an act"]),
    ],
)
def test_a_chat_in_which_the_agent_acts_before_anything_is_asked_begins_in_the_middle(
    tmp_path: Path, messages: list[dict[str, Any]], reasons: list[str]
) -> None:
    wanted = [(f"the beginning is not recorded: {what} comes before anything was asked", -1) for what in reasons]
    assert said(chat(tmp_path, *messages)) == wanted


def test_what_was_asked_may_stand_in_another_field(tmp_path: Path) -> None:
    assert chat(tmp_path, call("a"), result("a"), problem_statement="Fix the bug.").completeness.grade == "full"


def test_a_result_that_names_a_call_which_stands_nowhere_shows_that_the_call_is_missing(tmp_path: Path) -> None:
    lost = chat(tmp_path, TASK, call("a"), result("a"), result("b"), call("c"), result("c"))
    assert said(lost) == [("a result answers a call that is not in the record", 2)]
    again = chat(tmp_path, TASK, call("a"), result("a"), result("a"), call("c"), result("c"))
    assert again.completeness.grade == "full"


@pytest.mark.parametrize(("name", "grade"), [("c1", "full"), ("gone", "partial")])
def test_a_result_of_mini_swe_agent_that_names_no_call_is_a_gap(tmp_path: Path, name: str, grade: str) -> None:
    messages = [{"role": "system", "content": "x"}, TASK, call("c1"), {**result(name), "extra": {"returncode": 0}}]
    path = write_json(tmp_path / "a.traj.json", {"trajectory_format": "mini-swe-agent-1.1", "messages": messages})
    assert only(path).completeness.grade == grade


@pytest.mark.parametrize(("begins", "grade"), [(True, "full"), (False, "partial")])
def test_a_stream_without_the_line_that_starts_it_begins_in_the_middle(tmp_path: Path, begins: bool, grade: str) -> None:
    start: list[dict[str, Any]] = [
        {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/app", "model": "m", "tools": []}
    ]
    use = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
    lines: list[dict[str, Any]] = [
        *(start if begins else []),
        {"type": "assistant", "session_id": "s", "message": {"id": "m1", "role": "assistant", "content": [use]}},
        {
            "type": "user",
            "session_id": "s",
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a.py"}]},
        },
        {"type": "result", "subtype": "success", "session_id": "s", "is_error": False, "result": "done"},
    ]
    made = only(write_lines(tmp_path / "a.jsonl", lines))
    assert made.completeness.grade == grade


def batch(*inner: Any) -> dict[str, Any]:
    arguments = json.dumps({"tool_uses": list(inner)})
    made = {"id": "b", "type": "function", "function": {"name": "multi_tool_use.parallel", "arguments": arguments}}
    return {"role": "assistant", "content": "", "tool_calls": [made]}


def test_all_calls_of_a_batch_are_taken_however_many_there_are(tmp_path: Path) -> None:
    inner = [{"recipient_name": "functions.bash", "parameters": {"command": f"echo {n}"}} for n in range(1000)]
    made = chat(tmp_path, TASK, batch(*inner), result("b"))
    assert [action.command for action in made.steps[1].actions] == [f"echo {n}" for n in range(1000)]
    assert made.completeness.grade == "full"


def test_what_is_no_call_in_a_batch_is_said_to_be_left_out(tmp_path: Path) -> None:
    made = chat(tmp_path, TASK, batch({"recipient_name": "functions.bash", "parameters": {"command": "ls"}}, 7), result("b"))
    assert [action.command for action in made.steps[1].actions] == ["ls"]
    assert [what for what, _ in said(made)] == ["an entry that cannot be read is left out: #/messages/1"]


SUMMARIES = [
    "This session is being continued from a previous conversation that ran out of context.\nAnalysis: I wrote the fix.",
    "<CONVERSATION SUMMARY>\nold\n</CONVERSATION SUMMARY>",
    "[CONTEXT COMPACTION SUMMARY]\n\nThe following is a summary of work completed on this task so far: copied",
    "<summary>\nI copied it.\n</summary>",
    "Previous conversation summary: did 20 tool calls",
    "Here is a summary of the conversation to date:\n\nI ran the tests.",
]


@pytest.mark.parametrize("text", SUMMARIES)
@pytest.mark.parametrize("role", ["user", "system"])
def test_a_summary_in_the_place_of_a_talk_is_a_gap(tmp_path: Path, text: str, role: str) -> None:
    made = chat(tmp_path, TASK, call("a"), result("a"), {"role": role, "content": text}, call("b"), result("b"))
    assert said(made) == [("a summary stands in the place of what was done before, which may not be recorded", 2)]


def test_a_record_that_begins_with_a_harnesses_summary_lacks_what_it_sums_up(tmp_path: Path) -> None:
    assert chat(tmp_path, {"role": "user", "content": SUMMARIES[0]}, call("a"), result("a")).completeness.grade == "partial"


@pytest.mark.parametrize(
    "text",
    [
        "Write a summary of the conversation.",
        "Fix the bug. This session is being continued from a previous conversation says the banner.",
        "<summary>Click me</summary> shows nothing",
        "The summary of the previous steps is wrong.",
    ],
)
def test_who_speaks_of_a_summary_sums_nothing_up(tmp_path: Path, text: str) -> None:
    made = chat(tmp_path, TASK, call("a"), result("a"), {"role": "user", "content": text}, call("b"), result("b"))
    assert made.completeness.grade == "full"


def test_a_task_about_a_summary_is_no_summary(tmp_path: Path) -> None:
    asked = {"role": "user", "content": "Here is a summary of the conversation with a customer. Is it right?"}
    assert chat(tmp_path, asked, call("a"), result("a")).completeness.grade == "full"


def test_a_summary_is_no_gap_where_the_record_keeps_what_came_before() -> None:
    steps = Steps()
    steps.keeps_all = True
    steps.append(Step(index=0, actor="agent", actions=(Action(kind="shell", command="ls"),)))
    steps.append(Step(index=1, actor="user", text=SUMMARIES[0]))
    note_left_out(steps)
    assert steps.reasons == []
