"""What the shell keeps between commands, as far as it is literal, and what of it the session takes over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earned.shell.effects import Stream
from earned.shell.session import MAX_REMEMBERED, Change, Session, located

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence as Row

    from earned.records.fact import Write


class State:
    """Directory, variables, functions, aliases and written files; `changes` is what of it outlives the command."""

    def __init__(self, cwd: str, session: Session | None) -> None:
        self.changes: list[Change] = []
        self.cwd = cwd
        self.previous = ""
        self.variables = dict(session.variables) if session else {}
        self.aliases = dict(session.aliases) if session else {}
        self.functions = dict(session.functions) if session else {}
        self.scripts: dict[str, str] = {}
        self.session = session
        self.subshells = 0

    def change(self, change: Change) -> None:
        """Keeps a change for the session, unless it ends with a subshell."""
        if not self.subshells or change[0] == "scripts":
            self.changes.append(change)

    def set(self, name: str, content: str) -> None:
        """One variable; a value that commands give makes it unknown."""
        if "$(" in content or "`" in content or len(content) > 10_000:
            self.variables.pop(name, None)
        else:
            self.variables[name] = content
            self.change(("variables", name, content))

    def keep(self, writes: tuple[Write, ...]) -> None:
        """Remembers written text, so that running the file later gives its facts."""
        for write in writes:
            if write.text is None or write.operation not in {"write", "append"} or len(write.text) > MAX_REMEMBERED:
                continue
            path = located(write.path, self.cwd)
            before = self.known_script(write.path) if write.operation == "append" else None
            text = (before or "") + write.text
            if len(text) <= MAX_REMEMBERED:
                self.scripts[path] = text
                self.change(("scripts", path, text))

    def known_script(self, path: str) -> str | None:
        """Text of a file that this command or an earlier one wrote."""
        found = self.scripts.get(located(path, self.cwd))
        return found if found is not None or self.session is None else self.session.script(path, self.cwd)

    def with_arguments(self, arguments: Row[str], body: Callable[[], Stream]) -> Stream:
        """Runs `body` with positional parameters, and restores those of before."""
        names = [str(number) for number in range(1, 10)]
        before = {name: self.variables.pop(name) for name in [*names, "@", "*", "#"] if name in self.variables}
        self.variables.update(zip(names, arguments, strict=False))
        if arguments:
            self.variables["@"] = self.variables["*"] = " ".join(arguments)
        out = body()
        for name in [*names, "@", "*", "#"]:
            self.variables.pop(name, None)
        self.variables.update(before)
        return out
