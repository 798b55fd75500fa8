"""Codex's calls and results: every tool of every age, what came back, and what an edit leaves behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_codex import (
    HEADER,
    PATCH,
    UNIFIED,
    act,
    agents,
    custom,
    custom_output,
    event,
    function,
    item,
    output,
    result,
    session,
)
from render_codex import message


@pytest.mark.parametrize(
    ("name", "arguments", "command", "cwd"),
    [
        ("shell", {"command": ["bash", "-lc", "ls -a"], "workdir": "/w"}, "ls -a", "/w"),
        ("shell", {"command": ["git", "log", "a b"]}, "git log 'a b'", "/app"),
        ("shell", {"command": "ls"}, "ls", "/app"),
        ("container.exec", {"cmd": ["/bin/bash", "-lc", "ls"], "workdir": "sub"}, "ls", "/app"),
        ("shell_command", {"command": "ls | head", "workdir": "sub"}, "ls | head", "/app/sub"),
        ("exec_command", {"cmd": "ls", "yield_time_ms": 1000}, "ls", "/app"),
        ("unified_exec", {"cmd": "ls"}, "ls", "/app"),
        ("write_stdin", {"session_id": 3, "chars": "y\n"}, "y\n", "/app"),
    ],
)
def test_every_shell_tool_is_a_command_in_its_folder(
    tmp_path: Path, name: str, arguments: dict[str, Any], command: str, cwd: str
) -> None:
    made = session(tmp_path, item(function(name, arguments)), item(output("done")))
    action = act(made)
    assert (action.kind, action.tool, action.command) == ("shell", name, command)
    assert action.cwd in {cwd, f"{cwd}/sub"}
    assert result(made).action == 0
    assert made.completeness.grade == "full"


def test_the_shell_of_the_model_itself_is_a_command(tmp_path: Path) -> None:
    call = {"type": "local_shell_call", "call_id": "c1", "status": "completed"}
    call["action"] = {"type": "exec", "command": ["bash", "-lc", "ls"], "working_directory": "/w"}  # type: ignore[assignment]
    action = act(session(tmp_path, item(call), item(output("a.py"))))
    assert (action.kind, action.command, action.cwd) == ("shell", "ls", "/w")


def test_polling_a_session_is_no_command(tmp_path: Path) -> None:
    made = session(tmp_path, item(function("write_stdin", {"session_id": 3, "chars": ""})), item(output("more")))
    assert act(made).command == ""
    assert result(made).text == "more"


@pytest.mark.parametrize(
    ("given", "text", "code"),
    [
        ("plain", "plain", None),
        (json.dumps({"output": "a\nb", "metadata": {"exit_code": 3, "duration_seconds": 0.1}}), "a\nb", 3),
        (f"{HEADER}oops", f"{HEADER}oops", 1),
        (f"{HEADER}{'x' * 500}\nexit code 7", f"{HEADER}{'x' * 500}\nexit code 7", 1),
        (f"{UNIFIED}a", f"{UNIFIED}a", 0),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "x"}], "a\n[input_image]", None),
        ({"content": "a", "success": True}, "a", None),
        ({"type": "text", "text": "a"}, "a", None),
        ('{"output": 3, "metadata": {}}', '{"output": 3, "metadata": {}}', None),
        ('{"metadata": "x", "output": "y"} tail', '{"metadata": "x", "output": "y"} tail', None),
        (None, "", None),
    ],
)
def test_a_result_is_its_text_and_its_exit_code(tmp_path: Path, given: Any, text: str, code: int | None) -> None:
    found = result(session(tmp_path, item(function("shell", {"command": "x"})), item(output(given))))
    assert (found.text, found.exit_code) == (text, code)


def test_a_command_that_still_runs_has_no_exit_code_whatever_it_printed(tmp_path: Path) -> None:
    text = "Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nexit code: 2"
    assert result(session(tmp_path, item(function("exec_command", {"cmd": "x"})), item(output(text)))).exit_code is None


@pytest.mark.parametrize(
    "cut",
    [
        "\n[... omitted 120 of 400 lines ...]\n",
        "head…792 tokens truncated…tail",
        "head…12 chars truncated…tail",
        "[... 5 lines truncated ...]",
    ],
)
def test_a_cut_result_makes_the_trace_partial(tmp_path: Path, cut: str) -> None:
    made = session(tmp_path, item(function("shell", {"command": "x"})), item(output(f"a{cut}b" if "…" in cut else cut)))
    assert result(made).truncated
    assert made.completeness.grade == "partial"


def test_a_whole_result_does_not(tmp_path: Path) -> None:
    made = session(tmp_path, item(function("shell", {"command": "x"})), item(output("# truncated = False, 3 tokens")))
    assert not result(made).truncated
    assert made.completeness.grade == "full"


def test_parallel_calls_are_one_step_and_take_their_own_results(tmp_path: Path) -> None:
    calls = [item(function("shell", {"command": name}, name)) for name in ("a", "b", "c")]
    made = session(tmp_path, *calls, *(item(output(name, name)) for name in ("c", "a", "b")))
    (step,) = agents(made)
    assert {step.actions[found.action].command: found.text for found in step.observations} == {"a": "a", "b": "b", "c": "c"}


def test_a_late_result_finds_its_call(tmp_path: Path) -> None:
    first, second = function("shell", {"command": "a"}, "a"), function("shell", {"command": "b"}, "b")
    made = session(
        tmp_path, item(first), item(message("assistant", "Next.")), item(second), item(output("2", "b")), item(output("1", "a"))
    )
    assert [(step.actions[0].command, step.observations[0].text) for step in agents(made) if step.actions] == [
        ("a", "1"),
        ("b", "2"),
    ]
    assert made.completeness.grade == "full"


def test_a_result_of_an_unknown_call_answers_none(tmp_path: Path) -> None:
    made = session(tmp_path, item(output("x", "nobody")))
    assert made.steps[-1].actor == "environment"
    assert any("not recorded" in oddity.what for oddity in made.oddities)


def test_results_without_ids_are_taken_in_order(tmp_path: Path) -> None:
    calls = [item(function("shell", {"command": name}, "")) for name in ("a", "b")]
    (step,) = agents(session(tmp_path, *calls, item(output("1", "")), item(output("2", ""))))
    assert [(found.action, found.text) for found in step.observations] == [(0, "1"), (1, "2")]


def test_a_session_that_ends_in_a_call_is_partial(tmp_path: Path) -> None:
    made = session(tmp_path, item(function("shell", {"command": "make"})))
    assert made.completeness.grade == "partial"
    assert "has no result" in made.completeness.reasons[0].what


def test_a_stopped_turn_is_said_and_its_stopped_call_is_a_gap(tmp_path: Path) -> None:
    made = session(
        tmp_path,
        item(function("shell", {"command": "make"})),
        item(output("aborted by user after 3.2s")),
        event("turn_aborted", reason="interrupted"),
    )
    assert made.steps[-1].actor == "harness"
    assert made.steps[-1].text == "turn_aborted: interrupted"
    assert "stopped" in made.completeness.reasons[0].what
    assert not made.completeness.reasons[0].hides_acts


def test_a_patch_is_an_edit_and_the_submission(tmp_path: Path) -> None:
    made = session(tmp_path, *custom("apply_patch", PATCH), custom_output("Success. Updated the following files:\nA a.py\n"))
    action = act(made)
    assert (action.kind, action.edits[0].path, action.edits[0].new) == ("edit", "a.py", "x = 1\n")
    assert [(file.path, file.text) for file in made.submission.files] == [("/app/a.py", "x = 1\n")]


@pytest.mark.parametrize(
    "command",
    [f"apply_patch <<'EOF'\n{PATCH}\nEOF", f"cd /app && apply_patch <<'EOF'\n{PATCH}\nEOF\n", f"applypatch <<'P'\n{PATCH}\nP"],
)
def test_a_patch_in_a_here_document_is_the_submission(tmp_path: Path, command: str) -> None:
    made = session(tmp_path, item(function("shell", {"command": ["bash", "-lc", command]})), item(output("Success.")))
    assert [(file.path, file.text) for file in made.submission.files] == [("/app/a.py", "x = 1\n")]


def test_a_patch_that_is_an_argument_is_the_submission(tmp_path: Path) -> None:
    made = session(tmp_path, item(function("shell", {"command": ["apply_patch", PATCH]})), item(output("Success.")))
    assert [file.text for file in made.submission.files] == ["x = 1\n"]


@pytest.mark.parametrize("said", ["apply_patch verification failed: no such line", "patch rejected by user", f"{HEADER}Failed"])
def test_a_refused_patch_is_no_submission(tmp_path: Path, said: str) -> None:
    made = session(tmp_path, *custom("apply_patch", PATCH), custom_output(said))
    assert made.submission.recovered == "none"


def test_a_refused_patch_of_a_here_document_is_no_submission(tmp_path: Path) -> None:
    command = f"apply_patch <<'EOF'\n{PATCH}\nEOF"
    made = session(
        tmp_path, item(function("shell", {"command": command})), item(output("apply_patch verification failed: no such line"))
    )
    assert made.submission.recovered == "none"


def test_a_failure_told_by_an_event_refuses_the_patch(tmp_path: Path) -> None:
    failed = event("patch_apply_end", call_id="c1", success=False, stdout="", stderr="no")
    made = session(tmp_path, *custom("apply_patch", PATCH), failed, custom_output("see above"))
    assert result(made).exit_code == 1
    assert made.submission.recovered == "none"


def test_the_exit_code_of_an_event_is_that_of_the_call(tmp_path: Path) -> None:
    ended = event("exec_command_end", call_id="c1", exit_code=4, aggregated_output="")
    made = session(tmp_path, item(function("shell", {"command": "x"})), item(output("plain")), ended)
    assert result(made).exit_code == 4


@pytest.mark.parametrize(
    ("given", "kind", "query", "url"),
    [
        ({"type": "search", "query": "fix"}, "search", "fix", ""),
        ({"type": "search", "queries": ["a", "b"]}, "search", "a\nb", ""),
        ({"type": "open_page", "url": "https://x.org"}, "fetch", "", "https://x.org"),
        ({"type": "find_in_page", "url": "https://x.org", "pattern": "p"}, "fetch", "p", "https://x.org"),
        (None, "search", "", ""),
    ],
)
def test_a_search_on_the_web_is_a_call_whose_result_is_not_recorded(
    tmp_path: Path, given: Any, kind: str, query: str, url: str
) -> None:
    made = session(tmp_path, item({"type": "web_search_call", "status": "completed", "action": given}))
    action = act(made)
    assert (action.kind, action.query, action.url) == (kind, query, url)
    assert "web_search" in made.completeness.reasons[0].what


@pytest.mark.parametrize(
    ("name", "more", "arguments", "kind"),
    [
        ("browser_navigate", {"namespace": "mcp__playwright"}, {"url": "https://x.org"}, "fetch"),
        ("playwright__browser_navigate", {}, {"url": "https://x.org"}, "fetch"),
        ("update_plan", {}, {"plan": [{"step": "x", "status": "pending"}]}, "message"),
        ("view_image", {}, {"path": "/app/a.png"}, "read"),
        ("spawn_agent", {}, {"message": "look", "agent_type": "explorer"}, "message"),
        ("unknown_tool", {}, {"a": 1}, "other"),
        ("unknown_tool", {}, "no json", "other"),
    ],
)
def test_other_tools_are_told_by_their_name(tmp_path: Path, name: str, more: dict[str, Any], arguments: Any, kind: str) -> None:
    made = session(tmp_path, item(function(name, arguments, **more)), item(output("ok")))
    assert act(made).kind == kind


def test_a_search_of_tools_is_a_call_with_a_result(tmp_path: Path) -> None:
    call = item({"type": "tool_search_call", "call_id": "c1", "arguments": {"query": "git"}})
    made = session(tmp_path, call, item({"type": "tool_search_output", "call_id": "c1", "tools": [{"name": "x"}]}))
    assert result(made).text == '[{"name":"x"}]'


def test_calls_in_one_call_are_several_that_are_answered_together(tmp_path: Path) -> None:
    inner = [{"recipient_name": "functions.exec_command", "parameters": {"cmd": name}} for name in ("cat a", "cat b")]
    made = session(tmp_path, item(function("multi_tool_use.parallel", {"tool_uses": inner})), item(output("both")))
    step = next(step for step in made.steps if step.actions)
    assert [action.command for action in step.actions] == ["cat a", "cat b"]
    assert [(seen.action, seen.text) for seen in step.observations] == [(-1, "both")]


def test_a_command_of_a_program_of_js_repl_is_an_act(tmp_path: Path) -> None:
    text = "const r = await codex.tool('exec_command', {cmd: 'cat /x'})"
    call = {"type": "custom_tool_call", "name": "js_repl", "input": text, "call_id": "j1"}
    made = session(tmp_path, item(call), item({"type": "custom_tool_call_output", "call_id": "j1", "output": "secret"}))
    step = next(step for step in made.steps if step.actions)
    assert [(action.kind, action.command) for action in step.actions] == [("shell", "cat /x")]


def test_a_subagent_whose_session_is_elsewhere_hides_acts(tmp_path: Path) -> None:
    made = session(tmp_path, item(function("spawn_agent", {"message": "look"})), item(output('{"agent_id": "x"}')))
    assert [(reason.what, reason.hides_acts) for reason in made.completeness.reasons] == [
        ("the steps of the subagent that a call started are not recorded", True)
    ]


def test_a_subagent_that_did_not_start_hides_nothing(tmp_path: Path) -> None:
    made = session(tmp_path, item(function("spawn_agent", {"message": "look"})), item(output("error: no more agents")))
    assert made.completeness.reasons == ()
