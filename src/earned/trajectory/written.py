"""Which files a shell command writes: the one place where this room asks the shell room."""

from __future__ import annotations

from typing import cast

import earned.shell
from earned.records import Fact


def command_facts(command: str, *, cwd: str = "") -> tuple[Fact, ...]:
    """The facts of a command; none while the shell room reads no commands."""
    read = getattr(earned.shell, "command_facts", None)
    return cast("tuple[Fact, ...]", read(command, cwd=cwd)) if read is not None else ()
