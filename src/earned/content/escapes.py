r"""Texts that stand in one line as `\n` escapes (JSON, `repr`) as the lines that they are, with the way back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from earned.content.rewrite import Replacement, Rewrite, replace_spans

MIN_BREAKS = 2
r"""Escaped line breaks that make a line an escaped text; a quoted line is one from its first break (code has single `\n`)."""
MAX_ROUNDS = 2
"""JSON within JSON is unfolded; deeper nesting is not met in practice."""

_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[ntr\"'\\/])"
)
_PLAIN = {"n": "\n", "t": "\t", "r": "", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_OPENINGS = "\"'[{("
_CLOSINGS = "\"']}),;"


def unfold_escapes(base: Rewrite) -> Rewrite:
    """Lines that hold escaped texts become the lines of those texts; all other lines stay as they are."""
    for _ in range(MAX_ROUNDS):
        if "\\n" not in base.text:
            return base
        unfolded = replace_spans(base, _replacements(base.text))
        if unfolded is base:
            return base
        base = unfolded
    return base


def _replacements(text: str) -> Iterator[Replacement]:
    end = 0
    while (found := text.find("\\n", end)) >= 0:
        start = text.rfind("\n", end, found) + 1 or end
        end = text.find("\n", found)
        end = len(text) if end < 0 else end
        if _is_escaped_text(text, start, end):
            for escape in _ESCAPE.finditer(text, start, end):
                yield Replacement(*escape.span(), _unescape(escape[0]))


def _is_escaped_text(text: str, start: int, end: int) -> bool:
    if text.count("\\n", start, end) >= MIN_BREAKS:
        return True
    line = text[start:end].strip().removeprefix("b")
    return line[:1] in _OPENINGS and line[-1:] in _CLOSINGS and line[0] + line[-1] not in ("()", "{;")


def _unescape(escape: str) -> str:
    if len(escape) == 2:
        return _PLAIN[escape[1]]
    if len(escape) == 12:
        high, low = int(escape[2:6], 16), int(escape[8:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    digits = escape[2:]
    return chr(int(digits, 16))
