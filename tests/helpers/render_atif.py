"""A bare ATIF document, with the outcome in an `outcomes.json` beside it."""

from __future__ import annotations

from pathlib import Path

from made_attempt import Attempt
from made_files import write_json
from render_harbor import TOOLS, document

__all__ = ["TOOLS", "render"]


def render(attempt: Attempt, folder: Path) -> Path:
    """The folder of both files."""
    write_json(folder / "atif" / f"{attempt.task}.json", document(attempt))
    write_json(folder / "atif" / "outcomes.json", {attempt.task: attempt.passed})
    return folder / "atif"
