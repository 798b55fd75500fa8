"""The repository names no machine it was made on and no package registry, and holds no unfinished work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from house_sources import ROOT, modules, tracked_files

# Written in pieces, so that this file does not hold what it looks for.
MACHINE = re.compile("|".join(("/wor" + "k/(main|shared)", "/root/" + r"\.pyenv", "/tmp/" + "(brief|bash_)")))
REGISTRIES = re.compile(
    "|".join(("py" + r"pi\.org", "python" + r"hosted\.org", "registry" + r"\.npmjs", "deb" + r"\.debian\.org"))
)
UNFINISHED = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "NotImplemented" + "Error")))


def lines_with(pattern: re.Pattern[str], path: Path) -> list[str]:
    """`path:line` of each line that the pattern matches; a file that is no text has none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return []
    where = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
    return [f"{where}:{number}" for number, line in enumerate(lines, start=1) if pattern.search(line)]


@pytest.mark.parametrize("pattern", [MACHINE, REGISTRIES], ids=["machine path", "registry host"])
def test_no_tracked_file_names_a_machine_path_or_a_registry(pattern: re.Pattern[str]) -> None:
    files = tracked_files()
    if files is None:
        pytest.skip("this is no git work tree, so that nothing is tracked")
    assert [line for path in files if path.name != "uv.lock" for line in lines_with(pattern, path)] == []


def test_no_source_is_unfinished() -> None:
    assert [line for path in modules("src", "tools", "examples", "bench") for line in lines_with(UNFINISHED, path)] == []


def test_a_forbidden_word_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\ny = '/wor" + "k/main/src'\n")
    assert lines_with(MACHINE, tmp_path / "a.py") == ["a.py:2"]
    assert lines_with(REGISTRIES, tmp_path / "a.py") == []
