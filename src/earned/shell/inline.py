"""Program text in a language other than the shell, as facts and as shell text that the program runs in turn."""

from __future__ import annotations

from earned.records.fact import Fact
from earned.shell.item import Shell
from earned.shell.python import python_items
from earned.shell.scan import scanned_items

MAX_PROGRAM = 2_000_000
"""Characters of a program that are read; of a longer one the beginning is scanned."""


def program_items(text: str, language: str) -> list[Fact | Shell]:
    """What a program does, as far as its text holds it literally; never raises."""
    if language.startswith("python") and len(text) <= MAX_PROGRAM:
        items = python_items(text)
        if items is not None:
            return items
    return scanned_items(text[:MAX_PROGRAM], "python" if language.startswith("python") else language)
