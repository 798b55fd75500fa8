"""docs/reference/cli.md: every command with its help text as the program prints it, and exit codes."""

from __future__ import annotations

import click

from earned.cli.main import group

WIDTH = 100
INTRODUCTION = """# Command line

Each command prints what stands here with `--help`, from which this page is made. Exit codes:

| code | meaning |
|---|---|
| 0 | sound, also when there is no surface pass or some inputs were skipped |
| 1 | the tool failed, or more is undecided than `--max-undecided` allows |
| 2 | the expression of `--fail-on` is true |
| 3 | usage or input: path missing, folder empty, nothing recognised, an option that does not fit |
"""


def cli_page() -> str:
    """The page as Markdown."""
    top = group.make_context("earned", [], resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH)
    return "\n".join([INTRODUCTION, *_sections(group, top)])


def _sections(command: click.Command, context: click.Context) -> list[str]:
    """One section for a command, then those of its sub-commands in the order in which help lists them."""
    help_text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    sections = [f"## {context.command_path}\n\n```text\n{help_text}\n```\n"]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None and not inner.hidden:
                settings = {"terminal_width": WIDTH, "max_content_width": WIDTH}
                narrower = inner.make_context(name, [], parent=context, resilient_parsing=True, **settings)
                sections.extend(_sections(inner, narrower))
    return sections
