"""A SWE-agent 1.1 trajectory with tool calls, with the outcome in a SWE-bench report in a folder beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Call, Kind
from made_files import write_json
from render_reports import write_report

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")

HOLDS_VERIFIER = True


def _called(call: Call) -> tuple[str, dict[str, Any]]:
    if call.kind == "bash":
        return "bash", {"command": call.command}
    if call.kind == "write":
        return "str_replace_editor", {"command": "create", "path": call.path, "file_text": call.new}
    return "str_replace_editor", {"command": "str_replace", "path": call.path, "old_str": call.old, "new_str": call.new}


def render(attempt: Attempt, folder: Path) -> Path:
    """The folder of both. SWE-agent makes one call a turn: further ones of a turn become turns of their own."""
    history: list[dict[str, Any]] = [
        {"role": "system", "content": "You are an agent.", "agent": "main", "message_type": "system_prompt"},
        {"role": "user", "content": attempt.instruction, "agent": "main", "message_type": "observation"},
    ]
    trajectory: list[dict[str, Any]] = []
    for turn in attempt.turns:
        for at, call in enumerate(turn.calls or (None,)):
            name, arguments = _called(call) if call else ("", {})
            text = turn.text if at == 0 else ""
            calls = (
                [{"id": f"c{len(history)}", "function": {"name": name, "arguments": json.dumps(arguments)}}] if call else None
            )
            action = json.dumps([name, arguments]) if call else ""
            entry = {"action": action, "response": text, "thought": text, "state": {}, "query": []}
            item = {
                "role": "assistant",
                "content": text,
                "thought": text,
                "action": action,
                "agent": "main",
                "tool_calls": calls,
            }
            history.append({**item, "message_type": "action"})
            if call is not None and call.result is not None:
                entry["observation"] = call.result
                history.append({"role": "tool", "content": call.result, "agent": "main", "tool_call_ids": [f"c{len(history)}"]})
            trajectory.append(entry)
    config = {"agent": {"model": {"name": attempt.model}}}
    document = {
        "trajectory": trajectory,
        "history": history,
        "info": {"exit_status": "submitted", "submission": attempt.patch, "swe_agent_version": "1.1.0"},
        "replay_config": json.dumps(config),
        "environment": "swe_main",
    }
    write_json(folder / "swe" / attempt.task / f"{attempt.task}.traj", document)
    write_report(attempt, folder)
    return folder
