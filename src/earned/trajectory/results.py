"""What a tool's result says of itself in its text: the exit code, and that a part of it is missing.

Only the first and last characters are searched for an exit code, and only phrases that harnesses print are taken for a cut:
a file that merely talks of truncation is not one.
"""

from __future__ import annotations

import re

WINDOW = 400
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
    r"|<response clipped>|<elided_chars>|<output truncated>|\[output truncated|\[truncated|\(truncated\)|\(output truncated"
    r"|\.\.\. ?\[?truncated|truncated\]|<truncated|output limited to \d|Output too large"
    r"|output of your last command was too long|Observations? should not exceeded? \d",
    re.IGNORECASE,
)
_CUT_HINTS = (
    "runcated",
    "RUNCATED",
    "mitted",
    "lided",
    "clipped>",
    "output limited",
    "utput too l",
    "was too long",
    "not exceed",
    "…",
)
"""One of these stands in every phrase above; looking for them is many times cheaper than the expression."""


def exit_code_of(text: str) -> int | None:
    """The exit code that the result states, or None."""
    if len(text) <= 2 * WINDOW:
        return _code(text)
    code = _code(text[-WINDOW:])
    return code if code is not None else _code(text[:WINDOW])


def _code(text: str) -> int | None:
    if "xit" not in text and "returncode" not in text:
        return None
    last = None
    for match in _EXIT_CODE.finditer(text):
        last = match
    return int(next(group for group in last.groups() if group is not None)) if last else None


def is_cut(text: str) -> bool:
    """Whether the harness says that it left a part of this result out."""
    return any(hint in text for hint in _CUT_HINTS) and _CUT.search(text) is not None
