"""Tables of literals keyed by literals in code: the shape that answers take when they are looked up instead of computed.

Seen are mappings (`{k: v}`, `k => v`), lists of pairs (`[(k, v), …]`), chains (`if x == k: return v`), `case k: … v` and
assignments to keys (`t[k] = v`). Keys and values are literals, or bracketed groups of nothing but literals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from earned.content.lexer import NAME, NUMBER, OPERATOR, STRING, WORD, Tokens, lex
from earned.content.values import is_distinctive, number_key, string_key

MIN_PAIRS = 3
"""Pairs from which neighbouring literals are called a table."""
MAX_GAP = 40
"""Tokens between two pairs of one table."""
MAX_CHAIN_STEP = 14
"""Tokens between the compared literal and the literal that is given for it."""
MAX_GROUP = 64
"""Tokens of a bracketed group that counts as one literal."""

TableKind = Literal["mapping", "pairs", "chain"]
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CONSTANTS = frozenset({"True", "False", "None", "true", "false", "null", "nil", "undefined"})
_COMPARED = frozenset({"==", "===", "case", "when", "eq", "is", "equals"})
_GIVEN = frozenset({"return", "=", "yield", "echo", "print", "=>", "->"})
_SIGNS = frozenset({"-", "+"})


class Pair(msgspec.Struct, frozen=True):
    """One literal for another."""

    key: str
    """As written, white space folded."""
    value: str
    start: int
    end: int
    """Characters from the key's begin to the value's end."""
    normal: tuple[str, ...]
    """Normal forms (`Value.normal`) of all literals in the value."""


class Table(msgspec.Struct, frozen=True):
    """Neighbouring pairs of one kind."""

    kind: TableKind
    pairs: tuple[Pair, ...]
    start: int
    end: int

    @property
    def distinctive(self) -> int:
        """How many pairs give a distinctive value."""
        return sum(any(is_distinctive(normal) for normal in pair.normal) for pair in self.pairs)


class _Item(msgspec.Struct, frozen=True):
    """A literal, or a group of literals, by the tokens that it spans; `parts` are the members of a group."""

    first: int
    last: int
    parts: tuple[_Item, ...] = ()


def tables(text: str, family: str = "generic") -> tuple[Table, ...]:
    """The tables of a text, in order of their first pair; `family` is how it writes comments (`lexer.comment_family`)."""
    tokens = lex(text, family)
    items = _items(tokens)
    mapped = list(_mapped(tokens, items))
    of_mapping = {item.first for pair in mapped for item in pair}
    found: tuple[tuple[TableKind, list[_Found]], ...] = (
        ("mapping", mapped),
        ("pairs", [pair for pair in _paired(tokens, items) if pair[0].first - 1 not in of_mapping]),
        ("chain", list(_chained(tokens, items))),
    )
    made = [table for kind, pairs in found for table in _grouped(text, tokens, kind, pairs)]
    return tuple(sorted(made, key=lambda table: (table.start, table.end)))


def _items(tokens: Tokens) -> list[_Item]:
    """Literals and groups of literals, each after its members."""
    items: list[_Item] = []
    outer: list[_Group] = []
    for at, kind in enumerate(tokens.kinds):
        token = tokens.texts[at]
        if kind in (NUMBER, STRING) or (kind in (NAME, WORD) and token in _CONSTANTS):
            _add(items, outer, _Item(at - _is_signed(tokens, at), at))
        elif kind == OPERATOR and token in _OPENING:
            outer.append(_Group(at, is_plain=not _is_called(tokens, at)))
        elif kind == OPERATOR and outer and token == _OPENING[tokens.texts[outer[-1].first]]:
            group = outer.pop()
            if group.is_plain and group.parts and at - group.first < MAX_GROUP:
                _add(items, outer, _Item(group.first, at, tuple(group.parts)))
            elif outer:
                outer[-1].is_plain = False
        elif outer and token not in (",", ":", "=>", *_SIGNS):
            outer[-1].is_plain = False
    return items


_Found = tuple[_Item, _Item]
"""Key and value."""


class _Group:
    """A bracket that is open, and whether only literals were in it so far."""

    def __init__(self, first: int, *, is_plain: bool) -> None:
        self.first, self.is_plain = first, is_plain
        self.parts: list[_Item] = []


def _add(items: list[_Item], outer: list[_Group], item: _Item) -> None:
    items.append(item)
    if outer:
        outer[-1].parts.append(item)


def _is_signed(tokens: Tokens, at: int) -> bool:
    """Whether a number's sign is the token before it, and not an operator between two values."""
    if tokens.kinds[at] != NUMBER or at == 0 or tokens.texts[at - 1] not in _SIGNS:
        return False
    return at == 1 or (tokens.kinds[at - 2] in (OPERATOR, WORD) and tokens.texts[at - 2] not in (")", "]", "}"))


def _is_called(tokens: Tokens, at: int) -> bool:
    """Whether a bracket belongs to the value before it: a call or an index."""
    if at == 0 or tokens.texts[at] == "{":
        return False
    return tokens.kinds[at - 1] in (NAME, STRING) or tokens.texts[at - 1] in (")", "]")


def _mapped(tokens: Tokens, items: list[_Item]) -> Iterator[_Found]:
    """`key: value` and `key => value`."""
    by_first = {item.first: item for item in items}
    by_last = {item.last: item for item in items}
    for item in by_last.values():
        colon = item.last + 1
        if colon < len(tokens.texts) and tokens.texts[colon] in (":", "=>") and colon + 1 in by_first:
            yield item, by_first[colon + 1]


def _paired(tokens: Tokens, items: list[_Item]) -> Iterator[_Found]:
    """`(key, value)` in any brackets."""
    for item in items:
        if len(item.parts) == 2 and tokens.texts[item.parts[0].last + 1] == ",":
            yield item.parts[0], item.parts[1]


def _chained(tokens: Tokens, items: list[_Item]) -> Iterator[_Found]:
    """A compared literal and the literal given for it, and `t[key] = value`."""
    by_first = {item.first: item for item in items}
    texts = tokens.texts
    for item in {item.last: item for item in items}.values():
        before = texts[item.first - 1] if item.first else ""
        after = texts[item.last + 1 : item.last + 3]
        if before in _COMPARED or after[:1] in (("==",), ("===",)):
            value = _given(tokens, by_first, item.last + 1 + (before not in _COMPARED))
        elif before == "[" and after == ("]", "="):
            value = by_first.get(item.last + 3)
        else:
            continue
        if value is not None:
            yield item, value


def _given(tokens: Tokens, by_first: dict[int, _Item], start: int) -> _Item | None:
    for at in range(start, min(start + MAX_CHAIN_STEP, len(tokens.texts))):
        if tokens.texts[at] in _COMPARED:
            return None
        if tokens.texts[at] in _GIVEN and at + 1 in by_first:
            return by_first[at + 1]
    return None


def _grouped(text: str, tokens: Tokens, kind: TableKind, found: list[_Found]) -> Iterator[Table]:
    """Pairs that stand close together, where there are enough with different keys."""
    group: list[_Found] = []
    for pair in [*sorted(found, key=lambda pair: pair[0].first), None]:
        if group and (pair is None or pair[0].first - group[-1][1].last > MAX_GAP):
            pairs = tuple(_pair(text, tokens, *one) for one in group)
            if len({one.key for one in pairs}) >= MIN_PAIRS:
                yield Table(kind, pairs, pairs[0].start, max(one.end for one in pairs))
            group = []
        if pair is not None:
            group.append(pair)


def _pair(text: str, tokens: Tokens, key: _Item, value: _Item) -> Pair:
    start, end = int(tokens.starts[key.first]), int(tokens.ends[value.last])
    return Pair(
        key=" ".join(text[start : tokens.ends[key.last]].split()),
        value=" ".join(text[tokens.starts[value.first] : end].split()),
        start=start,
        end=end,
        normal=tuple(_normal(tokens, at) for at in range(value.first, value.last + 1) if tokens.kinds[at] in (NUMBER, STRING)),
    )


def _normal(tokens: Tokens, at: int) -> str:
    token = tokens.texts[at]
    return string_key(token) if tokens.kinds[at] == STRING else number_key(token) or token
