"""Code of any language as tokens: words, numbers, strings, operators; comments and white space are left out.

One generic lexer serves every language, because two texts are compared with each other and not understood. It goes on over
anything: a string or comment that does not close ends with its line, or with the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from earned.content.rewrite import Positions

KEYWORDS = frozenset(
    """
    and as assert async await begin bool break byte case catch char class const continue def default del do double elif else
    elsif end enum except export extends false False final finally float fn for foreach from func function global go goto if
    impl implements import in instanceof int interface is lambda let long loop match mod module mut namespace new nil None
    nonlocal not null or package pass private protected pub public raise rescue return self short static str string struct
    super switch template then this throw throws trait true True try type typedef typeof undefined union unless unsigned until
    use using var virtual void volatile when where while with yield
    """.split()  # noqa: SIM905  # sixty words read better as one text than as sixty strings
)
"""Words that keep their identity when names are abstracted; of many languages together."""

NAME, NUMBER, STRING, WORD, OPERATOR = range(5)
"""Kinds of tokens; WORD is a keyword."""

_SLASHES = r"|//[^\n]*|/\*[^*]*(?:\*+[^/*][^*]*)*(?:\*+/)?"
_COMMENTS = {
    "generic": r"#(?:[ !\n-][^\n]*)?|//[^\n]*|/\*[^*]*(?:\*+[^/*][^*]*)*(?:\*+/)?",
    "hash": r"#[^\n]*",
    "slashes": _SLASHES[1:],
    "dashes": r"--[^\n]*" + _SLASHES,
}
_FAMILIES = {
    "hash": "py pyi pyx rb sh bash zsh pl pm r jl yaml yml toml ex exs nim tcl cmake mk coffee gd awk ps1",
    "slashes": "c h cc cpp cxx hpp hh cs java js jsx mjs cjs ts tsx go rs swift kt kts scala dart m mm php proto zig css",
    "dashes": "sql lua hs elm ada adb ads vhd vhdl",
}
_OF_SUFFIX = {suffix: family for family, suffixes in _FAMILIES.items() for suffix in suffixes.split()}
_REST = (
    r"(?P<word>[^\W\d]\w*)"
    r"|(?P<number>[0-9][\w.]*)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\[^\n])*\"?|'(?:[^'\\\n]|\\[^\n])*'?|`(?:[^`\\\n]|\\[^\n])*`?)"
    r"|(?P<operator>->|=>|::|&&|\|\||\*\*|[=!<>]=?=?|[-+*/%&|^]=|[^\s\w])"
)
_PATTERNS = {family: re.compile(rf"(?P<comment>{comment})|{_REST}") for family, comment in _COMMENTS.items()}
_KINDS = {"number": NUMBER, "string": STRING, "operator": OPERATOR}


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of a text, with names and literals both as they are and abstracted."""

    texts: tuple[str, ...]
    kinds: tuple[int, ...]
    starts: Positions
    ends: Positions
    codes: npt.NDArray[np.uint64]
    """One number for each token; the same for all names, for all numbers and for all strings."""


def comment_family(path: str) -> str:
    """How comments are written in a file, by its suffix: `hash`, `slashes`, `dashes`, or `generic` when it is not known."""
    return _OF_SUFFIX.get(path.rpartition(".")[2].lower(), "generic")


def lex(text: str, family: str = "generic") -> Tokens:
    """The tokens of a text in one of the families of `comment_family`; two texts to be compared need the same one. Linear."""
    texts: list[str] = []
    spans: list[tuple[int, int]] = []
    seen: dict[str, tuple[int, int]] = {}
    for found in _PATTERNS[family].finditer(text):
        group = found.lastgroup
        if group == "comment":
            continue
        token = found[0]
        texts.append(token)
        spans.append(found.span())
        if token not in seen:
            kind = _KINDS.get(group or "") or (WORD if token in KEYWORDS else NAME)
            seen[token] = kind, _code(kind, token)
    places = np.array(spans or np.empty((0, 2)), np.int64).reshape(-1, 2)
    kinds = tuple([seen[token][0] for token in texts])
    codes = np.array([seen[token][1] for token in texts], np.uint64)
    return Tokens(tuple(texts), kinds, places[:, 0], places[:, 1], codes)


def _code(kind: int, token: str) -> int:
    """Kind for what is abstracted; the token's own characters (the first eight) for keywords and operators."""
    if kind < WORD:
        return kind
    return int.from_bytes(token[:8].encode("utf-8", "surrogatepass")[:8], "little") << 3 & 0xFFFFFFFFFFFFFFFF | kind
