"""How a command prints: one JSON document and nothing else, or a table that no input can act through."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

_WIDE = 2000
"""Columns of an output that is no terminal."""


def print_json(value: object) -> None:
    """One document on standard output."""
    click.echo(printed_json(value))


def printed_json(value: object) -> str:
    """JSON text that no terminal acts on: control and invisible characters are escapes, lone surrogates are replaced."""
    import msgspec

    from earned.report import safe_json
    from earned.store import json_text

    return safe_json(msgspec.json.format(json_text(value)))


def console() -> Console:
    """Standard output for tables; where nobody looks at a screen, nothing is wrapped or folded, so that one can search it."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False, markup=False)
    return Console(highlight=False, markup=False, soft_wrap=True, width=_WIDE)


def say(message: str) -> None:
    """One message on standard error, without control characters that an input may have put into it."""
    click.echo(
        "".join(mark if mark.isprintable() or mark == "\n" else "\N{REPLACEMENT CHARACTER}" for mark in message), err=True
    )
