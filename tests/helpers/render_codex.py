"""A Codex rollout of 0.80, with a SWE-bench report in a folder beside it. The file is named for the task, as runs are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Call, Kind
from made_files import write_json, write_text
from render_reports import write_report

TOOLS: tuple[Kind, ...] = ("bash",)
HOLDS_VERIFIER = True
SESSION = "019b0000-0000-7000-8000-000000000001"


def line(kind: str, payload: dict[str, Any], *, second: int = 0) -> dict[str, Any]:
    """One line of a rollout."""
    return {"timestamp": f"2026-01-05T10:{second // 60 % 60:02}:{second % 60:02}.000Z", "type": kind, "payload": payload}


def message(role: str, text: str) -> dict[str, Any]:
    """A message as an item."""
    part = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": part, "text": text}]}


def meta(**more: Any) -> dict[str, Any]:
    """The head of a session."""
    head = {"id": SESSION, "timestamp": "2026-01-05T10:00:00.000Z", "cwd": "/app", "originator": "codex_exec"}
    return line("session_meta", {**head, "cli_version": "0.80.0", "source": "exec", "model_provider": "openai", **more})


def context(model: str = "gpt-5-codex", cwd: str = "/app", **more: Any) -> dict[str, Any]:
    """The conditions of a turn."""
    policy = {"type": "danger-full-access"}
    return line("turn_context", {"cwd": cwd, "approval_policy": "never", "sandbox_policy": policy, "model": model, **more})


def shell_call(call: Call, call_id: str) -> dict[str, Any]:
    """A call of the shell tool."""
    arguments = json.dumps({"command": ["bash", "-lc", call.command], "workdir": "/app"})
    return {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": call_id}


def shell_output(call_id: str, text: str, code: int = 0) -> dict[str, Any]:
    """Its result."""
    output = json.dumps({"output": text, "metadata": {"exit_code": code, "duration_seconds": 0.1}})
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def lines(attempt: Attempt) -> list[dict[str, Any]]:
    """The rollout."""
    made = [
        meta(),
        line("response_item", message("user", "<environment_context>\n<cwd>/app</cwd>\n</environment_context>")),
        line("response_item", message("user", attempt.instruction)),
        line("event_msg", {"type": "user_message", "message": attempt.instruction, "kind": "plain"}),
        context(attempt.model),
    ]
    for number, turn in enumerate(attempt.turns, start=1):
        reasoning: dict[str, Any] = {"type": "reasoning", "summary": [], "content": None, "encrypted_content": "gAAAA"}
        items = [reasoning, message("assistant", turn.text)]
        ids = [f"call_{number}_{at}" for at in range(len(turn.calls))]
        items += [shell_call(call, call_id) for call, call_id in zip(turn.calls, ids, strict=True)]
        items += [
            shell_output(call_id, call.result) for call, call_id in zip(turn.calls, ids, strict=True) if call.result is not None
        ]
        made += [line("response_item", item, second=number) for item in items]
        usage = {"input_tokens": 100 * number, "cached_input_tokens": 0, "output_tokens": 10 * number}
        made.append(line("event_msg", {"type": "token_count", "info": {"total_token_usage": usage}}, second=number))
    return made


def write_lines(path: Path, made: list[dict[str, Any]]) -> Path:
    """Write a file of lines."""
    return write_text(path, "".join(f"{json.dumps(item)}\n" for item in made))


def write_outcome(attempt: Attempt, home: Path) -> None:
    """What a harness around Codex keeps of the attempt beside its log: whether it passed, and its patch."""
    patch = {"patch": attempt.patch} if attempt.patch else {}
    write_json(home / "outcomes.json", {attempt.task: {"passed": attempt.passed, **patch}})


def render(attempt: Attempt, folder: Path) -> Path:
    """The folder of both."""
    home = folder / "codex" / attempt.task
    write_lines(home / f"{attempt.task}.jsonl", lines(attempt))
    write_outcome(attempt, home)
    write_report(attempt, folder)
    return folder
