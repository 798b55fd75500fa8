"""Codex sessions: who speaks, what the record says of the attempt, lines of every age, and damage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_attempt import Attempt, Call, Turn
from made_codex import (
    OWN,
    TASK,
    UNIFIED,
    act,
    acts,
    agents,
    event,
    function,
    item,
    output,
    read,
    result,
    session,
)
from made_files import candidates, only, rows, trial, write_json, write_text
from render_codex import SESSION, context, line, message, meta, shell_call, shell_output, write_lines
from render_codex import lines as rendered
from render_codex_exec import command

from earned.records import Skip, Step, Trajectory
from earned.trajectory import Candidate, load_format
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps


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
    assert read(tmp_path, meta(), item(TASK), name=f"{SESSION}.jsonl").task == "unknown"


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


def test_a_rollout_of_events_alone_names_its_gaps_at_steps_that_exist(tmp_path: Path) -> None:
    ran = {"type": "CommandExecution", "id": "e", "command": ["ls"], "aggregated_output": "aborted by user after 1s"}
    path = write_lines(tmp_path / "a.jsonl", [meta(), event("item_completed", item=ran), event("agent_message", message="x")])
    path.write_bytes(path.read_bytes() + b'{"type": "event_msg", "pay')
    made = only(path)
    assert [(reason.what, reason.step) for reason in made.completeness.reasons][-1] == ("the file ends within a line", 0)
    assert [step.text for step in agents(made)] == ["x"]


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
    (reason,) = made.completeness.reasons
    assert (reason.what, reason.hides_acts) == ("a line cannot be read, from line 2 on", True)


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


def test_within_a_harbor_trial_the_rollout_is_preferred_to_what_codex_printed(tmp_path: Path) -> None:
    home = trial(tmp_path)
    write_lines(home / "agent" / "codex.txt", [{"type": "thread.started", "thread_id": SESSION}, *command(1, "new", "x")])
    folder = home / "agent" / "sessions" / "2026" / "01" / "05"
    write_lines(folder / "rollout-2026-01-05T10-00-00-a.jsonl", [meta(), context(), item(TASK), *OWN[1:]])
    source = {"subagent": {"thread_spawn": {"parent_thread_id": SESSION, "agent_path": "/root/tester"}}}
    told = [
        meta(id="child", source=source, agent_path="/root/tester"),
        item(function("shell", {"command": "test"})),
        item(output("x")),
    ]
    write_lines(folder / "rollout-2026-01-05T10-00-09-b.jsonl", told)
    made = only(tmp_path)
    assert "(codex)" in made.source.recognised
    assert [(step.actor, step.actions[0].command) for step in agents(made) if step.actions] == [
        ("agent", "new"),
        ("subagent", "test"),
    ]
    assert (made.task, made.outcome.status, made.source.format) == ("hello", "passed", "harbor")


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


DIFF = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"


def running(text: str) -> str:
    return UNIFIED.replace("Process exited with code 0", "Process running with session ID 7") + text


@pytest.mark.parametrize(("poll", "recovered"), [(7, "last_diff"), (8, "none")])
def test_a_diff_that_a_poll_shows_is_what_was_submitted(tmp_path: Path, poll: int, recovered: str) -> None:
    made = session(
        tmp_path,
        item(function("exec_command", {"cmd": "git diff"})),
        item(output(running(""))),
        item(function("write_stdin", {"session_id": poll, "chars": ""}, "c2")),
        item(output(UNIFIED + DIFF, "c2")),
    )
    assert (made.submission.recovered, made.submission.patch) == (recovered, DIFF if recovered == "last_diff" else "")


@pytest.mark.parametrize(("program", "files"), [("bash", ["b.txt"]), ("cat", [])])
def test_what_is_typed_into_a_shell_writes_files_and_into_another_program_none(
    tmp_path: Path, program: str, files: list[str]
) -> None:
    made = session(
        tmp_path,
        item(function("exec_command", {"cmd": program})),
        item(output(running(""))),
        item(function("write_stdin", {"session_id": 7, "chars": "echo hello > b.txt\n"}, "c2")),
        item(output(running(""), "c2")),
    )
    assert [file.path.rpartition("/")[2] for file in made.submission.files] == files
