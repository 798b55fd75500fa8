"""Where known values stand in texts, quoted or not, escaped or not: one linear pass over a text for all values together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import re2

from earned.content.lines import Hit
from earned.content.values import Value

_CHUNK = 2_000
"""Written forms in one pattern; more need another pass over the text."""
_MEMORY = 64 << 20


class ValueKeys:
    """Values prepared for being looked up in many texts."""

    def __init__(self, values: Iterable[Value]) -> None:
        self._keys = {form: value.normal for value in values for form in _forms(value)}
        forms = sorted(self._keys, key=lambda form: (-len(form), form))
        self._patterns = [_pattern(forms[at : at + _CHUNK]) for at in range(0, len(forms), _CHUNK)]

    def hits(self, text: str) -> list[Hit]:
        """Each place where a value stands whole, in order; where two begin at one place, the longer one."""
        return self.hits_in((text,))[0]

    def hits_in(self, texts: Sequence[str]) -> list[list[Hit]]:
        """`hits` of each of many texts."""
        return [self._hits(text) for text in texts]

    def _hits(self, text: str) -> list[Hit]:
        octets = text.encode("utf-8", "surrogatepass")
        found = [match.span() for pattern in self._patterns for match in pattern.finditer(octets)]
        hits = []
        done = count = 0
        for start, end in sorted(found):
            count += len(octets[done:start].decode("utf-8", "surrogatepass"))
            done = start
            form = octets[start:end].decode("utf-8", "surrogatepass")
            if _stands_alone(text, count, count + len(form)):
                hits.append(Hit(self._keys[form], count, count + len(form)))
        return hits


def _forms(value: Value) -> set[str]:
    """How a value may be written: as found, unquoted, and escaped once in JSON or a Python literal."""
    if value.kind == "number":
        return {value.text, value.normal}
    slashed = value.normal.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    forms = {value.normal, slashed, slashed.replace('"', '\\"'), slashed.replace("'", "\\'"), json.dumps(value.normal)[1:-1]}
    return {form for form in forms if form.isascii() or form.encode("utf-8", "replace").decode() == form}


def _pattern(forms: list[str]) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    return re2.compile("|".join(map(re2.escape, forms)), options)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter or digit goes on before or after: `4821` does not stand in `14821` or in `4821.7`."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if before and text[start].isalnum() and (before[-1].isalnum() or before[-1] == "_"):
        return len(before) == 2 and before[0] == "\\" and before[1] in "ntr"
    if text[start].isdigit() and len(before) == 2 and before[1] == "." and before[0].isdigit():
        return False
    if not after or not text[end - 1].isalnum():
        return True
    if text[end - 1].isdigit() and len(after) == 2 and after[0] == "." and after[1].isdigit():
        return False
    return not (after[0].isalnum() or after[0] == "_")
