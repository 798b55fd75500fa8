"""Where a command stands: its input, its output, how the text reached it; and small questions about streams and names."""

from __future__ import annotations

import re
from typing import NamedTuple

from earned.records.fact import Fact, GitUse, Runs, Write
from earned.shell import programs
from earned.shell.effects import Stream, passes
from earned.shell.syntax import Simple, Statement

_VERSION = re.compile(r"[\d.]+$")


class Frame(NamedTuple):
    """Where a command stands: what its output and input are joined to, and how the text reached it."""

    shows: bool = True
    background: bool = False
    via: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    depth: int = 0
    level: int = 0
    stdin: Stream = Stream()
    targets: tuple[tuple[str, str], ...] = ()
    """(path, operation) of files that standard output goes to."""
    others: tuple[Write, ...] = ()
    reads: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()

    def inner(self, name: str, *, shows: bool | None = None) -> Frame:
        """The frame of what a command runs in turn."""
        visible = self.shows if shows is None else shows and self.shows
        return Frame(visible, self.background, (*self.via, name), self.span, self.depth, self.level, self.stdin)


def joined(streams: list[Stream]) -> Stream:
    """What statements print one after another."""
    if len(streams) == 1:
        return streams[0]
    source = next((stream.source for stream in streams if stream.source), "")
    texts = [stream.text for stream in streams]
    known = [text for text in texts if text is not None]
    return Stream("".join(known) if len(known) == len(texts) and known else None, source)


def passes_on(statement: Statement) -> bool:
    """What is piped into the statement comes out of it again, visibly."""
    if not isinstance(statement, Simple):
        return True
    for kind, fd, word in statement.redirects:
        if (
            kind in {"write", "append"}
            and fd in {1, -1}
            and not (type(word) is str and word.startswith(("&", "/dev/std", "/dev/tty")))
        ):
            return False
    for word in statement.words:
        if type(word) is not str:
            return False
        name = program_name(word)
        if name in programs.PREFIXES or word.startswith("-"):
            continue
        module = name == "python" and "json.tool" in statement.words
        return passes(name) or module
    return False


def program_name(name: str) -> str:
    """Base name, with the version digits of interpreters removed."""
    base = name.rpartition("/")[2] if "/" in name else name
    if base and base[-1].isdigit() and _VERSION.sub("", base) in programs.INTERPRETERS:
        return _VERSION.sub("", base)
    return base


def placed(item: Fact, cwd: str, frame: Frame, span: tuple[int, int], *, git: GitUse | None, runs: Runs) -> Fact:
    """An inline program's fact at the place where the program stands."""
    return Fact(
        program=item.program,
        argv=item.argv,
        cwd=cwd,
        reads=item.reads,
        writes=item.writes,
        hosts=item.hosts,
        urls=item.urls,
        git=git or item.git,
        runs=runs,
        background=frame.background or item.background,
        via=frame.via,
        start=span[0],
        end=span[1],
        shows=frame.shows and item.shows,
    )
