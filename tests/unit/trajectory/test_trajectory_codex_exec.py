"""What `codex exec --json` prints, of either age, with the noise of a terminal around it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_codex import PATCH, act, acts, agents, result
from made_files import candidates, only, rows, write_json, write_text
from render_codex import SESSION, write_lines
from render_codex_exec import command, item

from earned.records import Skip, Step, Trajectory
from earned.trajectory import Candidate, load_format
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps

START: list[dict[str, Any]] = [{"type": "thread.started", "thread_id": SESSION}, {"type": "turn.started"}]


def log(folder: Path, *made: dict[str, Any], name: str = "codex.jsonl") -> Trajectory:
    return only(write_lines(folder / name, [*START, *made]))


def old(kind: str, **payload: Any) -> dict[str, Any]:
    return {"id": "1", "msg": {"type": kind, **payload}}


def old_log(folder: Path, *made: dict[str, Any]) -> Trajectory:
    config = {"model": "gpt-5-codex", "workdir": "/app", "provider": "openai", "sandbox": "danger-full-access"}
    return only(write_lines(folder / "codex.jsonl", [config, {"prompt": "Fix the bug."}, old("task_started"), *made]))


def test_a_command_stands_where_it_started_with_what_it_printed(tmp_path: Path) -> None:
    made = log(tmp_path, item("reasoning", 0, text="I look."), *command(1, "ls -a", "a.py\n", 3))
    (step,) = agents(made)
    assert (step.reasoning, step.actions[0].command) == ("I look.", "ls -a")
    assert (result(made).text, result(made).exit_code) == ("a.py\n", 3)
    assert (made.attempt, made.harness, made.completeness.grade) == (SESSION, "codex", "full")


def test_a_command_that_is_only_told_when_it_ended_is_one(tmp_path: Path) -> None:
    assert acts(log(tmp_path, command(1, "ls", "x")[1])) == ["ls"]


def test_a_command_without_an_end_is_an_unfinished_call(tmp_path: Path) -> None:
    made = log(tmp_path, *command(0, "make", None), *command(1, "ls", "x"))
    assert acts(made) == ["make", "ls"]
    assert made.completeness.grade == "partial"
    assert "has no result" in made.completeness.reasons[0].what


def test_commands_side_by_side_take_their_own_results(tmp_path: Path) -> None:
    first, second = command(1, "a", "1"), command(2, "b", "2")
    made = log(tmp_path, first[0], second[0], second[1], first[1])
    (step,) = agents(made)
    assert {step.actions[found.action].command: found.text for found in step.observations} == {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    ("shown", "plain"),
    [
        ("bash -lc 'ls -a'", "ls -a"),
        ("/usr/bin/bash -lc 'git log --all'", "git log --all"),
        ('/bin/zsh -lc "echo \\"a b\\""', 'echo "a b"'),
        ("bash -lc 'echo '\"'\"'a'\"'\"", "echo 'a'"),
        ("bash -lc ls", "ls"),
        ("bash -lc 'ls' extra", "bash -lc ls extra"),
        ("git status", "git status"),
        ("bash -lc 'unended", "bash -lc 'unended"),
        (["bash", "-lc", "ls"], "ls"),
        (None, ""),
    ],
)
def test_the_shell_around_a_command_is_taken_off(tmp_path: Path, shown: Any, plain: str) -> None:
    ended = item("command_execution", 1, command=shown, aggregated_output="x", exit_code=0, status="completed")
    assert act(log(tmp_path, ended)).command == plain


def test_changed_files_are_named_and_what_was_written_is_missing(tmp_path: Path) -> None:
    changes = [
        {"path": "/app/a.py", "kind": "update"},
        {"path": "/app/b.py", "kind": "add"},
        {"path": "/app/c.py", "kind": "delete"},
    ]
    made = log(tmp_path, item("file_change", 0, changes=changes, status="completed"))
    action = act(made)
    assert [(edit.path, edit.operation, edit.new) for edit in action.edits] == [
        ("/app/a.py", "patch", ""),
        ("/app/b.py", "patch", ""),
        ("/app/c.py", "delete", ""),
    ]
    assert made.completeness.grade == "partial"
    (reason,) = made.completeness.reasons
    assert reason.what == "what was written to /app/a.py, /app/b.py, /app/c.py is not recorded"
    assert not reason.hides_acts
    assert made.submission.recovered == "none"


def test_files_that_were_only_deleted_leave_nothing_out(tmp_path: Path) -> None:
    made = log(tmp_path, item("file_change", 0, changes=[{"path": "/a", "kind": "delete"}], status="completed"))
    assert made.completeness.grade == "full"


def test_a_change_that_failed_says_so(tmp_path: Path) -> None:
    made = log(tmp_path, item("file_change", 1, changes=[{"path": "/a", "kind": "update"}], status="failed"))
    assert result(made).exit_code == 1


def test_calls_of_servers_have_their_name_and_their_answer(tmp_path: Path) -> None:
    given: dict[str, Any] = {"server": "docs", "tool": "fetch", "arguments": {"url": "https://x.org"}}
    answer = {"content": [{"type": "text", "text": "page"}], "structured_content": None}
    made = log(
        tmp_path,
        item("mcp_tool_call", 1, "started", **given, status="in_progress"),
        item("mcp_tool_call", 1, **given, result=answer, error=None, status="completed"),
        item("mcp_tool_call", 2, **given, result=None, error={"message": "gone"}, status="failed"),
    )
    first, second = agents(made)
    assert (first.actions[0].kind, first.actions[0].url) == ("fetch", "https://x.org")
    assert [step.observations[0].text for step in (first, second)] == ["page", "gone"]


def test_searches_on_the_web_have_no_recorded_result(tmp_path: Path) -> None:
    made = log(
        tmp_path,
        item("web_search", 1, query="fix"),
        item("web_search", 2, action={"type": "open_page", "url": "https://x.org"}),
    )
    assert acts(made) == ["fix", "https://x.org"]
    assert made.completeness.grade == "partial"


def test_plans_are_told_when_they_change_and_are_no_acts(tmp_path: Path) -> None:
    plans = [[{"text": "a", "completed": False}], [{"text": "a", "completed": False}], [{"text": "a", "completed": True}]]
    states = ["started", "updated", "completed"]
    made = log(tmp_path, *(item("todo_list", 1, state, items=plan) for state, plan in zip(states, plans, strict=True)))
    actions = [action for step in agents(made) for action in step.actions]
    assert [(action.kind, action.arguments) for action in actions] == [
        ("message", '[{"text":"a","completed":false}]'),
        ("message", '[{"text":"a","completed":true}]'),
    ]


def test_work_given_to_other_agents_is_told(tmp_path: Path) -> None:
    given: dict[str, Any] = {"tool": "spawn_agent", "prompt": "Test it.", "receiver_thread_ids": ["t2"]}
    made = log(tmp_path, item("collab_tool_call", 1, **given, agents_states={"t2": {"status": "completed"}}))
    assert "Test it." in act(made).arguments
    assert "completed" in result(made).text


def test_failures_are_words_of_the_harness(tmp_path: Path) -> None:
    made = log(
        tmp_path,
        {"type": "error", "message": "Reconnecting... 1/5"},
        item("error", 1, message="unstable feature"),
        *command(2, "ls", "x"),
        {"type": "turn.failed", "error": {"message": "stream closed"}},
    )
    told = [step.text for step in made.steps if step.actor == "harness"]
    assert told == ["Reconnecting... 1/5", "unstable feature", "stream closed"]


def test_tokens_are_of_the_last_turn_of_each_thread(tmp_path: Path) -> None:
    def turn(count: int) -> dict[str, Any]:
        return {"type": "turn.completed", "usage": {"input_tokens": count, "output_tokens": 1}}

    other = {"type": "thread.started", "thread_id": "other"}
    made = log(tmp_path, *command(1, "ls", "x"), turn(5), turn(9), other, *command(1, "ls", "x"), turn(2))
    assert (made.usage.input_tokens, made.usage.output_tokens) == (11, 2)
    assert any("2 threads" in oddity.what for oddity in made.oddities)
    assert acts(made) == ["ls", "ls"]


def test_noise_around_the_lines_is_said_and_costs_nothing(tmp_path: Path) -> None:
    listed = "".join(f"{json.dumps(line)}\n" for line in [*START, *command(0, "ls", "x")])
    text = f"$ codex exec --json -\nReading prompt from stdin...\n{listed}2026-01-05T10:00:00Z ERROR codex_core: closed\n"
    made = only(write_text(tmp_path / "codex.txt", text))
    assert acts(made) == ["ls"]
    assert made.completeness.grade == "full"
    assert [oddity.what for oddity in made.oddities] == [
        "a line that is no JSON, '$ codex exec --json -'",
        "3 lines are no JSON",
    ]


def test_a_log_that_was_cut_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [*START, *command(1, "ls", "x"), *command(2, "pwd", "y")])
    path.write_bytes(path.read_bytes()[:-30])
    made = only(path)
    assert acts(made) == ["ls", "pwd"]
    assert "the file ends within a line" in [reason.what for reason in made.completeness.reasons]


def test_a_damaged_line_is_a_gap(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [*START, *command(1, "ls", "x")])
    path.write_text(path.read_text().replace('"exit_code": 0', '"exit_code": '))
    made = only(path)
    assert made.completeness.grade == "partial"
    assert any("cannot be read" in reason.what for reason in made.completeness.reasons)


def test_wrong_types_are_read_leniently(tmp_path: Path) -> None:
    odd = item("command_execution", 1, command={"a": 1}, aggregated_output=["x"], exit_code="0", status=3)
    made = log(tmp_path, odd, {"type": "item.completed", "item": "x"}, {"type": 4}, *command(2, "ls", "x"))
    assert acts(made) == ['{"a":1}', "ls"]
    assert made.oddities


def test_nothing_but_marks_is_no_log(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.jsonl", '{"type":"thread.started","thread_id":3')
    (found,) = rows(path)
    assert isinstance(found, Skip)
    assert found.offset is not None


def test_the_lines_before_0_40_hold_prompt_model_and_what_was_written(tmp_path: Path) -> None:
    add = {"/app/a.py": {"add": {"content": "x = 1\n"}}}
    update = {"/app/a.py": {"update": {"unified_diff": "@@ -1 +1 @@\n-x = 1\n+x = 2\n", "move_path": None}}}
    made = old_log(
        tmp_path,
        old("agent_reasoning", text="I look."),
        old("exec_command_begin", call_id="c1", command=["bash", "-lc", "ls"], cwd="/app", parsed_cmd=[]),
        old("exec_command_output_delta", call_id="c1", chunk="YQ=="),
        old("exec_command_end", call_id="c1", stdout="a\n", stderr="b\n", exit_code=2, duration={"secs": 0, "nanos": 1}),
        old("patch_apply_begin", call_id="c2", auto_approved=True, changes=add),
        old("patch_apply_end", call_id="c2", stdout="Success.", stderr="", success=True),
        old("patch_apply_begin", call_id="c3", auto_approved=True, changes=update),
        old("patch_apply_end", call_id="c3", stdout="Success.", stderr="", success=True),
        old("mcp_tool_call_begin", call_id="c4", invocation={"server": "s", "tool": "search", "arguments": {"query": "q"}}),
        old("mcp_tool_call_end", call_id="c4", result={"Ok": {"content": [{"type": "text", "text": "found"}]}}),
        old("web_search_end", call_id="c5", query="why"),
        old("plan_update", plan=[{"step": "x", "status": "pending"}]),
        old("some_new_event", value=1),
        old("agent_message", message="Done."),
        old("token_count", info={"total_token_usage": {"input_tokens": 7, "output_tokens": 2}}),
        old("turn_aborted", reason="interrupted"),
        old("error", message="closed"),
    )
    assert (made.instruction, made.model) == ("Fix the bug.", "gpt-5-codex")
    listed = [(action.kind, action.text.strip()) for step in agents(made) for action in step.actions]
    assert [kind for kind, _ in listed] == ["shell", "edit", "edit", "search", "search", "message"]
    first = agents(made)[0]
    assert (first.reasoning, first.observations[0].text, first.observations[0].exit_code) == ("I look.", "a\nb\n", 2)
    assert [(file.path, file.text) for file in made.submission.files] == [("/app/a.py", "x = 2\n")]
    assert [step.text for step in made.steps if step.actor == "harness"] == ["turn_aborted: interrupted", "closed"]
    assert made.usage.input_tokens == 7


def test_a_file_that_moved_is_known_by_its_new_name(tmp_path: Path) -> None:
    add = {"/app/a.py": {"type": "add", "content": "x = 1\n"}}
    moved = {"/app/a.py": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-x = 1\n+x = 2\n", "move_path": "/app/b.py"}}
    made = old_log(
        tmp_path,
        *(old("patch_apply_begin", call_id=str(number), changes=changes) for number, changes in enumerate((add, moved))),
    )
    assert [(file.path, file.text) for file in made.submission.files] == [("/app/b.py", "x = 2\n")]


def test_a_patch_that_failed_before_0_40_is_no_submission(tmp_path: Path) -> None:
    add = {"/app/a.py": {"add": {"content": "x = 1\n"}}}
    made = old_log(
        tmp_path,
        old("patch_apply_begin", call_id="c1", changes=add),
        old("patch_apply_end", call_id="c1", stdout="", stderr="no", success=False),
    )
    assert made.submission.recovered == "none"


def test_an_end_without_a_begin_before_0_40_is_a_call(tmp_path: Path) -> None:
    made = old_log(tmp_path, old("exec_command_end", call_id="c1", command=["ls"], aggregated_output="x", exit_code=0))
    assert acts(made) == ["ls"]


def test_a_patch_in_a_command_is_the_submission(tmp_path: Path) -> None:
    made = log(tmp_path, *command(1, f"cd /app && apply_patch <<'EOF'\n{PATCH}\nEOF", "Success."))
    assert [file.text for file in made.submission.files] == ["x = 1\n"]


def test_outcomes_beside_a_log_are_its_own(tmp_path: Path) -> None:
    write_lines(tmp_path / "django-1.jsonl", [*START, *command(1, "ls", "x")])
    write_json(tmp_path / "outcomes.json", {"django-1": False, "django-2": True})
    (made,) = [row for row in rows(tmp_path) if isinstance(row, Trajectory)]
    assert (made.task, made.outcome.status) == ("django-1", "failed")


def test_the_steps_of_a_log_within_another_record_are_appended(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "agent" / "codex.txt", [*START, *command(1, "ls", "x")])
    steps = Steps()
    steps.append(Step(index=0, actor="user", text="before"))
    read_log = load_format("codex-exec").read_log
    assert read_log is not None
    account = read_log(Reading(Candidate(path=str(tmp_path), format="harbor", files=(str(path),))), str(path), steps)
    assert [(step.index, step.source) for step in steps.steps[1:]] == [(1, "agent/codex.txt#line 3")]
    assert account.attempt == SESSION


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ('{"type":"thread.started","thread_id":"x"}\n', True),
        ('{"type": "item.completed", "item": {"id": "i", "type": "reasoning", "text": "x"}}\n', True),
        ('$ run\n{"type":"thread.started","thread_id":"x"}\n', True),
        ('{"id":"0","msg":{"type":"task_started"}}\n', True),
        ('{"model":"m"}\n{"prompt":"x"}\n{"id":"0","msg":{"type":"task_started"}}\n', True),
        ('{"type":"item.completed"}\n', False),
        ('{"id":"0","msg":"hello"}\n', False),
        ('{"type":"system","subtype":"init","session_id":"x"}\n', False),
        ('say {"type":"thread.started"}\n', False),
    ],
)
def test_a_log_is_told_by_its_content(tmp_path: Path, text: str, is_one: bool) -> None:
    found = [found.format for found in candidates(write_text(tmp_path / "a.txt", text))]
    assert ("codex-exec" in found) == is_one


def test_a_log_beside_the_repository_is_read() -> None:
    path = Path(__file__).parents[3].parent / "shared" / "data" / "trajectories" / "codex" / "synthetic-exec.jsonl"
    if not path.exists():
        pytest.skip("the public files are not beside the repository")
    made = only(path)
    assert acts(made) == ["git log --all --oneline | head", "/app/p.py"]
    assert made.completeness.grade == "partial"


def test_items_that_are_numbered_late_or_with_gaps_show_that_some_are_missing(tmp_path: Path) -> None:
    late = log(tmp_path, *command(2, "ls", "x"), name="a.jsonl")
    gap = log(tmp_path, *command(0, "ls", "x"), *command(3, "pwd", "y"), name="b.jsonl")
    found = [reason.what for made in (late, gap) for reason in made.completeness.reasons]
    assert found == [
        "the beginning is not recorded: the numbers of the items begin at 2",
        "the numbers of the items leave out 1 to 2",
    ]


def test_each_run_in_one_log_counts_from_zero(tmp_path: Path) -> None:
    made = log(tmp_path, *command(0, "ls", "x"), *command(1, "pwd", "y"), START[0], *command(0, "id", "z"))
    assert made.completeness.grade == "full"


@pytest.mark.parametrize("status", ["failed", "declined"])
def test_an_edit_that_was_not_made_wrote_nothing(tmp_path: Path, status: str) -> None:
    changes = [{"path": "/app/a.py", "kind": "update"}]
    whole = log(tmp_path, item("file_change", 0, changes=changes, status=status), name="a.jsonl")
    begun = item("file_change", 0, "started", changes=changes, status="in_progress")
    both = log(tmp_path, begun, item("file_change", 0, changes=changes, status=status), name="b.jsonl")
    for made in (whole, both):
        assert (made.completeness.grade, made.submission.recovered) == ("full", "none")


@pytest.mark.parametrize("ends", [True, False])
def test_an_edit_that_may_have_been_made_wrote_what_is_not_recorded(tmp_path: Path, *, ends: bool) -> None:
    changes = [{"path": "/app/a.py", "kind": "update"}]
    end = [item("file_change", 0, changes=changes, status="completed")] if ends else []
    made = log(tmp_path, item("file_change", 0, "started", changes=changes, status="in_progress"), *end, *command(1, "ls", "x"))
    found = {reason.what: reason for reason in made.completeness.reasons}
    assert made.steps[found["what was written to /app/a.py is not recorded"].step].actions[0].edits[0].path == "/app/a.py"
