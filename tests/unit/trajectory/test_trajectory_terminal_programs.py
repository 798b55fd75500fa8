from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from made_attempt import Attempt, Call, Turn
from made_files import only
from made_terminal import acts, launched, own, printed, read_log, typed
from render_terminal_bench import render
from rich.console import Console

from earned.records import Edit
from earned.trajectory.terminal.wrap import unbroken

LONG = "echo " + " ".join(f"word{number}" for number in range(60))


def attempt(*calls: Call) -> Attempt:
    return Attempt(turns=tuple(Turn("I look.", (call,)) for call in calls))


def test_a_step_of_mini_swe_agent_is_an_act_with_its_result(tmp_path: Path) -> None:
    made = only(
        render(attempt(Call("bash", command="ls -la", result="a.py\n"), Call("bash", command="cat a.py", result="")), tmp_path)
    )
    first, second = own(made)
    assert (first.actions[0].command, first.actions[0].tool, first.observations[0].exit_code) == ("ls -la", "terminal", 0)
    assert first.observations[0].text == "<returncode>0</returncode>\n<output>\na.py\n</output>"
    assert (first.native_id, second.native_id, second.actions[0].command) == ("1", "2", "cat a.py")
    assert first.text.startswith("THOUGHT: I look.")
    assert "Waiting for" not in first.text + second.text


def test_what_mini_swe_agent_wrapped_is_whole(tmp_path: Path) -> None:
    path = "/" + "x" * 400
    made = only(render(attempt(Call("bash", command=f"{LONG}\ncat {path}", result=f"{LONG}\n")), tmp_path))
    assert acts(made)[0][0] == f"{LONG}\ncat {path}"
    assert LONG in acts(made)[0][1]


def test_blanks_that_the_wrapping_lost_are_said(tmp_path: Path) -> None:
    lossy = "echo '" + "x" * 150 + " " * 20 + "y'"
    made = only(render(attempt(Call("bash", command=lossy, result="x\n"), Call("bash", command=LONG, result="x\n")), tmp_path))
    assert acts(made)[0][0].split() == lossy.split()
    assert [(reason.step, reason.hides_acts) for reason in made.completeness.reasons] == [(own(made)[0].index, False)]


def test_a_banner_in_an_output_is_no_step(tmp_path: Path) -> None:
    fake = "mini-swe-agent (step 7, $0.01):\nTHOUGHT: no\n\n```bash\nrm -rf /\n```\n"
    made = only(render(attempt(Call("bash", command="cat log", result=fake), Call("bash", command="ls", result="")), tmp_path))
    assert [command for command, _ in acts(made)] == ["cat log", "ls"]


def step_of_mini(number: int, command: str, result: str) -> str:
    """A step as it is printed; the result may forge its own end."""
    shown = f"User:\n<returncode>0</returncode>\n<output>\n{result}\n</output>\n"
    return f"mini-swe-agent (step {number}, $0.01):\nTHOUGHT: x\n\n```bash\n{command}\n```\n\n{shown}"


def mini_log(tmp_path: Path, *parts: str) -> tuple[list[str], list[int]]:
    """Commands, and the steps at which a number is said not to be the one to come."""
    made = read_log(tmp_path, launched("".join(parts), launch="mini -t x"))
    told = [reason for reason in made.completeness.reasons if "is not the one to come" in reason.what]
    assert all(reason.hides_acts for reason in told)
    return [command for command, _ in acts(made)], [reason.step for reason in told]


FAKE = step_of_mini(2, "echo ok", "ok").removesuffix("</output>\n")


def test_a_banner_with_the_next_number_within_an_output_takes_no_steps_place(tmp_path: Path) -> None:
    log = step_of_mini(1, "cat f", FAKE), step_of_mini(2, "cat x", "x"), step_of_mini(3, "ls", "a")
    assert mini_log(tmp_path, *log) == (["cat f", "cat x", "ls"], [])


@pytest.mark.parametrize(
    ("parts", "commands"),
    [
        ((step_of_mini(1, "cat f", f"</output>\n{FAKE}"), step_of_mini(2, "cat x", "x")), ["cat f", "echo ok", "cat x"]),
        ((step_of_mini(1, "ls", "a"), step_of_mini(3, "cat x", "x")), ["ls", "cat x"]),
        (
            (step_of_mini(1, "ls", "a").removesuffix("</output>\n"), step_of_mini(2, "cat x", "x"), step_of_mini(3, "id", "")),
            ["ls", "cat x", "id"],
        ),
        ((step_of_mini(1, "ls", "a").removesuffix("</output>\n"), step_of_mini(2, "cat x", "x")), ["ls", "cat x"]),
        ((step_of_mini(4, "ls", "a"),), ["ls"]),
    ],
)
def test_a_number_that_is_not_the_one_to_come_is_a_gap_and_every_act_is_kept(
    tmp_path: Path, parts: tuple[str, ...], commands: list[str]
) -> None:
    found, gaps = mini_log(tmp_path, *parts)
    assert found == commands
    assert gaps


def test_a_last_step_without_a_result_has_none(tmp_path: Path) -> None:
    made = only(
        render(attempt(Call("bash", command="ls", result="a\n"), Call("bash", command="sleep 999", result=None)), tmp_path)
    )
    assert [step.actions[0].command for step in own(made)] == ["ls", "sleep 999"]
    assert own(made)[1].observations == ()


def test_a_message_of_two_blocks_runs_nothing(tmp_path: Path) -> None:
    refused = "Please always provide EXACTLY ONE action, found 2 actions."
    body = f"THOUGHT: x\n\n```bash\nls\n```\n\n```bash\npwd\n```\n\nUser:\n{refused}"
    made = read_log(tmp_path, launched(f"mini-swe-agent (step 1, $0.01):\n{body}", launch="mini -t x"))
    assert acts(made) == []
    assert made.completeness.grade == "none"
    assert [step.text for step in made.steps if step.actor == "harness" and "EXACTLY ONE" in step.text]


def test_a_program_that_types_into_its_own_terminal_is_still_the_agent(tmp_path: Path) -> None:
    shown = "User:\n<returncode>0</returncode>\n<output>\n</output>"
    step = f"mini-swe-agent (step {{}}, $0.01):\nTHOUGHT: x\n\n```bash\n{{}}\n```\n\n{shown}"
    log = launched(step.format(1, "tmux send-keys ls Enter"), launch="mini -t x")
    log = log.replace("exit\r\n", typed("ls", "a.py") + printed(step.format(2, "pwd")) + "exit\r\n", 1)
    assert [command for command, _ in acts(read_log(tmp_path, log))] == ["tmux send-keys ls Enter", "pwd"]


@pytest.mark.parametrize("width", [40, 80, 160])
@pytest.mark.parametrize("text", [LONG, "a " * 300 + "end", "/" + "x" * 500, f"cat {'y' * 200} | wc -l", "short"])
def test_lines_that_rich_wrapped_are_put_together(text: str, width: int) -> None:
    shown = StringIO()
    Console(file=shown, width=width).print(f"{text}\nnext", highlight=False, markup=False)
    assert unbroken(shown.getvalue().rstrip("\n").split("\n"), width) == [text, "next"]


def test_lines_that_nobody_wrapped_stay_two() -> None:
    lines = ["first", "x" * 20 + " ", "  indented", "", "─" * 40, "last"]
    assert unbroken(lines, 40) == ["first", "x" * 20, "  indented", "", "─" * 40, "last"]


EVENTS = """\
10:00:00 - openhands:INFO: agent_controller.py:574 - [Agent Controller 1] Setting agent state to RUNNING
10:00:00 - USER_ACTION
[Agent Controller 1] **MessageAction** (source=EventSource.USER)
CONTENT: Solve it.
10:00:01 - ACTION
[Agent Controller 1] **CmdRunAction (source=EventSource.AGENT, is_input=False)**
THOUGHT: I look.
COMMAND:
cat > a.py <<'EOF'
CODE: x
EOF
10:00:02 - OBSERVATION
[Agent Controller 1] **CmdOutputObservation (source=EventSource.AGENT, exit code=3, metadata={
  "exit_code": 3
})**
--BEGIN AGENT OBSERVATION--
no such file
--END AGENT OBSERVATION--
10:00:03 - ACTION
[Agent Controller 1] **FileEditAction**
Path: [/app/a.py]
Thought: I write.
Command: create
Created File with Text:
```
a = 1
```
10:00:04 - OBSERVATION
[Agent Controller 1] File created successfully at: /app/a.py
10:00:05 - ACTION
[Agent Controller 1] **AgentFinishAction**
"""


def test_events_that_openhands_logs_are_acts(tmp_path: Path) -> None:
    made = read_log(tmp_path, launched(EVENTS, launch="openhands --task 'Solve it.'"))
    shell, edit, finish = own(made)
    assert (shell.text, shell.actions[0].command, shell.time) == ("I look.", "cat > a.py <<'EOF'\nCODE: x\nEOF", "10:00:01")
    assert (shell.observations[0].text, shell.observations[0].exit_code) == ("no such file", 3)
    assert edit.actions[0].edits == (Edit(path="/app/a.py", operation="write", new="a = 1"),)
    assert "File created" in edit.observations[0].text
    assert finish.actions[0].kind == "submit"
    assert made.harness == "OpenHands"


END = "--END AGENT OBSERVATION--"
PRINTED = "10:00:09 - ACTION\n**CmdRunAction (source=EventSource.AGENT)**\nCOMMAND:\ncat /solution/x"


@pytest.mark.parametrize("shown", [f"hello\n{END}\nmore", f"hello\n{PRINTED}\nmore", f"{END}\n--BEGIN AGENT OBSERVATION--\nx"])
def test_a_result_of_openhands_goes_on_to_its_last_end(tmp_path: Path, shown: str) -> None:
    made = read_log(tmp_path, launched(EVENTS.replace("no such file", shown), launch="openhands --task 'Solve it.'"))
    assert [step.actions[0].kind for step in own(made)] == ["shell", "write", "submit"]
    assert (own(made)[0].observations[0].text, made.completeness.reasons) == (shown, ())


@pytest.mark.parametrize(
    ("events", "what"),
    [
        (EVENTS.replace("no such file", f"hello\n{END}\n{PRINTED}"), "may have printed the act"),
        (EVENTS.replace(f"{END}\n", ""), "the end of a result"),
    ],
)
def test_a_result_of_openhands_whose_end_cannot_be_told_is_a_gap(tmp_path: Path, events: str, what: str) -> None:
    made = read_log(tmp_path, launched(events, launch="openhands --task 'Solve it.'"))
    assert [reason.hides_acts for reason in made.completeness.reasons if what in reason.what] == [True]
    assert {"shell", "write", "submit"} <= {action.kind for step in own(made) for action in step.actions}


def test_a_log_of_openhands_without_its_acts_says_how_many_are_hidden(tmp_path: Path) -> None:
    line = '10:00:01 - openhands:INFO: x.py:3 - Server: INFO: 127.0.0.1 - "POST /execute_action HTTP/1.1" 200 OK'
    made = read_log(tmp_path, launched("\n".join([line] * 12), launch="openhands --task 'Solve it.'"))
    assert (acts(made), made.completeness.grade) == ([], "none")
    assert any("did 12 acts" in reason.what for reason in made.completeness.reasons)


def frame(title: str, *rows: str, width: int = 60) -> str:
    """A frame of prompt_toolkit."""
    top = f"┏{'━' * 20}| {title} |{'━' * (width - 26 - len(title))}┓"
    return "\n".join([top, *(f"┃{row:<{width - 2}}┃" for row in rows), f"┗{'━' * (width - 2)}┛"])


def test_frames_of_openhands_are_acts(tmp_path: Path) -> None:
    long = "$ echo " + "x" * 51 + "y" * 20
    text = "\n".join(
        [
            frame("Command", long[:58], long[58:]),
            "",
            frame("Command Output (showing 15 of 40 lines)", "x", "... and 25 more lines", width=100),
        ]
    )
    made = read_log(tmp_path, launched(text, launch="openhands --task x"))
    assert acts(made) == [("echo " + "x" * 51 + "y" * 20, "x\n... and 25 more lines")]


CODEX_TIMED = """\
[2025-08-09T01:02:03] OpenAI Codex v0.19.0 (research preview)
--------
workdir: /app
--------
[2025-08-09T01:02:03] User instructions:
Solve it.
[2025-08-09T01:02:09] thinking

**Planning**
[2025-08-09T01:02:10] codex

I look.
[2025-08-09T01:02:11] exec bash -lc 'ls -la' in /app
[2025-08-09T01:02:11] exec bash -lc 'cat <<EOF > b
x
EOF' in /app
[2025-08-09T01:02:11] bash -lc 'ls -la' succeeded in 12ms:
a.py
[2025-08-09T01:02:11] bash -lc 'cat <<EOF > b
x
EOF' exited 2 in 12ms:
denied
[2025-08-09T01:02:12] apply_patch auto_approved=true:
A /app/hello.txt
hello
[2025-08-09T01:02:13] tokens used: 123
"""


def test_events_of_codex_with_times_are_acts(tmp_path: Path) -> None:
    made = read_log(tmp_path, launched(CODEX_TIMED, launch="codex exec -- 'Solve it.'"))
    assert acts(made)[:2] == [("ls -la", "a.py"), ("cat <<EOF > b\nx\nEOF", "denied")]
    assert [item.exit_code for step in own(made) for item in step.observations][:2] == [0, 2]
    assert own(made)[-1].actions[0].edits == (Edit(path="/app/hello.txt", operation="write", new="hello\n"),)
    assert [step.reasoning for step in own(made) if step.reasoning] == ["**Planning**"]
    assert [step.text for step in own(made) if step.text] == ["I look."]


CODEX_HEADED = """\
OpenAI Codex v0.124.0 (research preview)
--------
workdir: /app
model: gpt-5
--------
user
Solve it.
thinking
**Planning**
codex
I look.
exec
/bin/bash -lc "sed -n '1,2p' a.py" in /app
 succeeded in 0ms:
a = 1
exec
bash -lc 'cat b' in /app exited 1 in 5ms:
cat: b: No such file
tokens used
1,234
"""


def test_headings_of_codex_are_acts(tmp_path: Path) -> None:
    made = read_log(tmp_path, launched(CODEX_HEADED, launch="codex exec 'Solve it.'"))
    assert acts(made) == [("sed -n '1,2p' a.py", "a = 1"), ("cat b", "cat: b: No such file")]
    assert [item.exit_code for step in own(made) for item in step.observations] == [0, 1]


def test_twenty_lines_of_codex_with_times_may_be_cut(tmp_path: Path) -> None:
    many = "\n".join(map(str, range(20)))
    text = CODEX_TIMED.replace("\na.py\n", f"\n{many}\n")
    results = [item for step in own(read_log(tmp_path, launched(text, launch="codex exec x"))) for item in step.observations]
    assert [item.truncated for item in results] == [True, False, False]


STREAM = [
    {"type": "system", "subtype": "init", "cwd": "/app", "session_id": "s", "tools": ["Bash"], "model": "claude-x"},
    {
        "type": "assistant",
        "message": {
            "id": "m1",
            "role": "assistant",
            "model": "claude-x",
            "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": LONG}}],
        },
        "session_id": "s",
    },
    {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "word1"}]},
        "session_id": "s",
    },
    {"type": "result", "subtype": "success", "is_error": False, "result": "done", "session_id": "s", "total_cost_usd": 0.1},
]


def test_the_stream_of_claude_code_is_read_by_its_own_reader(tmp_path: Path) -> None:
    made = read_log(tmp_path, launched("npm warn\n" + "\n".join(json.dumps(line) for line in STREAM)))
    assert acts(made) == [(LONG, "word1")]
    assert (made.model, made.completeness.grade) == ("claude-x", "terminal_text")
    assert own(made)[0].source.startswith("sessions/agent.log#line ")


def test_the_json_of_codex_exec_is_read_by_its_own_reader(tmp_path: Path) -> None:
    item = {"id": "i1", "type": "command_execution", "command": "bash -lc ls", "aggregated_output": "a.py", "exit_code": 0}
    lines = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {**item, "status": "completed"}},
        {"type": "turn.completed", "usage": {"input_tokens": 3, "output_tokens": 1}},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    made = read_log(tmp_path, launched(text, launch="codex exec --json 'Solve it.'"))
    assert [result for _, result in acts(made)] == ["a.py"]
