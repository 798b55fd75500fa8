"""OpenHands V0: one row of `output.jsonl`, with the evaluation's report merged into it as its scripts do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Call, Kind, Turn
from made_files import write_text

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")
STARTED = "2025-04-30T16:32:54"


def called(call: Call) -> tuple[str, str, dict[str, Any]]:
    """Name of the action, name of the tool and arguments of a call."""
    if call.kind == "bash":
        return "run", "execute_bash", {"command": call.command, "is_input": False, "blocking": False, "hidden": False}
    shared = {"path": call.path, "content": "", "start": 1, "end": -1, "impl_source": "oh_aci", "insert_line": None}
    if call.kind == "write":
        return "edit", "str_replace_editor", {**shared, "command": "create", "file_text": call.new}
    return "edit", "str_replace_editor", {**shared, "command": "str_replace", "old_str": call.old, "new_str": call.new}


def events(attempt: Attempt) -> list[dict[str, Any]]:
    """The attempt as the events of a session, numbered without gaps."""
    system = {
        "content": "You are OpenHands agent.",
        "tools": None,
        "openhands_version": "0.62.0",
        "agent_class": "CodeActAgent",
    }
    task = {"content": attempt.instruction, "file_urls": None, "image_urls": None, "wait_for_response": False}
    recall = {"recall_type": "workspace_context", "query": attempt.instruction, "thought": ""}
    made: list[dict[str, Any]] = [
        {"source": "agent", "action": "system", "args": system},
        {"source": "user", "action": "message", "args": task},
        {"source": "user", "action": "recall", "args": recall},
        {"source": "environment", "cause": 2, "observation": "recall", "content": "Added workspace context", "extras": {}},
    ]
    *before, last = attempt.turns
    turns, words = (before, last.text) if not last.calls else (attempt.turns, "Done.")
    for number, turn in enumerate(turns):
        made += _turn(turn, f"gen-{number}", attempt.model, len(made))
    finish = {"final_thought": words, "outputs": {}, "thought": ""}
    made.append({"source": "agent", "action": "finish", "args": finish})
    return [{"id": number, "timestamp": f"{STARTED}.{number:06}", "message": "", **event} for number, event in enumerate(made)]


def _turn(turn: Turn, response: str, model: str, begin: int) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    if not turn.calls:
        return [{"source": "agent", "action": "message", "args": {"content": turn.text, "wait_for_response": True}}]
    for at, call in enumerate(turn.calls):
        name, tool, arguments = called(call)
        answer = {"id": response, "model": model, "choices": [{"message": {"content": turn.text, "role": "assistant"}}]}
        told = {"function_name": tool, "tool_call_id": f"{response}-{at}", "model_response": answer}
        args = {**arguments, "thought": turn.text if at == 0 else "", "security_risk": -1}
        cause = begin + len(made)
        made.append({"source": "agent", "action": name, "tool_call_metadata": told, "args": args})
        if call.result is None:
            continue
        seen: dict[str, Any] = {"source": "agent", "cause": cause, "observation": name, "tool_call_metadata": told}
        extras: dict[str, Any] = {"path": call.path, "prev_exist": True, "old_content": "a", "new_content": "b"}
        if name == "run":
            terminal = {"exit_code": 0, "pid": -1, "working_dir": "/workspace", "prefix": "", "suffix": ""}
            extras = {"command": call.command, "metadata": terminal, "hidden": False}
        made.append({**seen, "content": call.result, "extras": extras, "success": True})
    return made


def row(attempt: Attempt) -> dict[str, Any]:
    """The row of the attempt."""
    report = {"empty_generation": False, "resolved": attempt.passed, "failed_apply_patch": False, "error_eval": False}
    tokens = {"model": "default", "prompt_tokens": 1200, "completion_tokens": 34}
    return {
        "instance_id": attempt.task,
        "test_result": {"git_patch": attempt.patch},
        "instruction": attempt.instruction,
        "metadata": {"agent_class": "CodeActAgent", "llm_config": {"model": attempt.model}, "dataset": "demo"},
        "history": events(attempt),
        "metrics": {"accumulated_cost": 0.25, "accumulated_token_usage": tokens, "costs": []},
        "error": None,
        "instance": {"instance_id": attempt.task, "patch": "", "problem_statement": attempt.instruction},
        "report": report,
    }


def render(attempt: Attempt, folder: Path) -> Path:
    """The file."""
    return write_text(folder / "run" / "output.jsonl", json.dumps(row(attempt)) + "\n")
