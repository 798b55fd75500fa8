from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_claude_code import agent, answered, bash, ended, event, init, ran, said, streamed, use, user, write_lines
from made_files import candidates, only, rows, trial, write_json, write_text

from earned.records import Skip, Trajectory

LOOK = streamed(agent("a1", said("I look."), message="m1"))
LIST = streamed(agent("a2", bash("ls"), message="m1"))
SEEN = streamed(answered("r1", "x.py", "a2"), tool_use_result=ran("x.py"))
RUN = [init(), LOOK, LIST, SEEN, ended()]


def read(folder: Path, *lines: dict[str, Any] | str, name: str = "task-1.jsonl") -> Trajectory:
    return only(write_lines(folder / name, lines))


def commands(made: Trajectory) -> list[str]:
    return [action.command for step in made.steps for action in step.actions if action.kind == "shell"]


def gaps(made: Trajectory) -> list[str]:
    return [reason.what for reason in made.completeness.reasons]


def odd(made: Trajectory) -> str:
    return "\n".join(item.what for item in made.oddities)


def test_a_stream_gives_who_what_and_what_it_cost(tmp_path: Path) -> None:
    counted = {"inputTokens": 10, "outputTokens": 5, "cacheReadInputTokens": 90, "cacheCreationInputTokens": 0, "costUSD": 0.5}
    made = read(tmp_path, *RUN[:-1], ended(modelUsage={"model-a": counted, "model-b": counted}, usage={"input_tokens": 1}))
    assert (made.task, made.attempt, made.model, made.harness) == ("task-1", "s1", "model-a", "claude-code")
    assert made.cohort.harness_version == "2.1.19"
    assert (made.usage.input_tokens, made.usage.output_tokens, made.usage.cost_usd) == (200, 10, 0.5)
    (step,) = made.steps
    assert (step.text, step.actions[0].command, step.actions[0].cwd, step.source) == (
        "I look.",
        "ls",
        "/w",
        "task-1.jsonl#line 2",
    )
    assert (step.observations[0].text, step.observations[0].exit_code) == ("x.py", 0)
    assert (made.completeness.grade, made.instruction, made.oddities) == ("full", "", ())


@pytest.mark.parametrize("subtype", ["success", "error_max_turns"])
def test_how_the_run_ended_is_no_outcome(tmp_path: Path, subtype: str) -> None:
    made = read(tmp_path, *RUN[:-1], {**ended(is_error=subtype != "success"), "subtype": subtype})
    assert made.outcome.status == "unknown"


def test_usage_is_summed_where_the_end_says_nothing(tmp_path: Path) -> None:
    made = read(tmp_path, *RUN[:-1])
    assert (made.usage.input_tokens, made.usage.output_tokens, made.usage.cost_usd) == (1, 2, None)
    old = read(
        tmp_path, *RUN[:-1], {**ended(usage={"input_tokens": 7, "output_tokens": 3}, total_cost_usd=None), "cost_usd": 0.1}
    )
    assert (old.usage.input_tokens, old.usage.output_tokens, old.usage.cost_usd) == (7, 3, 0.1)


def test_a_stream_that_does_not_end_is_partial(tmp_path: Path) -> None:
    assert gaps(read(tmp_path, *RUN[:-1])) == ["the stream ends without a line that says how the run ended"]
    more = streamed(agent("a9", said("I go on.")))
    assert "the stream ends" in gaps(read(tmp_path, *RUN, more))[0]


def test_a_prompt_that_is_replayed_is_the_instruction(tmp_path: Path) -> None:
    made = read(tmp_path, init(), streamed(user("u1", "Fix it."), isReplay=True), *RUN[1:])
    assert (made.steps[0].actor, made.instruction) == ("user", "Fix it.")


def test_what_other_programs_printed_is_passed_over_and_counted(tmp_path: Path) -> None:
    noise = [
        'npm warn deprecated {"left-pad": 1}',
        "\x1b[33mwarning\x1b[0m: no TTY",
        "",
        "[{ half of something",
        '{"level": "info", "msg": "a line of a logger"}',
    ]
    made = read(tmp_path, *noise[:2], RUN[0], *noise[2:], *RUN[1:], name="claude-code.txt")
    assert commands(made) == ["ls"]
    assert "lines that are not of the stream were passed over (4), such as 'npm warn deprecated" in odd(made)
    assert made.completeness.grade == "full"


def test_documents_between_noise_on_one_line_are_read(tmp_path: Path) -> None:
    glued = json.dumps(LIST) + json.dumps(SEEN) + "\x1b[0m"
    made = read(tmp_path, f"added 3 packages{json.dumps(RUN[0])}", glued, f"{json.dumps(RUN[-1])}\r")
    assert (commands(made), made.completeness.grade) == (["ls"], "full")


def test_a_line_of_the_stream_that_is_broken_is_a_gap(tmp_path: Path) -> None:
    made = read(tmp_path, RUN[0], LIST, json.dumps(SEEN)[:60], RUN[-1])
    assert "lines cannot be read (1), the first is line 3 of task-1.jsonl" in gaps(made)
    cut = write_lines(tmp_path / "cut.jsonl", RUN[:3])
    cut.write_bytes(cut.read_bytes() + b'{"type":"user","mess')
    assert "the file ends within a line: cut.jsonl" in gaps(only(cut))


def test_a_subagents_lines_name_the_call_that_started_it(tmp_path: Path) -> None:
    task = streamed(agent("a1", use("Task", {"prompt": "Look."}, "t1")))
    inner = [
        streamed(user("x1", [said("Look.")]), parent_tool_use_id="t1"),
        streamed(agent("x2", bash("ls", "c9"), message="m9"), parent_tool_use_id="t1"),
        streamed(answered("x3", "x.py", "x2", "c9"), parent_tool_use_id="t1"),
    ]
    done = streamed(answered("r1", "Looked.", "a1", "t1"))
    made = read(tmp_path, init(), task, *inner, done, ended())
    assert [(step.actor, step.subagent, step.copied) for step in made.steps] == [
        ("agent", "", False),
        ("subagent", "t1", True),
        ("subagent", "t1", False),
    ]
    assert (made.instruction, made.completeness.grade) == ("", "full")
    lost = read(tmp_path, init(), task, done, ended())
    assert gaps(lost) == ["the steps of the subagent that a call started are not there"]
    strange = read(tmp_path, init(), *inner, ended())
    assert "subagents are attributed to no call (t1)" in odd(strange)


def test_calls_that_the_end_says_were_denied_are_no_acts(tmp_path: Path) -> None:
    calls = streamed(agent("a1", bash("rm -rf /", "c1"), bash("ls", "c2")))
    answers = [streamed(answered(f"r{number}", "no", "a1", f"c{number}")) for number in (1, 2)]
    denial = [{"tool_name": "Bash", "tool_use_id": "c1", "tool_input": {}}, {"tool_name": "Bash", "tool_use_id": "unknown"}]
    made = read(tmp_path, init(), calls, *answers, ended(permission_denials=denial))
    assert [(action.kind, action.call_id) for action in made.steps[0].actions] == [("other", "c1"), ("shell", "c2")]
    assert "calls were denied and did nothing (1)" in odd(made)


def test_an_array_of_the_same_lines_is_read(tmp_path: Path) -> None:
    made = only(write_text(tmp_path / "out.json", json.dumps(RUN)))
    assert (commands(made), made.completeness.grade, made.source.format) == (["ls"], "full", "claude-code-stream")


def test_partial_messages_are_not_read_twice(tmp_path: Path) -> None:
    part = event("stream_event", event={"type": "content_block_delta", "delta": {"type": "text_delta", "text": "I lo"}})
    made = read(tmp_path, part, init(), part, *RUN[1:])
    assert ([step.text for step in made.steps], made.completeness.grade) == (["I look."], "full")


def test_the_directory_holds_until_a_command_may_change_it(tmp_path: Path) -> None:
    calls = [("ls", "c1"), ("cd src && ls", "c2"), ("pwd", "c3")]
    lines = [streamed(agent(f"a-{call}", bash(command, call))) for command, call in calls]
    inner = streamed(agent("x1", bash("ls", "c4")), parent_tool_use_id="t1")
    again = streamed(agent("a5", bash("ls", "c5")))
    made = read(tmp_path, init(), *lines, inner, init(cwd="/v"), again, ended())
    assert [step.actions[0].cwd for step in made.steps] == ["/w", "/w", "", "/w", "/v"]


def test_resumed_runs_in_one_log_are_one_attempt(tmp_path: Path) -> None:
    other = {"session_id": "s2"}
    again = [{**init(), **other}, {**streamed(agent("a3", bash("make", "c3"))), **other}, {**ended(), **other}]
    made = read(tmp_path, *RUN, *again, {**ended(total_cost_usd=0.75), **other})
    assert commands(made) == ["ls", "make"]
    assert (made.attempt, made.usage.cost_usd) == ("s2", 1.25)
    assert "lines of the session s1, which was resumed here, count as this run's (3)" in odd(made)


def test_what_the_harness_put_in_is_the_harness(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        init(),
        event("system", subtype="hook_response", hook_name="SessionStart", output="remember the tests"),
        event("system", subtype="compact_boundary", compact_metadata={"trigger": "auto"}),
        streamed(user("u2", "This session is being continued from a previous conversation. ls"), isSynthetic=True),
        streamed(user("u3", "Base directory for this skill: /s"), isSynthetic=True),
        event("system", subtype="task_notification", summary="Agent finished", task_id="b1"),
        event("system", subtype="status", status="compacting"),
        *RUN[1:],
    )
    told = [(step.actor, step.copied) for step in made.steps]
    assert told == [
        ("harness", False),
        ("harness", False),
        ("harness", True),
        ("harness", False),
        ("harness", False),
        ("agent", False),
    ]


def test_kinds_of_line_that_nobody_knows_may_hold_acts(tmp_path: Path) -> None:
    made = read(tmp_path, *RUN[:-1], event("tool_call", tool_call={"shellToolCall": {"command": "ls"}}), RUN[-1])
    assert "lines of unknown kinds may hold acts (tool_call 1)" in gaps(made)
    assert made.completeness.grade == "partial"


@pytest.mark.parametrize(
    ("line", "is_stream"),
    [
        (init(), True),
        (LIST, True),
        (event("system", subtype="hook_started"), True),
        ({"type": "system", "subtype": "init"}, False),
        ({"type": "assistant", "message": {"role": "assistant", "content": []}}, False),
        ({"type": "thread.started", "thread_id": "t"}, False),
        (agent("a1", bash("ls")), False),
        ({**agent("a1", bash("ls")), "session_id": "s1"}, False),
    ],
)
def test_a_stream_is_known_by_what_its_lines_hold(tmp_path: Path, line: dict[str, Any], is_stream: bool) -> None:
    found = [item.format for item in candidates(write_lines(tmp_path / "x.log", [line, line]))]
    assert ("claude-code-stream" in found) is is_stream


def test_a_file_that_only_looks_like_one_is_a_row(tmp_path: Path) -> None:
    text = 'noise\n$ echo {"type":"system","subtype":"init","session_id":"s1" \n'
    (row,) = rows(write_text(tmp_path / "a.txt", text))
    assert isinstance(row, Skip)
    assert "expected lines of a stream, found none" in row.detail


def test_an_outcome_beside_the_stream_is_joined_by_its_name(tmp_path: Path) -> None:
    write_json(tmp_path / "outcomes.json", {"task-1": False})
    assert read(tmp_path, *RUN).outcome.status == "failed"


def test_within_a_harbor_trial_the_stream_is_the_agents_log(tmp_path: Path) -> None:
    home = trial(tmp_path)
    write_lines(home / "agent" / "claude-code.txt", ["npm warn", *RUN])
    made = only(home)
    assert commands(made) == ["ls"]
    assert "agent/claude-code.txt (claude-code-stream)" in made.source.recognised


def test_many_documents_on_one_line_take_linear_time(tmp_path: Path) -> None:
    count = 3_000
    glued = "".join(json.dumps(streamed(agent(f"a{number}", bash("ls", f"c{number}")))) for number in range(count))
    made = read(tmp_path, init(), glued, '{"' * 50_000, ended())
    assert len(commands(made)) == count


@pytest.mark.parametrize(("turns", "grade"), [(40, "partial"), (8, "full"), (None, "full")])
def test_a_count_of_turns_far_above_the_messages_says_that_some_are_missing(
    tmp_path: Path, turns: int | None, grade: str
) -> None:
    assert read(tmp_path, *RUN[:-1], ended(num_turns=turns)).completeness.grade == grade
