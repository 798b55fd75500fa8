"""Literals so distinctive that finding the same one elsewhere says something: long numbers and strings, written in any form.

`'abc123'`, `"abc123"` and their escaped forms have one key, and so have `1_234_567`, `1234567` and `0x12d687`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from earned.content.common_values import COMMON_NUMBERS, COMMON_STRINGS

MIN_DIGITS = 4
"""Significant digits of a distinctive number (tracing.md, "Values")."""
MIN_CHARACTERS = 6
"""Characters of a distinctive string (tracing.md, "Values")."""
MIN_DIFFERENT = 3
"""Different characters that a distinctive string has; `------` and `ababab` have fewer."""
MAX_CHARACTERS = 4_000
"""A longer string is a text, to be compared as such."""
YEARS = range(1900, 2100)

_QUOTES = "\"'`"
_TOKEN = re.compile(
    r"[^\W\d]\w*(?:'(?:s|t|re|ve|ll|d|m)\b)?"  # words, so that their digits and apostrophes are not taken for literals
    r"|\"(?:[^\"\\\n]|\\[^\n])*\"?"
    r"|'(?:[^'\\\n]|\\[^\n])*'?"
    r"|`(?:[^`\\\n]|\\[^\n])*`?"
    r"|0[xX][0-9a-fA-F_]+"
    r"|[0-9][0-9_]*(?:\.[0-9_]+)*(?:[eE][+-]?[0-9]+)?\w*"
    r"|\.[0-9]+(?:[eE][+-]?[0-9]+)?"
)
_NUMBER = re.compile(r"0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]+)*(?:[eE][+-]?[0-9]+)?\w*")
_DECIMAL = re.compile(
    r"([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?"
    r"(?:[uUlLfFdDjJnN]|[iu](?:8|16|32|64|128)|f(?:32|64)|[uU]?[lL]{1,2})?$"
)
_HEXADECIMAL = re.compile(r"0[xX]([0-9a-fA-F]{1,32})$")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|[^\n])")
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_MAX_DIGITS = 400
_LAST_CODE_POINT = 0x10FFFF


class Value(msgspec.Struct, frozen=True):
    """One distinctive literal and where it stands."""

    kind: Literal["number", "string"]
    normal: str
    """The same for every way of writing the value."""
    text: str
    """As written, with quotes: `text` is the characters `start` to `end`."""
    start: int
    end: int


def distinctive_values(text: str) -> tuple[Value, ...]:
    """The distinctive literals of a text, in order; each occurrence is one."""
    found = []
    for token, start in _tokens(text):
        key = _distinctive_key(token) if MIN_DIGITS <= len(token) <= MAX_CHARACTERS + 2 else ""
        if key:
            found.append(Value("string" if token[0] in _QUOTES else "number", key, token, start, start + len(token)))
    return tuple(found)


def literals(text: str) -> Iterator[Value]:
    """All number and string literals of a text, in order, the plain ones included. Takes linear time on any text."""
    for token, start in _tokens(text):
        if token[0] in _QUOTES:
            yield Value("string", string_key(token), token, start, start + len(token))
        else:
            key = number_key(token)
            if key:
                yield Value("number", key, token, start, start + len(token))


def string_key(literal: str) -> str:
    """The value of a quoted literal without its quotes; a string that is a number has the number's key."""
    inside = literal[1:-1]
    content = _ESCAPE.sub(_unescape, inside) if "\\" in inside else inside
    return number_key(content) or content


def number_key(literal: str) -> str:
    """The value of an unsigned number's literal in one way of writing; empty for anything else (versions, ordinals)."""
    plain = literal.replace("_", "")
    hexadecimal = _HEXADECIMAL.match(plain)
    if hexadecimal:
        return str(int(hexadecimal[1], 16))
    decimal = _DECIMAL.match(plain) if len(plain) <= _MAX_DIGITS else None
    if decimal is None or not (decimal[1] or decimal[2]):
        return ""
    whole, fraction = decimal[1].lstrip("0") or "0", (decimal[2] or "").rstrip("0")
    return whole + ("." + fraction if fraction else "") + (f"e{int(decimal[3])}" if decimal[3] else "")


def is_distinctive(key: str, kind: Literal["number", "string"] = "string") -> bool:
    """Whether a literal with this key is so unusual that the same one elsewhere says something."""
    if kind == "number" or number_key(key) == key:
        return _is_distinctive_number(key)
    if not MIN_CHARACTERS <= len(key) <= MAX_CHARACTERS or len(set(key)) < MIN_DIFFERENT:
        return False
    return key.strip().lower() not in COMMON_STRINGS and any(character.isalnum() for character in key)


def _is_distinctive_number(key: str) -> bool:
    mantissa = key.split("e", 1)[0]
    digits = mantissa.replace(".", "").strip("0") if "." in mantissa else mantissa.strip("0")
    if len(digits) < MIN_DIGITS or len(set(digits)) == 1:
        return False
    if mantissa in COMMON_NUMBERS or mantissa in "01234567890123456789" or mantissa in "9876543210":
        return False
    if not mantissa.isdigit():
        return True
    number = int(mantissa)
    near_power_of_two = any((number + off) & (number + off - 1) == 0 for off in (-1, 0, 1))
    return number not in YEARS and not near_power_of_two


@lru_cache(maxsize=1 << 14)
def _distinctive_key(token: str) -> str:
    """The key of a literal as written; empty when it is not distinctive."""
    if token[0] in _QUOTES:
        key = string_key(token)
        return key if is_distinctive(key) else ""
    key = number_key(token)
    return key if key and is_distinctive(key, "number") else ""


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Literals as written, with where they start; what follows a quote that does not close is searched for numbers."""
    for found in _TOKEN.finditer(text):
        token = found[0]
        first = token[0]
        if first in _QUOTES:
            if len(token) > 1 and token[-1] == first:
                yield token, found.start()
            else:
                yield from ((number[0], number.start()) for number in _NUMBER.finditer(text, *found.span()))
        elif first.isdigit() or first == ".":
            yield token, found.start()


def _unescape(found: re.Match[str]) -> str:
    escape = found[0][1:]
    if escape[0] in "xuU" and len(escape) > 1:
        code = int(escape[1:], 16)
        return chr(code) if code <= _LAST_CODE_POINT else found[0]
    if escape.isdigit() and len(escape) > 1:
        return chr(int(escape, 8))
    return _PLAIN_ESCAPES.get(escape, escape)
