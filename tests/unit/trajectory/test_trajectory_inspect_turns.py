from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_inspect import call, gaps, message, model, ran, read, said, span, tool

from earned.trajectory.formats.inspect.calls import Calls

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "trajectories" / "inspect"


def test_a_turn_is_one_step_with_its_calls_and_their_results(tmp_path: Path) -> None:
    events = [
        model("I look.", call("a", command="ls"), call("b", command="cat x")),
        tool("b", "x = 1"),
        tool("a", "x"),
    ]
    (turn,) = [item for item in read(tmp_path, *events).steps if item.actor == "agent"]
    assert [(action.kind, action.command) for action in turn.actions] == [("shell", "ls"), ("shell", "cat x")]
    assert sorted((item.action, item.text) for item in turn.observations) == [(0, "x"), (1, "x = 1")]
    assert turn.source == "log.json#/samples/0/events/0"


def test_results_of_calls_with_one_id_are_told_apart_by_their_order(tmp_path: Path) -> None:
    events = [model("", call("bash", command="1"), call("bash", command="2")), tool("bash", "one"), tool("bash", "two")]
    events += [model("", call("bash", command="3")), tool("bash", "three")]
    made = read(tmp_path, *events)
    found = [(item.actions[result.action].command, result.text) for item in made.steps for result in item.observations]
    assert found[:3] == [("1", "one"), ("2", "two"), ("3", "three")]


def test_a_call_without_a_result_makes_the_trace_partial(tmp_path: Path) -> None:
    made = read(tmp_path, model("", call("a", command="ls")), tool("a", pending=True))
    assert made.completeness.grade == "partial"
    assert "call of bash" in gaps(made)


def test_a_tools_error_is_what_the_agent_was_told(tmp_path: Path) -> None:
    fault = {"type": "timeout", "message": "Command timed out before completing."}
    made = read(tmp_path, model("", call("a", command="sleep 9")), tool("a", "half", error=fault))
    assert made.steps[0].observations[0].text == "half\nCommand timed out before completing."


def test_a_result_that_was_cut_says_so(tmp_path: Path) -> None:
    events = [
        model("", call("a", command="x"), call("b", command="y")),
        tool("a", "yyy", truncated=[20001, 16384]),
        tool("b", "z"),
    ]
    observations = read(tmp_path, *events).steps[0].observations
    assert [item.truncated for item in observations] == [True, False]


def test_a_call_that_could_not_be_parsed_is_named(tmp_path: Path) -> None:
    bad = {**call("a"), "parse_error": "Error parsing the following tool call arguments: {bad"}
    made = read(tmp_path, model("", bad), tool("a", "", error={"type": "parsing", "message": "Error parsing"}))
    assert any("could not be parsed" in oddity.what for oddity in made.oddities)
    assert made.steps[0].observations[0].text == "Error parsing"


def test_the_exit_code_is_that_of_the_one_program_that_ran_for_the_call(tmp_path: Path) -> None:
    events = [
        model("", call("a", command="false"), call("b", command="x"), call("c", command="y"), span="agent"),
        *span("t1", "tool", tool("a"), ran("bash --login -c false", span="t1", result=1), title="bash"),
        *span("t2", "tool", tool("b"), ran("which x", span="t2"), ran("x", span="t2", result=2), title="bash"),
        *span("t3", "tool", tool("c"), ran("/var/tmp/.x/inspect-sandbox-tools exec", span="t3"), title="bash"),
    ]
    made = read(tmp_path, *events)
    assert [item.exit_code for item in made.steps[0].observations] == [1, None, None]


def test_thoughts_images_and_tools_of_the_provider_are_told_apart(tmp_path: Path) -> None:
    parts = [
        {"type": "reasoning", "reasoning": "hm", "signature": "x"},
        {"type": "reasoning", "reasoning": "secret", "redacted": True, "summary": "short"},
        {"type": "text", "text": "I search."},
        {"type": "image", "image": "data:image/png;base64,AAAA"},
        {
            "type": "tool_use",
            "tool_type": "web_search",
            "id": "w",
            "name": "web_search",
            "arguments": '{"query": "q"}',
            "result": "found",
        },
    ]
    (turn,) = [item for item in read(tmp_path, model(parts)).steps if item.actor == "agent"]
    assert (turn.text, turn.reasoning) == ("I search.\n[image]", "hm\nshort")
    assert [(action.kind, action.query) for action in turn.actions] == [("search", "q")]
    assert turn.observations[0].text == "found"


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ([{"type": "text", "text": "a"}, {"type": "image", "image": "data:"}], "a\n[image]"),
        ({"type": "text", "text": "a"}, "a"),
        (3, "3"),
        (None, ""),
        ({"a": ["attachment://h"]}, '{"a":["long"]}'),
        ([1, "x"], '[1,"x"]'),
    ],
)
def test_a_result_of_any_type_has_a_text(tmp_path: Path, result: Any, text: str) -> None:
    made = read(tmp_path, model("", call("a", command="x")), tool("a", result), attachments={"h": "long"})
    assert made.steps[0].observations[0].text == text


def test_what_a_model_is_told_is_shown_once_with_who_told_it(tmp_path: Path) -> None:
    told = [message("system", "Be good.", id="s"), message("user", "Do it.", id="u", source="input")]
    first = message("assistant", "I look.", id="a", tool_calls=[call("a", command="ls")])
    later = [*told, first, message("tool", "x", id="t", tool_call_id="a"), message("user", "Tokens: 5", id="n")]
    events = [model("I look.", call("a", command="ls"), told=told), tool("a", "x", message_id="t"), model("Done.", told=later)]
    made = read(tmp_path, *events)
    assert [(item.actor, item.text) for item in made.steps[:5]] == [
        ("harness", "Be good."),
        ("user", "Do it."),
        ("agent", "I look."),
        ("harness", "Tokens: 5"),
        ("agent", "Done."),
    ]


def test_messages_without_ids_are_known_again_by_calls_and_text(tmp_path: Path) -> None:
    told = [message("user", "Do it.")]
    again = [*told, message("assistant", "", tool_calls=[call("a", command="ls")]), message("tool", "x", tool_call_id="a")]
    made = read(tmp_path, model("thought", call("a", command="ls"), told=told), tool("a", "x"), model("Done.", told=again))
    assert [item.text for item in made.steps[:3]] == ["Do it.", "thought", "Done."]
    assert not any(item.copied for item in made.steps)


def test_demonstrations_among_the_inputs_are_copied(tmp_path: Path) -> None:
    shot = [message("user", "Q"), message("assistant", "A", tool_calls=[call("z", command="rm x")]), message("user", "Do it.")]
    made = read(tmp_path, model("B", told=shot))
    assert [(item.text, item.copied) for item in made.steps if item.actor == "agent"] == [("A", True), ("B", False)]


def test_results_of_a_bridged_agent_are_joined_from_the_next_input(tmp_path: Path) -> None:
    first = message("assistant", "", id="1", tool_calls=[call("a", function="Bash", command="ls")])
    later = [message("user", "Do it."), first, message("tool", "x.py", tool_call_id="a")]
    made = read(tmp_path, model("", call("a", function="Bash", command="ls")), model("Done.", told=later))
    assert made.steps[0].observations[0].text == "x.py"
    assert made.completeness.grade == "full"


@pytest.mark.parametrize("key", ["events_data", "message_pool"])
def test_inputs_that_refer_to_a_pool_are_resolved(tmp_path: Path, key: str) -> None:
    pool = [message("system", "Be good."), message("user", "Do it.", source="input"), message("user", "More.")]
    events = [
        {**model("a", call("a", command="ls")), "input": [], "input_refs": [[0, 2]]},
        {**model("b"), "input": [], "input_refs": [[0, 2], [2, 3]]},
    ]
    made = read(tmp_path, *events, **{key: {"messages": pool, "calls": []} if key == "events_data" else pool})
    assert [item.text for item in made.steps[:5]] == ["Be good.", "Do it.", "a", "More.", "b"]
    assert made.completeness.grade == "partial"  # of the call without a result alone
    assert "not in the log" not in gaps(made)


def test_a_range_that_leads_out_of_the_pool_is_a_gap(tmp_path: Path) -> None:
    event = {**model("a", call("a", command="ls")), "input": [], "input_refs": [[0, 10**15], [5], [-3, 1]]}
    made = read(tmp_path, event, tool("a"), events_data={"messages": [message("user", "x")], "calls": []})
    assert "messages that are not in the log" in gaps(made)
    assert said(made, "user") == ["x"]


@pytest.mark.parametrize("protocol", ["attachment://", "tc://"])
def test_attachments_are_looked_up_wherever_they_are_read(tmp_path: Path, protocol: str) -> None:
    refer = protocol + "h"
    events = [
        model(refer, call("a", command=refer), told=[message("user", [{"type": "text", "text": refer}])]),
        tool("a", refer),
    ]
    made = read(tmp_path, *events, attachments={"h": "a long text"}, input="attachment://h")
    assert made.instruction == made.steps[0].text == made.steps[1].text == made.steps[1].actions[0].command == "a long text"
    assert made.steps[1].observations[0].text == "a long text"


def test_attachments_that_are_not_there_make_the_trace_partial(tmp_path: Path) -> None:
    made = read(tmp_path, model("", call("a", command="ls")), tool("a", "attachment://" + "0" * 32))
    assert "texts stand in attachments that are not in the log (1)" in gaps(made)


def test_a_text_that_only_begins_like_a_reference_is_no_gap(tmp_path: Path) -> None:
    made = read(tmp_path, model("", call("a", command="ls")), tool("a", "attachment://mail.pdf"))
    assert made.steps[0].observations[0].text == "attachment://mail.pdf"
    assert made.completeness.grade == "full"


@pytest.mark.parametrize("name", [["x"], {"x": 1}, 5, None])
def test_an_id_that_is_no_text_names_no_call(name: object) -> None:
    calls = Calls()
    assert not calls.is_open(name)
    assert name not in calls
