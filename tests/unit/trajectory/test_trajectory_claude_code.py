from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_claude_code import SESSION, agent, answered, bash, ran, said, user, write_lines
from made_files import only, rows, write_json

from earned.records import Skip, Step, Trajectory

START = user("u1", "Fix it.")
COMMANDS = [
    START,
    agent("a1", said("I look."), parent="u1", message="m1"),
    agent("a2", bash("ls"), parent="a1", message="m1"),
    answered("r1", "x.py", "a2", toolUseResult=ran("x.py"), is_error=False),
]


def read(folder: Path, *lines: dict[str, Any] | str, name: str = "task-1.jsonl") -> Trajectory:
    return only(write_lines(folder / name, lines))


def acts(made: Trajectory) -> list[str]:
    return [action.text for step in own(made) for action in step.actions]


def own(made: Trajectory) -> list[Step]:
    return [step for step in made.steps if step.actor in {"agent", "subagent"} and not step.copied]


def odd(made: Trajectory) -> str:
    return "\n".join(item.what for item in made.oddities)


def gaps(made: Trajectory) -> list[tuple[str, int]]:
    return [(reason.what, reason.step) for reason in made.completeness.reasons]


def test_a_session_gives_who_what_and_where(tmp_path: Path) -> None:
    times = [{**line, "timestamp": f"2026-01-01T00:00:0{number}.000Z"} for number, line in enumerate(COMMANDS)]
    made = read(tmp_path, *times)
    assert (made.task, made.attempt, made.model, made.harness) == ("task-1", SESSION, "model-a", "claude-code")
    assert (made.cohort.harness_version, made.cohort.started[-5:], made.cohort.finished[-5:]) == ("2.1.19", ".000Z", ".000Z")
    assert (made.instruction, made.outcome.status, made.completeness.grade) == ("Fix it.", "unknown", "full")
    asked, step = made.steps
    assert (asked.actor, asked.text, asked.source) == ("user", "Fix it.", "task-1.jsonl#line 1")
    assert (step.actor, step.native_id, step.time[:4], step.source) == ("agent", "a1", "2026", "task-1.jsonl#line 2")


def test_the_pieces_of_one_message_are_one_step_with_all_its_calls(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        START,
        agent("a1", {"type": "thinking", "thinking": "Hm.", "signature": "s"}, parent="u1", message="m1"),
        agent("a2", said("Two at once."), parent="a1", message="m1"),
        agent("a3", bash("ls", "c1"), parent="a2", message="m1"),
        answered("r1", "one", "a3", "c1"),
        agent("a4", bash("pwd", "c2"), parent="a3", message="m1"),
        answered("r2", "two", "a4", "c2"),
        agent("a5", said("Done."), parent="r2", message="m2"),
    )
    assert [step.text for step in made.steps] == ["Fix it.", "Two at once.", "Done."]
    step = made.steps[1]
    assert step.reasoning == "Hm."
    assert [action.command for action in step.actions] == ["ls", "pwd"]
    assert [(item.text, item.action) for item in step.observations] == [("one", 0), ("two", 1)]
    assert not made.oddities


def test_usage_counts_each_answer_once_by_its_last_line(tmp_path: Path) -> None:
    early = {"input_tokens": 10, "cache_read_input_tokens": 100, "output_tokens": 1}
    made = read(
        tmp_path,
        START,
        agent("a1", said("I look."), parent="u1", message="m1", requestId="q1", usage=early),
        agent("a2", bash("ls"), parent="a1", message="m1", requestId="q1", usage={**early, "output_tokens": 30}),
        answered("r1", "x", "a2"),
        agent("a3", said("Done."), parent="r1", message="m2", requestId="q2", usage={"input_tokens": 5, "output_tokens": 7}),
    )
    assert (made.usage.input_tokens, made.usage.output_tokens, made.usage.cost_usd) == (115, 37, None)


def test_a_message_that_was_asked_for_twice_is_counted_twice(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        START,
        agent("a1", said("a"), parent="u1", message="m1", requestId="q1"),
        agent("a2", said("b"), parent="a1", message="m1", requestId="q2"),
    )
    assert made.usage.output_tokens == 4


def test_the_cost_is_what_the_session_says_at_its_end(tmp_path: Path) -> None:
    made = read(tmp_path, *COMMANDS, {"type": "cost-state", "sessionId": SESSION, "totalCostUSD": 0.25})
    assert made.usage.cost_usd == 0.25


def test_commands_stand_in_the_directory_of_their_line(tmp_path: Path) -> None:
    made = read(tmp_path, START, agent("a1", bash("ls"), parent="u1", cwd="/w/src"))
    assert made.steps[1].actions[0].cwd == "/w/src"


def test_a_rewound_branch_was_done_all_the_same_and_is_said(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        START,
        agent("a1", said("Hello."), parent="u1"),
        user("u2", "Do it this way.", "a1"),
        agent("a2", bash("echo one > one.txt", "c1"), parent="u2"),
        answered("r1", "", "a2", "c1"),
        user("u3", "No, do it that way.", "a1"),
        agent("a3", bash("echo two > two.txt", "c2"), parent="u3"),
        answered("r2", "", "a3", "c2"),
    )
    assert acts(made) == ["echo one > one.txt", "echo two > two.txt"]
    assert "steps 2-3 stand on a branch that was left" in odd(made)
    assert (made.submission.recovered, made.submission.certainty) == ("edits_replayed", "weak")


def test_the_task_is_the_prompt_of_the_main_line(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        user("u0", "<command-name>/model</command-name>"),
        user("u1", "Fix ti.", "u0"),
        agent("a1", said("What?"), parent="u1"),
        user("u2", "Fix it.", "u0"),
        agent("a2", said("Yes."), parent="u2"),
    )
    assert made.instruction == "Fix it."


def test_parallel_results_are_no_rewind(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        START,
        agent("a1", bash("ls", "c1"), parent="u1", message="m1"),
        agent("a2", bash("pwd", "c2"), parent="a1", message="m1"),
        answered("r2", "two", "a2", "c2"),
        answered("r1", "one", "a1", "c1"),
        agent("a3", bash("true", "c3"), parent="r1"),
        answered("r3", "", "a3", "c3"),
    )
    assert not made.oddities
    assert (made.completeness.grade, made.submission.certainty) == ("full", "none")


def test_a_compaction_is_copied_context_and_the_session_goes_on(tmp_path: Path) -> None:
    summary = "This session is being continued from a previous conversation. rm -rf /"
    made = read(
        tmp_path,
        *COMMANDS,
        {"type": "system", "subtype": "compact_boundary", "uuid": "s1", "parentUuid": None, "logicalParentUuid": "r1"},
        user("u2", summary, "s1", isCompactSummary=True),
        agent("a3", bash("make", "c2"), parent="u2"),
        answered("r2", "", "a3", "c2"),
    )
    assert [(step.actor, step.copied) for step in made.steps[2:4]] == [("harness", False), ("harness", True)]
    assert acts(made) == ["ls", "make"]
    assert (made.completeness.grade, made.oddities) == ("full", ())


@pytest.mark.parametrize(
    "first",
    [
        user("u1", "Summary.", None, isCompactSummary=True),
        user("u1", "This session is being continued from a previous conversation that ran out of context."),
    ],
)
def test_a_session_that_begins_with_a_summary_lacks_its_beginning(tmp_path: Path, first: dict[str, Any]) -> None:
    made = read(tmp_path, first, *COMMANDS[1:])
    assert gaps(made) == [("the beginning is not recorded: the session goes on from a summary", 0)]
    assert made.completeness.reasons[0].hides_acts
    assert not gaps(read(tmp_path, *COMMANDS, user("u2", "Summary.", "r1", isCompactSummary=True)))


def test_messages_kept_over_a_compaction_lead_in_no_circle(tmp_path: Path) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "s1", "parentUuid": None, "logicalParentUuid": "a3"}
    made = read(
        tmp_path,
        *COMMANDS,
        boundary,
        user("u2", "Summary.", "s1", isCompactSummary=True),
        agent("a3", said("Kept going."), parent="u2"),
        user("u3", "Go on.", "a3"),
    )
    assert not made.oddities
    assert made.completeness.grade == "full"


def test_a_compaction_of_a_conversation_that_is_elsewhere_is_a_gap(tmp_path: Path) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "s1", "parentUuid": None, "logicalParentUuid": "gone"}
    made = read(
        tmp_path, {**boundary, "sessionId": SESSION}, user("u2", "Summary.", "s1", isCompactSummary=True), *COMMANDS[1:]
    )
    assert ("the conversation before a compaction is not in the file", 0) in gaps(made)


def test_lines_written_again_are_no_acts(tmp_path: Path) -> None:
    again = [{**line, "uuid": f"copy-{line['uuid']}"} for line in COMMANDS[1:]]
    made = read(tmp_path, *COMMANDS, COMMANDS[1], *again, agent("a9", said("Done."), parent="r1"))
    assert acts(made) == ["ls"]
    assert [item.text for item in made.steps[1].observations] == ["x.py"]
    assert "lines have the id of an earlier line (1)" in odd(made)
    assert "calls, results and texts that stand there again are left out (4)" in odd(made)


def test_lines_that_only_share_an_id_are_acts(tmp_path: Path) -> None:
    again = [
        user("u1", "And more."),
        agent("a2", bash("pwd", "c2"), parent="u1", message="m2"),
        answered("r1", "/w", "a2", "c2"),
    ]
    made = read(tmp_path, *COMMANDS, *again)
    assert acts(made) == ["ls", "pwd"]
    assert [step.text for step in made.steps if step.actor == "user"] == ["Fix it.", "And more."]
    assert "lines have the id of an earlier line (3)" in odd(made)


def test_a_call_with_the_id_of_another_call_is_a_call(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        *COMMANDS,
        agent("a3", bash("pwd", "c1"), parent="r1"),
        answered("r2", "/w", "a3", "c1"),
    )
    assert [(step.actions[0].command, step.observations[0].text) for step in own(made)] == [("ls", "x.py"), ("pwd", "/w")]
    assert "calls have the id of another call (1)" in odd(made)


def test_a_resumed_session_keeps_what_it_copied_and_says_from_where(tmp_path: Path) -> None:
    old = [{**line, "sessionId": "old"} for line in COMMANDS]
    made = read(tmp_path, *old, user("u2", "Go on.", "r1"), agent("a3", bash("make", "c2"), parent="u2"))
    assert acts(made) == ["ls", "make"]
    assert (made.attempt, made.instruction) == (SESSION, "Fix it.")
    assert "lines of the session old, which was resumed here, count as this run's (4)" in odd(made)


def test_after_clear_the_conversation_begins_anew_and_that_is_said(tmp_path: Path) -> None:
    clear = user("u2", "<command-name>/clear</command-name>\n<command-args></command-args>", "r1")
    made = read(tmp_path, *COMMANDS, clear, user("u3", "Another thing."), agent("a3", bash("make", "c2"), parent="u3"))
    assert acts(made) == ["ls", "make"]
    assert made.instruction == "Fix it."
    assert "the conversation was cleared at step 2" in odd(made)


def test_what_claude_code_says_in_the_users_place_is_the_harness(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        user("u0", "Caveat: The messages below were generated by the user while running local commands.", isMeta=True),
        user("u1", [said("<system-reminder>\nCLAUDE.md says so.\n</system-reminder>"), said("Fix it.")], "u0"),
        agent("a1", said("API Error: 529"), parent="u1", model="<synthetic>", isApiErrorMessage=True),
        user(
            "u2", "<task-notification>\n<task-id>b1</task-id></task-notification>", "a1", origin={"kind": "task-notification"}
        ),
        user("u3", "Stop hook feedback:\ncommit first", "u2", isMeta=True),
        {"type": "system", "subtype": "local_command", "uuid": "s1", "parentUuid": "u3", "content": "<command-name>/cost"},
        {"type": "system", "subtype": "turn_duration", "uuid": "s2", "parentUuid": "s1", "durationMs": 5},
    )
    assert [step.actor for step in made.steps] == ["harness", "harness", "user", "harness", "harness", "harness", "harness"]
    assert (made.instruction, made.model) == ("Fix it.", "unknown")


def test_a_command_of_the_users_own_is_what_it_stands_for(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        user("u1", "<command-message>init</command-message>\n<command-name>/init</command-name>"),
        user("u2", "Please analyse this codebase.", "u1", isMeta=True),
        agent("a1", bash("ls"), parent="u2"),
    )
    assert made.instruction == "Please analyse this codebase."


def test_attachments_are_the_harness_once_and_bookkeeping_is_nothing(tmp_path: Path) -> None:
    def attached(uuid: str, attachment: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"type": "attachment", "uuid": uuid, "parentUuid": "u1", "sessionId": SESSION, "attachment": attachment, **more}

    prompt = {"type": "prompt_snapshot", "systemPrompt": ["You are an agent."], "tools": [{"name": "Bash"}]}
    made = read(
        tmp_path,
        START,
        attached("t1", prompt),
        attached("t2", prompt),
        attached("t3", {"type": "nested_memory", "path": "/w/CLAUDE.md", "content": {"content": "Use tabs."}}),
        attached("t4", {"type": "date"}, rendered=[{"content": "<system-reminder>Today</system-reminder>"}]),
        attached("t5", {"type": "queued_command", "prompt": "And hurry."}),
        attached("t6", {"type": "queued_command", "prompt": "<task-notification>done</task-notification>"}),
        attached("t7", {"type": "file"}, rendered=[{"content": "the file's text"}]),
    )
    assert [(step.actor, step.text) for step in made.steps[1:]] == [
        ("harness", "You are an agent."),
        ("harness", "Use tabs."),
        ("user", "And hurry."),
        ("harness", "<task-notification>done</task-notification>"),
        ("harness", "the file's text"),
    ]


def test_bookkeeping_makes_no_steps(tmp_path: Path) -> None:
    kinds = ["summary", "file-history-snapshot", "queue-operation", "progress", "last-prompt", "ai-title", "mode", "unheard-of"]
    lines = [{"type": kind, "sessionId": SESSION, "leafUuid": "r1", "content": "x", "data": {"type": "hook"}} for kind in kinds]
    made = read(tmp_path, *lines, *COMMANDS)
    assert [step.actor for step in made.steps] == ["user", "agent"]
    assert "then lines of a session" in made.source.recognised


@pytest.mark.parametrize("cut", [True, False])
def test_lines_that_are_no_records_are_counted_and_the_last_may_be_cut(tmp_path: Path, cut: bool) -> None:
    path = write_lines(tmp_path / "a.jsonl", [*COMMANDS, "no JSON", "[1]", "", '{"type": "assistant", "mess'])
    if cut:
        path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    made = only(path)
    count = 2 if cut else 3
    assert f"lines cannot be read ({count}), the first is line 5 of a.jsonl" in [what for what, _ in gaps(made)]
    assert ("the file ends within a line: a.jsonl" in [what for what, _ in gaps(made)]) is cut
    assert (made.completeness.grade, acts(made)) == ("partial", ["ls"])


def test_a_file_without_any_message_is_a_row(tmp_path: Path) -> None:
    link = {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": SESSION}
    (row,) = rows(write_lines(tmp_path / "a.jsonl", [link, "no JSON"]))
    assert isinstance(row, Skip)
    assert "expected lines with messages, found none; lines that are no JSON: 1" in row.detail


def test_a_link_that_leads_nowhere_is_a_gap_and_so_is_a_beginning_that_is_elsewhere(tmp_path: Path) -> None:
    lost = read(tmp_path, {**START, "parentUuid": "gone"}, *COMMANDS[1:], name="a.jsonl")
    assert gaps(lost) == [("the session begins behind a line that is not in the file", 0)]
    inner = read(tmp_path, START, COMMANDS[1], {**COMMANDS[2], "parentUuid": "progress-line"}, COMMANDS[3], name="b.jsonl")
    assert gaps(inner) == [("lines follow lines that are not in the file (1); the order of the file is kept", 1)]
    assert gaps(read(tmp_path, *COMMANDS, name="c.jsonl")) == []


def test_links_in_a_circle_end_and_are_said(tmp_path: Path) -> None:
    made = read(tmp_path, {**START, "parentUuid": "r1"}, *COMMANDS[1:])
    assert "lines follow each other in a circle" in odd(made)
    assert acts(made) == ["ls"]
    alone = read(tmp_path, {**START, "parentUuid": "u1"}, *COMMANDS[1:], name="b.jsonl")
    assert "circle" in odd(alone)


def test_the_name_of_the_file_is_the_task_unless_it_is_the_session(tmp_path: Path) -> None:
    assert read(tmp_path, *COMMANDS, name=f"{SESSION}.jsonl").task == "unknown"
    assert read(tmp_path, *COMMANDS, name="org__repo-1.jsonl").task == "org__repo-1"


def test_several_models_of_the_main_agent_are_said(tmp_path: Path) -> None:
    made = read(tmp_path, *COMMANDS, agent("a3", said("Done."), parent="r1", model="model-b"))
    assert made.model == "model-a"
    assert "of several models (model-a, model-b)" in odd(made)


def test_an_outcome_beside_the_session_is_joined_by_its_name(tmp_path: Path) -> None:
    write_json(tmp_path / "outcomes.json", {"task-1": True})
    assert read(tmp_path, *COMMANDS).outcome.status == "passed"


def test_many_pieces_of_one_message_and_many_results_take_linear_time(tmp_path: Path) -> None:
    count = 4_000
    calls = [agent(f"a{number}", bash(f"echo {number}", f"c{number}"), message="m1") for number in range(count)]
    texts = [agent(f"t{number}", said(f"piece {number}"), message="m1") for number in range(count)]
    results = [answered(f"r{number}", f"{number}", "a0", f"c{number}") for number in range(count)]
    made = read(tmp_path, START, *calls, *texts, *results)
    assert (len(made.steps), len(made.steps[1].actions), len(made.steps[1].observations)) == (2, count, count)
    assert made.steps[1].text.count("\n") == count - 1


def test_a_deep_tree_is_walked_without_recursion(tmp_path: Path) -> None:
    count = 4_000
    lines = [user(f"u{number}", "x", f"u{number - 1}" if number else None) for number in range(count)]
    assert len(read(tmp_path, *lines).steps) == count
