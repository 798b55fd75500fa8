"""docs/reference/protected.md tells what a bundle changes; here both trials are made and audited."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import earned
from house_sources import ROOT
from made_files import atif, bash, trial
from pyarrow import parquet

PAGE = (ROOT / "docs" / "reference" / "protected.md").read_text(encoding="utf-8")
BUNDLING = re.findall(r"```text\n(mkdir .*?)```", PAGE, re.DOTALL)
OLD = 'def roman(number):\n    return "I" * number\n'
NEW = """NUMERALS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def roman(number):
    written = ""
    for value, letters in NUMERALS:
        count, number = divmod(number, value)
        written += letters * count
    return written
"""
WHO = {f"GIT_{role}_{part}": "a" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
WHEN = {"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}


def sh(command: str, folder: Path) -> str:
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **WHO, **WHEN}
    words = ["bash", "-ec", command]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


def commit(repository: Path, text: str, message: str) -> str:
    (repository / "roman.py").write_text(text, encoding="utf-8")
    return sh(f"git add -A && git commit -qm '{message}' && git rev-parse --short=7 HEAD", repository).strip()


def later_commit_taken(repository: Path) -> list[str]:
    sh("git checkout -q -b next", repository)
    fix = commit(repository, NEW, "Subtractive forms")
    sh("git checkout -q main", repository)
    return [f"git merge --squash {fix}", "git diff HEAD"]


def ancestor_written_down(repository: Path) -> list[str]:
    old = commit(repository, NEW, "Subtractive forms")
    commit(repository, OLD, "Simpler")
    return [f"git show {old}:roman.py", f"cat > roman.py <<'EOF'\n{NEW}EOF", "git diff HEAD"]


def audited(folder: Path, *options: object) -> tuple[str, str]:
    """The label of the one trial, and why."""
    out = folder / f"out{len(options)}"
    assert earned("audit", folder / "trials", "--out", out, *options).code == 0
    (row,) = parquet.read_table(out / "verdicts").to_pylist()
    return str(row["label"]), str(row["why"])


@pytest.mark.parametrize(
    ("task", "history", "without", "with_bundle"),
    [
        ("roman-4", later_commit_taken, "legitimate", "violation"),
        ("roman-5", ancestor_written_down, "violation", "legitimate"),
    ],
)
def test_a_bundle_made_as_the_page_says_changes_what_the_page_says(
    task: str, history: Callable[[Path], list[str]], without: str, with_bundle: str, tmp_path: Path
) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    sh("git init -q -b main", repository)
    commit(repository, OLD, "Roman numerals")
    acts = history(repository)
    (bundling,) = BUNDLING
    sh(bundling.replace("roman-4", task), tmp_path)
    steps = [bash(act, sh(act, repository)) for act in acts]
    trial(tmp_path / "trials", document=atif(*steps), name=f"{task}__Kq2vXwe", task_name=task)
    for options, label in (((), without), (("--protected", tmp_path / "protected"), with_bundle)):
        said, why = audited(tmp_path, *options)
        assert said == label
        assert f"| {label}" in PAGE
        assert f"| {why} |" in PAGE
