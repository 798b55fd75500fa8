"""Copies that were renamed, reformatted or commented anew: runs of tokens equal but for names and literals.

A token match alone is weaker evidence than a verbatim one and needs length; a renaming that is the same at every occurrence
makes it stronger.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from earned.content.fingerprints import Codes, Fingerprint, gram_hashes, winnow
from earned.content.lexer import NAME, NUMBER, STRING, Tokens
from earned.content.rewrite import Positions, Span

MIN_TOKENS = 40
"""Tokens of the shortest run that is reported: about five lines of code. Idioms (a loop, a guarded read) are shorter."""
TOKEN_GRAM = 12
TOKEN_WINDOW = 8
"""Of token fingerprints, which are seeds: a common run of 19 tokens shares one."""


class TokenMatch(msgspec.Struct, frozen=True, kw_only=True):
    """One run of tokens that two texts share when names and literals are abstracted."""

    tokens: int
    """Its length."""
    span: Span
    """In the first text, in characters."""
    other_span: Span
    """In the second."""
    verbatim: float
    """Share of its names and literals that are the same in both, 0 to 1."""
    consistency: float
    """Share of its names that follow one renaming, one to one: 1 for a copy that was renamed throughout."""
    renamed: dict[str, str]
    """Name in the first text to name in the second, where they differ and follow the renaming."""


def token_fingerprint(tokens: Tokens) -> Fingerprint:
    """Winnowed fingerprints over abstracted tokens, as seeds: `overlap` of two tells whether a closer look is worth it."""
    places, hashes = winnow(tokens.codes, TOKEN_GRAM, TOKEN_WINDOW)
    return Fingerprint(hashes, tokens.starts[places], tokens.ends[places + TOKEN_GRAM - 1])


def token_matches(first: Tokens, second: Tokens, *, least: int = MIN_TOKENS) -> tuple[TokenMatch, ...]:
    """Runs of at least `least` abstracted tokens that both have, in the order of the second; each place of it in one run."""
    if min(len(first.codes), len(second.codes)) < least:
        return ()
    return tuple(_match(first, second, *run) for run in _runs(first.codes, second.codes, least))


def _runs(first: Codes, second: Codes, least: int) -> Iterator[tuple[int, int, int]]:
    """Runs as (place in the first, place in the second, length)."""
    here, at_first = np.unique(gram_hashes(first, least), return_index=True)
    there = gram_hashes(second, least)
    index = np.minimum(np.searchsorted(here, there), len(here) - 1)
    places = (here[index] == there).nonzero()[0]
    sources = at_first[index[places]]
    done = 0
    for place, source in _diagonals(places, sources):
        if place < done:
            continue
        length = _common_length(first[source:], second[place:])
        if length >= least:
            yield source, place, length
            done = place + length


def _diagonals(places: Positions, sources: Positions) -> Iterator[tuple[int, int]]:
    """The first place of each stretch of places that go on side by side in both."""
    fresh = np.ones(len(places), bool)
    fresh[1:] = (np.diff(places) != 1) | (np.diff(sources) != 1)
    return zip(places[fresh].tolist(), sources[fresh].tolist(), strict=True)


def _common_length(first: Codes, second: Codes) -> int:
    """How many codes agree from the begin on; looks no further than twice that."""
    limit, size = min(len(first), len(second)), 64
    while True:
        size = min(size, limit)
        differs = (first[:size] != second[:size]).nonzero()[0]
        if len(differs):
            return int(differs[0])
        if size == limit:
            return limit
        size *= 2


def _match(first: Tokens, second: Tokens, source: int, place: int, length: int) -> TokenMatch:
    pairs = list(
        zip(
            first.kinds[source : source + length],
            first.texts[source : source + length],
            second.texts[place : place + length],
            strict=True,
        )
    )
    names = [(one, other) for kind, one, other in pairs if kind == NAME]
    free = [one == other for kind, one, other in pairs if kind in (NAME, NUMBER, STRING)]
    renaming = _renaming(names)
    follow = sum(renaming.get(one) == other for one, other in names)
    return TokenMatch(
        tokens=length,
        span=Span(int(first.starts[source]), int(first.ends[source + length - 1])),
        other_span=Span(int(second.starts[place]), int(second.ends[place + length - 1])),
        verbatim=sum(free) / len(free) if free else 1.0,
        consistency=follow / len(names) if names else 1.0,
        renamed={one: other for one, other in renaming.items() if one != other},
    )


def _renaming(names: list[tuple[str, str]]) -> dict[str, str]:
    """The one-to-one renaming that most occurrences follow; the commoner pair wins where two contradict each other."""
    counts: dict[tuple[str, str], int] = {}
    for pair in names:
        counts[pair] = counts.get(pair, 0) + 1
    renaming: dict[str, str] = {}
    taken: set[str] = set()
    for one, other in sorted(counts, key=lambda pair: -counts[pair]):
        if one not in renaming and other not in taken:
            renaming[one] = other
            taken.add(other)
    return renaming
