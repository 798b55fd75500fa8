"""Progress on long work: a bar with an estimate on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

EVERY = 10.0
"""Seconds between plain lines."""

Progress = Callable[[int, int, int, int], None]


@contextmanager
def shown_progress(what: str, *, quiet: bool, unit: str = "shard") -> Iterator[Progress | None]:
    """A function that shows (bytes done, bytes in all, units done, units in all) on standard error; None when quiet."""
    if quiet:
        yield None
        return
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _plain(what, unit)
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    with Bar(TextColumn(what), BarColumn(), DownloadColumn(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total, _units, _all: bar.update(task, completed=done, total=total)


def _plain(what: str, unit: str) -> Progress:
    start = last = time.monotonic()

    def show(done: int, total: int, units: int, in_all: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < EVERY or done >= total:
            return
        last = now
        left = (now - start) / max(done, 1) * (total - done)
        click.echo(
            f"{what}: {done / 1e6:.0f} of {total / 1e6:.0f} MB, {unit} {units} of {in_all}, about {left:.0f} s left", err=True
        )

    return show
