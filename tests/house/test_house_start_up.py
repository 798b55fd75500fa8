"""`earned --help` and `--version` answer at once: they import nothing that only work needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "asyncio",
    "hypothesis",
    "jinja2",
    "multiprocessing",
    "numpy",
    "pyarrow",
    "re2",
    "rich",
    "tree_sitter",
    "tree_sitter_bash",
}
LISTING = """
import sys
{statement}
print("\\n".join(sorted({{name.split(".")[0] for name in sys.modules}})), file=sys.stderr)
"""
CALL = """
from earned.cli import main
sys.argv = ["earned", {argument!r}]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""


def imported(statement: str) -> tuple[set[str], str]:
    """Top-level modules that a fresh interpreter holds after `statement`, and what it printed."""
    command = [sys.executable, "-c", LISTING.format(statement=statement)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(result.stderr.split()), result.stdout


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(argument: str) -> None:
    modules, shown = imported(CALL.format(argument=argument))
    assert shown.strip()
    assert modules & HEAVY == set()


def test_a_heavy_import_is_seen() -> None:
    modules, _ = imported("import numpy")
    assert modules & HEAVY == {"numpy"}


@pytest.mark.parametrize("room", ["records", "errors", "registry", "taxonomy"])
def test_importing_the_words_of_the_house_imports_nothing_heavy(room: str) -> None:
    modules, shown = imported(f"import earned.{room}")
    assert shown == ""
    assert modules & HEAVY == set()
