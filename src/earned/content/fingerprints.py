"""Fingerprints of texts by winnowing: two texts that share a run long enough share a fingerprint, whatever surrounds it.

Winnowing: Schleimer, Wilkerson, Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003.
Of every `WINDOW` neighbouring hashes of `GRAM` characters the smallest is kept, so that a common run of at least
GRAM + WINDOW - 1 characters shares one.
Runs of white space count as one blank, so that indentation and line breaks do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from earned.content.rewrite import Positions, Span

GRAM = 32
WINDOW = 16
"""Characters and hashes (tracing.md, level 2)."""

Codes = npt.NDArray[np.uint64]
_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_BLOCK = 1 << 15
"""Hashes computed at a time, so that the arrays stay in the cache."""
_BLANK = 32
_NO_BREAK_SPACE = 0xA0


@dataclass(frozen=True, slots=True, eq=False)
class Fingerprint:
    """Selected hashes of a text, and where in it (in characters) what each was made of starts and ends."""

    hashes: Codes
    starts: Positions
    ends: Positions


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """What the first of two texts shares with the second."""

    shared: int
    """Distinct hashes of the first that the second has."""
    share: float
    """Of the first's distinct hashes, 0 to 1; 0 for a text without any."""
    spans: tuple[Span, ...]
    """Where the shared hashes stand in the first; neighbours are merged."""
    other_spans: tuple[Span, ...]
    """Where they stand in the second."""


def fingerprint(text: str) -> Fingerprint:
    """The fingerprint of a text; a text of fewer than `GRAM` characters has none. Linear, by array operations."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    blank = (codes <= _BLANK) | (codes == _NO_BREAK_SPACE)
    kept = np.ones(len(codes), bool)
    kept[1:] = ~(blank[1:] & blank[:-1])
    places = kept.nonzero()[0]
    folded = np.where(blank, _BLANK, codes)[places].astype(np.uint64)
    chosen, hashes = winnow(folded, GRAM, WINDOW)
    return Fingerprint(hashes, places[chosen], places[chosen + GRAM - 1] + 1)


def overlap(first: Fingerprint, second: Fingerprint) -> Overlap:
    """What the first shares with the second."""
    distinct = np.unique(first.hashes)
    here, there = np.isin(first.hashes, second.hashes), np.isin(second.hashes, first.hashes)
    shared = len(np.unique(first.hashes[here]))
    return Overlap(
        shared=shared,
        share=shared / len(distinct) if len(distinct) else 0.0,
        spans=merge_spans(first.starts[here], first.ends[here]),
        other_spans=merge_spans(second.starts[there], second.ends[there]),
    )


def merge_spans(starts: Positions, ends: Positions) -> tuple[Span, ...]:
    """Spans in ascending order of start, joined where they touch."""
    if not len(starts):
        return ()
    reach = np.maximum.accumulate(ends)
    opens = np.concatenate(([True], starts[1:] > reach[:-1]))
    closes = np.concatenate((opens[1:], [True]))
    return tuple(Span(int(start), int(end)) for start, end in zip(starts[opens], reach[closes], strict=True))


def winnow(codes: Codes, gram: int, window: int) -> tuple[Positions, Codes]:
    """Places and hashes that winnowing selects among all grams of some codes; of repeats in a row one is kept."""
    count = len(codes) - gram + 1
    if count <= 0:
        return np.empty(0, np.int64), np.empty(0, np.uint64)
    window = min(window, count)
    places, hashes = [], []
    margin = window - 1
    for begin in range(0, count, _BLOCK):
        low, high = max(0, begin - margin), min(count, begin + _BLOCK + margin)
        grams = gram_hashes(codes[low : high + gram - 1], gram)
        selected = _selected(grams, window)
        selected[1:] &= grams[1:] != grams[:-1]
        chosen = selected.nonzero()[0]
        chosen = chosen[(chosen >= begin - low) & (chosen < begin - low + _BLOCK)]
        places.append(chosen + low)
        hashes.append(grams[chosen])
    return np.concatenate(places), np.concatenate(hashes)


def gram_hashes(codes: Codes, gram: int) -> Codes:
    """A hash of every `gram` neighbouring codes: a polynomial, doubled up to its length, then mixed."""
    hashes, length, power = codes, 1, _BASE
    done: Codes | None = None
    done_length = 0
    with np.errstate(over="ignore"):
        while True:
            if gram & length:
                done = hashes if done is None else done[: len(hashes) - done_length] * power + hashes[done_length:]
                done_length += length
            if 2 * length > gram:
                break
            hashes = hashes[:-length] * power + hashes[length:]
            power *= power
            length *= 2
        mixed = (done if done is not None else hashes) * _MIX
        mixed ^= mixed >> _HALF
    return mixed


def _selected(hashes: Codes, window: int) -> npt.NDArray[np.bool_]:
    """True where a hash is the smallest of some window: where the largest of its windows' minima is the hash itself."""
    minima = _sliding(hashes, window, np.minimum)
    padded = np.zeros(len(hashes) + window - 1, np.uint64)
    padded[window - 1 : window - 1 + len(minima)] = minima
    selected: npt.NDArray[np.bool_] = _sliding(padded, window, np.maximum) == hashes
    return selected


def _sliding(values: Codes, window: int, best: np.ufunc) -> Codes:
    """The best of every `window` neighbours."""
    result, length = values, 1
    while 2 * length <= window:
        result = best(result[:-length], result[length:])
        length *= 2
    rest = window - length
    return best(result[: len(result) - rest], result[rest:]) if rest else result
