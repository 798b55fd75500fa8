"""Sheets: long prepared texts with numbered gaps, filled in one step, which is what makes the generator fast.

In a block, `@0`…`@9` are names, `@A`…`@E` class names (the same mark is the same name within one block), `@n` a fresh number,
`~` the domain word of the repository.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter
from random import Random
from typing import NamedTuple

from words import DOMAIN_MARK, Words

GAP = re.compile(r"@([0-9A-En])")
BREAK = "\f"
"""Stands between the pieces of a sheet."""
GAP_IN_PIECE = "\n\n"
"""Stands between the blocks of a piece."""


class Sheet(NamedTuple):
    """A text with gaps, and which word goes into which gap."""

    template: str
    pick: Callable[[list[str]], tuple[str, ...]]
    counts: tuple[int, int, int]
    """Names, class names and numbers that it needs."""

    def fill(self, words: Words, domain: str) -> list[str]:
        """The pieces of the sheet with the words of one repository in them."""
        every = [*words.snake, *words.camel, *words.numbers]
        text = self.template % self.pick(every)
        return text.replace(DOMAIN_MARK, domain).split(BREAK)


def make_sheets(blocks: tuple[str, ...], pieces: int, per_piece: int, count: int) -> list[Sheet]:
    """`count` sheets of `pieces` pieces of `per_piece` blocks each, in random order; the same in every run."""
    rng = Random(blocks[0])
    return [_compile([rng.choice(blocks) for _ in range(pieces * per_piece)], per_piece) for _ in range(count)]


def _compile(blocks: list[str], per_piece: int) -> Sheet:
    marks = [(number, match[1]) for number, block in enumerate(blocks) for match in GAP.finditer(block)]
    names = list(dict.fromkeys(key for key in marks if key[1].isdigit()))
    classes = list(dict.fromkeys(key for key in marks if key[1].isupper()))
    place = {key: index for index, key in enumerate([*names, *classes])}
    indices, numbers = list[int](), 0
    for key in marks:
        indices.append(place[key] if key in place else len(place) + numbers)
        numbers += key not in place
    gaps = [GAP.sub("%s", block.replace("%", "%%")) for block in blocks]
    pieces = [GAP_IN_PIECE.join(gaps[at : at + per_piece]) for at in range(0, len(gaps), per_piece)]
    pick: Callable[[list[str]], tuple[str, ...]] = itemgetter(*indices)
    return Sheet(BREAK.join(pieces), pick, (len(names), len(classes), numbers))
