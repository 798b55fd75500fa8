"""The texts by key that stand in a call's arguments which are no valid JSON: cut off, with raw line ends or quotes in them.

A model writes arguments itself, and harnesses run what they can make of them: the command that such a text holds is an act.
"""

from __future__ import annotations

import json
import re

MAX_BROKEN = 1024 * 1024
"""Characters that are searched."""
MAX_KEYS = 50
_KEY = re.compile(r"""["'](\w{1,40})["']\s{0,50}:\s{0,50}(["'])""")
_ENDS = {
    quote: re.compile(rf"""{quote}\s{{0,50}}(?:,\s{{0,50}}["']\w{{1,40}}["']\s{{0,50}}:|\}}?\s{{0,50}}$)""") for quote in "\"'"
}
"""What follows a value: the next key, or the end. Quotes within it that nobody escaped do not end it."""
_ESCAPE = re.compile(r'\\(["\'\\/nrt])')
_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}


def salvaged(text: str) -> dict[str, str]:
    """The texts by key in an object that strict decoding refuses; empty when it holds none."""
    if text[:1] != "{":
        return {}
    searched = text[:MAX_BROKEN]
    try:
        value = json.loads(searched, strict=False)
    except (ValueError, RecursionError):
        pass
    else:
        return {key: item for key, item in value.items() if isinstance(item, str)} if isinstance(value, dict) else {}
    found: dict[str, str] = {}
    position = 0
    while len(found) < MAX_KEYS and (key := _KEY.search(searched, position)):
        end = _ENDS[key.group(2)].search(searched, key.end())
        stop = end.start() if end is not None else len(searched)
        found.setdefault(key.group(1), _unescaped(searched[key.end() : stop]))
        if end is None:
            break
        position = stop + 1
    return found


def _unescaped(text: str) -> str:
    try:
        value = json.loads(f'"{text}"', strict=False)
    except (ValueError, RecursionError):
        return _ESCAPE.sub(lambda match: _PLAIN.get(match.group(1), match.group(1)), text)
    return value if isinstance(value, str) else text
