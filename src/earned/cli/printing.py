"""How a command prints: one JSON document and nothing else, or a table that no input can act through."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console


def print_json(value: object) -> None:
    """One document on standard output. Text that no file can hold has its lone surrogates replaced."""
    import msgspec

    from earned.store import json_text

    click.echo(msgspec.json.format(json_text(value)))


def console() -> Console:
    """Standard output for tables; lines are not wrapped where nobody looks at a screen."""
    from rich.console import Console

    return Console(highlight=False, markup=False, soft_wrap=not sys.stdout.isatty())
