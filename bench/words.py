"""The vocabulary of a generated repository: names that look written by people, hardly ever twice the same in one place."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import NamedTuple

_VERBS = """
accept apply build cache check clean coerce collect compare compile convert decode derive detect dispatch drop emit
encode escape expand extract fetch filter find flatten fold format freeze gather group guess handle index infer inject
iterate join limit load lock lookup map mark merge migrate move normalize open pack parse patch pick prune push quote
read rebase reduce register release render replace resolve restore retry rewrite rotate sample scale scan schedule seal
select send shift skip sort split stack store stream strip swap sync tag trim unpack unwrap update validate walk warm
wrap write yield
"""
_NOUNS = """
account action address alias anchor answer array atom attribute axis backend batch binding block body bound branch
bucket buffer bundle byte cell chain channel charset child chunk clause client clock code column command comment commit
config content context cookie cursor date default delay delta depth digest domain edge element encoding entry epoch
error event extent factor field filter flag folder font footer frame fragment function gap glyph grammar graph grid
group handler hash header history hook host icon index input instance interval item iterator kernel key label layer
layout leaf ledger length level limit line link list locale lock margin marker mask matrix member message method metric
migration mirror mode module month name namespace node note number object offset operand option order origin output
owner packet page pair parameter parent part path pattern payload period pipe pixel pointer policy port prefix process
profile proxy query queue quota range rank ratio record region relation request response result revision root route row
rule scale schema scope score section segment selector sequence series session setting shape shard signal signature size
slice slot snapshot source span stage state stream style suffix symbol table tag target task template term text thread
ticket timer token topic total tree tuple type unit user value variant vector version view visitor volume weight widget
window word wrapper zone
"""
_SYLLABLES = """
al ar bel bor cal cen cor dal den dor el fen gal gor har hel in jal kar kel lan lor mar mel mor nal nor or pal per quil
ral ren sal sel sor tal ten tor ul val ver vor wen wil xan yar zel zor
"""
VERBS, NOUNS, SYLLABLES = (text.split() for text in (_VERBS, _NOUNS, _SYLLABLES))
SNAKE, CAMEL, NUMBERS = 1 << 15, 1 << 13, 1 << 14
DOMAIN_MARK = "~"
"""Stands in a name for the domain word of the repository; `Sheet.fill` puts the word in."""


class Words(NamedTuple):
    """Names of one repository."""

    snake: list[str]
    camel: list[str]
    numbers: list[str]


class Stock(NamedTuple):
    """Names to choose from; made once, the same in every run."""

    snake: list[str]
    camel: list[str]
    numbers: list[str]
    domains: list[str]


def make_stock() -> Stock:
    """Every name that a generated repository can use."""
    rng = Random("stock")
    pairs = [*product(VERBS, NOUNS), *product(NOUNS, NOUNS), *product([DOMAIN_MARK] * 40, NOUNS)]
    snake = ["_".join(pair) for pair in pairs] + [f"{verb}_{DOMAIN_MARK}_{noun}" for verb, noun in product(VERBS, NOUNS)]
    camel = [verb.title() + noun.title() for verb, noun in product(VERBS, NOUNS)]
    numbers = [str(int(10 ** (rng.random() * 5 + 1.3))) for _ in range(NUMBERS)]
    domains = [first + second for first, second in product(SYLLABLES, SYLLABLES)]
    rng.shuffle(snake)
    rng.shuffle(camel)
    return Stock(snake[:SNAKE], camel[:CAMEL], numbers, domains)


def choose_words(stock: Stock, rng: Random, counts: tuple[int, int, int]) -> Words:
    """`counts` names of each kind: a slice at a random place with a random stride."""
    return Words(*(_slice(pool, count, rng) for pool, count in zip(stock[:3], counts, strict=True)))


def _slice(pool: list[str], count: int, rng: Random) -> list[str]:
    stride = rng.randint(1, max(1, len(pool) // max(1, count) - 1))
    start = rng.randrange(len(pool) - count * stride + 1)
    return pool[start : start + count * stride : stride]
