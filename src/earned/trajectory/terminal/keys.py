"""Keys that Terminal-Bench 1 typed into a terminal (`commands.txt`): joined until Enter they are commands.

Each line is the Python notation of one list of keys, or of one text (`terminal_bench/terminal/tmux_session.py`). Nothing is
evaluated: only texts in quotes are read. A key is a text that tmux knows by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_TEXT = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|[^'"\\]+|\\.|.""", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_ENTER = frozenset({"Enter", "C-m", "KPEnter", "C-j", "^M", "^J"})
_NAMES = (
    r"F\d{1,2}|Up|Down|Left|Right|Escape|Tab|BTab|BSpace|Space|Home|End|IC|DC|Insert|Delete"
    r"|PageUp|PPage|PgUp|PageDown|NPage|PgDn"
)
_NAMED = re.compile(rf"(?:[CMS]-){{1,3}}(?:.|{_NAMES}|Enter)|\^[A-Za-z\[\\\]^_]|{_NAMES}")


class Typed(NamedTuple):
    """What was typed at once."""

    text: str
    """A command, or the name of a key."""
    number: int
    """Line of the file, from 1."""
    is_key: bool = False
    """A control key or one that moves: it runs nothing by itself."""
    is_entered: bool = True
    """Enter was pressed behind it."""


def typed_in(lines: Iterable[tuple[int, str]]) -> Iterator[Typed]:
    """Commands and keys in order; `lines`: number and text of each."""
    held: list[str] = []
    since = 0
    for number, line in lines:
        for key in keys_of(line):
            since = since if held else number
            if key in _ENTER:
                yield from _flushed(held, since, is_entered=True)
            elif is_named_key(key):
                yield from _flushed(held, since, is_entered=False)
                yield Typed(key, number, is_key=True)
            else:
                held.append(key)
                if key.endswith(("\n", "\r")):
                    yield from _flushed(held, since, is_entered=True)
        yield from _flushed(held, since, is_entered=False)


def is_named_key(key: str) -> bool:
    """Whether tmux takes these characters for one key, such as `C-c`."""
    return len(key) < 20 and _NAMED.fullmatch(key) is not None


def _flushed(held: list[str], number: int, *, is_entered: bool) -> Iterator[Typed]:
    text = "".join(held).strip("\r\n")
    held.clear()
    if text.strip():
        yield Typed(text, number, is_entered=is_entered)


def keys_of(line: str) -> list[str]:
    """The texts of one line in Python's notation; a line in no such notation has none."""
    if not line.lstrip().startswith(("[", "'", '"')):
        return []
    texts = (found.group(found.lastindex) for found in _TEXT.finditer(line) if found.lastindex)
    return [_plain(text) for text in texts]


def _plain(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    code = found.group(1) or found.group(2) or found.group(3)
    if code is None:
        return _PLAIN.get(found.group(4), found.group(4))
    value = int(code, 16)
    return chr(value) if value < 0x110000 and not 0xD800 <= value < 0xE000 else "\ufffd"
