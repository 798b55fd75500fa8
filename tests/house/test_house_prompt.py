"""Every command that the README shows at the prompt runs as it is printed, from the root of the repository."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from command_line import earned
from house_sources import ROOT

PROMPT = "## At the prompt\n\n```\n"
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = README.partition(PROMPT)[2].partition("```")[0].splitlines()
EXIT_CODE = re.compile(r"exit code (\d)")


def test_the_prompt_has_at_most_eight_lines_and_each_calls_the_program() -> None:
    assert 0 < len(LINES) <= 8
    assert [line for line in LINES if not line.startswith(".venv/bin/earned ") or " # " not in line] == []


def test_every_command_at_the_prompt_runs_and_ends_with_the_code_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples" / "trials", tmp_path / "examples" / "trials")
    monkeypatch.chdir(tmp_path)
    for line in LINES:
        command, _, comment = line.partition(" # ")
        found = earned(*shlex.split(command)[1:])
        said = EXIT_CODE.search(comment)
        assert (command.strip(), found.code) == (command.strip(), int(said[1]) if said else 0), found.err
        assert found.out, command
    for made in ("audit/report.html", "rows.jsonl", "tables"):
        assert (tmp_path / "build" / made).exists(), made
