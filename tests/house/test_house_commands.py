"""The commands of the README are the commands of the Makefile, and CI runs exactly its checks and tests."""

from __future__ import annotations

import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from house_sources import ROOT, tracked_files

COMMANDS = {"check", "test", "audit", "bench", "docs"}
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)")


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_readme_and_contributing_name_only_commands_of_the_makefile() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.*)$", text("Makefile"), re.MULTILINE)
    assert set(phony.split()) == COMMANDS | {"help"}
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", text("README.md") + text("CONTRIBUTING.md"), re.MULTILINE))
    assert named == COMMANDS


def test_ci_runs_the_checks_then_the_tests_of_the_readme_and_nothing_else() -> None:
    lines = [line for line in text(".ci/run").splitlines() if line and not line.startswith("#")]
    assert lines[:1] == ["set -euo pipefail"]
    assert lines[2:] == ["make check", "make test"]
    assert lines[1].startswith("cd ")
    assert "\nmake test " in text("README.md")
    assert (ROOT / ".ci" / "run").stat().st_mode & stat.S_IXUSR


def test_links_of_the_markdown_files_lead_somewhere() -> None:
    files = tracked_files()
    if files is None:
        pytest.skip("this is no git work tree, so that nothing is tracked")
    pages = [path for path in files if path.suffix == ".md"]
    dead = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert not dead, "\n".join(dead)


def find_python(path: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """Runs tools/find-python.sh with nothing but `path` to look in, for the given names."""
    environment = {"PATH": str(path), "PYTHON": " ".join(names)}
    command = ["/bin/sh", str(ROOT / "tools" / "find-python.sh")]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def stand_in(path: Path, body: str) -> None:
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def test_a_suitable_python_is_found_behind_an_old_one(tmp_path: Path) -> None:
    stand_in(tmp_path / "python3", "exit 1")
    stand_in(tmp_path / "python3.11", f'exec "{sys.executable}" "$@"')
    result = find_python(tmp_path, "python3", "python3.11")
    assert (result.returncode, result.stdout.strip()) == (0, str(tmp_path / "python3.11"))


def test_without_a_suitable_python_the_message_says_what_is_missing(tmp_path: Path) -> None:
    stand_in(tmp_path / "python3", "exit 1")
    result = find_python(tmp_path, "python3", "python3.11")
    assert result.returncode == 1
    assert "Expected Python 3.11 or newer" in result.stderr
    assert "make PYTHON=" in result.stderr


def test_a_python_without_venv_names_the_package_to_install(tmp_path: Path) -> None:
    stand_in(tmp_path / "python3", 'case "$2" in *ensurepip*) exit 1;; esac')
    stand_in(tmp_path / "id", "echo 1000")
    result = find_python(tmp_path, "python3")
    assert result.returncode == 1
    assert "apt-get install python3-venv" in result.stderr


def test_a_missing_program_of_the_tests_is_named_with_what_is_skipped(tmp_path: Path) -> None:
    for name, body in (("git", "exit 0"), ("id", "echo 1000"), ("uname", "echo Linux")):
        stand_in(tmp_path / name, body)
    command = ["/bin/sh", str(ROOT / "tools" / "system-packages.sh")]
    result = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert "chromium (Debian package chromium): the tests that open report.html in a browser are skipped" in result.stderr
    assert "curl (Debian package curl)" in result.stderr
    assert "git (Debian" not in result.stderr


def test_with_every_program_there_nothing_is_said(tmp_path: Path) -> None:
    for name, body in (("git", ""), ("curl", ""), ("google-chrome", ""), ("uname", "echo Plan9"), ("id", "echo 1000")):
        stand_in(tmp_path / name, body or "exit 0")
    command = ["/bin/sh", str(ROOT / "tools" / "system-packages.sh")]
    result = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout + result.stderr) == (0, "")
