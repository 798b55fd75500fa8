from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_attempt import Attempt, Call, Turn
from made_files import PATCH, TASK, only, write_json
from render_openhands import render

from earned.records import Action, Step, Trajectory

ATTEMPT = Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result="a.py"),)),), task="org__repo-1", patch=PATCH)


def act(name: str, number: int = 1, /, *, source: str | None = "agent", call_id: str = "", **args: Any) -> dict[str, Any]:
    """An action."""
    told = {"tool_call_metadata": {"function_name": name, "tool_call_id": call_id}} if call_id else {}
    from_whom = {"source": source} if source else {}
    return {"id": number, "timestamp": f"2025-01-01T00:00:{number:02}", **from_whom, "action": name, "args": args, **told}


def see(name: str, cause: int | None, content: str, number: int = 2, **extras: Any) -> dict[str, Any]:
    """An observation."""
    made = {"id": number, "source": "environment", "observation": name, "content": content, "extras": extras}
    return made if cause is None else {**made, "cause": cause}


def of(*made: dict[str, Any], folder: Path) -> Trajectory:
    """The trajectory of a list of events."""
    return only(write_json(folder / "sid.json", list(made)))


def own(made: Trajectory) -> list[Step]:
    return [step for step in made.steps if step.actor in {"agent", "subagent"} and not step.copied]


def action(made: Trajectory) -> Action:
    return own(made)[0].actions[0]


def test_a_row_gives_task_model_benchmark_steps_usage_and_the_recorded_patch(tmp_path: Path) -> None:
    made = only(render(ATTEMPT, tmp_path))
    assert (made.task, made.attempt, made.source.member) == ("org__repo-1",) * 3
    assert (made.model, made.benchmark, made.harness, made.cohort.harness_version) == ("model-a", "demo", "OpenHands", "0.62.0")
    assert made.instruction == TASK
    assert (made.submission.patch, made.submission.certainty) == (PATCH, "certain")
    assert (made.usage.input_tokens, made.usage.output_tokens, made.usage.cost_usd) == (1200, 34, 0.25)
    assert [step.actor for step in made.steps] == ["harness", "user", "agent", "agent"]
    assert made.steps[2].source == "output.jsonl#line 1/history/4"
    assert made.cohort.started.startswith("2025-04-30")
    assert made.completeness.grade == "full"


def test_results_are_joined_by_cause_in_any_order_and_with_gaps_in_the_numbers(tmp_path: Path) -> None:
    made = of(
        {"id": 0, "source": "user", "action": "message", "args": {"content": "Fix it."}},
        see("run", 24, "late call", number=25, metadata={"exit_code": 3}),
        act("run", 10, command="first"),
        act("run", 24, command="second"),
        see("run", 10, "one", number=17, metadata={"exit_code": 0, "working_dir": "/w"}),
        folder=tmp_path,
    )
    first, second = own(made)
    assert (first.observations[0].text, first.observations[0].exit_code) == ("one", 0)
    assert (second.observations[0].text, second.observations[0].exit_code) == ("late call", 3)
    assert len(made.steps) == 3
    assert made.completeness.grade == "full"


def test_a_result_without_cause_is_joined_by_the_id_of_the_call(tmp_path: Path) -> None:
    seen = {**see("run", None, "out"), "tool_call_metadata": {"tool_call_id": "c1"}}
    made = of(act("run", call_id="c1", command="ls"), seen, folder=tmp_path)
    assert own(made)[0].observations[0].text == "out"


def test_a_result_whose_action_is_missing_is_shown_and_makes_the_trace_partial(tmp_path: Path) -> None:
    made = of(act("run", command="ls"), see("run", 1, "x"), see("run", 77, "of a lost call", number=78), folder=tmp_path)
    assert made.steps[-1].actor == "environment"
    assert made.steps[-1].observations[0].text == "of a lost call"
    assert (made.completeness.grade, made.completeness.reasons[0].step) == ("partial", 1)
    assert "not in the record" in made.completeness.reasons[0].what


def test_calls_of_one_answer_of_the_model_are_one_step(tmp_path: Path) -> None:
    calls = (Call("bash", command="a", result="1"), Call("bash", command="b", result="2"))
    (step, _finish) = own(only(render(Attempt(turns=(Turn("Both.", calls),)), tmp_path)))
    assert [part.command for part in step.actions] == ["a", "b"]
    assert [(seen.action, seen.text) for seen in step.observations] == [(0, "1"), (1, "2")]
    assert step.text == "Both."


def test_what_the_model_thought_is_its_reasoning(tmp_path: Path) -> None:
    call = act("run", call_id="c", command="ls")
    call["tool_call_metadata"]["model_response"] = {"model": "m", "choices": [{"message": {"reasoning_content": "Hm."}}]}
    made = of(call, see("run", 1, ""), folder=tmp_path)
    assert (own(made)[0].reasoning, made.model) == ("Hm.", "m")


@pytest.mark.parametrize(
    ("name", "args", "kind", "shown"),
    [
        ("run_ipython", {"code": "print(1)"}, "code", "print(1)"),
        ("browse", {"url": "https://x.example/a"}, "fetch", "https://x.example/a"),
        ("browse_interactive", {"browser_actions": "goto('https://x.example')"}, "fetch", "https://x.example"),
        ("browse_interactive", {"browser_actions": "click('a')"}, "other", "click"),
        ("call_tool_mcp", {"name": "fetch", "arguments": {"url": "https://y.example"}}, "fetch", "https://y.example"),
        ("call_tool_mcp", {"name": "lookup", "arguments": {"q": 1}}, "other", '{"q":1}'),
        ("think", {"thought": "Well."}, "message", "Well."),
        ("task_tracking", {"command": "plan", "task_list": [{"title": "x"}]}, "message", "plan"),
        ("finish", {"final_thought": "Done."}, "submit", "Done."),
        ("reject", {"outputs": {"reason": "no"}}, "submit", "no"),
        ("read", {"path": "/a.py", "start": 0, "end": -1}, "read", '{"path":"/a.py"}'),
        ("something_new", {"path": "/a.py"}, "other", "/a.py"),
    ],
)
def test_every_action_is_of_its_kind(name: str, args: dict[str, Any], kind: str, shown: str, tmp_path: Path) -> None:
    made = action(of(act(name, **args), see(name, 1, "ok"), folder=tmp_path))
    assert made.kind == kind
    assert shown in made.text


@pytest.mark.parametrize(
    ("args", "operation", "old", "new"),
    [
        ({"command": "create", "file_text": "x"}, "write", "", "x"),
        ({"command": "str_replace", "old_str": "a", "new_str": "b"}, "replace", "a", "b"),
        ({"command": "insert", "new_str": "b", "insert_line": 3}, "insert", "", "b"),
        ({"command": "write", "content": "whole"}, "write", "", "whole"),
        ({"command": "", "content": "draft", "start": 2, "end": 9}, "replace", "", "draft"),
        ({"content": "more", "start": -1}, "append", "", "more"),
    ],
)
def test_edits_by_sub_command_and_drafts(args: dict[str, Any], operation: str, old: str, new: str, tmp_path: Path) -> None:
    (edit,) = action(of(act("edit", path="/a.py", **args), see("edit", 1, "ok"), folder=tmp_path)).edits
    assert (edit.path, edit.operation, edit.old, edit.new) == ("/a.py", operation, old, new)
    assert edit.line == args.get("insert_line")


def test_a_view_is_a_read(tmp_path: Path) -> None:
    made = action(of(act("edit", path="/a.py", command="view"), see("read", 1, "text"), folder=tmp_path))
    assert (made.kind, made.paths) == ("read", ("/a.py",))


def test_a_write_is_one(tmp_path: Path) -> None:
    (edit,) = action(of(act("write", path="/a.py", content="x"), see("write", 1, ""), folder=tmp_path)).edits
    assert (edit.operation, edit.new) == ("write", "x")


def test_the_folder_of_a_command_is_where_the_one_before_ended(tmp_path: Path) -> None:
    made = of(
        act("run", 1, command="cd /w"),
        see("run", 1, "", metadata={"exit_code": 0, "working_dir": "/w"}),
        act("run", 3, command="ls"),
        see("run", 3, "", number=4),
        folder=tmp_path,
    )
    assert [step.actions[0].cwd for step in own(made)] == ["", "/w"]


def test_a_cut_result_makes_the_trace_partial(tmp_path: Path) -> None:
    cut = "head\n[... Observation truncated due to length ...]\ntail"
    made = of(act("run", command="cat x"), see("run", 1, cut, metadata={"exit_code": 0}), folder=tmp_path)
    assert own(made)[0].observations[0].truncated
    assert made.completeness.reasons[0].what == "a result is cut"
    whole = of(act("run", command="cat x"), see("run", 1, "head\ntail", metadata={"exit_code": 0}), folder=tmp_path / "b")
    assert whole.completeness.grade == "full"


def test_a_terminal_that_lost_its_first_lines_is_cut(tmp_path: Path) -> None:
    metadata = {"exit_code": 0, "prefix": "[Previous command outputs are truncated. Showing the last 9 lines]\n"}
    made = of(act("run", command="cat x"), see("run", 1, "tail", metadata=metadata), folder=tmp_path)
    assert own(made)[0].observations[0].truncated


def test_a_command_that_still_runs_has_no_exit_code(tmp_path: Path) -> None:
    made = of(act("run", command="make"), see("run", 1, "…", metadata={"exit_code": -1}), folder=tmp_path)
    assert own(made)[0].observations[0].exit_code is None


def test_the_exit_code_of_the_time_before_metadata(tmp_path: Path) -> None:
    made = of(act("run", command="make"), see("run", 1, "no", exit_code=2, command_id=-1), folder=tmp_path)
    assert own(made)[0].observations[0].exit_code == 2


@pytest.mark.parametrize("name", ["error", "user_rejected", "success", "chat"])
def test_errors_and_refusals_answer_the_call(name: str, tmp_path: Path) -> None:
    made = of(act("run", command="ls"), see(name, 1, "as it is"), folder=tmp_path)
    assert own(made)[0].observations[0].text == "as it is"
    assert made.completeness.grade == "full"


def test_an_edit_that_was_refused_is_not_replayed(tmp_path: Path) -> None:
    edit = act("edit", path="/a.py", command="create", file_text="x")
    refused = of(edit, see("error", 1, "ERROR:\nInvalid `path`"), folder=tmp_path)
    assert refused.submission.recovered == "none"
    done = of(edit, see("edit", 1, "File created"), folder=tmp_path / "b")
    assert done.submission.files[0].text == "x"


def test_an_error_that_answers_nothing_is_the_environments(tmp_path: Path) -> None:
    made = of(act("run", command="ls"), see("run", 1, ""), see("error", None, "bad call", number=5), folder=tmp_path)
    assert (made.steps[-1].actor, made.steps[-1].observations[0].text) == ("environment", "bad call")
    assert made.completeness.grade == "full"


def test_null_observations_and_changes_of_state_say_nothing(tmp_path: Path) -> None:
    made = of(
        act("change_agent_state", 1, source="environment", agent_state="running"),
        see("agent_state_changed", None, "", number=2, agent_state="running"),
        act("null", 3),
        see("null", 3, "", number=4),
        act("run", 5, command="ls"),
        see("null", 5, "", number=6),
        folder=tmp_path,
    )
    assert [step.native_id for step in made.steps] == ["5"]
    assert made.completeness.reasons[0].what == "the call of execute_bash has no result"


def test_a_state_that_tells_a_reason_is_told(tmp_path: Path) -> None:
    made = of(
        act("run", command="ls"), see("run", 1, ""), see("agent_state_changed", None, "", 3, reason="budget"), folder=tmp_path
    )
    assert (made.steps[-1].actor, made.steps[-1].text) == ("harness", "budget")


def test_what_the_harness_recalls_into_the_context_is_its_own(tmp_path: Path) -> None:
    knowledge = [{"name": "k", "trigger": "t", "content": "Use tabs."}]
    made = of(
        act("recall", 1, source="user", recall_type="workspace_context", query="q"),
        see("recall", 1, "Added workspace context", repo_instructions="Read AGENTS.md", microagent_knowledge=knowledge),
        act("run", 3, command="ls"),
        see("run", 3, "", number=4),
        folder=tmp_path,
    )
    assert (made.steps[0].actor, made.steps[0].text) == ("harness", "Read AGENTS.md\nUse tabs.")


def test_a_summary_of_events_is_copied(tmp_path: Path) -> None:
    made = of(
        act("run", 1, command="ls"),
        see("run", 1, ""),
        act("condensation_request", 3),
        act("condensation", 4, summary="It listed files.", forgotten_event_ids=[1]),
        act("condensation", 5, forgotten_event_ids=[1]),
        folder=tmp_path,
    )
    assert [(step.text, step.copied, step.actor) for step in made.steps[1:]] == [("It listed files.", True, "harness")]


def test_events_between_a_delegation_and_its_end_are_the_subagents(tmp_path: Path) -> None:
    made = of(
        act("message", 0, source="user", content="Task"),
        act("delegate", 1, agent="BrowsingAgent", inputs={"task": "look"}),
        act("message", 2, source="user", content="TASK: look"),
        act("browse", 3, url="https://x.example"),
        see("browse", 3, "page", number=4),
        see("delegate", None, "BrowsingAgent finishes", number=5, outputs={"a": 1}),
        act("run", 6, command="ls"),
        see("run", 6, "", number=7),
        folder=tmp_path,
    )
    assert [(step.actor, step.subagent, step.copied) for step in made.steps] == [
        ("user", "", False),
        ("agent", "", False),
        ("subagent", "BrowsingAgent", True),
        ("subagent", "BrowsingAgent", False),
        ("agent", "", False),
    ]
    assert made.steps[1].observations[0].text == "BrowsingAgent finishes"
    assert made.instruction == "Task"
    assert made.completeness.grade == "full"


def test_a_delegation_without_the_subagents_events_lacks_them(tmp_path: Path) -> None:
    made = of(
        act("delegate", 1, agent="B", inputs={}),
        see("delegate", None, "", number=2, outputs={"done": True}),
        act("delegate", 3, agent="B", inputs={}),
        act("run", 4, command="ls"),
        see("run", 4, "", number=5),
        see("error", 3, "failed", number=6),
        folder=tmp_path,
    )
    assert [reason.step for reason in made.completeness.reasons] == [0]
    assert made.steps[0].observations[0].text == '{"done":true}'
    assert made.steps[2].subagent == "B#2"


def test_a_recorded_level_of_delegation_attributes_a_step(tmp_path: Path) -> None:
    made = of({**act("run", command="ls"), "delegate_level": 1}, see("run", 1, ""), folder=tmp_path)
    assert made.steps[0].subagent == "level 1"


def test_what_the_user_runs_is_not_the_agents(tmp_path: Path) -> None:
    made = of(act("run", 1, source="user", command="ls"), see("run", 1, "x"), folder=tmp_path)
    assert made.steps[0].actor == "user"
    assert made.completeness.grade == "none"


@pytest.mark.parametrize(("number", "grade"), [(1, "full"), (7, "partial")])
def test_events_that_are_numbered_late_without_anything_asked_begin_in_the_middle(
    tmp_path: Path, number: int, grade: str
) -> None:
    made = of({**act("run", number, command="ls"), "id": number}, see("run", number, "x", number=number + 1), folder=tmp_path)
    assert made.completeness.grade == grade


@pytest.mark.parametrize(("number", "missing"), [(40, ["events 3 to 39 are not in the record"]), (6, [])])
def test_a_history_whose_numbers_leave_many_events_out_is_partial(tmp_path: Path, number: int, missing: list[str]) -> None:
    first = (act("run", 1, command="ls"), see("run", 1, "x", number=2))
    made = of(*first, act("run", number, command="id"), see("run", number, "y", number=number + 1), folder=tmp_path)
    assert [reason.what for reason in made.completeness.reasons] == missing
