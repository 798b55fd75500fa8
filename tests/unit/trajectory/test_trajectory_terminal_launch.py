"""Which commands start an agent's program, so that they are the harness's and no acts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_files import TASK, only, write_text
from made_terminal import acts, launched, read_log, session, trial_folder, typed


@pytest.mark.parametrize(
    "launch",
    [
        "claude -p 'x'",
        "codex exec --model m -- 'x'",
        "mini -m m -t 'x' -y",
        "SANDBOX_VOLUMES=${PWD}:/w:rw /opt/openhands-venv/bin/python -m openhands.core.main --task 'x'",
        "aider --message 'x' --yes",
        "goose run --recipe ~/r.yaml",
        "gemini -p 'x' -y",
        "opencode --model m run 'x'",
        "cursor-agent -p 'x'",
        "droid exec 'x'",
        "echo 'x' | qwen",
        "bash /installed-agent/run.sh",
        "python3 -m my.own_agent --task x",
    ],
)
def test_the_start_of_an_agent_with_nothing_behind_it_is_no_act(tmp_path: Path, launch: str) -> None:
    made = read_log(tmp_path, session(typed(launch, "Segmentation fault")))
    assert (acts(made), made.completeness.grade) == ([], "none")


def test_the_last_words_of_a_program_that_did_not_start_are_said(tmp_path: Path) -> None:
    made = read_log(tmp_path, launched("bash: mini: command not found", launch="mini -t 'x'"))
    assert any("bash: mini: command not found" in reason.what for reason in made.completeness.reasons)


LAUNCHES = [
    "claude -p 'do it' --allowedTools Bash",
    "opencode run 'do it'",
    "myagent --task 'do it'",
    "node /opt/agent/index.js 'do it'",
    'cd /app && KEY=x /opt/bin/solver "do it"',
    "python3 -m someone.solver 'do it'",
    "amp -x",
    "letta run",
    "trae-cli run x",
    "openhands run",
    "./myagent solve",
    "kiro-cli chat --no-interactive",
    "python /agent/run.py",
    "python3 -u -m my.agent",
    "bash /opt/start.sh < /task.md",
    "docker run agent",
    "cd /app && timeout 900 my-solver",
]


@pytest.mark.parametrize("command", LAUNCHES)
@pytest.mark.parametrize("pane", ["", "Thinking...\nI wrote it. Done in 3 s\n", "root@c8eed1ca2e5b:/app# {}\nI wrote it.\n"])
def test_the_only_command_of_a_trial_that_starts_a_program_with_a_text_is_no_act(
    tmp_path: Path, command: str, pane: str
) -> None:
    home = trial_folder(tmp_path, commands=[["clear", "Enter"], [command, "Enter"], ["C-d"]])
    if pane:
        write_text(home / "panes" / "post-agent.txt", pane.replace("{}", command))
    made = only(home)
    assert (acts(made), made.completeness.grade) == ([], "none")


@pytest.mark.parametrize(
    "keys",
    [
        [["echo 'hello world' > hello.txt", "Enter"]],
        ["python3 -c 'print(1)'\n"],
        ["python3 solve.py\n"],
        ["make\n"],
        ["python3 /app/solve.py --fast\n"],
        ["python3 -m pytest tests\n"],
        ["bash ./build.sh\n"],
        ["my-solver; cat out.txt\n"],
        ["amp -x\n", "ls\n"],
        ["ls\n", "solver 'do it'\n"],
    ],
)
def test_commands_of_an_agent_at_the_terminal_stay_acts(tmp_path: Path, keys: list[object]) -> None:
    made = only(trial_folder(tmp_path, commands=keys))
    assert len(acts(made)) == len(keys)
    assert made.completeness.grade == "terminal_text"


@pytest.mark.parametrize(("agent", "commands"), [("terminus-2", ["./configure"]), ("warp", [])])
def test_an_agent_that_acts_by_typing_may_run_one_program(tmp_path: Path, agent: str, commands: list[str]) -> None:
    home = trial_folder(tmp_path, commands=[["./configure", "Enter"]], log=session(typed("./configure", "ok")))
    write_text(home.parents[1] / "run_metadata.json", json.dumps({"run_id": "run-1", "agent_name": agent}))
    assert [command for command, _ in acts(only(home))] == commands


def test_the_only_command_that_holds_the_instruction_is_no_act(tmp_path: Path) -> None:
    made = only(trial_folder(tmp_path, commands=[[f"bash start.sh '{TASK}'", "Enter"]]))
    assert (acts(made), made.completeness.grade) == ([], "none")
