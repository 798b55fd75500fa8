"""The same Inspect AI log as one JSON document (`--log-format json`)."""

from __future__ import annotations

from pathlib import Path

from made_attempt import Attempt
from made_files import write_json
from render_inspect import HOLDS_VERIFIER, TOOLS, header, sample

__all__ = ["HOLDS_VERIFIER", "TOOLS", "render"]


def render(attempt: Attempt, folder: Path) -> Path:
    """The log file."""
    path = folder / f"2026-01-01T00-00-00-00-00_demo_{attempt.task}.json"
    return write_json(path, {**header(attempt), "samples": [sample(attempt)]})
