from __future__ import annotations

from pathlib import Path
from typing import Any

from made_inspect import acts, call, message, model, ran, read, said, span, step, step_of, tool

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "trajectories" / "inspect"


def test_the_scorers_programs_and_models_are_the_graders(tmp_path: Path) -> None:
    events = [
        model("", call("a", command="ls"), span="agent"),
        tool("a", "x"),
        *span(
            "scorers",
            "scorers",
            *span("tests", "scorer", ran("pytest", span="tests"), model("GRADE: C", span="tests"), inside="scorers"),
        ),
    ]
    made = read(tmp_path, *events)
    assert acts(made)[:2] == [("agent", "bash", "ls"), ("grader", "sandbox exec", "pytest")]
    assert "GRADE: C" in said(made, "grader")


def test_a_scorers_step_of_an_older_log_is_the_graders(tmp_path: Path) -> None:
    events = [
        *step("solver", "generate", model("", call("a", command="ls")), tool("a", "x")),
        *step("scorer", "tests", ran("pytest"), {"event": "score", "score": {"value": "C", "explanation": "1 passed"}}),
    ]
    made = read(tmp_path, *events)
    assert acts(made) == [("agent", "bash", "ls"), ("grader", "sandbox exec", "pytest"), ("grader", "scorer/tests", "")]
    assert made.steps[-1].observations[0].text == 'tests: "C"\n1 passed'


def test_without_spans_what_ran_behind_the_last_turn_is_the_graders(tmp_path: Path) -> None:
    made = read(tmp_path, ran("setup"), model("", call("a", command="ls")), tool("a"), ran("pytest"))
    assert acts(made)[:3] == [
        ("harness", "sandbox exec", "setup"),
        ("agent", "bash", "ls"),
        ("grader", "sandbox exec", "pytest"),
    ]


def test_what_a_solver_runs_before_and_after_the_agent_is_the_harness(tmp_path: Path) -> None:
    inner = [model("", call("a", command="ls"), span="s"), tool("a", span="s"), ran("git diff", span="s")]
    made = read(tmp_path, *span("s", "solver", ran("setup", span="s"), *inner))
    assert [actor for actor, _, text in acts(made) if text in {"setup", "git diff"}] == ["harness", "harness"]


def test_what_runs_between_turns_without_calls_was_written_by_the_agent(tmp_path: Path) -> None:
    inner = [model("```ls```", span="s"), ran("ls", span="s", output="x"), model("Done.", span="s"), ran("git diff", span="s")]
    made = read(tmp_path, *span("s", "solver", *inner))
    assert acts(made)[:2] == [("agent", "sandbox exec", "ls"), ("harness", "sandbox exec", "git diff")]


def test_files_that_a_scorer_reads_and_writes_are_acts_of_their_kind(tmp_path: Path) -> None:
    file = {"event": "sandbox", "file": "/t.py", "span_id": "s"}
    events = [{**file, "action": "read_file", "output": "x"}, {**file, "action": "write_file", "input": "y"}]
    made = read(tmp_path, model("a"), *span("s", "scorer", *events))
    kinds = [
        (action.kind, action.paths, action.text) for item in made.steps for action in item.actions if action.kind != "other"
    ]
    assert kinds == [("read", ("/t.py",), '{"path":"/t.py"}'), ("write", (), "y")]


def test_an_agent_that_a_tool_starts_is_a_subagent(tmp_path: Path) -> None:
    helper = span(
        "h",
        "agent",
        model("I count.", call("b", command="wc"), told=[message("user", "count")], span="h"),
        tool("b", "1", span="h"),
        inside="t",
    )
    again = span("h2", "agent", model("Again.", span="h2"), inside="agent")
    inner = [
        model("", call("a", function="helper", input="count"), told=[message("user", "Do it.")], span="agent"),
        *span(
            "t",
            "tool",
            tool("a", "1", "helper", span="agent"),
            *[{**event, "name": "helper"} for event in helper],
            inside="agent",
            title="helper",
        ),
        *[{**event, "name": "helper"} for event in again],
        model("Done.", span="agent"),
    ]
    made = read(tmp_path, *span("agent", "agent", *inner))
    assert [(item.subagent, item.text, item.copied) for item in made.steps if item.actor == "subagent"] == [
        ("helper", "count", True),
        ("helper", "I count.", False),
        ("helper#2", "Again.", False),
    ]
    assert [item.text for item in made.steps if item.actor == "agent"] == ["", "Done."]
    assert step_of(made, "I count.").observations[0].text == "1"


def test_a_model_that_a_tool_asks_is_a_subagent_named_for_it(tmp_path: Path) -> None:
    inner = span("t", "tool", tool("a", "ok", "critic"), model("Bad.", span="t"), title="critic")
    made = read(tmp_path, model("", call("a", function="critic", text="x")), *inner)
    assert [(item.subagent, item.text) for item in made.steps if item.actor == "subagent"] == [("critic", "Bad.")]


def test_a_model_with_the_role_of_a_grader_is_the_grader(tmp_path: Path) -> None:
    made = read(tmp_path, model("", call("a", command="ls")), tool("a"), model("Looks right.", role="grader"))
    assert "Looks right." in said(made, "grader")


def test_events_within_events_of_older_logs_are_read(tmp_path: Path) -> None:
    inner = [ran("bash --login -c ls", result=3), model("Sub.")]
    subtask = {"event": "subtask", "name": "critic", "input": {}, "events": [model("Hm.")]}
    made = read(tmp_path, model("", call("a", command="ls")), tool("a", "x", events=inner), subtask)
    assert made.steps[0].observations[0].exit_code == 3
    assert [(item.subagent, item.text) for item in made.steps if item.actor == "subagent"] == [
        ("bash", "Sub."),
        ("critic", "Hm."),
    ]
    assert step_of(made, "Hm.").source == "log.json#/samples/0/events/2/events/0"


def test_events_nested_without_end_are_bounded(tmp_path: Path) -> None:
    event: dict[str, Any] = model("deepest")
    for number in range(30):
        event = {"event": "subtask", "name": str(number), "events": [event, model(str(number))]}
    made = read(tmp_path, model("", call("a", command="ls")), tool("a"), event)
    assert "29" in said(made, "subagent")
    assert "deepest" not in said(made, "subagent")


def test_a_tool_that_no_model_called_is_the_harness(tmp_path: Path) -> None:
    made = read(tmp_path, model("", call("a", command="ls")), tool("a"), tool("zz", "y", arguments={"command": "make"}))
    assert ("harness", "bash", "make") in acts(made)
    assert any("ran without a call" in oddity.what for oddity in made.oddities)


def test_the_transcript_keeps_what_a_compaction_took_from_the_messages(tmp_path: Path) -> None:
    summary = message("user", "Summary: listed.", id="s", metadata={"summary": True})
    start = [message("user", "Do it.", id="u", source="input")]
    events = [
        model("", call("a", command="ls"), told=start),
        tool("a", "x"),
        model("Listed.", told=[*start, message("user", "Summarise.", id="p")]),
        {"event": "compaction", "type": "summary"},
        model("", call("b", command="cat x"), told=[*start, summary]),
        tool("b", "y"),
    ]
    made = read(tmp_path, *events, messages=[*start, summary])
    assert [text for _, _, text in acts(made) if text] == ["ls", "cat x"]
    assert step_of(made, "Summary: listed.").copied
    assert step_of(made, "Listed.").copied
    assert "the conversation was compacted (summary)" in said(made, "harness")


def test_calls_that_stand_in_the_messages_alone_are_read_too(tmp_path: Path) -> None:
    messages = [
        message("assistant", "", tool_calls=[call("a", command="ls")]),
        message("tool", "x", tool_call_id="a"),
        message("assistant", "", tool_calls=[call("b", command="cat x")]),
        message("tool", "y", tool_call_id="b"),
    ]
    made = read(tmp_path, model("", call("a", command="ls")), tool("a", "x"), messages=messages)
    assert [text for _, _, text in acts(made) if text] == ["ls", "cat x"]
    assert made.completeness.grade == "full"


def test_a_sample_without_events_is_read_from_its_messages(tmp_path: Path) -> None:
    messages = [
        message("user", "Do it.", source="input"),
        message("assistant", "Demo.", source="input"),
        message("assistant", "", tool_calls=[call("a", command="ls")]),
        message("tool", "x", tool_call_id="a", tool_error="failed"),
        message("tool", "y", tool_call_id="unknown"),
    ]
    made = read(tmp_path, messages=messages)
    assert [(item.actor, item.copied) for item in made.steps] == [
        ("user", False),
        ("agent", True),
        ("agent", False),
        ("environment", False),
        ("grader", False),
    ]
    assert made.steps[2].observations[0].text == "x\nfailed"
    assert any("answers no call" in oddity.what for oddity in made.oddities)


def test_limits_errors_and_failed_calls_of_a_model_are_told(tmp_path: Path) -> None:
    events = [
        model("", call("a", command="ls")),
        tool("a"),
        {**model(), "output": {"choices": []}, "error": "rate limit"},
        {"event": "sample_limit", "type": "token", "message": "Token limit reached."},
        {"event": "interrupt", "source": "limit", "interrupted": "generate"},
        {"event": "error", "error": {"message": "boom", "traceback": "…"}},
    ]
    assert said(read(tmp_path, *events), "harness") == [
        "the model call failed: rate limit",
        "sample limit: Token limit reached.",
        "interrupt: limit",
        "error: boom",
    ]


def test_events_of_unknown_kinds_and_odd_ones_cost_no_other(tmp_path: Path) -> None:
    logger = {"event": "logger", "message": {"level": "info", "message": "x"}}
    odd = {"event": "model", "input": [7], "output": {"choices": "no"}, "tools": 3}
    made = read(tmp_path, logger, odd, {"event": "of the future"}, model("", call("a", command="ls")), tool("a", "x"))
    assert ("agent", "bash", "ls") in acts(made)
    assert any("expected" in oddity.what for oddity in made.oddities)


def test_tries_that_ended_in_an_error_are_counted(tmp_path: Path) -> None:
    made = read(tmp_path, model("a"), error_retries=[{"message": "boom", "traceback": ""}])
    assert any("earlier tries that ended in an error are left out (1)" in oddity.what for oddity in made.oddities)
