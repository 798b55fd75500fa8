"""What a text says without what tools put around it, and for every span of that the span of the text as recorded.

Taken off: terminal escapes and rewrites, JSON and `repr` escapes, line numbers and paths of listings, signs of diffs (kept
aside), pytest's margins, quote marks, Markdown fences, indentation, trailing blanks, carriage returns.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from earned.content.escapes import unfold_escapes
from earned.content.rewrite import Rewrite, Span
from earned.content.terminal import clean_terminal

BLANKS = " \t\r"
MAX_LAYERS = 4
"""Decorations within each other that are taken off a line: `grep -n` of a diff in a quote, …"""

_NUMBER = r"[0-9]{1,7}(?:\t|→|: ?| ?[|│] ?| {2})"
"""Of `cat -n`, `nl`, viewers, `grep -n`."""
_NUMBERED = re.compile(_NUMBER + r"[ \t]*")
_LAYER = re.compile(
    rf"(?:{_NUMBER}"
    r"|[^\s:'\"(]{1,300}:[0-9]{1,7}:(?:[0-9]{1,7}:)?"  # grep -rn
    r"|[^\s:'\"(]{1,300}?-[0-9]{1,7}-"  # its context lines; `_is_path` tells them from names
    r"|(?:[\w.@+-]{1,80}/){1,30}[\w.@+-]{1,80}\.\w{1,8}:"  # grep -r
    r"|\^?[0-9a-f]{7,40} (?:[^\s(]{1,200} +)?\([^)\n]{1,200} [0-9]{1,7}\) ?"  # git blame
    r"|E(?: {1,3}|\t|$)"  # pytest's failure margin
    r"|>(?: {3,}| |$)"  # pytest's failing line, a quote
    r"|[|│] "
    r")"
)
_MAY_BE_DECORATED = re.compile(r"[0-9E>|│^`~@]|[^\s:'\"(]{1,300}[:-][0-9\w \t]|[a-f][0-9a-f]{6,39} ")
"""What every decorated line looks like from afar; most lines do not and are not looked at more closely."""
_HUNK = re.compile(r"@@ -[0-9,]{1,20} \+[0-9,]{1,20} @@")
_ASSERTION_SIGN = re.compile(r" {0,6}([+-]) ")
_FENCES = ("```", "~~~")
_HUNK_SIGNS = ("+", "-", " ")


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """A text without decoration."""

    text: str
    signs: tuple[str, ...]
    """Of each line of `text`: `+`, `-` or a blank inside a diff, else empty."""
    rewrite: Rewrite

    def span(self, start: int, end: int) -> Span:
        """The span of the text as recorded that `text[start:end]` came from."""
        return self.rewrite.span(start, end)


class _Diff(enum.Enum):
    """Where diff signs are to be expected."""

    NONE = enum.auto()
    BARE = enum.auto()
    """At the begin of each line."""
    LISTED = enum.auto()
    """Behind the line numbers or paths of a listing."""


class _Line(NamedTuple):
    """What is left of a line, and its sign."""

    start: int
    end: int
    sign: str


def undecorate(text: str) -> Plain:
    """Take the decoration off a text, line by line; linear in its length, never raises."""
    base = unfold_escapes(clean_terminal(text))
    lines = base.text.split("\n")
    kept: list[_Line | tuple[int, int, str]] = []
    diff = _Diff.NONE
    for line in lines:
        bare = line.strip(BLANKS)
        numbered = _NUMBERED.match(bare)
        text_at = numbered.end() if numbered else 0
        if diff is _Diff.NONE and _MAY_BE_DECORATED.match(bare, text_at) is None:
            start = line.find(bare)
            kept.append((start + text_at, start + len(bare), ""))
            continue
        found = _bare(line, diff)
        diff = _next(line, found, diff)
        kept.append(found)
    rewrite = _rewrite(base, lines, kept)
    return Plain(rewrite.text, tuple([sign for _, _, sign in kept]), rewrite)


def _bare(line: str, diff: _Diff) -> _Line:
    end = len(line.rstrip(BLANKS))
    start, in_failure = 0, False
    if diff is _Diff.BARE and line[:1] in _HUNK_SIGNS:
        return _Line(_indented(line, 1, end), end, line[:1])
    for _ in range(MAX_LAYERS):
        start = _indented(line, start, end)
        layer = _LAYER.match(line, start) if _MAY_BE_DECORATED.match(line, start, end) else None
        if layer is None or not _is_path(layer[0]):
            break
        in_failure |= layer[0][0] == "E"
        start = min(layer.end(), end)
        if diff is _Diff.LISTED and line[start : start + 1] in _HUNK_SIGNS:
            return _Line(_indented(line, start + 1, end), end, line[start : start + 1])
    sign = ""
    if in_failure:
        difference = _ASSERTION_SIGN.match(line, start, end)
        if difference is not None:
            start, sign = difference.end(), difference[1]
    start = _indented(line, start, end)
    return _Line(end if line.startswith(_FENCES, start) else start, end, sign)


def _is_path(layer: str) -> bool:
    """Whether a prefix that ends in a hyphen names a file: `core.py-12-`, and not `sha-256-`."""
    return layer[-1] != "-" or "." in layer or "/" in layer


def _indented(line: str, start: int, end: int) -> int:
    """Where the text begins after its indentation."""
    if start >= end or line[start] not in BLANKS:
        return min(start, end)
    return end - len(line[start:end].lstrip(BLANKS))


def _next(line: str, found: _Line, diff: _Diff) -> _Diff:
    """Whether the next line may carry a diff's sign: from a hunk's header on, as long as lines do."""
    if line.startswith("@@ -", found.start) and _HUNK.match(line, found.start):
        return _Diff.LISTED if line[: found.start].strip(BLANKS) else _Diff.BARE
    goes_on = found.sign or found.start == found.end or line.startswith("\\ No newline", found.start)
    return diff if goes_on else _Diff.NONE


def _rewrite(base: Rewrite, lines: list[str], kept: list[_Line | tuple[int, int, str]]) -> Rewrite:
    """The rewrite that keeps of each line what `kept` says, and every line break."""
    count = len(lines)
    pieces = [line[start:end] for line, (start, end, _) in zip(lines, kept, strict=True)]
    starts, ends = np.array([(start, end) for start, end, _ in kept], np.int64).T
    lengths = np.fromiter(map(len, lines), np.int64, count)
    begins = np.concatenate(([0], np.cumsum(lengths + 1)[:-1]))
    at = np.concatenate(([0], np.cumsum(ends - starts + 1)[:-1]))
    breaks = begins + lengths
    segments = np.empty((2 * count, 3), np.int64)
    segments[::2] = np.stack((at, begins + starts, begins + ends), axis=1)
    segments[1::2] = np.stack((at + ends - starts, breaks, breaks + 1), axis=1)
    columns = segments[:-1].T
    return Rewrite("\n".join(pieces), columns[0], columns[1], columns[2], base if len(base.at) else None)
