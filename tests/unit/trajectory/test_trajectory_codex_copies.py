"""What tells an act of a Codex session from what only repeats one: compaction, forks, other agents, programs of code mode."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_codex import (
    OWN,
    PATCH,
    TASK,
    act,
    acts,
    agents,
    custom,
    custom_output,
    event,
    function,
    item,
    output,
    read,
    result,
    session,
)
from render_codex import SESSION, context, line, message, meta


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


def test_a_rollout_that_begins_with_a_compaction_lacks_its_beginning(tmp_path: Path) -> None:
    compacted = line("compacted", {"message": "All so far.", "replacement_history": [TASK]})
    acted = item(function("shell", {"command": "ls"}, "c1")), item(output("a.py", "c1"))
    made = session(tmp_path, compacted, *acted, compacted)
    found = [(reason.what, reason.hides_acts) for reason in made.completeness.reasons]
    assert found == [("the beginning is not recorded: the rollout goes on from a compaction", True)]
    assert not session(tmp_path, *acted, compacted).completeness.reasons


def parent(*, second: int) -> list[dict[str, Any]]:
    """The history of another session, as a fork writes it again."""
    made = [meta(id="parent"), context(), item(message("user", "Old task.")), item(function("shell", {"command": "old"}, "p1"))]
    made += [item(output("x", "p1")), item(message("assistant", "Old answer."))]
    return [{**entry, "timestamp": f"2026-01-05T10:00:{second:02}.0{number}0Z"} for number, entry in enumerate(made)]


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


def test_the_head_of_another_session_later_on_hides_nothing_that_was_done_before(tmp_path: Path) -> None:
    made = session(tmp_path, *OWN, *parent(second=30), item(function("shell", {"command": "later"}, "c7"), 50))
    assert acts(made) == ["new", "later"]


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


def test_a_file_that_continues_another_one_copies_nothing_and_says_what_is_missing(tmp_path: Path) -> None:
    base = {"thread_id": "p", "end_ordinal_exclusive": 40}
    listed = [meta(forked_from_id="p", history_base=base), context(), *OWN]
    made = read(tmp_path, *({**entry, "ordinal": number} for number, entry in enumerate(listed)))
    assert acts(made) == ["new"]
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
    "script",
    [
        "for (const f of fs) await tools.exec_command({cmd: `cat ${f}`})",
        "tools.exec_command({cmd})",
        "tools.exec_command({cmd: 'cat ' + f})",
        "tools.exec_command({...given})",
        "tools.exec_command(given)",
        "tools.shell({command: ['cat', f]})",
        "tools.apply_patch(lines.join('\\n'))",
        "tools.write_file({path: f, content: 'x'})",
        "tools.write_stdin({session_id: 3, chars: `${c}\\n`})",
        "const {exec_command: run} = tools; run({cmd: f})",
        "await Promise.all(cmds.map(tools.exec_command))",
        "tools[name]({cmd: 'ls'})",
        "codex.tool(name, {cmd: 'ls'})",
        "const cmd = 'a' + b; tools.exec_command({cmd})",
        "{ const cmd = 'a'; } { const cmd = 'b'; tools.exec_command({cmd}) }",
        "['a', b].map(cmd => tools.exec_command({cmd}))",
    ],
)
def test_a_program_that_puts_its_commands_together_hides_them(tmp_path: Path, script: str) -> None:
    made = session(tmp_path, *custom("exec", script), custom_output("done"))
    action = act(made)
    assert (action.kind, action.language, action.command) == ("code", "javascript", script)
    assert made.completeness.grade == "partial"
    (reason,) = made.completeness.reasons
    assert (reason.hides_acts, made.steps[reason.step].actions[0].command) == (True, script)


@pytest.mark.parametrize(
    "script",
    [
        "text(1 + 1)",
        "tools.update_plan({plan: steps, explanation: why})",
        "const all = Object.keys(tools); text(tools.length)",
        "await tools.write_stdin({session_id: r.session_id, chars: ''})",
        "text('the module tools.py')",
    ],
)
def test_a_program_that_does_nothing_hides_nothing(tmp_path: Path, script: str) -> None:
    made = session(tmp_path, *custom("exec", script), custom_output("done"))
    assert (act(made).kind, made.completeness.grade) == ("code", "full")


@pytest.mark.parametrize(
    ("script", "commands"),
    [
        ('const cmd = "git show a";\nconst r = await tools.exec_command({ cmd });', ["git show a"]),
        ("const f = 'a.py';\nawait tools.exec_command({cmd: `cat ${f}`, workdir: d})", ["cat a.py"]),
        ("const a = 'x', b = 1; await tools.exec_command({cmd: a, yield_time_ms: 1000})", ["x"]),
        ("await tools.shell({command: ['bash', '-lc', 'ls']})", ["ls"]),
        ("await Promise.all(['a', 'b'].map(cmd => tools.exec_command({cmd})))", ["a", "b"]),
        ("await Promise.all(['a', 'b'].map(async (c) => await tools.exec_command({cmd: c})))", ["a", "b"]),
        ("for (const f of ['a', 'b']) { text(await tools.exec_command({cmd: `cat ${f}`})) }", ["cat a", "cat b"]),
    ],
)
def test_names_that_hold_literals_are_read(tmp_path: Path, script: str, commands: list[str]) -> None:
    made = session(tmp_path, *custom("exec", script), custom_output("done"))
    (step,) = agents(made)
    assert [action.command for action in step.actions if action.kind == "shell"] == commands
    assert made.completeness.grade == "full"


def test_a_program_that_hides_some_of_its_commands_keeps_its_text(tmp_path: Path) -> None:
    script = "tools.exec_command({cmd: 'ls'}); tools.exec_command({cmd})"
    made = session(tmp_path, *custom("exec", script), custom_output("done"))
    assert [action.command for action in agents(made)[0].actions] == [script, "ls"]
    assert made.completeness.grade == "partial"


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        ('{"cmd": "ls"}', "shell", "ls"),
        ("{ const a = 1; text(a) }", "code", "{ const a = 1; text(a) }"),
    ],
)
def test_a_program_is_told_from_the_arguments_of_a_command(tmp_path: Path, given: str, kind: str, text: str) -> None:
    action = act(session(tmp_path, *custom("exec", given), custom_output("done")))
    assert (action.kind, action.command) == (kind, text)


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
