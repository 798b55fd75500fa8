"""What a tool's result says of itself in its text: the exit code, and (`cuts`) that a part of it is missing.

Only the first and last characters are searched for an exit code.
"""

from __future__ import annotations

import re

from earned.trajectory.completeness.cuts import is_cut

__all__ = ["exit_code_of", "is_cut"]

WINDOW = 250
"""Characters at either end in which harnesses print an exit code."""
LEAD = 32
"""Characters of the longest form (`[The command completed with `) before the word by which a form is found."""

_EXIT_CODE = re.compile(
    r"<returncode>\s*(-?\d{1,6})\s*</returncode>"
    r"|\[(?:The )?[Cc]ommand (?:finished|completed) with exit code (-?\d{1,6})"
    r'|"exit_?[Cc]ode": ?(-?\d{1,6})'
    r"|(?:^|\n)\[?(?:[Pp]rocess )?[Ee]xit(?:ed)?[ _](?:with )?(?:code|status):? ?(-?\d{1,6})\]?"
    r"|[Pp]rocess exited with code (-?\d{1,6})"
    r"|<exit_code>\s*(-?\d{1,6})\s*</exit_code>"
)


def exit_code_of(text: str) -> int | None:
    """The exit code that the result states, or None."""
    ends = text if len(text) <= 2 * WINDOW else text[:WINDOW] + text[-WINDOW:]
    # Most state none. One character is found many times faster than a word, and a word than an expression.
    if not (("x" in ends and "xit" in ends) or ("<" in ends and "<returncode" in ends)):
        return None
    code = _code(text[-WINDOW:])
    return code if code is not None or len(text) <= WINDOW else _code(text[:WINDOW])


def _code(window: str) -> int | None:
    """The last code in a window; nothing is tried before the first word by which a form is found."""
    words = [at - LEAD for at in (window.find("xit"), window.find("returncode")) if at >= 0]
    if not words:
        return None
    last = None
    for match in _EXIT_CODE.finditer(window, max(0, min(words))):
        last = match
    return int(next(group for group in last.groups() if group is not None)) if last else None
