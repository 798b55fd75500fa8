"""A tau-bench result file of one episode."""

from __future__ import annotations

from pathlib import Path

from made_attempt import Attempt, Kind
from made_files import write_json
from render_chat import messages_of

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")

HOLDS_PATCH = False


def render(attempt: Attempt, folder: Path) -> Path:
    """The file."""
    told = messages_of(attempt)
    told[0]["content"] = "# Airline Agent Policy\n\nHelp the user."
    task = {"user_id": "mia", "actions": [], "instruction": attempt.instruction, "outputs": []}
    reward = 1.0 if attempt.passed else 0.0
    episode = {
        "task_id": attempt.task,
        "reward": reward,
        "info": {"task": task, "source": "user", "user_cost": 0.01, "reward_info": {"reward": reward}},
        "traj": told,
        "trial": 0,
    }
    return write_json(folder / "tau" / "episodes.json", [episode])
