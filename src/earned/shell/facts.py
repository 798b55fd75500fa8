"""The room's door: a command or an inline program in, facts out. Each distinct command is read once."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from earned.shell.frame import Frame
from earned.shell.session import Change, Session
from earned.shell.walk import Walk

if TYPE_CHECKING:
    from earned.records.fact import Fact

MAX_COMMAND = 16_000_000
"""Characters; of a longer command the beginning is read."""
CACHE_ENTRIES = 4_096
CACHE_CHARACTERS = 16_000_000


class _Key(NamedTuple):
    command: str
    cwd: str
    version: int


class _Result(NamedTuple):
    facts: tuple[Fact, ...]
    changes: tuple[Change, ...]


class _Cache:
    """The least recently used results go first; bounded in entries and in characters of commands."""

    def __init__(self) -> None:
        self.entries: OrderedDict[_Key, _Result] = OrderedDict()
        self.characters = 0

    def get(self, key: _Key) -> _Result | None:
        found = self.entries.get(key)
        if found is not None:
            self.entries.move_to_end(key)
        return found

    def put(self, key: _Key, result: _Result) -> None:
        self.entries[key] = result
        self.characters += len(key.command)
        while self.entries and (len(self.entries) > CACHE_ENTRIES or self.characters > CACHE_CHARACTERS):
            old, _ = self.entries.popitem(last=False)
            self.characters -= len(old.command)


_CACHE = _Cache()


def command_facts(command: str, *, cwd: str = "", session: Session | None = None) -> tuple[Fact, ...]:
    """What a shell command does, one fact for each simple command in the order of execution; never raises, never runs anything.

    Paths stand as written (see `located`), spans are character offsets into `command`. `session` brings what earlier commands
    of the trajectory defined, and takes what this one defines; without `cwd`, its working directory is the start.
    """
    command = command[:MAX_COMMAND]
    start = cwd or (session.cwd if session is not None else "")
    key = _Key(command, start, session.version if session is not None else 0)
    result = _CACHE.get(key)
    if result is None:
        walk = Walk(start, session)
        walk.text(command, Frame())
        result = _Result(tuple(walk.facts), tuple(walk.changes))
        _CACHE.put(key, result)
    if session is not None:
        for change in result.changes:
            session.apply(change)
    return result.facts


def program_facts(
    text: str, language: str, *, via: tuple[str, ...] = (), cwd: str = "", session: Session | None = None
) -> tuple[Fact, ...]:
    """What an inline program does: `language` is `python`, `node`, `perl`, `ruby`, … or a shell. Spans cover the whole text."""
    walk = Walk(cwd, session)
    walk.inline(text, language, Frame(via=via, span=(0, len(text))))
    if session is not None:
        for change in walk.changes:
            session.apply(change)
    return tuple(walk.facts)
