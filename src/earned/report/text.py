"""Text from inputs cannot act on the reader's terminal or page: what is invisible or commands a terminal is made visible.

Control characters, and characters that are invisible or reorder what is around them, are shown as their code point in brackets
([U+001B], [U+202E]), which every font has. Nothing is dropped, so hidden text is seen to be there.
"""

from __future__ import annotations

import re

_INVISIBLE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, line and paragraph separators, bidirectional overrides and isolates
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e0fff"  # tags and variation selectors: whole sentences can be hidden in them
    "\ud800-\udfff"
    "]"
)
_KEPT = "\n\t"


def safe_text(text: str) -> str:
    """The text with line breaks and tabs as they are and every other unseen character made visible."""
    return _INVISIBLE.sub(_visible, text.replace("\r\n", "\n"))


def safe_line(text: str) -> str:
    """The same on one line: line breaks and tabs are shown as well."""
    return _INVISIBLE.sub(lambda match: _code_point(match.group()), text)


def safe_json(text: str) -> str:
    """JSON text of the same value with every unseen character as an escape; line breaks between values stay as they are."""
    return _INVISIBLE.sub(lambda match: match.group() if match.group() == "\n" else _escaped(match.group()), text)


def _escaped(mark: str) -> str:
    units = mark.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def clipped(text: str, limit: int) -> str:
    """At most `limit` characters of the text, with the number of those left out said at the end."""
    left_out = len(text) - limit
    if left_out <= 0:
        return text
    return f"{text[:limit]}… ({left_out:,} more character{'' if left_out == 1 else 's'})"


def _visible(match: re.Match[str]) -> str:
    return match.group() if match.group() in _KEPT else _code_point(match.group())


def _code_point(character: str) -> str:
    return f"[U+{ord(character):04X}]"
