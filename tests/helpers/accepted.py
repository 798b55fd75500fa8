"""Comparing output with what a person accepted. How to accept a change: tests/gold/README.md."""

from __future__ import annotations

import os
from pathlib import Path

ACCEPT = "EARNED_ACCEPT_GOLD"
_FOLDER = Path(__file__).parent.parent / "gold"


def assert_gold(name: str, found: str) -> None:
    """Fail when `found` is not what the file `name` in tests/gold/ holds; with EARNED_ACCEPT_GOLD=1, write it instead."""
    path = _FOLDER / name
    if os.environ.get(ACCEPT) == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="")
    accepted = path.read_bytes().decode() if path.exists() else ""
    assert found == accepted, f"{name} differs from what was accepted; see tests/gold/README.md"


def assert_generated(path: Path, marker: str, found: str) -> None:
    """The same for the part of a page between `<!-- generated: MARKER … -->` and `<!-- end -->`."""
    text = path.read_text(encoding="utf-8")
    start = text.index("-->\n", text.index(f"<!-- generated: {marker} ")) + len("-->\n")
    end = text.index("<!-- end -->", start)
    if os.environ.get(ACCEPT) == "1":
        path.write_text(text[:start] + found + text[end:], encoding="utf-8")
        return
    assert text[start:end] == found, f"{path.name} is out of date; see tests/gold/README.md"
