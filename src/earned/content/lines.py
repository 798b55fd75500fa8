"""Which lines of a text are among the lines that are looked for, however a tool decorated them on the way.

A line's key leaves out what listings and diffs put around it. The fast path never splits the text: it compares the last
bytes before each line end with the last bytes of every key, because decorations stand on the left.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from earned.content.rewrite import Positions
from earned.content.terminal import clean_terminal

TRAILING = " \t\r\\"
"""Blanks, and the backslash of a continued line or of an escape that follows: no key ends with one of these."""
DECORATION = "0123456789+-<>|:│→ \t"
"""What `cat -n`, `nl`, `grep -n`, diffs, quotes and viewers put before a line; no key begins with one of these."""

_WIDE = 16
_NARROW = 8
"""Bytes of a line's end that the fast path compares; a key shorter than `_NARROW` bytes is looked up line by line."""
_BATCH = 1 << 20
"""Characters that are searched at once when there are many texts."""
_BITS = 16
_PAD = b"\n" * _WIDE
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MIX_WIDE = np.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT = np.uint64(64 - _BITS)
_QUICK_TRIMS = 4
_TRAILING_OCTETS = TRAILING.encode()
_CLOSING_OCTETS = b" \t\r]}),;"
_IS_TRAILING = np.isin(np.arange(256), list(_TRAILING_OCTETS))
_NEWLINE, _RETURN, _BACKSLASH, _LETTER_N, _LETTER_R = b"\n\r\\nr"
_LISTING = re.compile(
    r"E {1,8}"  # pytest's failure lines
    r"|\^?[0-9a-f]{7,40} (?:[^\s(]{1,200} +)?\([^)\n]{1,200}\) ?"  # git blame
    r"|[^\s:'\"]{1,300}?[:-][0-9]{1,9}[:-](?:[0-9]{1,9}:)?"  # grep -rn, also its context lines
    r"|[^\s:'\"]{1,300}:"  # grep -r
    r"|[\[{( ]{0,9}\\{0,3}['\"][A-Za-z_]\w{0,40}\\{0,3}['\"]: ?"  # a key of JSON or a mapping
    r"|[\[{(]{1,9}"
    r"|[\w.]{1,60} ?[=(] ?[bru]{0,2}['\"]{1,3}"  # a quoted text that is assigned or passed
    r"|(?:[bru]{0,2}['\"]|\\{1,2}t|\\{1,3}[\"'])+"  # a quoted text's begin, an escaped indentation
)
_LISTING_LAYERS = 6
_BREAK = re.compile(rb"\n|[^\\]\\n")


Octets = npt.NDArray[np.uint8]
Windows = npt.NDArray[np.uint64]
"""Eight bytes from every position of a text."""


class Hit(NamedTuple):
    """A line with a key that was looked for: `start` to `end` is where the key's characters stand in the text."""

    key: str
    start: int
    end: int


class _Part(NamedTuple):
    """One of the texts that are searched together."""

    place: int
    """Among the texts."""
    octets: bytes
    begin: int = 0
    """Characters of the text that stand before it."""


def line_key(line: str) -> str:
    """The canonical form of a line: without what commonly stands around it in listings, diffs and quotes."""
    return line.rstrip(TRAILING).lstrip(DECORATION)


def key_hits(text: str, keys: frozenset[str]) -> list[Hit]:
    """Lines of a text whose key (`line_key`) is in `keys`, in order; cheap when there are none. See `LineKeys`."""
    return _line_keys(keys).hits(text)


@lru_cache(maxsize=16)
def _line_keys(keys: frozenset[str]) -> LineKeys:
    return LineKeys(keys)


class LineKeys:
    """Keys prepared for being looked up in many texts."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = frozenset(key for key in keys if key)
        self._plain = _Tails({key: key for key in self.keys})
        self._escaped: tuple[_Tails, _Tails] | None = None

    def hits(self, text: str) -> list[Hit]:
        r"""Lines with a looked-for key, in order of position; also lines written as `\n` escapes, and terminal output."""
        return self.hits_in((text,))[0]

    def hits_in(self, texts: Sequence[str]) -> list[list[Hit]]:
        """`hits` of each of many texts, searched together: for short texts many times faster than one by one."""
        found: list[list[Hit]] = [[] for _ in texts]
        batch: list[_Part] = []
        size = 0
        for index, text in enumerate(texts if self.keys else ()):
            octets = text.encode("utf-8", "surrogatepass")
            if _is_terminal_output(octets):
                shown = clean_terminal(text)
                hits = self._large(index, shown.text.encode("utf-8", "surrogatepass"))
                found[index] = [Hit(hit.key, *shown.span(hit.start, hit.end)) for _, hit in hits]
                continue
            if len(octets) > _BATCH:
                _distribute(self._large(index, octets), found)
                continue
            batch.append(_Part(index, octets))
            size += len(octets)
            if size >= _BATCH:
                _distribute(self._hits(batch), found)
                batch, size = [], 0
        _distribute(self._hits(batch), found)
        return found

    def _large(self, index: int, octets: bytes) -> Iterator[tuple[int, Hit]]:
        """Hits of one text, searched in pieces that end with a line: there is an array with a number for every line."""
        start = begin = 0
        while start < len(octets):
            end = _piece_end(octets, start)
            piece = octets[start:end]
            yield from self._hits([_Part(index, piece, begin)])
            begin += len(piece.decode("utf-8", "surrogatepass"))
            start = end

    def _hits(self, parts: list[_Part]) -> Iterable[tuple[int, Hit]]:
        """Hits of several texts as (index, hit), found in one pass: no line reaches from one text into the next."""
        data = b"".join((_PAD, b"\n".join([part.octets for part in parts]), b"\n"))
        octets = np.frombuffer(data, np.uint8)
        newlines = (octets == _NEWLINE).nonzero()[0][_WIDE - 1 :]
        found = list(self._plain.find(data, newlines[:-1] + 1, newlines[1:], every=self._has_tiny(data)))
        if b"\\n" in data:
            found += self._escaped_hits(data, octets, newlines)
        return _in_characters(parts, found) if found else ()

    def _has_tiny(self, data: bytes) -> bool:
        """Whether some line has a key that is too short for the fast path."""
        tiny = self._plain.tiny
        return bool(tiny) and not tiny.isdisjoint(map(line_key, data.decode("utf-8", "surrogatepass").split("\n")))

    def _escaped_hits(self, data: bytes, octets: Octets, newlines: Positions) -> Iterator[Hit]:
        """Lines of a text that stands escaped in one line, once (JSON, `repr`) or twice (JSON in JSON)."""
        if self._escaped is None:
            once = {form: key for key in self.keys for form in _escaped_forms(key)}
            twice = {deep: key for form, key in once.items() for deep in _escaped_forms(form)}
            self._escaped = _Tails(once), _Tails(twice | once)
        slashes = (octets == _BACKSLASH).nonzero()[0]
        breaks = slashes[octets[slashes + 1] == _LETTER_N]
        single = breaks[_is_escape(octets, breaks)]
        for tails, ends in zip(self._escaped, (single, breaks) if len(single) < len(breaks) else (single,), strict=False):
            yield from tails.find(data, _starts(newlines, ends), _before_return(octets, ends))
            yield from tails.find(data, *_last_lines(data, newlines, ends))


class _Tails:
    """A table of the last bytes of keys: tells in a few array operations which line ends may close a line with a key."""

    def __init__(self, keys: dict[str, str]) -> None:
        encoded = {key: key.encode("utf-8", "surrogatepass") for key in keys}
        self.keys = keys
        self.tiny = frozenset(key for key, octets in encoded.items() if len(octets) < _NARROW)
        self.narrow = _table([octets for octets in encoded.values() if _NARROW <= len(octets) < _WIDE], _narrow_hash)
        self.wide = _table([octets for octets in encoded.values() if len(octets) >= _WIDE], _wide_hash)

    def find(self, data: bytes, starts: Positions, ends: Positions, *, every: bool = False) -> Iterator[Hit]:
        """Hits, in bytes, among the lines between `starts` and `ends`.

        `every` looks at each line instead of those alone whose last bytes are a long enough key's.
        """
        ends = _trim(data, starts, ends)
        windows: Windows = np.ndarray((len(data) - _NARROW + 1,), "<u8", data, 0, (1,))
        for index in range(len(ends)) if every else self._candidates(windows, ends):
            hit = self._check(data[starts[index] : ends[index]], int(ends[index]))
            if hit is not None:
                yield hit

    def _candidates(self, windows: Windows, ends: Positions) -> list[int]:
        maybe = np.zeros(len(ends), bool)
        if self.narrow is not None:
            maybe |= self.narrow[_narrow_hash(windows, ends)]
        if self.wide is not None:
            maybe |= self.wide[_wide_hash(windows, ends)]
        indexes: list[int] = maybe.nonzero()[0].tolist()
        return indexes

    def _check(self, octets: bytes, end: int) -> Hit | None:
        """Whether a line that ends at `end` has one of the keys, read plainly or below the prefixes of a listing."""
        rest = line_key(octets.decode("utf-8", "surrogatepass"))
        for layer in range(_LISTING_LAYERS):
            if rest in self.keys and not (layer and rest in self.tiny):
                return Hit(self.keys[rest], end - len(rest.encode("utf-8", "surrogatepass")), end)
            prefix = _LISTING.match(rest)
            if prefix is None:
                break
            rest = line_key(rest[prefix.end() :])
        return None


def _is_terminal_output(octets: bytes) -> bool:
    """`is_terminal_output` of the encoded text, which is faster to search."""
    if b"\x1b" in octets or b"\x08" in octets:
        return True
    if b"\r" not in octets:
        return False
    values = np.frombuffer(octets, np.uint8)
    returns = (values == _RETURN).nonzero()[0]
    return bool(returns[-1] == len(octets) - 1 or (values[returns + 1] != _NEWLINE).any())


def _piece_end(octets: bytes, start: int) -> int:
    """Where a piece of a large text ends: behind a line, in a very long one behind an escaped line break."""
    end = octets.find(b"\n", start + _BATCH, start + 4 * _BATCH) + 1
    if not end:
        found = _BREAK.search(octets, start + _BATCH)
        end = found.end() if found is not None else 0
    return end or len(octets)


def _distribute(hits: Iterable[tuple[int, Hit]], found: list[list[Hit]]) -> None:
    for index, hit in hits:
        found[index].append(hit)


def _narrow_hash(windows: Windows, ends: Positions) -> npt.NDArray[np.uint64]:
    return (windows[ends - _NARROW] * _MIX) >> _SHIFT


def _wide_hash(windows: Windows, ends: Positions) -> npt.NDArray[np.uint64]:
    return ((windows[ends - _NARROW] * _MIX) ^ (windows[ends - _WIDE] * _MIX_WIDE)) >> _SHIFT


def _table(keys: list[bytes], hash_of: Callable[[Windows, Positions], npt.NDArray[np.uint64]]) -> npt.NDArray[np.bool_] | None:
    """True at the hash of each key's last bytes; None when there is no key."""
    if not keys:
        return None
    data = b"".join(octets[-_WIDE:].rjust(_WIDE, b"\n") for octets in keys)
    windows: Windows = np.ndarray((len(data) - _NARROW + 1,), "<u8", data, 0, (1,))
    table = np.zeros(1 << _BITS, bool)
    table[hash_of(windows, np.arange(_WIDE, len(data) + 1, _WIDE))] = True
    return table


def _trim(data: bytes, starts: Positions, ends: Positions) -> Positions:
    """Ends of lines without trailing blanks and backslashes."""
    octets = np.frombuffer(data, np.uint8)
    rows = _IS_TRAILING[octets[ends - 1]].nonzero()[0]
    rows = rows[ends[rows] > starts[rows]]
    if not len(rows):
        return ends
    ends = ends.copy()
    for _ in range(_QUICK_TRIMS):
        ends[rows] -= 1
        rows = rows[_IS_TRAILING[octets[ends[rows] - 1]] & (ends[rows] > starts[rows])]
        if not len(rows):
            return ends
    for row in rows.tolist():
        ends[row] = starts[row] + len(data[starts[row] : ends[row]].rstrip(_TRAILING_OCTETS))
    return ends


def _starts(newlines: Positions, breaks: Positions) -> Positions:
    r"""Where the line that each escaped break ends begins: after the newline or the `\n` before it."""
    newline = newlines[np.searchsorted(newlines, breaks) - 1] + 1
    starts: Positions = newline.copy()
    starts[1:] = np.maximum(newline[1:], breaks[:-1] + 2)
    return starts


def _last_lines(data: bytes, newlines: Positions, breaks: Positions) -> tuple[Positions, Positions]:
    """Starts and ends of what stands between the last escaped break of a line and the quote that closes the text."""
    last = np.searchsorted(breaks, newlines[1:]) - 1
    rows = ((last >= 0) & (breaks[last] > newlines[:-1])).nonzero()[0] if len(breaks) else last[:0]
    starts, ends = [], []
    for start, end in zip((breaks[last[rows]] + 2).tolist(), newlines[rows + 1].tolist(), strict=True):
        closed = data[start:end].rstrip(_CLOSING_OCTETS)
        if closed.endswith((b'"', b"'")):
            starts.append(start)
            ends.append(start + len(closed) - 1)
    return np.array(starts, np.int64), np.array(ends, np.int64)


def _before_return(octets: Octets, breaks: Positions) -> Positions:
    r"""Where lines end: at the escaped break, or at the escaped `\r` right before it."""
    ends: Positions = breaks - 2 * ((octets[breaks - 1] == _LETTER_R) & (octets[breaks - 2] == _BACKSLASH))
    return ends


def _is_escape(octets: Octets, breaks: Positions) -> npt.NDArray[np.bool_]:
    r"""Whether the backslash of each `\n` is one by itself or follows an escaped backslash, so that it escapes the `n`."""
    first, second, third = (octets[breaks - distance] == _BACKSLASH for distance in (1, 2, 3))
    alone: npt.NDArray[np.bool_] = ~first | (second & ~third)
    return alone


def _escaped_forms(key: str) -> set[str]:
    """How a key stands inside a JSON string or a Python literal."""
    slashed = key.replace("\\", "\\\\").replace("\t", "\\t")
    return {
        slashed,
        slashed.replace("'", "\\'"),
        slashed.replace('"', '\\"'),
        json.dumps(key)[1:-1],
    }


def _in_characters(parts: list[_Part], hits: list[Hit]) -> Iterator[tuple[int, Hit]]:
    """Distinct hits in order, each with the index of its text and with positions in characters of that text."""
    begins = list(accumulate((len(part.octets) + 1 for part in parts), initial=_WIDE))
    of_part: dict[int, set[Hit]] = {}
    for hit in hits:
        of_part.setdefault(bisect_right(begins, hit.start) - 1, set()).add(hit)
    for number in sorted(of_part):
        part, begin = parts[number], begins[number]
        places = sorted({place - begin for hit in of_part[number] for place in (hit.start, hit.end)})
        characters = _characters(part.octets, places)
        for hit in sorted(of_part[number], key=itemgetter(1, 2)):
            start, end = characters[hit.start - begin], characters[hit.end - begin]
            yield part.place, Hit(hit.key, part.begin + start, part.begin + end)


def _characters(octets: bytes, places: list[int]) -> dict[int, int]:
    """For ascending places in bytes, the places in characters."""
    characters: dict[int, int] = {}
    done = count = 0
    for place in places:
        count += len(octets[done:place].decode("utf-8", "surrogatepass"))
        characters[place] = count
        done = place
    return characters
