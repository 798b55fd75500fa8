"""Whether a text that a command writes holds a value that the shell put in, so that it is not known letter by letter.

What a shell knows only when it runs (`$HOME`, `$(date)`, backticks) stands in a recovered text as it was typed. Quoted texts,
escaped signs and here-documents with a quoted delimiter are taken as they stand.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from earned.records import Fact

MAX_NESTED = 4
"""Texts within texts that are looked at: `bash -c` within `bash -c`."""
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "eval"})
_SUBSTITUTED = 5
"""Characters by which `$(…)` and backticks are told from others."""
_NAME = r"\$(?:[A-Za-z_][A-Za-z0-9_]{0,100}|\{[^}\n]{1,100}|\(|[0-9@*#?$!-])|`"
_VALUE = re.compile(_NAME)
_OUTSIDE = re.compile(
    rf"\\.|\$?'(?P<plain>[^']*)'|(?P<double>\")|(?P<value>{_NAME})|^\#[^\n]*|[ \t]\#[^\n]*|<<<"
    r"|<<-?[ \t]{0,20}(?P<delimiter>'[^'\n]{1,100}'|\"[^\"\n]{1,100}\"|\\?[A-Za-z0-9_.!-]{1,100})"
    r"|(?P<end>\n|;|&&|\|\|)",
    re.DOTALL | re.MULTILINE,
)
_DOCUMENT = re.compile(rf"\\.|(?P<value>{_NAME})", re.DOTALL)
"""Quotes quote nothing in a here-document; a backslash does."""
_TABS = re.compile(r"^\t+", re.MULTILINE)
_INSIDE = re.compile(rf"\\.|(?P<double>\")|(?P<value>{_NAME})", re.DOTALL)


class Expansions:
    """Where the values stand in one command, found once for all that it writes."""

    def __init__(self, command: str, *, depth: int = 0) -> None:
        self._command = command
        self._depth = depth
        self._ends: list[int] = [0]
        """Where statements begin."""
        self._words: list[set[str]] = [set()]
        """Values in the words of each statement, by the text that stands for them."""
        self._filled: set[str] = set()
        """Values in here-documents that are filled in."""
        self._plain: list[str] = []
        """Quoted texts, which a shell within the shell may read."""
        self._documents: set[str] = set()
        """Here-documents that are taken as they stand."""
        self._within: set[str] | None = None
        if "$" in command or "`" in command:
            self._scan()

    def fill(self, fact: Fact, text: str) -> bool:
        """Whether a text that `fact` writes holds a value that the shell put in."""
        held = set(_values_in(text))
        if not held or text in self._documents:
            return False
        statement = self._words[bisect_right(self._ends, fact.start) - 1]
        if not (held.isdisjoint(self._filled) and held.isdisjoint(statement)):
            return True
        if not (fact.via or not fact.end):
            return False
        is_shell = any(via.split(" ", 1)[0] in _SHELLS for via in fact.via)
        return any(not held.isdisjoint(words) for words in self._words) or (is_shell and not held.isdisjoint(self._nested()))

    def everything(self) -> set[str]:
        """All values, those in the texts that a shell within the shell reads among them."""
        return self._filled.union(*self._words, self._nested())

    def _nested(self) -> set[str]:
        if self._within is None:
            texts = self._plain if self._depth < MAX_NESTED else ()
            self._within = {value for text in texts for value in Expansions(text, depth=self._depth + 1).everything()}
        return self._within

    def _scan(self) -> None:
        command, at, is_inside = self._command, 0, False
        waiting: list[str] = []
        while (found := (_INSIDE if is_inside else _OUTSIDE).search(command, at)) is not None:
            at = found.end()
            kind = found.lastgroup
            if kind == "double":
                is_inside = not is_inside
            elif kind == "value":
                self._words[-1].add(_told(found))
            elif kind == "plain":
                self._plain.append(found[kind])
            elif kind == "delimiter":
                waiting.append(found[kind])
            elif kind == "end":
                if found[kind] == "\n":
                    for delimiter in waiting:
                        at = self._document(at, delimiter)
                    waiting = []
                self._ends.append(at)
                self._words.append(set())

    def _document(self, start: int, delimiter: str) -> int:
        """Take the here-document that begins at `start`; gives the place behind it."""
        name, at, end = delimiter.strip("'\"\\"), start, -1
        while at < len(self._command) and end < 0:
            line, at = at, self._command.find("\n", at) + 1 or len(self._command)
            end = line if self._command[line:at].strip(" \t\n") == name else -1
        body = self._command[start : end if end >= 0 else len(self._command)]
        if name == delimiter:
            self._filled.update(_told(found) for found in _DOCUMENT.finditer(body) if found["value"])
        else:
            self._plain.append(body)
            self._documents.update((body, _TABS.sub("", body)))
        return at


def _told(found: re.Match[str]) -> str:
    """What stands for a value."""
    return found.string[found.start() : found.start() + _SUBSTITUTED] if found[0] in ("`", "$(") else found[0]


def _values_in(text: str) -> Iterator[str]:
    return map(_told, _VALUE.finditer(text)) if "$" in text or "`" in text else iter(())
