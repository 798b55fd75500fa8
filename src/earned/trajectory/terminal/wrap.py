"""Lines that a program broke at the terminal's width are put together again, by the rule of the program that broke them."""

from __future__ import annotations

from collections.abc import Sequence

MIN_RULE = 40
"""Columns of a line that is drawn across the screen."""


def rule_width(lines: Sequence[str]) -> int:
    """The width at which a program drew lines across the screen; 0 when it drew none."""
    for line in lines:
        text = line.rstrip()
        if len(text) >= MIN_RULE and text[0] == "─" and not text.strip("─"):
            return len(text)
    return 0


def unbroken(lines: Sequence[str], width: int) -> list[str]:
    """Lines as they were before `rich` wrapped them at words (`rich/_wrap.py`).

    A word that does not fit goes to the next line; the blank before it stays at the end of the line, unless it does not fit
    either; a word longer than the line is cut.
    """
    made: list[str] = []
    open_line: list[str] = []
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        joint = _joint(line, following, width)
        if joint is None:
            made.append("".join([*open_line, line.rstrip()]))
            open_line = []
        else:
            open_line += [line, joint]
    return made


def may_lack_blanks(lines: Sequence[str], width: int) -> bool:
    """Whether a line was wrapped at blanks that fill it to its end: how many more there were is lost."""
    pairs = zip(lines, [*lines[1:], ""], strict=True)
    return any(len(line) == width and line[-1] == " " and _joint(line, after, width) is not None for line, after in pairs)


def _joint(line: str, following: str, width: int) -> str | None:
    """What stood between two lines that were one; None when they are two."""
    if len(line) > width or not following or not line.strip("─ "):
        return None
    if len(line) == width and " " not in line:
        return ""
    if following[0].isspace():
        return None
    word = following.split(" ", 1)[0]
    if line.endswith(" ") and len(line) + len(word) > width:
        return ""
    return " " if len(line) == width and not line.endswith(" ") else None
