"""Every command and option is documented, and every call that the documentation shows is one that the program takes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest
from house_sources import ROOT, tracked_files

from earned.cli.main import group

CALL = re.compile(r"^(?:[$] )?(?:\.venv/bin/)?earned ([a-z]+)(.*)$", re.MULTILINE)


def commands() -> dict[str, click.Command]:
    """Every command by name."""
    top = group.make_context("earned", [], resilient_parsing=True)
    found = {name: group.get_command(top, name) for name in group.list_commands(top)}
    return {name: command for name, command in found.items() if command is not None}


def options(command: click.Command) -> set[str]:
    return {
        option
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("-")
    }


def unknown(text: str) -> Iterator[str]:
    """What the calls in a page name that the program does not have."""
    known = commands()
    for name, rest in CALL.findall(text):
        if name not in known:
            yield f"earned {name}"
            continue
        words = shlex.split(rest.split("  #")[0], comments=True)
        yield from (f"earned {name} {word}" for word in words if word.startswith("--") and word not in options(known[name]))


@pytest.mark.parametrize("name", sorted(commands()))
def test_a_command_and_its_options_stand_in_the_reference(name: str) -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    section = page[page.index(f"## earned {name}\n") :].split("\n## ")[0]
    assert [option for option in options(commands()[name]) if option not in section] == []


@pytest.mark.parametrize("name", sorted(commands()))
def test_a_command_explains_itself_with_an_example_and_prints_json(name: str) -> None:
    command = commands()[name]
    assert f"earned {name} " in (command.help or "")
    assert "--json" in options(command)
    assert [parameter.name for parameter in command.params if isinstance(parameter, click.Option) and not parameter.help] == []


def test_every_call_shown_in_the_documentation_is_one_the_program_takes() -> None:
    files = tracked_files()
    if files is None:
        pytest.skip("this is no git work tree, so that nothing is tracked")
    pages = {path: path.read_text(encoding="utf-8") for path in files if path.suffix == ".md" and "trials" not in path.parts}
    assert any(CALL.search(text) for text in pages.values())
    assert [f"{path.name}: {what}" for path, text in pages.items() for what in unknown(text)] == []


def test_a_call_that_the_program_does_not_take_is_seen() -> None:
    assert list(unknown("earned audit runs --sideways  # why\nearned guess runs\nearned read runs --json\n")) == [
        "earned audit --sideways",
        "earned guess",
    ]
