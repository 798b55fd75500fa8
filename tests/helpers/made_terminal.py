"""Terminal-Bench 1 trials and terminal records as the harness writes them, small, for tests of the reader."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from made_files import TASK, only, write_json, write_text
from render_terminal_bench import ENTERED, PROMPT, closing, typed_setup, write_bytes

from earned.records import Step, Trajectory

NAME = "demo-task.1-of-1.run-1"
LAUNCHED = "claude --verbose --output-format stream-json -p 'Solve it.' --allowedTools Bash"


def result(**changes: Any) -> dict[str, Any]:
    """A trial's `results.json`."""
    return {
        "id": "9f",
        "trial_name": NAME,
        "task_id": "demo-task",
        "instruction": TASK,
        "is_resolved": True,
        "failure_mode": "unset",
        "parser_results": {"test_it": "passed"},
        "total_input_tokens": None,
        **changes,
    }


def trial_folder(folder: Path, *, log: str | None = None, commands: Sequence[object] | None = None, **changes: Any) -> Path:
    """A trial's folder in a run; `log`: its terminal's log, `commands`: keys that were typed, `changes`: of its result."""
    home = folder / "run-1" / "demo-task" / NAME
    write_json(home / "results.json", result(**changes))
    if log is not None:
        write_bytes(home / "sessions" / "agent.log", log)
    if commands is not None:
        write_text(home / "commands.txt", "".join(f"{keys!r}\n" for keys in commands))
    return home


def typed(command: str, output: str = "", *, prompt: str = PROMPT) -> str:
    """A command at a prompt whose line editor marks what it reads, with what it printed."""
    first, *more = command.split("\n")
    lines = "".join(f"{ENTERED}\x1b[?2004h> {line}" for line in more)
    return f"{prompt}{first}{lines}{ENTERED}{printed(output)}"


def printed(text: str) -> str:
    """What a program prints, as the terminal's record has it."""
    return "".join(f"{line}\r\n" for line in text.splitlines())


def plain(command: str, output: str = "", *, prompt: str = "root@c8eed1ca2e5b:/app# ") -> str:
    """The same of a shell whose line editor marks nothing."""
    return f"{prompt}{printed(command)}{printed(output)}"


def session(*parts: str) -> str:
    """A recorded terminal: the start of the recording, what happened, its end."""
    start = typed("asciinema rec --stdin /logs/agent.cast", "asciinema: recording asciicast to /logs/agent.cast")
    return f"{start}{typed('clear')}\x1b[H\x1b[J\x1b[3J{''.join(parts)}{closing()}"


def launched(text: str, *, launch: str = LAUNCHED) -> str:
    """A terminal in which an agent's program was installed and started, and printed a text."""
    return f"{typed_setup()}{typed(f'{launch}; tmux wait -S done')}{printed(text)}{closing()}"


def cast(path: Path, *events: Sequence[object], version: int = 2) -> Path:
    """An asciinema recording of events `[time, code, data]`."""
    header: dict[str, Any] = {"version": version, "width": 160, "height": 40, "timestamp": 1754625554}
    if version == 3:
        header = {"version": 3, "term": {"cols": 160, "rows": 40}}
    return write_text(path, "".join(f"{json.dumps(line)}\n" for line in (header, *events)))


def acts(made: Trajectory) -> list[tuple[str, str]]:
    """The agent's acts with their results."""
    return [
        (action.command or action.arguments, next((item.text for item in step.observations if item.action == number), ""))
        for step in own(made)
        for number, action in enumerate(step.actions)
    ]


def own(made: Trajectory) -> list[Step]:
    """The agent's steps."""
    return [step for step in made.steps if step.actor == "agent"]


def read_log(folder: Path, log: str, *, commands: Sequence[object] | None = None) -> Trajectory:
    """The trial with that terminal log."""
    return only(trial_folder(folder, log=log, commands=commands))
