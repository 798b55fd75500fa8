from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_attempt import Attempt, Call, Turn
from made_files import PATCH, TASK, only, rows, write_json, write_text
from render_openhands_v1 import conversation, event_id, events, render, row, text

from earned.records import Action, Skip, Step, Trajectory

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "trajectories" / "openhands"
ATTEMPT = Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result="a.py"),)),), task="org__repo-1", patch=PATCH)


def act(tool: str, action: dict[str, Any] | None, number: int = 1, **more: Any) -> dict[str, Any]:
    """A call."""
    made = {"kind": "ActionEvent", "id": event_id(number), "timestamp": f"2026-01-05T10:00:{number:02}", "source": "agent"}
    return {**made, "thought": [], "action": action, "tool_name": tool, "tool_call_id": f"c{number}", **more}


def see(call: int, number: int = 2, **observation: Any) -> dict[str, Any]:
    """The result of a call."""
    named = {"action_id": event_id(call), "tool_call_id": f"c{call}", "tool_name": "x"}
    made = {"kind": "ObservationEvent", "id": event_id(number), "source": "environment", "observation": observation, **named}
    return {**made, "timestamp": f"2026-01-05T10:00:{number:02}"}


def other(kind: str, number: int = 9, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "id": event_id(number), "source": "environment", "timestamp": f"2026-01-05T10:00:{number:02}", **more}


def terminal(command: str) -> dict[str, Any]:
    return {"kind": "TerminalAction", "command": command, "is_input": False, "timeout": None, "reset": False}


def of(*made: dict[str, Any], folder: Path) -> Trajectory:
    """The trajectory of a list of events."""
    return only(write_json(folder / "events.json", list(made)))


def own(made: Trajectory) -> list[Step]:
    return [step for step in made.steps if step.actor in {"agent", "subagent"} and not step.copied]


def action(made: Trajectory) -> Action:
    return own(made)[0].actions[0]


def test_a_row_gives_task_model_steps_usage_patch_and_the_outcome_of_the_report(tmp_path: Path) -> None:
    made = only(render(ATTEMPT, tmp_path))
    assert (made.task, made.model, made.harness, made.instruction) == ("org__repo-1", "model-a", "OpenHands", TASK)
    assert (made.submission.patch, made.usage.cost_usd, made.usage.input_tokens) == (PATCH, 0.25, 1200)
    assert (made.outcome.status, made.completeness.grade) == ("passed", "full")
    assert [step.actor for step in made.steps] == ["harness", "user", "agent", "agent"]
    assert made.steps[2].source == "output.jsonl#line 1/history/2"


def test_a_conversation_gives_model_usage_and_steps(tmp_path: Path) -> None:
    made = only(conversation(tmp_path, events(ATTEMPT), name="conv-1"))
    assert (made.attempt, made.model, made.usage.input_tokens, made.usage.cost_usd) == ("conv-1", "model-a", 10, 0.5)
    assert made.steps[2].source == f"events/event-00002-{event_id(2)}.json#"
    assert (made.instruction, made.completeness.grade) == (TASK, "full")


def test_an_outcome_beside_a_conversation_is_joined_by_its_name(tmp_path: Path) -> None:
    home = conversation(tmp_path, events(ATTEMPT), name="conv-1")
    write_json(tmp_path / "outcomes.json", {"conv-1": True, "conv-2": False})
    assert only(home).outcome.status == "passed"


def test_events_are_read_by_number_and_gaps_are_said(tmp_path: Path) -> None:
    home = conversation(tmp_path, [])
    for number in range(98, 103):
        name = f"event-{number:05}-{event_id(number)}.json"
        write_json(home / "events" / name, act("terminal", terminal(f"c{number}"), number))
    write_json(home / "events" / f"event-100003-{event_id(3)}.json", act("terminal", terminal("last"), 3))
    made = only(home)
    assert [step.actions[0].command for step in own(made)] == ["c98", "c99", "c100", "c101", "c102", "last"]
    said = [reason.what for reason in made.completeness.reasons]
    assert "events 0 to 97 are not among the files" in said
    assert "events 103 to 100002 are not among the files" in said


def test_the_state_alone_shows_nothing(tmp_path: Path) -> None:
    home = conversation(tmp_path, [])
    for place in (home, home / "base_state.json"):
        made = only(place)
        assert (made.completeness.grade, made.model) == ("none", "model-a")
    assert "only base_state.json was named" in made.completeness.reasons[-1].what


def test_a_broken_state_costs_no_event(tmp_path: Path) -> None:
    home = conversation(tmp_path, events(ATTEMPT))
    state = home / "base_state.json"
    write_text(state, state.read_text(encoding="utf-8")[:-30])
    made = only(home)
    assert made.completeness.grade == "full"
    assert "base_state.json cannot be read" in made.oddities[0].what


def test_results_are_joined_by_action_and_by_call_in_any_order(tmp_path: Path) -> None:
    late = see(1, 3, content=[text("one")], exit_code=2)
    by_call = {**see(2, 4, content=[text("two")]), "action_id": None}
    made = of(late, act("terminal", terminal("a"), 1), act("terminal", terminal("b"), 2), by_call, folder=tmp_path)
    assert [(step.observations[0].text, step.observations[0].exit_code) for step in own(made)] == [("one", 2), ("two", None)]
    assert made.completeness.grade == "full"


def test_a_result_without_its_call_makes_the_trace_partial(tmp_path: Path) -> None:
    made = of(act("terminal", terminal("a"), 1), see(1, 2, content=[]), see(7, 8, content=[text("lost")]), folder=tmp_path)
    assert made.steps[-1].observations[0].text == "lost"
    assert "not in the record" in made.completeness.reasons[0].what


def test_calls_of_one_answer_are_one_step(tmp_path: Path) -> None:
    calls = (Call("bash", command="a", result="1"), Call("bash", command="b", result="2"))
    (step, _finish) = own(only(render(Attempt(turns=(Turn("Both.", calls),)), tmp_path)))
    assert [part.command for part in step.actions] == ["a", "b"]
    assert [(seen.action, seen.text) for seen in step.observations] == [(0, "1"), (1, "2")]


@pytest.mark.parametrize(
    ("tool", "given", "kind", "shown"),
    [
        ("terminal", terminal("ls"), "shell", "ls"),
        ("execute_bash", {"kind": "ExecuteBashAction", "command": "ls"}, "shell", "ls"),
        ("apply_patch", {"kind": "ApplyPatchAction", "patch": "*** Begin Patch\n*** Add File: a\n+x\n"}, "edit", "x"),
        ("write_file", {"kind": "WriteFileAction", "file_path": "/a", "content": "x"}, "write", "x"),
        ("edit", {"kind": "EditAction", "file_path": "/a", "old_string": "a", "new_string": "b"}, "edit", "b"),
        ("planning_file_editor", {"command": "create", "path": "/PLAN.md", "file_text": "x"}, "write", "x"),
        ("browser_navigate", {"kind": "BrowserNavigateAction", "url": "https://x.example"}, "fetch", "https://x.example"),
        ("grep", {"kind": "GrepAction", "pattern": "abc", "path": "/src"}, "search", "abc"),
        ("think", {"kind": "ThinkAction", "thought": "Well."}, "message", "Well."),
        ("task_tracker", {"kind": "TaskTrackerAction", "command": "view", "task_list": []}, "message", "view"),
        ("finish", {"kind": "FinishAction", "message": "Done."}, "submit", "Done."),
        ("fetch", {"kind": "MCPToolAction", "data": {"url": "https://y.example"}}, "fetch", "https://y.example"),
    ],
)
def test_every_tool_is_of_its_kind(tool: str, given: dict[str, Any], kind: str, shown: str, tmp_path: Path) -> None:
    made = action(of(act(tool, given), see(1, content=[text("ok")]), folder=tmp_path))
    assert made.kind == kind
    assert shown in made.text


def test_an_insert_keeps_its_line_and_a_view_is_a_read(tmp_path: Path) -> None:
    insert = {
        "kind": "FileEditorAction",
        "command": "insert",
        "path": "/a",
        "new_str": "x",
        "insert_line": 4,
        "file_text": None,
    }
    assert action(of(act("file_editor", insert), see(1, content=[]), folder=tmp_path)).edits[0].line == 4
    view = {"kind": "FileEditorAction", "command": "view", "path": "/a"}
    assert action(of(act("file_editor", view), see(1, content=[]), folder=tmp_path / "b")).kind == "read"


def test_a_call_that_fits_no_tool_is_taken_from_what_the_model_wrote(tmp_path: Path) -> None:
    call = {"id": "c1", "name": "terminal", "arguments": '{"command": "ls", "security_risk": "LOW"}'}
    error = other("AgentErrorEvent", 2, tool_call_id="c1", tool_name="terminal", error="Error validating tool 'terminal'")
    made = of(act("terminal", None, tool_call=call), error, folder=tmp_path)
    assert action(made).command == "ls"
    assert own(made)[0].observations[0].text.startswith("Error validating")


def test_a_kind_that_is_no_text_is_not_looked_up(tmp_path: Path) -> None:
    made = of(act("terminal", {"kind": ["x"], "command": "ls"}), see(1, content=[]), folder=tmp_path)
    assert action(made).command == "ls"


def test_a_rejected_call_is_answered_in_the_words_that_the_agent_is_told(tmp_path: Path) -> None:
    named = {"action_id": event_id(1), "tool_call_id": "c1", "tool_name": "file_editor", "rejection_reason": "Not now."}
    create = {"command": "create", "path": "/a", "file_text": "x"}
    made = of(act("file_editor", create), other("UserRejectObservation", 2, **named), folder=tmp_path)
    assert own(made)[0].observations[0].text == "Action rejected: Not now."
    assert made.submission.recovered == "none"


def test_a_failed_observation_is_shown_as_the_agent_sees_it_and_changes_nothing(tmp_path: Path) -> None:
    create = {"command": "create", "path": "/a", "file_text": "x"}
    made = of(act("file_editor", create), see(1, content=[text("File exists.")], is_error=True), folder=tmp_path)
    assert own(made)[0].observations[0].text == "[An error occurred during execution.]\nFile exists."
    assert made.submission.recovered == "none"
    done = of(act("file_editor", create), see(1, content=[text("Created.")], is_error=False), folder=tmp_path / "b")
    assert done.submission.files[0].text == "x"


@pytest.mark.parametrize("name", ["content", "output", "message", "error"])
def test_older_tools_keep_their_text_elsewhere(name: str, tmp_path: Path) -> None:
    made = of(act("terminal", terminal("ls")), {**see(1), "observation": {name: "text"}}, folder=tmp_path)
    assert own(made)[0].observations[0].text == "text"


def test_exit_code_folder_and_cuts_of_a_terminal(tmp_path: Path) -> None:
    first = see(1, 2, content=[text("a")], exit_code=None, metadata={"exit_code": 3, "working_dir": "/w", "prefix": ""})
    clipped = [text("a<response clipped><NOTE>b")]
    second = see(3, 4, content=clipped, exit_code=-1, metadata={"exit_code": -1, "working_dir": None})
    made = of(act("terminal", terminal("a"), 1), first, act("terminal", terminal("b"), 3), second, folder=tmp_path)
    assert own(made)[0].observations[0].exit_code == 3
    assert own(made)[1].actions[0].cwd == "/w"
    assert (own(made)[1].observations[0].exit_code, own(made)[1].observations[0].truncated) == (None, True)


def test_pictures_are_named(tmp_path: Path) -> None:
    picture = {"type": "image", "image_urls": ["data:"]}
    made = of(act("browser_navigate", {"url": "u"}), see(1, content=[text("a"), picture]), folder=tmp_path)
    assert own(made)[0].observations[0].text == "a\n[image]"


@pytest.mark.parametrize(
    "more",
    [
        {"reasoning_content": "Hm."},
        {"thinking_blocks": [{"type": "thinking", "thinking": "Hm."}, {"type": "redacted_thinking", "data": "x"}]},
        {"responses_reasoning_item": {"summary": ["Hm."], "content": None}},
    ],
)
def test_what_the_model_thought_is_its_reasoning(more: dict[str, Any], tmp_path: Path) -> None:
    assert own(of(act("terminal", terminal("ls"), **more), see(1, content=[]), folder=tmp_path))[0].reasoning == "Hm."


def test_what_the_harness_puts_into_the_context_is_its_own(tmp_path: Path) -> None:
    message = {"role": "user", "content": [text("Do it.")]}
    made = of(
        other("SystemPromptEvent", 0, system_prompt=text("You are."), dynamic_context=text("Here."), tools=[]),
        other("MessageEvent", 1, source="user", llm_message=message, extended_content=[text("A skill.")]),
        act("terminal", terminal("ls"), 2),
        {**see(2, 3, content=[]), "extended_content": [text("A rule.")]},
        other("HookExecutionEvent", 4, stdout="From a hook.", hook_command="x", additional_context=None),
        other("Condensation", 5, summary="So far.", forgotten_event_ids=[]),
        other("MessageEvent", 6, llm_message={"role": "user", "content": "Nudge."}),
        folder=tmp_path,
    )
    assert [(step.actor, step.text, step.copied) for step in made.steps if not step.actions] == [
        ("harness", "You are.\nHere.", False),
        ("user", "Do it.", False),
        ("harness", "A skill.", False),
        ("harness", "A rule.", False),
        ("harness", "From a hook.", False),
        ("harness", "So far.", True),
        ("harness", "Nudge.", False),
    ]


def test_a_conversation_that_broke_off_says_so(tmp_path: Path) -> None:
    made = of(act("terminal", terminal("ls")), other("ConversationErrorEvent", code="LLMError", detail="no"), folder=tmp_path)
    assert (made.steps[-1].actor, made.steps[-1].text) == ("environment", "LLMError: no")


def test_events_that_say_nothing_are_left_out_and_unknown_ones_named(tmp_path: Path) -> None:
    silent = [other(kind) for kind in ("ConversationStateUpdateEvent", "PauseEvent", "TokenEvent", "CondensationRequest")]
    made = of(act("terminal", terminal("ls")), see(1, content=[]), *silent, other("NewEvent"), folder=tmp_path)
    assert len(made.steps) == 1
    assert [oddity.what for oddity in made.oddities] == ["an event of the kind NewEvent"]


def test_a_conversation_named_as_the_current_folder_has_its_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = conversation(tmp_path, events(ATTEMPT), model="model-x")
    monkeypatch.chdir(home)
    assert only(Path()).model == "model-x"


def test_subagents_of_a_conversation_are_attributed_where_they_began(tmp_path: Path) -> None:
    task = {"kind": "TaskAction", "prompt": "Look.", "subagent_type": "bash-runner"}
    home = conversation(
        tmp_path, [act("task", task, 0), see(0, 9, content=[text("Found.")]), act("terminal", terminal("x"), 20)]
    )
    told = other("MessageEvent", 1, source="user", llm_message={"role": "user", "content": "Look."})
    conversation(home / "subagents", [told, act("terminal", terminal("ls"), 2), see(2, 3, content=[])], name="sub-1")
    made = only(home)
    assert [(step.actor, step.subagent, step.copied) for step in made.steps] == [
        ("agent", "", False),
        ("subagent", "sub-1", True),
        ("subagent", "sub-1", False),
        ("agent", "", False),
    ]
    assert made.steps[0].observations[0].text == "Found."
    assert made.steps[2].source.startswith("subagents/sub-1/events/event-00001-")
    assert [reason.what for reason in made.completeness.reasons] == ["the call of terminal has no result"]


def test_a_subagent_that_left_no_events_is_missed(tmp_path: Path) -> None:
    spawn = {"kind": "DelegateAction", "command": "spawn", "ids": ["a"]}
    tasks = {"kind": "DelegateAction", "command": "delegate", "tasks": {"a": "Look."}}
    made = of(
        act("delegate", spawn, 1), see(1, 2, content=[]), act("delegate", tasks, 3), see(3, 4, content=[]), folder=tmp_path
    )
    assert [(reason.step, "subagent" in reason.what) for reason in made.completeness.reasons] == [(1, True)]


def test_the_calls_of_another_agents_server_count_once_with_their_last_word(tmp_path: Path) -> None:
    run = {
        "tool_call_id": "t1",
        "title": "ls -la",
        "tool_kind": "execute",
        "raw_input": {"command": "ls -la"},
        "source": "agent",
    }
    diff = {"type": "diff", "path": "/a.py", "old_text": "a", "new_text": "b"}
    edit = {"tool_call_id": "t2", "title": "Edit /a.py", "tool_kind": "edit", "content": [diff], "source": "agent"}
    made = of(
        other("ACPToolCallEvent", 1, status="pending", **run),
        other("ACPToolCallEvent", 2, status="completed", raw_output="total 0", **run),
        other("ACPToolCallEvent", 3, status="completed", **edit),
        folder=tmp_path,
    )
    first, second = own(made)
    assert (first.actions[0].command, first.observations[0].text) == ("ls -la", "total 0")
    change = second.actions[0].edits[0]
    assert (change.path, change.old, change.new, change.operation) == ("/a.py", "a", "b", "replace")
    assert made.completeness.grade == "full"


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        ("edit", {"file_path": "/a", "old_string": "a", "new_string": "b"}, "edit"),
        ("edit", {"file_path": "/a", "content": "x"}, "write"),
        ("read", {"file_path": "/a"}, "read"),
        ("fetch", {"url": "https://x.example"}, "fetch"),
        ("search", {"pattern": "x"}, "search"),
        (None, {"a": 1}, "other"),
    ],
)
def test_calls_of_another_agents_server_are_of_their_kind(
    kind: str | None, given: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    told = other("ACPToolCallEvent", 1, status="completed", title="t", tool_kind=kind, raw_input=given, source="agent")
    assert action(of(told, folder=tmp_path)).kind == expected


def test_a_log_of_events_is_read_with_its_noise_counted(tmp_path: Path) -> None:
    made = only(write_text(tmp_path / "log.jsonl", "\n".join([*(json.dumps(event) for event in events(ATTEMPT)), "--- done"])))
    assert own(made)[0].source == "log.jsonl#line 3"
    assert "1 lines are no events" in made.oddities[0].what


def test_a_list_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    made = only(write_text(tmp_path / "a.json", json.dumps(events(ATTEMPT))[:-40]))
    assert own(made)[0].actions[0].command == "ls"
    assert "the file ends within an event" in [reason.what for reason in made.completeness.reasons]


def test_an_error_row_has_no_history(tmp_path: Path) -> None:
    value = {**row(ATTEMPT), "history": [], "error": "Instance failed after 3 retries.", "test_result": {}}
    made = only(write_text(tmp_path / "output_errors.jsonl", json.dumps(value) + "\n"))
    assert (made.source.format, made.completeness.grade, made.outcome.status) == ("openhands-v1", "none", "unknown")


def test_a_folder_of_something_else_is_no_conversation(tmp_path: Path) -> None:
    write_json(tmp_path / "base_state.json", {"id": 1, "lights": []})
    write_json(tmp_path / "events" / "event-00000-aaaaaaaa.json", {"kind": "Party", "when": "soon"})
    assert all(isinstance(item, Skip) for item in rows(tmp_path))


def test_the_public_state_shows_nothing_but_the_model() -> None:
    path = SHARED / "v1-conversation"
    if not path.is_dir():
        pytest.skip("the public files are not beside the repository")
    made = only(path)
    assert (made.source.format, made.model, made.completeness.grade) == ("openhands-v1", "gpt-4o-mini", "none")
