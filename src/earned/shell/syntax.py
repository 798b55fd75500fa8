"""What a shell script consists of, as both readers (`flat`, `grammar`) give it. No evaluation here."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

SPLIT = "\ue003"
"""Where a value falls apart into several words (an unquoted variable, an array)."""
BRACES = str.maketrans("{,}", "\ue000\ue001\ue002")
"""Braces and commas that are not quoted; quoted ones stay as they are."""
UNBRACE = str.maketrans("\ue000\ue001\ue002", "{,}")


class Variable(NamedTuple):
    """`$name` or `${name…}`; `raw` is what stands for it while its value is unknown."""

    name: str
    raw: str
    quoted: bool
    default: str = ""
    """Of `${name:-default}`; an array index stands in the name as `name[0]`."""


class Substitution(NamedTuple):
    """`$(…)`, backticks (`kind` is `$()`), `<(…)` or `>(…)`."""

    kind: Literal["$()", "<()", ">()"]
    body: Statement
    raw: str


Piece: TypeAlias = "str | Variable | Substitution"
Word: TypeAlias = "str | tuple[Piece, ...]"
"""A literal word is plain text; quoting is already decoded."""


class Assignment(NamedTuple):
    """`name=value`; an array has several words."""

    name: str
    words: tuple[Word, ...]


class Redirect(NamedTuple):
    """`fd` is -1 for `&>`. The target of a `document` is its text (here-doc or here-string)."""

    kind: Literal["write", "append", "read", "document"]
    fd: int
    target: Word


class Simple(NamedTuple):
    """One simple command; `start` and `end` are character offsets."""

    words: tuple[Word, ...]
    assignments: tuple[Assignment, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int


class Pipeline(NamedTuple):
    """`a | b | c`."""

    items: tuple[Statement, ...]


class Sequence(NamedTuple):
    """Statements one after another, whatever joins them."""

    items: tuple[Statement, ...]


class Background(NamedTuple):
    """`a &`."""

    body: Statement


class Scoped(NamedTuple):
    """`( … )` when it is a subshell, else a group, a branch or a loop with redirections of its own."""

    body: Statement
    redirects: tuple[Redirect, ...]
    subshell: bool


class Loop(NamedTuple):
    """`for name in words; do body; done`."""

    name: str
    words: tuple[Word, ...]
    body: Statement


class Function(NamedTuple):
    """`name() { body; }`."""

    name: str
    body: Statement


Statement: TypeAlias = "Simple | Pipeline | Sequence | Background | Scoped | Loop | Function"
EMPTY = Sequence(())
