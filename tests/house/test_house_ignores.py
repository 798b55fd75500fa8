"""A linter rule is switched off with its reason beside it, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from house_sources import CODE_FOLDERS, ROOT, modules

NOQA = re.compile(r"#\s*noqa(?P<codes>:\s*[A-Z]+[0-9]+(,\s*[A-Z]+[0-9]+)*)?(?P<rest>.*)")
SETTING = re.compile(r'^\s*"[A-Z]+[0-9]*",?(?P<rest>.*)$')


def without_reason(lines: Iterable[str]) -> list[str]:
    """Lines with a `noqa` that names no rule or gives no reason after it."""
    matches = ((line, NOQA.search(line)) for line in lines)
    return [line.strip() for line, match in matches if match and not (match["codes"] and re.search(r"\w{2}", match["rest"]))]


def bare_settings(lines: Iterable[str]) -> list[str]:
    """Lines of a list of ignored rules that have no comment."""
    matches = ((line, SETTING.match(line)) for line in lines)
    return [line.strip() for line, match in matches if match and not re.search(r"#.*\w{2}", match["rest"])]


def test_every_rule_ignored_by_the_settings_has_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text[text.index("[tool.ruff.lint]") : text.index("[tool.ruff.lint.pydocstyle]")]
    assert 'select = ["ALL"]' in section
    assert bare_settings(section.splitlines()) == []
    inline = [line for line in section.splitlines() if "= [" in line and line.startswith('"') and line.rstrip().endswith("]")]
    assert inline == []


@pytest.mark.parametrize("folder", CODE_FOLDERS)
def test_every_rule_ignored_in_place_has_a_reason(folder: str) -> None:
    own = ROOT / "tests" / "house" / "test_house_ignores.py"
    found = [
        line
        for path in modules(folder)
        if path != own
        for line in without_reason(path.read_text(encoding="utf-8").splitlines())
    ]
    assert found == []


def test_an_ignore_without_reason_is_seen() -> None:
    assert without_reason(["x = 1  # noqa: S101", "y = 2  # noqa"]) != []
    assert without_reason(["x = 1  # noqa: S101 - the type has no other case", "y = 2"]) == []
    assert bare_settings(['    "S101",', '    "S102", # why']) == ['"S101",']
