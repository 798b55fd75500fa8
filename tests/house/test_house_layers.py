"""The floors of the house hold, and the contract that says so fires when they do not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from house_sources import PACKAGE, ROOT, rooms


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the import contract of `folder/pyproject.toml` over the package in `folder/src`."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copytree(PACKAGE, folder / "src" / "earned", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_the_floors_hold() -> None:
    result = lint_imports(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("room", "imported"),
    [
        ("content", "shell"),
        ("report", "audit"),
        ("audit", "report"),
        ("records", "errors"),
        ("taxonomy", "stats"),
        ("store", "cli"),
    ],
)
def test_an_import_of_a_sibling_or_of_a_higher_floor_breaks_the_contract(copy: Path, room: str, imported: str) -> None:
    intruder = copy / "src" / "earned" / room / "intruder.py"
    intruder.write_text(f"import earned.{imported}\n")
    result = lint_imports(copy)
    intruder.unlink()
    assert result.returncode != 0
    assert f"earned.{room}.intruder -> earned.{imported}" in result.stdout


def test_a_type_only_import_breaks_the_contract_too(copy: Path) -> None:
    intruder = copy / "src" / "earned" / "shell" / "intruder.py"
    intruder.write_text("from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import earned.content\n")
    result = lint_imports(copy)
    intruder.unlink()
    assert result.returncode != 0
    assert "earned.shell.intruder -> earned.content" in result.stdout


def test_every_room_stands_on_a_floor() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = [row for row in settings["tool"]["importlinter"]["contracts"] if row["id"] == "floors"]
    placed = {name.strip().removeprefix("earned.") for layer in contract["layers"] for name in layer.split("|")}
    assert placed == set(rooms()) - {"__init__"}
