"""What of a command took place, and whether the text that it wrote is known letter by letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from earned.records import Fact

_DOCUMENT = re.compile(r"<<-?[ \t]{0,20}([A-Za-z_][A-Za-z0-9_]{0,100})[^\n]{0,1000}\n")
_FILLED_IN = re.compile(r"(?:^|[^\\])(?:\$[A-Za-z_{(0-9@*#?]|`)")
_MAX_DOCUMENTS = 100


def carried_out(command: str, facts: Sequence[Fact]) -> Sequence[Fact]:
    """The facts without those behind `false &&` and `true ||`, which a shell never comes to."""
    if "false" not in command and "true" not in command and ":" not in command:
        return facts
    kept: list[Fact] = []
    dead = ""
    end = 0
    for fact in facts:
        if fact.start >= end and command[end : fact.start].strip() != dead:
            dead = ""
        if not dead:
            kept.append(fact)
            if not fact.via:
                dead = {"false": "&&", "true": "||", ":": "||"}.get(fact.program, "")
        end = max(end, fact.end)
    return kept


def is_filled_in(command: str, facts: Sequence[Fact]) -> bool:
    """Whether the shell put values into a text that a command writes: `cat > f <<EOF` with `$HOME` in it."""
    if "<<" not in command or ("$" not in command and "`" not in command):
        return False
    sizes = {write.text.count("\n") for fact in facts for write in fact.writes if write.text is not None}
    return any(body.count("\n") in sizes and _FILLED_IN.search(body) is not None for body in _open_documents(command))


def _open_documents(command: str) -> Iterator[str]:
    """The here-documents whose delimiter is not quoted, with line ends."""
    at = 0
    for _ in range(_MAX_DOCUMENTS):
        found = _DOCUMENT.search(command, at)
        if found is None:
            return
        end = re.compile(rf"^[ \t]{{0,100}}{found.group(1)}[ \t]{{0,100}}$", re.MULTILINE).search(command, found.end())
        at = end.end() if end is not None else len(command)
        yield command[found.end() : end.start() if end is not None else at]
