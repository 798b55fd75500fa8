"""What a tool's result says of itself in its text: the exit code, and that a part of it is missing.

Only the first and last characters are searched for an exit code, and only phrases that harnesses print are taken for a cut:
a file that merely talks of truncation is not one.
"""

from __future__ import annotations

import re

WINDOW = 250
"""Characters at either end in which harnesses print an exit code."""

_EXIT_CODE = re.compile(
    r"<returncode>\s*(-?\d{1,6})\s*</returncode>"
    r"|\[(?:The )?[Cc]ommand (?:finished|completed) with exit code (-?\d{1,6})"
    r'|"exit_?[Cc]ode": ?(-?\d{1,6})'
    r"|(?:^|\n)\[?(?:[Pp]rocess )?[Ee]xit(?:ed)?[ _](?:with )?(?:code|status):? ?(-?\d{1,6})\]?"
    r"|[Pp]rocess exited with code (-?\d{1,6})"
    r"|<exit_code>\s*(-?\d{1,6})\s*</exit_code>"
)
_UNIT = r"(?:lines?|characters?|chars?|bytes?|tokens?)"
_CUT = re.compile(
    rf"\[?\.\.\.[ \[]{{0,3}}\d[\d,]{{0,12}} (?:more )?{_UNIT}[^\n]{{0,40}}(?:truncated|omitted|elided)"
    rf"|\d[\d,]{{0,12}} (?:interior )?{_UNIT} (?:were |was )?(?:truncated|omitted|elided)[ \]:.;)]"
    rf"|… \+?\d[\d,]{{0,12}} {_UNIT}"
    r"|<response clipped>|<elided_chars>|[<\[(](?:[Oo]utput )?[Tt]runcated|\.\.\. ?\[?[Tt]runcated|[Tt]runcated\]"
    r"|[Oo]utput too large",
)


def exit_code_of(text: str) -> int | None:
    """The exit code that the result states, or None."""
    tail = text[-WINDOW:]
    code = _code(tail) if "xit" in tail or "returncode" in tail else None
    if code is not None or len(text) <= WINDOW:
        return code
    head = text[:WINDOW]
    return _code(head) if "xit" in head or "returncode" in head else None


def _code(text: str) -> int | None:
    last = None
    for match in _EXIT_CODE.finditer(text):
        last = match
    return int(next(group for group in last.groups() if group is not None)) if last else None


def is_cut(text: str) -> bool:
    """Whether the harness says that it left a part of this result out."""
    return _may_be_cut(text) and _CUT.search(text) is not None


def _may_be_cut(text: str) -> bool:
    """Whether a word that every phrase holds stands in the text: many times cheaper than the expression."""
    if "runcated" in text or "mitted" in text or "lided" in text or "\u2026" in text:
        return True
    return "clipped>" in text or "oo large" in text[:WINDOW]
