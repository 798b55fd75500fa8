"""OpenHands V1: one row of `output.jsonl` of OpenHands/benchmarks, with the run's report beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Call, Kind, Turn
from made_files import write_json, write_text

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")
STARTED = "2026-01-05T10:00:00"
CONVERSATION = "11111111-2222-3333-4444-555555555555"


def text(value: str) -> dict[str, Any]:
    """A part of content."""
    return {"cache_prompt": False, "type": "text", "text": value}


def called(call: Call) -> tuple[str, dict[str, Any]]:
    """Name of the tool and the action of a call, as the tool's model writes it."""
    if call.kind == "bash":
        return "terminal", {
            "command": call.command,
            "is_input": False,
            "timeout": None,
            "reset": False,
            "kind": "TerminalAction",
        }
    shared: dict[str, Any] = {"path": call.path, "insert_line": None, "view_range": None, "kind": "FileEditorAction"}
    if call.kind == "write":
        return "file_editor", {"command": "create", "file_text": call.new, "old_str": None, "new_str": None, **shared}
    return "file_editor", {"command": "str_replace", "file_text": None, "old_str": call.old, "new_str": call.new, **shared}


def observed(call: Call) -> dict[str, Any]:
    """The observation of a call."""
    seen: dict[str, Any] = {"content": [text(call.result or "")], "is_error": False}
    if call.kind == "bash":
        terminal = {"exit_code": 0, "pid": 7, "working_dir": "/workspace", "prefix": "", "suffix": ""}
        return {
            **seen,
            "command": call.command,
            "exit_code": 0,
            "timeout": False,
            "metadata": terminal,
            "kind": "TerminalObservation",
        }
    return {
        **seen,
        "path": call.path,
        "prev_exist": True,
        "old_content": "a",
        "new_content": "b",
        "kind": "FileEditorObservation",
    }


def events(attempt: Attempt) -> list[dict[str, Any]]:
    """The attempt as the events of a conversation."""
    task = {"role": "user", "content": [text(attempt.instruction)], "tool_calls": None, "reasoning_content": None}
    made: list[dict[str, Any]] = [
        {"source": "agent", "system_prompt": text("You are OpenHands agent."), "tools": [], "kind": "SystemPromptEvent"},
        {"source": "user", "llm_message": task, "activated_skills": [], "extended_content": [], "kind": "MessageEvent"},
    ]
    *before, last = attempt.turns
    turns, words = (before, last.text) if not last.calls else (attempt.turns, "Done.")
    for number, turn in enumerate(turns):
        made += _turn(turn, f"resp-{number}", len(made))
    finish = {"message": words, "kind": "FinishAction"}
    made.append({**_call("finish", finish, "resp-last", "finish-0"), "source": "agent", "thought": []})
    named = [{"id": event_id(number), "timestamp": f"{STARTED}.{number:06}"} for number in range(len(made))]
    return [{**name, **event} for name, event in zip(named, made, strict=True)]


def event_id(number: int) -> str:
    """The id of an event."""
    return f"00000000-0000-4000-8000-{number:012}"


def _turn(turn: Turn, response: str, begin: int) -> list[dict[str, Any]]:
    if not turn.calls:
        message = {"role": "assistant", "content": [text(turn.text)]}
        return [{"source": "agent", "llm_message": message, "kind": "MessageEvent"}]
    made: list[dict[str, Any]] = []
    for at, call in enumerate(turn.calls):
        tool, action = called(call)
        thought = [text(turn.text)] if at == 0 else []
        made.append({**_call(tool, action, response, f"{response}-{at}"), "source": "agent", "thought": thought})
    for at, call in enumerate(turn.calls):
        if call.result is not None:
            named = {"tool_name": called(call)[0], "tool_call_id": f"{response}-{at}", "action_id": event_id(begin + at)}
            made.append({"source": "environment", "observation": observed(call), **named, "kind": "ObservationEvent"})
    return made


def _call(tool: str, action: dict[str, Any], response: str, call_id: str) -> dict[str, Any]:
    given = {name: value for name, value in action.items() if name != "kind" and value is not None}
    return {
        "reasoning_content": None,
        "thinking_blocks": [],
        "action": action,
        "tool_name": tool,
        "tool_call_id": call_id,
        "tool_call": {"id": call_id, "name": tool, "arguments": json.dumps(given), "origin": "completion"},
        "llm_response_id": response,
        "security_risk": "UNKNOWN",
        "summary": None,
        "kind": "ActionEvent",
    }


def row(attempt: Attempt) -> dict[str, Any]:
    """The row of the attempt."""
    tokens = {"model": attempt.model, "prompt_tokens": 1200, "completion_tokens": 34}
    return {
        "instance_id": attempt.task,
        "attempt": 1,
        "test_result": {"git_patch": attempt.patch},
        "instruction": attempt.instruction,
        "metadata": None,
        "history": events(attempt),
        "metrics": {"model_name": attempt.model, "accumulated_cost": 0.25, "accumulated_token_usage": tokens},
        "error": None,
        "instance": None,
        "runtime_runs": None,
    }


def conversation(folder: Path, made: list[dict[str, Any]], *, model: str = "model-a", name: str = CONVERSATION) -> Path:
    """A conversation's folder with these events."""
    metrics = {"default": {"accumulated_cost": 0.5, "accumulated_token_usage": {"prompt_tokens": 10, "completion_tokens": 2}}}
    state = {
        "id": name,
        "agent": {"llm": {"model": model}, "tools": [], "kind": "Agent"},
        "workspace": {"working_dir": "/workspace", "kind": "LocalWorkspace"},
        "execution_status": "finished",
        "stats": {"usage_to_metrics": metrics},
    }
    home = folder / name
    write_json(home / "base_state.json", state)
    for number, event in enumerate(made):
        write_json(home / "events" / f"event-{number:05}-{event_id(number)}.json", event)
    return home


def render(attempt: Attempt, folder: Path) -> Path:
    """The folder of both files."""
    write_text(folder / "run" / "output.jsonl", json.dumps(row(attempt)) + "\n")
    listed = {True: "resolved_ids", False: "unresolved_ids"}
    report = {"total_instances": 1, "submitted_instances": 1, "resolved_ids": [], "unresolved_ids": []}
    write_json(folder / "run" / "output.report.json", {**report, listed[attempt.passed]: [attempt.task]})
    return folder / "run"
