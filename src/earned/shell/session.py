"""What earlier commands of a trajectory leave behind that later ones may use: definitions, variables, scripts they wrote."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from earned.shell.syntax import Statement

Table: TypeAlias = Literal["cwd", "variables", "aliases", "functions", "scripts"]
Change: TypeAlias = "tuple[Table, str, str | Statement]"
"""Which table, name, value."""

MAX_ENTRIES = 2_000
"""Per kind; a trajectory that defines more keeps the first."""
MAX_REMEMBERED = 1_000_000
"""Characters of one script; larger ones are data."""


def located(path: str, cwd: str) -> str:
    """`path` seen from `cwd`, normalised; unchanged where it names no place (`$f`, `~`, a URL)."""
    if not path or path.startswith(("/", "~", "$", "-")) or "://" in path:
        return posixpath.normpath(path) if path.startswith("/") else path
    return posixpath.normpath(posixpath.join(cwd, path)) if cwd else posixpath.normpath(path)


class Session:
    """One trajectory's shell. `version` names its content: equal histories give equal versions."""

    def __init__(self) -> None:
        self.version = 0
        self.cwd = ""
        """Working directory after the last command that was given without one."""
        self.variables: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.functions: dict[str, Statement] = {}
        """Name -> body."""
        self.scripts: dict[str, str] = {}
        """Path, located, -> text that was written there."""

    def remember(self, path: str, text: str, *, cwd: str = "") -> None:
        """A file that was written by other means than a command (an edit tool)."""
        if len(text) <= MAX_REMEMBERED:
            self.apply(("scripts", located(path, cwd), text))

    def script(self, path: str, cwd: str) -> str | None:
        """Text of a script that was written earlier."""
        return self.scripts.get(located(path, cwd)) or self.scripts.get(path)

    def apply(self, change: Change) -> None:
        """Takes over one change that a command makes."""
        table, name, content = change
        if table == "cwd":
            self.cwd = str(content)
        else:
            entries: dict[str, str | Statement] = getattr(self, table)
            if entries.get(name) == content or (len(entries) >= MAX_ENTRIES and name not in entries):
                return
            entries[name] = content
        self.version = hash((self.version, change))
