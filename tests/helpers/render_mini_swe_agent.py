"""A mini-swe-agent 2 trajectory with tool calls, with the outcome in a SWE-bench report in a folder beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Kind
from made_files import write_json
from render_reports import write_report

TOOLS: tuple[Kind, ...] = ("bash",)

HOLDS_VERIFIER = True


def render(attempt: Attempt, folder: Path) -> Path:
    """The folder of both."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": attempt.instruction},
    ]
    for number, turn in enumerate(attempt.turns):
        calls = [(f"call_{number}_{at}", call) for at, call in enumerate(turn.calls)]
        messages.append(
            {
                "role": "assistant",
                "content": turn.text,
                "tool_calls": [
                    {
                        "id": name,
                        "type": "function",
                        "function": {"name": "bash", "arguments": json.dumps({"command": call.command})},
                    }
                    for name, call in calls
                ],
                "extra": {"actions": [{"command": call.command, "tool_call_id": name} for name, call in calls]},
            }
        )
        messages += [
            {"role": "tool", "tool_call_id": name, "content": call.result, "extra": {"returncode": 0}}
            for name, call in calls
            if call.result is not None
        ]
    info = {
        "mini_version": "2.1.0",
        "exit_status": "Submitted",
        "submission": attempt.patch,
        "config": {"model": {"model_name": attempt.model}, "environment_type": "docker"},
        "model_stats": {"instance_cost": 0.1, "api_calls": len(attempt.turns)},
    }
    document = {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1", "instance_id": attempt.task}
    write_json(folder / "mini" / attempt.task / f"{attempt.task}.traj.json", document)
    write_report(attempt, folder)
    return folder
