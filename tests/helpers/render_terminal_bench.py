"""A Terminal-Bench 1 run of one trial, whose agent is mini-swe-agent: what it did stands in the terminal's log only.

The log is written as mini-swe-agent 1.7 prints it, by `rich` on a terminal of 160 columns: lines are wrapped at words, tabs
become blanks, control characters go. A result therefore does not come back byte for byte, so that this rendering is not among
RENDERINGS; `test_trajectory_terminal_bench.py` compares words.
"""

from __future__ import annotations

import io
from pathlib import Path

from made_attempt import Attempt, Call, Kind
from made_files import write_json, write_text
from rich.console import Console

TOOLS: tuple[Kind, ...] = ("bash",)
RUN = "2025-08-07__20-46-16"
PROMPT = "\x1b[?2004hroot@c8eed1ca2e5b:/app# "
ENTERED = "\r\n\x1b[?2004l\r"
LAUNCH = "mini -m {model} -t 'Solve it.' -y --exit-immediately"
SETUP = (
    ["asciinema rec --stdin /logs/agent.cast", "Enter"],
    ["clear", "Enter"],
    ["source /installed-agent/setup-env.sh", "Enter"],
    ["source /installed-agent/install-agent.sh || echo 'INSTALL_FAIL_STATUS'", "Enter"],
)
TESTS = (["asciinema rec --stdin /logs/tests.cast", "Enter"], ["clear", "Enter"], ["bash ", "/tests/run-tests.sh", "Enter"])


def render(attempt: Attempt, folder: Path, *, log: str | None = None) -> Path:
    """The run's folder. `log`: what stands in the terminal's log instead of the agent's acts."""
    run = folder / RUN
    name = f"{attempt.task}.1-of-1.{RUN}"
    home = run / attempt.task / name
    result = result_of(attempt, name)
    write_json(home / "results.json", result)
    write_json(run / "results.json", {"id": "r", "results": [result], "n_resolved": int(attempt.passed), "accuracy": 1.0})
    write_json(run / "run_metadata.json", metadata_of(attempt))
    write_json(run / "tb.lock", {"lockfile_version": "1.0", "agent": {"name": "mini-swe-agent", "model_name": attempt.model}})
    launch = [LAUNCH.format(model=attempt.model), "Enter"]
    write_text(home / "commands.txt", "".join(f"{keys!r}\n" for keys in (*SETUP, launch, *TESTS, ["C-d"], ["C-d"])))
    write_bytes(home / "sessions" / "agent.log", typed_setup() + (told(attempt) if log is None else log) + closing())
    write_text(home / "panes" / "post-test.txt", f"root@c8eed1ca2e5b:/app# bash /tests/run-tests.sh\n{attempt.verifier}\n")
    write_bytes(home / "sessions" / "tests.log", f"{PROMPT}bash /tests/run-tests.sh{ENTERED}{attempt.verifier}\r\n")
    return run


def write_bytes(path: Path, text: str) -> Path:
    """A raw log: carriage returns stay as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "replace"))
    return path


def result_of(attempt: Attempt, name: str) -> dict[str, object]:
    """The trial's `results.json`."""
    return {
        "id": f"id-of-{name}",
        "trial_name": name,
        "task_id": attempt.task,
        "instruction": attempt.instruction,
        "is_resolved": attempt.passed,
        "failure_mode": "unset",
        "parser_results": {"test_it": "passed" if attempt.passed else "failed"},
        "recording_path": f"{RUN}/{attempt.task}/{name}/sessions/agent.cast",
        "total_input_tokens": 0,
        "total_output_tokens": 0,
        "trial_started_at": "2025-08-08T06:39:03+00:00",
        "trial_ended_at": "2025-08-08T06:51:54+00:00",
    }


def metadata_of(attempt: Attempt) -> dict[str, object]:
    """`run_metadata.json`."""
    return {
        "run_id": RUN,
        "dataset_name": "terminal-bench-core",
        "dataset_version": "0.1.1",
        "agent_name": "mini-swe-agent",
        "model_name": attempt.model,
        "n_concurrent_trials": 4,
    }


def typed_setup() -> str:
    """What the harness types before the agent begins."""
    spinner = "".join(f"\r\x1b[2K\x1b[37m{sign}\x1b[0m Preparing packages... (0/301)" for sign in "⠋⠙⠹⠸⠼⠴")
    return (
        f"{PROMPT}asciinema rec --stdin /logs/agent.cast{ENTERED}"
        "\x1b[0;32masciinema: recording asciicast to /logs/agent.cast\x1b[0m\r\n"
        '\x1b[0;32masciinema: press <ctrl-d> or type "exit" when you\'re done\x1b[0m\r\n'
        f"{PROMPT}clear{ENTERED}\x1b[H\x1b[J\x1b[3J"
        f"{PROMPT}source /installed-agent/setup-env.sh; tmux wait -S done{ENTERED}"
        f"{PROMPT}source /installed-agent/install-agent.sh || echo 'INSTALL_FAIL_STATUS'; tmux wait -S done{ENTERED}"
        f"{spinner}\r\x1b[2KInstalled 42 packages\r\n"
    )


def closing() -> str:
    """The end of the recording."""
    return f"{PROMPT}\x1b[?2004l\r\r\nexit\r\n\x1b[0;32masciinema: recording finished\x1b[0m\r\n{PROMPT}"


def told(attempt: Attempt) -> str:
    """What mini-swe-agent prints of its acts: one command a step; a turn that only says something submits."""
    screen = io.StringIO()
    console = Console(
        file=screen, width=160, force_terminal=True, color_system="standard", legacy_windows=False, highlight=False
    )
    submit = Call("bash", command="echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
    calls = [(turn.text, call) for turn in attempt.turns for call in turn.calls or (submit,)]
    print_message(console, "System", "You are a helpful assistant that can interact with a computer.")
    print_message(console, "User", f"Please solve this issue: {attempt.instruction}")
    for number, (text, call) in enumerate(calls, 1):
        print_step(console, number, text, call)
    shown = screen.getvalue().replace("\n", "\r\n")
    return f"{PROMPT}{LAUNCH.format(model=attempt.model)}; tmux wait -S done{ENTERED}{shown}"


def print_message(console: Console, role: str, text: str) -> None:
    """A message that is not the agent's."""
    console.print(f"\n[bold green]{role}[/bold green]:\n", end="", highlight=False)
    console.print(text, highlight=False, markup=False)


def print_step(console: Console, number: int, text: str, call: Call) -> None:
    """A step: the model is waited for, its message, then the result of its command."""
    console.rule()
    for sign in "⠋⠙⠹":
        console.file.write(f"\r\x1b[2K\x1b[32m{sign}\x1b[0m Waiting for the LM to respond...")
    console.file.write("\r\x1b[2K")
    console.print(f"\n[red][bold]mini-swe-agent[/bold] (step [bold]{number}[/bold], [bold]$0.01[/bold]):[/red]\n", end="")
    console.print(f"THOUGHT: {text}\n\n```bash\n{call.command}\n```", highlight=False, markup=False, emoji=False)
    if call.result is not None:
        shown = f"<returncode>0</returncode>\n<output>\n{call.result}</output>"
        console.print("\n[bold green]User[/bold green]:\n", end="", highlight=False)
        console.print(shown, highlight=False, markup=False, emoji=False)
