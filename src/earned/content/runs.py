"""The longest run that two texts have in common, exactly, in time that grows no faster than n log n whatever the texts are.

A common run of length L at a place is also one of every smaller length there. So lengths are doubled, then halved in: at each
length only the places that passed the smaller ones are looked at, by hashes of whole arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from earned.content.lines import line_key
from earned.content.rewrite import Positions, Span

Codes = npt.NDArray[np.uint64]
_BASE = np.uint64(0xD6E8FEB86659FD93)
_INVERSE = np.uint64(pow(0xD6E8FEB86659FD93, -1, 1 << 64))
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_BITS = 20
_SHIFT = np.uint64(64 - _BITS)
MIN_BLOCK = 1 << 20
BLOCK_FACTOR = 4
"""The haystack is searched in blocks of so many characters, or so many needles, to bound the memory that hashes take."""
FIRST_LENGTH = 32
"""Tried first, because shorter runs matter to nobody and each smaller length costs a pass over everything."""


class Run(NamedTuple):
    """A run that two texts share: `needle[slice(*needle_span)] == haystack[slice(*haystack_span)] == text`."""

    text: str
    needle: Span
    haystack: Span


class CommonRun(NamedTuple):
    """Equal stretches of two sequences of codes."""

    first: int
    second: int
    length: int


def longest_run(needle: str, haystack: str) -> Run:
    """The longest common substring; the first one in the haystack among equals. Empty at (0, 0) when nothing is common."""
    codes = _codes(needle)
    best = CommonRun(0, 0, 0)
    block = max(MIN_BLOCK, BLOCK_FACTOR * len(needle))
    for begin in range(0, len(haystack), block):
        found = longest_common(codes, _codes(haystack[begin : begin + block + len(needle)]))
        if found.length > best.length:
            best = CommonRun(found.first, begin + found.second, found.length)
    return Run(
        needle[best.first : best.first + best.length],
        Span(best.first, best.first + best.length),
        Span(best.second, best.second + best.length),
    )


def covered_lines(target_lines: Sequence[str], source_lines: Sequence[str]) -> tuple[int, ...]:
    """Indexes of the target's lines that the source has too, whatever the white space in and around them; blank ones never."""
    known = {_without_space(line) for line in source_lines}
    keys = ((index, _without_space(line)) for index, line in enumerate(target_lines))
    return tuple(index for index, key in keys if key and key in known)


def longest_common(first: Codes, second: Codes) -> CommonRun:
    """The longest stretch that two sequences of codes share."""
    search = _Search(first, second)
    limit = min(len(first), len(second))
    low, step = 0, FIRST_LENGTH if limit >= FIRST_LENGTH else 1
    while low + step <= limit and search.passes(low + step):
        low += step
        step *= 2
    while step:
        if low + step <= limit and search.passes(low + step):
            low += step
        step //= 2
    return search.best


class _Search:
    """Tries lengths; keeps the places of the second sequence where the last length that was found begins."""

    def __init__(self, first: Codes, second: Codes) -> None:
        self.first, self.second = first, second
        powers = np.full(max(len(first), len(second)) + 1, _BASE, np.uint64)
        inverses = np.full(len(powers), _INVERSE, np.uint64)
        powers[0] = inverses[0] = 1
        with np.errstate(over="ignore"):
            self.inverses = np.cumprod(inverses)
            powers = np.cumprod(powers)
            self.first_sums = _sums(first, powers)
            self.second_sums = _sums(second, powers)
        self.places: Positions = np.arange(len(second))
        self.best = CommonRun(0, 0, 0)

    def passes(self, length: int) -> bool:
        """Whether a common stretch of this length exists; if so, it is the best one from now on."""
        places = self.places[self.places <= len(self.second) - length]
        here = self._hashes(self.first_sums, np.arange(len(self.first) - length + 1), length)
        there = self._hashes(self.second_sums, places, length)
        table = np.zeros(1 << _BITS, bool)
        table[here >> _SHIFT] = True
        maybe = table[there >> _SHIFT]
        places, there = places[maybe], there[maybe]
        order = np.argsort(here, kind="stable")
        ordered = here[order]
        at = np.minimum(np.searchsorted(ordered, there), len(ordered) - 1)
        equal = ordered[at] == there
        if not equal.any():
            return False
        first, second = int(order[at[equal][0]]), int(places[equal][0])
        # Different stretches with equal hashes need a text made to collide (Thue-Morse): the length counts as not found.
        if not np.array_equal(self.first[first : first + length], self.second[second : second + length]):
            return False
        self.places = places[equal]
        self.best = CommonRun(first, second, length)
        return True

    def _hashes(self, sums: Codes, places: Positions, length: int) -> Codes:
        with np.errstate(over="ignore"):
            hashes = (sums[places + length] - sums[places]) * self.inverses[places]
            hashes ^= hashes >> _HALF
            return hashes * _MIX


def _sums(codes: Codes, powers: Codes) -> Codes:
    sums = np.zeros(len(codes) + 1, np.uint64)
    np.cumsum((codes + np.uint64(1)) * powers[: len(codes)], out=sums[1:])
    return sums


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint64)


def _without_space(line: str) -> str:
    return "".join(line_key(line).split())
