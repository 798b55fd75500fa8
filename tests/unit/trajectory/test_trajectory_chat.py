from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_chat import BASH, USER, acts, call, own, read, result, says
from made_files import TASK, only, write_json


def test_parallel_calls_are_answered_by_their_ids(tmp_path: Path) -> None:
    calls = [call("bash", f'{{"command": "run {name}"}}', name) for name in ("c1", "c2", "c3")]
    made = read(tmp_path, USER, says(*calls), result("two", "c2"), result("three", "c3"), result("one", "c1"))
    assert acts(made) == [("run c1", "one"), ("run c2", "two"), ("run c3", "three")]
    assert made.completeness.grade == "full"


def test_results_without_ids_are_paired_in_order(tmp_path: Path) -> None:
    calls = [{"function": {"name": "bash", "arguments": {"command": f"run {number}"}}} for number in (1, 2)]
    made = read(tmp_path, USER, says(*calls), {"role": "tool", "content": "one"}, {"role": "tool", "content": "two"})
    assert acts(made) == [("run 1", "one"), ("run 2", "two")]


def test_results_without_ids_answer_calls_with_ids_in_order(tmp_path: Path) -> None:
    calls = [call("bash", f'{{"command": "run {number}"}}', f"c{number}") for number in (1, 2)]
    made = read(tmp_path, USER, says(*calls), {"role": "tool", "content": "one"}, result("two", "c2"))
    assert acts(made) == [("run 1", "one"), ("run 2", "two")]


def test_two_calls_that_share_an_id_are_answered_in_order(tmp_path: Path) -> None:
    calls = [call("bash", f'{{"command": "run {number}"}}') for number in (1, 2)]
    again = says(call("bash", '{"command": "run 3"}'))
    made = read(tmp_path, USER, says(*calls), result("one"), result("two"), again, result("three"))
    assert acts(made) == [("run 1", "one"), ("run 2", "two"), ("run 3", "three")]


def test_a_result_of_an_unknown_call_is_the_environments(tmp_path: Path) -> None:
    made = read(tmp_path, USER, BASH, result("whose?", "other"), result("a.py"))
    assert [step.actor for step in made.steps] == ["user", "agent", "environment"]
    assert acts(made) == [("ls", "a.py")]
    assert [item.what for item in made.oddities] == ["1 results answer no call that is shown"]


def test_a_late_result_still_answers_its_call(tmp_path: Path) -> None:
    made = read(tmp_path, USER, BASH, {"role": "assistant", "content": "I wait."}, result("a.py"))
    assert acts(made) == [("ls", "a.py")]
    assert made.completeness.grade == "full"


def test_a_call_without_a_result_makes_the_trace_partial(tmp_path: Path) -> None:
    made = read(tmp_path, USER, BASH, result("a.py"), BASH)
    assert made.completeness.grade == "partial"
    assert made.completeness.reasons[0].what.endswith("has no result")


def test_the_legacy_function_notation_is_read(tmp_path: Path) -> None:
    asked = {"role": "assistant", "content": None, "function_call": {"name": "bash", "arguments": '{"command": "ls"}'}}
    made = read(tmp_path, USER, asked, {"role": "function", "name": "bash", "content": "a.py"})
    assert acts(made) == [("ls", "a.py")]


@pytest.mark.parametrize(
    "written",
    [
        {"id": "c1", "function": "bash", "arguments": {"command": "ls"}},
        {"id": "c1", "name": "bash", "args": {"command": "ls"}},
        {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": {"command": "ls"}}},
        json.dumps(call("bash", '{"command": "ls"}')),
    ],
)
def test_calls_are_read_as_harnesses_write_them(tmp_path: Path, written: Any) -> None:
    assert acts(read(tmp_path, USER, says(written), result("a.py"))) == [("ls", "a.py")]


def test_arguments_that_are_no_json_give_the_command_that_they_hold(tmp_path: Path) -> None:
    made = read(tmp_path, USER, says(call("bash", '{"command": "cat \\"/x')), result("ok"))
    assert acts(made) == [('cat "/x', "ok")]
    assert any("no valid JSON" in item.what for item in made.oddities)


def test_arguments_that_are_json_are_no_oddity(tmp_path: Path) -> None:
    made = read(tmp_path, USER, says(call("bash", '{"command": "cat /x"}')), result("ok"))
    assert (acts(made), made.oddities) == ([("cat /x", "ok")], ())


def test_a_call_in_the_text_beside_a_native_call_counts_too(tmp_path: Path) -> None:
    message = {
        **says(call("bash", {"command": "ls"})),
        "content": "Hm. <function=bash><parameter=command>cat /x</parameter></function>",
    }
    made = read(tmp_path, USER, message, result("a.py"), {"role": "user", "content": "secret"})
    step = made.steps[1]
    assert [action.command for action in step.actions] == ["ls", "cat /x"]
    assert [(item.action, item.text) for item in step.observations] == [(0, "a.py"), (1, "secret")]


def test_a_native_call_that_the_text_repeats_is_one_call(tmp_path: Path) -> None:
    text = '<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>'
    made = read(tmp_path, USER, {**says(call("bash", {"command": "ls"})), "content": text}, result("a.py"), USER)
    assert acts(made) == [("ls", "a.py")]
    assert [step.actor for step in made.steps] == ["user", "agent", "user"]


def test_calls_in_one_call_are_several_that_are_answered_together(tmp_path: Path) -> None:
    inner = [{"recipient_name": "functions.bash", "parameters": {"command": name}} for name in ("cat a", "cat b")]
    made = read(tmp_path, USER, says(call("multi_tool_use.parallel", {"tool_uses": inner})), result("both"))
    step = made.steps[1]
    assert [(action.kind, action.command) for action in step.actions] == [("shell", "cat a"), ("shell", "cat b")]
    assert [(item.action, item.text) for item in step.observations] == [(-1, "both")]
    assert made.completeness.grade == "full"


@pytest.mark.parametrize(
    "thought",
    [
        {"reasoning_content": "hm"},
        {"reasoning": "hm"},
        {"reasoning": {"summary": "hm"}},
        {"thinking": "hm"},
        {"thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "x"}]},
        {"raw_data": {"thinking_blocks": [{"type": "thinking", "thinking": "hm"}]}},
    ],
)
def test_reasoning_stands_beside_the_text(tmp_path: Path, thought: dict[str, Any]) -> None:
    made = read(tmp_path, USER, {**BASH, **thought}, result("a.py"))
    assert (own(made)[0].reasoning, own(made)[0].text) == ("hm", "")


def test_a_refusal_is_what_the_agent_said(tmp_path: Path) -> None:
    made = read(tmp_path, USER, BASH, result("a"), {"role": "assistant", "content": None, "refusal": "I will not."})
    assert own(made)[-1].text == "I will not."


def test_developer_and_injected_text_is_the_harnesss(tmp_path: Path) -> None:
    told = [
        {"role": "developer", "content": "Act."},
        {"role": "user", "content": "<system-reminder>Be quick</system-reminder>"},
    ]
    made = read(tmp_path, *told, USER, BASH, result("a"))
    assert [step.actor for step in made.steps] == ["harness", "harness", "user", "agent"]
    assert made.instruction == TASK


def test_images_in_a_message_are_named(tmp_path: Path) -> None:
    seen = {"role": "user", "content": [{"type": "text", "text": TASK}, {"type": "image_url", "image_url": {"url": "data:x"}}]}
    assert read(tmp_path, seen, BASH, result([{"type": "text", "text": "a"}])).instruction == f"{TASK}\n[image_url]"


def test_anthropic_blocks_are_read(tmp_path: Path) -> None:
    asked = [
        {"type": "thinking", "thinking": "hm", "signature": "x"},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "ls"}},
        {"type": "tool_use", "id": "t2", "name": "str_replace_based_edit_tool", "input": {"command": "view", "path": "/a"}},
    ]
    seen = [
        {"type": "tool_result", "tool_use_id": "t2", "content": "x = 1"},
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a.py"}], "is_error": False},
        {"type": "text", "text": "Go on."},
    ]
    made = read(tmp_path, USER, {"role": "assistant", "content": asked}, {"role": "user", "content": seen}, system="Act.")
    assert [step.actor for step in made.steps] == ["harness", "user", "agent", "user"]
    assert (made.steps[2].reasoning, made.steps[2].text, made.steps[3].text) == ("hm", "I look.", "Go on.")
    assert [answer for _, answer in acts(made)] == ["a.py", "x = 1"]
    assert made.steps[2].actions[1].paths == ("/a",)


def test_tools_of_the_provider_answer_within_the_turn(tmp_path: Path) -> None:
    asked = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "earned"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "s1",
            "content": [{"type": "x", "title": "T", "url": "https://e.org"}],
        },
        {"type": "text", "text": "Found."},
    ]
    made = read(tmp_path, USER, {"role": "assistant", "content": asked})
    assert [(step.actions[0].kind, *acts(made)[0]) for step in own(made)] == [("search", "earned", "T\nhttps://e.org")]
    assert made.completeness.grade == "full"


@pytest.mark.parametrize(
    "source",
    [
        {"type": "text", "media_type": "text/plain", "data": "x = 1\ny = 2\n"},
        {"type": "content", "content": [{"type": "text", "text": "x = 1\ny = 2\n"}]},
    ],
)
def test_a_page_that_the_provider_fetched_is_the_result(tmp_path: Path, source: dict[str, Any]) -> None:
    url = "https://e.org/a.py"
    document = {"type": "document", "source": source, "title": "a.py"}
    content = {"type": "web_fetch_result", "url": url, "content": document}
    asked = [
        {"type": "server_tool_use", "id": "s1", "name": "web_fetch", "input": {"url": url}},
        {"type": "web_fetch_tool_result", "tool_use_id": "s1", "content": content},
    ]
    made = read(tmp_path, USER, {"role": "assistant", "content": asked})
    assert [(own(made)[0].actions[0].kind, *acts(made)[0])] == [("fetch", url, f"{url}\na.py\nx = 1\ny = 2\n")]


def test_items_of_the_responses_interface_make_one_turn(tmp_path: Path) -> None:
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": TASK}]},
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "id": "f", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'},
        {"type": "function_call", "call_id": "c2", "name": "bash", "arguments": '{"command": "pwd"}'},
        {"type": "function_call_output", "call_id": "c2", "output": "/app"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "output_text", "text": "a.py"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
    ]
    made = only(write_json(tmp_path / "a.json", items))
    assert acts(made) == [("ls", "a.py"), ("pwd", "/app")]
    assert [(step.reasoning, step.text) for step in own(made)] == [("hm", "I look."), ("", "Done.")]


@pytest.mark.parametrize(
    ("item", "kind", "text", "answer"),
    [
        ({"type": "local_shell_call", "action": {"type": "exec", "command": ["bash", "-lc", "ls"]}}, "shell", "ls", "out"),
        ({"type": "shell_call", "action": {"commands": ["ls", "pwd"]}}, "shell", "ls\npwd", "out"),
        ({"type": "custom_tool_call", "name": "bash", "input": "ls"}, "shell", "ls", "out"),
        (
            {"type": "apply_patch_call", "operation": {"type": "create_file", "path": "/a", "diff": "+x"}},
            "edit",
            "x\n",
            "out",
        ),
        ({"type": "computer_call", "action": {"type": "click", "x": 1}}, "other", '{"type":"click","x":1}', "out"),
    ],
)
def test_calls_of_built_in_tools_are_read(tmp_path: Path, item: dict[str, Any], kind: str, text: str, answer: str) -> None:
    output = {"type": f"{item['type']}_output", "call_id": "c1", "output": "out"}
    made = only(write_json(tmp_path / "a.json", [USER, {**item, "call_id": "c1"}, output]))
    assert acts(made) == [(text, answer)]
    assert own(made)[0].actions[0].kind == kind


@pytest.mark.parametrize(
    ("item", "kind", "answer"),
    [
        ({"type": "web_search_call", "action": {"type": "search", "query": "x"}}, "search", ""),
        ({"type": "web_search_call", "action": {"type": "open_page", "url": "https://e.org"}}, "fetch", ""),
        ({"type": "file_search_call", "queries": ["x"], "results": [{"text": "hit"}]}, "search", "hit"),
        ({"type": "code_interpreter_call", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}]}, "code", "2"),
        ({"type": "mcp_call", "name": "look_up", "arguments": "{}", "output": "found"}, "other", "found"),
    ],
)
def test_calls_that_the_provider_runs_hold_their_own_result(
    tmp_path: Path, item: dict[str, Any], kind: str, answer: str
) -> None:
    made = only(write_json(tmp_path / "a.json", [USER, {**item, "id": "x1"}]))
    (step,) = own(made)
    assert (step.actions[0].kind, "".join(part.text for part in step.observations)) == (kind, answer)
    assert made.completeness.grade == ("full" if answer else "partial")


def test_a_shell_call_says_how_it_ended(tmp_path: Path) -> None:
    output = [{"stdout": "x", "stderr": "no", "outcome": {"type": "exit", "exit_code": 3}}]
    items = [
        USER,
        {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls"]}},
        {"type": "shell_call_output", "call_id": "c1", "output": output},
    ]
    made = only(write_json(tmp_path / "a.json", items))
    assert [(part.text, part.exit_code) for part in own(made)[0].observations] == [("x\nno", 3)]


@pytest.mark.parametrize(
    ("said", "lead"),
    [
        ('I look.\nTOOL_CALL: bash {"command": "ls"}', "I look."),
        ('<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call>', ""),
        ("I look.\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>", "I look."),
        ("<tool_call>\n<function=bash>\n<parameter=command>ls</parameter>\n</function>\n</tool_call>", ""),
    ],
)
def test_calls_in_the_text_are_acts(tmp_path: Path, said: str, lead: str) -> None:
    made = read(tmp_path, USER, {"role": "assistant", "content": said}, {"role": "user", "content": "OBSERVATION:\na.py"})
    assert acts(made) == [("ls", "a.py")]
    assert [step.actor for step in made.steps] == ["user", "agent"]
    assert own(made)[0].text == lead


@pytest.mark.parametrize("end", ["<function=submit>\n</function>", "<function=submit>", '<invoke name="submit"></invoke>'])
def test_a_call_in_the_text_without_parameters_is_an_act(tmp_path: Path, end: str) -> None:
    said = "Look.\n\n<function=bash>\n<parameter=command>ls</parameter>\n</function>"
    seen = {"role": "user", "content": "OBSERVATION:\na.py"}
    made = read(tmp_path, USER, {"role": "assistant", "content": said}, seen, {"role": "assistant", "content": f"Done.\n{end}"})
    assert [[action.kind for action in step.actions] for step in own(made)] == [["shell"], ["submit"]]
    assert own(made)[1].text == "Done."


def test_several_calls_in_one_text_have_their_results(tmp_path: Path) -> None:
    said = "".join(f'<tool_call>{{"name": "bash", "arguments": {{"command": "run {n}"}}}}</tool_call>' for n in (1, 2))
    seen = "<tool_response>\none\n</tool_response>\n<tool_response>\ntwo\n</tool_response>"
    made = read(tmp_path, USER, {"role": "assistant", "content": said}, {"role": "user", "content": seen})
    assert acts(made) == [("run 1", "one"), ("run 2", "two")]
    marked = 'TOOL_CALL: bash {"command": "run 1"} | TOOL_CALL: bash {"command": "run 2"}'
    other = read(tmp_path, USER, {"role": "assistant", "content": marked}, {"role": "tool", "content": "both"})
    assert [action.text for action in own(other)[0].actions] == ["run 1", "run 2"]
    assert [(item.text, item.action) for item in own(other)[0].observations] == [("both", -1)]


def test_text_that_only_talks_of_calls_is_no_act(tmp_path: Path) -> None:
    said = {"role": "assistant", "content": "Use <tool_call>…</tool_call> or TOOL_CALL: in a line; ```bash\nls\n```"}
    made = read(tmp_path, USER, BASH, result("a"), said, {"role": "user", "content": "No."})
    assert acts(made) == [("ls", "a")]
    assert [step.actor for step in made.steps] == ["user", "agent", "agent", "user"]


def test_native_calls_win_over_their_repetition_in_the_text(tmp_path: Path) -> None:
    made = read(tmp_path, USER, {**BASH, "content": 'TOOL_CALL: bash {"command": "ls"}'}, result("a"))
    assert acts(made) == [("ls", "a")]


def test_unknown_roles_and_items_are_odd_and_not_lost(tmp_path: Path) -> None:
    made = read(tmp_path, USER, BASH, result("a"), {"role": "critic", "content": "Bad."}, {"type": "note", "content": "x"})
    assert [step.actor for step in made.steps] == ["user", "agent", "environment", "environment"]
    assert len(made.oddities) == 2


def test_calls_of_the_user_are_not_the_agents(tmp_path: Path) -> None:
    pressed = {"role": "user", "content": None, "tool_calls": [call("press", "{}", "u1")]}
    made = read(tmp_path, USER, BASH, result("a"), pressed, result("on", "u1"))
    assert [(step.actor, len(step.actions)) for step in made.steps] == [("user", 0), ("agent", 1), ("user", 1)]
    assert made.steps[2].observations[0].action == 0


def test_many_calls_in_one_turn_are_answered_in_order(tmp_path: Path) -> None:
    calls = [call("x", "{}", f"c{number}") for number in range(5_000)]
    answers = [{"role": "tool", "content": "r"} for _ in calls]
    made = only(write_json(tmp_path / "a.json", [USER, says(*calls), *answers]))
    assert len(made.steps[1].observations) == 5_000
    assert made.steps[1].observations[-1].action == 4_999


@pytest.mark.parametrize(
    ("name", "arguments", "grade"),
    [
        ("task", {"description": "look", "prompt": "Look."}, "partial"),
        ("Task", {"prompt": "Look."}, "partial"),
        ("task", {"id": 3}, "full"),
        ("taskcreate", {"prompt": "Look."}, "full"),
    ],
)
def test_a_subagent_without_steps_hides_acts(tmp_path: Path, name: str, arguments: dict[str, Any], grade: str) -> None:
    made = read(tmp_path, USER, says(call(name, arguments)), result("done"))
    assert made.completeness.grade == grade
    assert any("subagent" in reason.what for reason in made.completeness.reasons) is (grade == "partial")


@pytest.mark.parametrize(("is_error", "way"), [(True, "none"), (False, "edits_replayed"), (None, "edits_replayed")])
def test_a_result_that_the_record_calls_an_error_is_of_an_edit_that_failed(tmp_path: Path, is_error: object, way: str) -> None:
    use = {"type": "tool_use", "id": "w", "name": "Write", "input": {"file_path": "/w/a.py", "content": "x = 1\n"}}
    answer = {"type": "tool_result", "tool_use_id": "w", "content": "nope", "is_error": is_error}
    made = read(tmp_path, USER, {"role": "assistant", "content": [use]}, {"role": "user", "content": [answer]})
    assert made.submission.recovered == way


@pytest.mark.parametrize(("status", "way"), [("error", "none"), ("success", "edits_replayed")])
def test_so_is_a_tool_message_whose_status_is_error(tmp_path: Path, status: str, way: str) -> None:
    edit = says(call("write_file", '{"path": "/w/a.py", "content": "x = 1"}'))
    made = read(tmp_path, USER, edit, {**result("nope"), "status": status})
    assert made.submission.recovered == way
