"""Codex rollouts: every age of the format, and what tells an act from what only repeats one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_attempt import Attempt, Call, Turn
from made_files import candidates, only, rows, write_json, write_text
from render_codex import SESSION, context, line, message, meta, shell_call, shell_output, write_lines
from render_codex import lines as rendered

from earned.records import Action, Observation, Skip, Step, Trajectory
from earned.trajectory import Candidate, load_format
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps

PATCH = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** End Patch"
HEADER = "Exit code: 1\nWall time: 0.1 seconds\nOutput:\n"
UNIFIED = "Chunk ID: ab12cd\nWall time: 0.0512 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\n"
TASK = message("user", "Fix the bug.")


def item(payload: dict[str, Any], second: int = 1) -> dict[str, Any]:
    return line("response_item", payload, second=second)


def event(kind: str, second: int = 1, **payload: Any) -> dict[str, Any]:
    return line("event_msg", {"type": kind, **payload}, second=second)


def function(name: str, arguments: Any, call_id: str = "c1", **more: Any) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"type": "function_call", "name": name, "arguments": text, "call_id": call_id, **more}


def output(text: Any, call_id: str = "c1") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def custom(name: str, text: str, call_id: str = "c1") -> list[dict[str, Any]]:
    return [item({"type": "custom_tool_call", "status": "completed", "call_id": call_id, "name": name, "input": text})]


def custom_output(text: Any, call_id: str = "c1") -> dict[str, Any]:
    return item({"type": "custom_tool_call_output", "call_id": call_id, "output": text})


def read(folder: Path, *made: dict[str, Any], name: str = "rollout-2026-01-05T10-00-00-x.jsonl") -> Trajectory:
    return only(write_lines(folder / name, list(made)))


def session(folder: Path, *made: dict[str, Any], **more: Any) -> Trajectory:
    """A session that begins as usual, then these lines."""
    return read(folder, meta(**more), context(), item(TASK, 0), *made)


def agents(made: Trajectory) -> list[Step]:
    return [step for step in made.steps if step.actor in {"agent", "subagent"} and not step.copied]


def act(made: Trajectory) -> Action:
    (action,) = [action for step in agents(made) for action in step.actions]
    return action


def result(made: Trajectory) -> Observation:
    (found,) = [found for step in made.steps for found in step.observations]
    return found


def acts(made: Trajectory) -> list[str]:
    return [action.text for step in agents(made) for action in step.actions]


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


def test_reasoning_is_read_from_the_item_or_from_the_event_and_not_twice(tmp_path: Path) -> None:
    summary = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "I look."}], "encrypted_content": "g"}
    hidden: dict[str, Any] = {"type": "reasoning", "summary": [], "content": None, "encrypted_content": "g"}
    call, found = item(function("shell", {"command": "a"})), item(output("b"))
    made = session(tmp_path, event("agent_reasoning", text="I look."), item(summary), call, found)
    assert agents(made)[0].reasoning == "I look."
    made = session(tmp_path, item(hidden), event("agent_reasoning", text="I see."), call, found)
    assert agents(made)[0].reasoning == "I see."
    raw = {**hidden, "content": [{"type": "reasoning_text", "text": "all of it"}]}
    assert agents(session(tmp_path, item(raw), call, found))[0].reasoning.strip() == "all of it"


def test_the_agents_words_of_events_are_not_said_twice(tmp_path: Path) -> None:
    made = session(tmp_path, event("agent_message", message="Done."), item(message("assistant", "Done.")))
    assert [step.text for step in agents(made)] == ["Done."]


def test_tokens_are_those_of_the_last_count(tmp_path: Path) -> None:
    counts = [event("token_count", info={"total_token_usage": {"input_tokens": n, "output_tokens": 1}}) for n in (5, 9)]
    made = session(tmp_path, *counts, event("token_count", info=None))
    assert (made.usage.input_tokens, made.usage.output_tokens) == (9, 1)


INJECTED = [
    "<environment_context>\n<cwd>/app</cwd>\n</environment_context>",
    "<user_instructions>\nBe brief.\n</user_instructions>",
    "# AGENTS.md instructions for /app\n\n<INSTRUCTIONS>\nRun tests.\n</INSTRUCTIONS>",
    "<turn_aborted>\nThe user stopped.\n</turn_aborted>",
    "<subagent_notification>\n{}\n</subagent_notification>",
]


@pytest.mark.parametrize("text", INJECTED)
def test_what_codex_says_in_the_users_name_is_the_harness_and_not_the_task(tmp_path: Path, text: str) -> None:
    made = read(tmp_path, meta(), item(message("user", text)), item(TASK))
    assert [step.actor for step in made.steps] == ["harness", "user"]
    assert made.instruction == "Fix the bug."


@pytest.mark.parametrize(
    "text",
    [
        "<div>Fix this</div>",
        "# Fix the bug",
        "<environment_context> is empty: why?",
        "See <user_instructions>x</user_instructions>",
    ],
)
def test_a_user_who_writes_tags_is_the_user(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, meta(), item(message("user", text))).instruction == text


def test_the_kinds_of_parts_tell_who_speaks(tmp_path: Path) -> None:
    parts = [{"type": "input_text", "text": "Be brief."}, {"type": "input_text", "text": "Fix it."}]
    kinds = {"content_item_kinds": ["agents_md.instructions", "user.text"]}
    told = {"type": "message", "role": "user", "content": parts, "internal_chat_message_metadata_passthrough": kinds}
    made = read(tmp_path, meta(), item(told))
    assert [(step.actor, step.text) for step in made.steps] == [("harness", "Be brief."), ("user", "Fix it.")]


def test_a_developers_message_is_the_harness(tmp_path: Path) -> None:
    assert read(tmp_path, meta(), item(message("developer", "Rules.")), item(TASK)).steps[0].actor == "harness"


def test_the_record_says_model_version_times_and_folder(tmp_path: Path) -> None:
    made = session(tmp_path, item(message("assistant", "Hi."), 9), name="x")
    assert (made.model, made.harness, made.attempt) == ("gpt-5-codex", "codex", SESSION)
    assert (made.cohort.harness_version, made.cohort.started) == ("0.80.0", "2026-01-05T10:00:00.000Z")
    assert made.cohort.finished == "2026-01-05T10:00:09.000Z"
    assert made.task == "unknown"


def test_a_file_that_somebody_named_is_known_by_its_name(tmp_path: Path) -> None:
    assert read(tmp_path, meta(), item(TASK), name="django-1.jsonl").task == "django-1"
    assert read(tmp_path, meta(), item(TASK), name="codex.jsonl").task == "unknown"


@pytest.mark.parametrize(
    ("policy", "approval", "network"),
    [
        ({"type": "workspace-write", "network_access": False}, "never", "closed"),
        ({"mode": "read-only"}, "never", "closed"),
        ({"type": "workspace-write", "network_access": False}, "on-request", "unknown"),
        ({"type": "workspace-write", "network_access": True}, "never", "open"),
        ({"type": "danger-full-access"}, "never", "unknown"),
        ("read-only", "never", "unknown"),
    ],
)
def test_the_network_is_what_the_sandbox_says(tmp_path: Path, policy: Any, approval: str, network: str) -> None:
    made = read(tmp_path, meta(), context(sandbox_policy=policy, approval_policy=approval), item(TASK))
    assert made.cohort.network == network


def test_the_folder_of_a_turn_is_that_of_its_commands(tmp_path: Path) -> None:
    call = item(function("shell", {"command": "ls"}))
    made = read(tmp_path, meta(cwd="/a"), call, item(output("x")), context(cwd="/b"), call, item(output("x")))
    assert [action.cwd for step in agents(made) for action in step.actions] == ["/a", "/b"]


def legacy(*more: dict[str, Any]) -> list[dict[str, Any]]:
    head = {"id": SESSION, "timestamp": "2025-08-01T10:00:00.000Z", "instructions": None, "git": {"branch": "main"}}
    told = message("user", "<environment_context>\n<cwd>/old</cwd>\n</environment_context>")
    return [head, {"record_type": "state"}, told, TASK, *more]


def test_bare_items_before_0_32_are_read(tmp_path: Path) -> None:
    made = read(tmp_path, *legacy(function("shell", {"command": ["ls"]}), {"record_type": "state"}, output("a.py")))
    action = act(made)
    assert (action.command, action.cwd, made.attempt) == ("ls", "/old", SESSION)
    assert made.instruction == "Fix the bug."
    assert made.completeness.grade == "full"
    assert not made.oddities
    (candidate,) = candidates(tmp_path)
    assert candidate.recognised == "id, timestamp and instructions as before 0.32"


def test_lines_that_hold_the_payload_beside_the_type_are_read(tmp_path: Path) -> None:
    flat = [
        {**entry["payload"], "timestamp": entry["timestamp"]}
        for entry in (item(function("shell", {"command": "ls"})), item(output("x")))
    ]
    head = {**meta()["payload"], "type": "session_meta"}
    turn = {**context()["payload"], "type": "turn_context", "timestamp": "2026-01-05T10:00:00.000Z"}
    made = read(tmp_path, head, turn, {**TASK, "timestamp": "2026-01-05T10:00:00.000Z"}, *flat)
    assert (acts(made), made.model, made.instruction) == (["ls"], "gpt-5-codex", "Fix the bug.")


def test_lines_of_the_newest_builds_that_say_nothing_of_the_attempt_are_passed_over(tmp_path: Path) -> None:
    made = session(
        tmp_path,
        line("world_state", {"full": True, "state": {}}),
        line("inter_agent_communication_metadata", {"trigger_turn": False}),
        line("token_usage_record", {"thread_token_usage": {"input_tokens": 7, "output_tokens": 2}}),
        event("task_started", turn_id="t"),
        item({"type": "ghost_snapshot", "ghost_commit": {}}),
        item({"type": "compaction", "encrypted_content": "g"}),
        item(message("assistant", "Done.")),
    )
    assert [step.actor for step in made.steps] == ["user", "agent"]
    assert made.usage.input_tokens == 7
    assert not made.oddities


def test_an_item_of_an_unknown_type_is_named_once(tmp_path: Path) -> None:
    made = session(tmp_path, item({"type": "dream", "x": 1}), item({"type": "dream"}), item(message("assistant", "Done.")))
    assert [oddity.what for oddity in made.oddities] == ["an item of unknown type 'dream'"]
    assert [step.text for step in agents(made)] == ["Done."]


def test_compaction_shows_what_is_kept_as_copied(tmp_path: Path) -> None:
    call, found = function("shell", {"command": "ls"}, "c1"), output("a.py", "c1")
    history = [TASK, call, found, {"type": "compaction", "encrypted_content": "g"}, message("assistant", "Summary.")]
    made = session(
        tmp_path,
        item(call),
        item(found),
        line("compacted", {"message": "All so far.", "replacement_history": history}),
        event("context_compacted"),
        item(function("shell", {"command": "pwd"}, "c2")),
        item(output("/app", "c2")),
    )
    assert acts(made) == ["ls", "pwd"]
    copied = [step for step in made.steps if step.copied]
    assert [step.text for step in copied if step.text] == ["All so far.", "Fix the bug.", "Summary."]
    assert [action.command for step in copied for action in step.actions] == ["ls"]
    assert made.completeness.grade == "full"


def parent(*, second: int) -> list[dict[str, Any]]:
    """The history of another session, as a fork writes it again."""
    made = [meta(id="parent"), context(), item(message("user", "Old task.")), item(function("shell", {"command": "old"}, "p1"))]
    made += [item(output("x", "p1")), item(message("assistant", "Old answer."))]
    return [{**entry, "timestamp": f"2026-01-05T10:00:{second:02}.0{number}0Z"} for number, entry in enumerate(made)]


OWN = [item(TASK, 8), item(function("shell", {"command": "new"}), 9), item(output("y"), 10)]


@pytest.mark.parametrize("head", [{"forked_from_id": "parent"}, {}], ids=["named", "by-its-parents-head"])
def test_what_an_old_fork_wrote_again_at_once_is_copied(tmp_path: Path, head: dict[str, Any]) -> None:
    made = read(tmp_path, meta(**head), *parent(second=0), *OWN)
    assert acts(made) == ["new"]
    assert [step.text for step in made.steps if step.copied and step.text] == ["Old task.", "Old answer."]
    assert made.instruction == "Fix the bug."
    assert made.attempt == SESSION


def test_what_a_fork_copied_is_older_than_the_session(tmp_path: Path) -> None:
    old = [{**entry, "timestamp": f"2026-01-04T10:0{number}:00.000Z"} for number, entry in enumerate(parent(second=0))]
    made = read(tmp_path, meta(forked_from_id="parent"), *old, *OWN)
    assert acts(made) == ["new"]
    assert made.instruction == "Fix the bug."


def test_ordinals_tell_what_a_subagent_was_given(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "parent", "agent_path": "/root/tester"}}}
    listed = [meta(source=source, agent_path="/root/tester", subagent_history_start_ordinal=7), *parent(second=0), *OWN]
    made = read(tmp_path, *({**entry, "ordinal": number} for number, entry in enumerate(listed)))
    assert acts(made) == ["new"]
    assert {step.subagent for step in agents(made)} == {"/root/tester"}


def test_the_tokens_of_the_parent_are_not_the_forks(tmp_path: Path) -> None:
    count = event("token_count", info={"total_token_usage": {"input_tokens": 5_000, "output_tokens": 1}})
    copied = {**count, "timestamp": "2026-01-05T10:00:00.060Z"}
    made = read(tmp_path, meta(forked_from_id="parent"), *parent(second=0), copied, *OWN)
    assert made.usage.input_tokens is None


def test_an_own_session_at_full_speed_is_not_copied(tmp_path: Path) -> None:
    made = read(tmp_path, meta(), *({**entry, "timestamp": "2026-01-05T10:00:00.010Z"} for entry in OWN))
    assert acts(made) == ["new"]


def test_a_resumed_session_that_writes_its_items_again_counts_them_once(tmp_path: Path) -> None:
    first = [item(TASK), item(function("shell", {"command": "a"}, "c1")), item(output("x", "c1"))]
    more = [item(message("user", "And b.")), item(function("shell", {"command": "b"}, "c2")), item(output("y", "c2"))]
    made = read(tmp_path, meta(), *first, meta(), *first, *more)
    assert acts(made) == ["a", "b"]
    assert made.instruction == "Fix the bug."


def test_a_resumed_session_that_goes_on_counts_all(tmp_path: Path) -> None:
    first = [item(TASK), item(function("shell", {"command": "a"}, "c1")), item(output("x", "c1"))]
    more = [item(message("user", "Again.")), item(function("shell", {"command": "a"}, "c2")), item(output("x", "c2"))]
    assert acts(read(tmp_path, meta(), *first, meta(), *more)) == ["a", "a"]


def test_a_file_that_continues_another_one_says_what_is_missing(tmp_path: Path) -> None:
    made = session(tmp_path, item(message("assistant", "Hi.")), history_base={"thread_id": "p", "end_ordinal_exclusive": 4})
    assert "another session" in made.completeness.reasons[-1].what


def test_words_between_agents_have_their_speaker(tmp_path: Path) -> None:
    report = {"author": "/root/tester", "recipient": "/root", "content": "All pass.", "trigger_turn": False}
    delivered = {"type": "agent_message", "author": "/root/tester", "recipient": "/root"}
    made = session(
        tmp_path,
        item(function("spawn_agent", {"message": "Test it."})),
        item(output('{"agent_id":"x"}')),
        line("inter_agent_communication", report),
        item({**delivered, "content": [{"type": "input_text", "text": "All pass."}]}),
        item(message("assistant", "Done.")),
    )
    assert [(step.actor, step.subagent, step.text) for step in made.steps[-2:]] == [
        ("subagent", "/root/tester", "All pass."),
        ("agent", "", "Done."),
    ]


def test_a_subagents_own_file_is_its_session_and_its_parents_word_the_task(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "p", "agent_path": "/root/tester"}}}
    told = line("inter_agent_communication", {"author": "/root", "recipient": "/root/tester", "content": "Test it."})
    made = read(tmp_path, meta(source=source, agent_path="/root/tester"), context(), told, *OWN[1:])
    assert made.instruction == "Test it."
    assert [(step.actor, step.subagent) for step in agents(made)] == [("subagent", "/root/tester")]


def test_a_program_of_code_mode_with_one_literal_command_is_that_command(tmp_path: Path) -> None:
    script = 'const r = await tools.exec_command({cmd: "git log --all", workdir: "/w"}); text(r.output);'
    parts = [{"type": "input_text", "text": "Script completed\nOutput:\n"}, {"type": "input_text", "text": "abc Fix"}]
    made = session(tmp_path, *custom("exec", script), custom_output(parts))
    action = act(made)
    assert (action.kind, action.command, action.cwd, action.arguments) == ("shell", "git log --all", "/w", script)
    assert result(made).action == 0


def test_a_program_with_several_commands_shows_each_and_itself(tmp_path: Path) -> None:
    both = "tools.exec_command({cmd: 'a'}), tools.exec_command({'cmd': `b`})"
    script = f"await Promise.all([{both}]); await tools.apply_patch({json.dumps(PATCH)})"
    made = session(tmp_path, *custom("exec", script), custom_output("done"))
    (step,) = agents(made)
    assert [(action.kind, action.command) for action in step.actions] == [
        ("code", script),
        ("shell", "a"),
        ("shell", "b"),
        ("edit", ""),
    ]
    assert step.observations[0].action == -1
    assert made.completeness.grade == "full"
    assert [file.text for file in made.submission.files] == ["x = 1\n"]


@pytest.mark.parametrize(
    "script", ["for (const f of fs) await tools.exec_command({cmd: `cat ${f}`})", "text(1 + 1)", "tools.exec_command({cmd})"]
)
def test_a_program_that_puts_its_commands_together_is_a_program(tmp_path: Path, script: str) -> None:
    action = act(session(tmp_path, *custom("exec", script), custom_output("done")))
    assert (action.kind, action.language, action.command) == ("code", "javascript", script)


def test_what_a_program_really_ran_is_taken_where_it_is_recorded(tmp_path: Path) -> None:
    ran = {"type": "CommandExecution", "id": "e1", "command": ["bash", "-lc", "cat a.py"], "cwd": "/app", "exit_code": 0}
    changed = {
        "type": "FileChange",
        "id": "e2",
        "changes": {"/app/a.py": {"type": "add", "content": "x = 1\n"}},
        "status": "completed",
    }
    searched = {"type": "Extension", "kind": "web.search", "id": "e3", "query": "q", "results": [{"text": "found"}]}
    made = session(
        tmp_path,
        *custom("exec", "for (const f of fs) await tools.exec_command({cmd: 'cat ' + f})"),
        event("item_completed", item={**ran, "aggregated_output": "x = 1"}),
        event("item_completed", item=changed),
        event("item_completed", item=searched),
        event("item_completed", item={"type": "AgentMessage", "id": "m", "content": []}),
        custom_output("done"),
    )
    (step,) = agents(made)
    assert [action.kind for action in step.actions] == ["code", "shell", "edit", "search"]
    assert {found.action: found.text for found in step.observations} == {0: "done", 1: "x = 1", 2: "", 3: "found"}
    assert [file.text for file in made.submission.files] == ["x = 1\n"]


def test_an_item_of_a_turn_that_repeats_a_call_gives_only_its_exit_code(tmp_path: Path) -> None:
    ran = {"type": "CommandExecution", "id": "c1", "command": ["ls"], "aggregated_output": "x", "exit_code": 5}
    made = session(
        tmp_path, item(function("exec_command", {"cmd": "ls"})), item(output("x")), event("item_completed", item=ran)
    )
    assert acts(made) == ["ls"]
    assert result(made).exit_code == 5


def test_a_web_search_that_an_item_and_an_event_tell_is_one(tmp_path: Path) -> None:
    searched = {"type": "WebSearch", "id": "ws_1", "query": "q", "action": {"type": "search", "query": "q"}}
    call = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}}
    for listed in ([event("item_completed", item=searched), item(call)], [item(call), event("item_completed", item=searched)]):
        assert acts(session(tmp_path, *listed)) == ["q"]


def test_a_rollout_of_events_alone_is_read_by_them(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        meta(),
        context(),
        event("user_message", message="Fix the bug."),
        event("agent_reasoning", text="I look."),
        event(
            "exec_command_end", call_id="c1", command=["bash", "-lc", "ls"], cwd="/app", aggregated_output="a.py", exit_code=0
        ),
        event("agent_message", message="Done."),
    )
    assert made.instruction == "Fix the bug."
    assert acts(made) == ["ls"]
    assert [(step.text, step.reasoning) for step in agents(made)] == [("", "I look."), ("Done.", "")]
    assert result(made).text == "a.py"


def test_a_file_cut_in_its_last_line_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "a.jsonl", [meta(), item(TASK), item(function("shell", {"command": "ls"})), item(output("x"))]
    )
    path.write_bytes(path.read_bytes()[:-20])
    made = only(path)
    assert acts(made) == ["ls"]
    assert made.completeness.reasons[0].what == "the file ends within a line"


def test_a_damaged_line_is_a_gap_and_costs_no_other(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [meta(), item(TASK), *OWN[1:]])
    path.write_text(path.read_text().replace('"role": "user"', '"role": "user', 1))
    made = only(path)
    assert acts(made) == ["new"]
    assert any(reason.what == "a line cannot be read, from line 2 on" for reason in made.completeness.reasons)


def test_wrong_types_are_read_leniently(tmp_path: Path) -> None:
    made = session(
        tmp_path,
        item({"type": "function_call", "name": 3, "arguments": {"command": "ls"}, "call_id": "c1"}),
        {**item(output("x")), "timestamp": 5},
        item({"type": "message", "role": "assistant", "content": "plain"}),
        item({"type": 7}),
        {"type": "response_item", "payload": None},
        {"type": "response_item", "payload": [1]},
    )
    assert [step.text for step in agents(made)][-1] == "plain"
    assert result(made).text == "x"


def test_nothing_that_is_a_session_is_unreadable(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.jsonl", '{"type": "session_meta", "payload": {"id": "x"}}\n')
    broken = path.read_text()[:-8]
    path.write_text(broken)
    (found,) = rows(path)
    assert isinstance(found, Skip)
    assert found.offset is not None


def test_many_results_that_come_late_are_all_found(tmp_path: Path) -> None:
    count = 5_000
    calls = [item(function("shell", {"command": "x"}, f"c{number}")) for number in range(count)]
    late = [item(output("y", f"c{number}")) for number in range(count)]
    made = session(tmp_path, *calls, item(message("assistant", "Hm.")), *late)
    assert len(agents(made)[0].observations) == count


def test_the_steps_of_a_log_within_another_record_are_appended(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "rollout.jsonl", rendered(Attempt(turns=(Turn("a", (Call("bash", command="ls", result="x"),)),)))
    )
    candidate = Candidate(path=str(tmp_path), format="harbor", files=(str(path),))
    steps = Steps()
    steps.append(Step(index=0, actor="user", text="before"))
    log = load_format("codex").read_log
    assert log is not None
    account = log(Reading(candidate), str(path), steps)
    assert [step.index for step in steps.steps] == list(range(len(steps.steps)))
    assert steps.steps[-1].source == "rollout.jsonl#line 6"
    assert (account.harness, account.model) == ("codex", "model-a")


def test_reports_beside_a_session_are_its_outcome(tmp_path: Path) -> None:
    write_lines(tmp_path / "django-1.jsonl", [meta(), item(TASK), *OWN[1:]])
    write_json(tmp_path / "outcomes.json", {"django-1": True, "django-2": False})
    (made,) = [row for row in rows(tmp_path) if isinstance(row, Trajectory)]
    assert made.outcome.status == "passed"
    assert made.outcome.source.endswith("outcomes.json#/django-1")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}\n{"type":"reasoning"}\n', "codex"),
        ('{"type":"turn_context","payload":{"cwd":"/x"}}\n', "codex"),
        ('{"type":"event_msg","payload":{"type":"user_message","message":"x"}}\n', "codex"),
        ('{"type":"user","message":{"role":"user"},"sessionId":"x","uuid":"y"}\n', ""),
        ('{"id":"x","timestamp":"y","instructions":"z","model":"m"}\n', ""),
        ('{"type":"response_item"}\n', ""),
        ('[{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}]', ""),
    ],
)
def test_a_session_is_told_by_its_content(tmp_path: Path, text: str, name: str) -> None:
    found = candidates(write_text(tmp_path / "a.jsonl", text))
    assert [item.format for item in found if item.format.startswith("codex")] == ([name] if name else [])


def test_shells_of_the_helpers_are_what_a_rollout_holds(tmp_path: Path) -> None:
    call = Call("bash", command="ls -a", result="x")
    made = session(tmp_path, item(shell_call(call, "c9")), item(shell_output("c9", "x", 2)))
    assert (acts(made), result(made).exit_code) == (["ls -a"], 2)
