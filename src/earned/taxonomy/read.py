"""Reads and checks the taxonomy, so that a wrong row is an error with its place and never a rule that silently does nothing."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec

from earned.errors import ConfigurationError
from earned.taxonomy.rows import Category, Taxonomy

_SLUG = "taxonomy-invalid"


def parse_taxonomy(raw: bytes, *, place: str) -> Taxonomy:
    """The taxonomy in `raw` (TOML). `place` names the file in messages.

    Raises ConfigurationError (slug `taxonomy-invalid`) for a row of another shape, a doubled name, or a rule, catalogue entry
    or alias that names a category which has no row.
    """
    try:
        taxonomy = msgspec.toml.decode(raw, type=Taxonomy)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"Expected a taxonomy in {place}; found: {error}. Mend that row.", slug=_SLUG) from error
    names = {row.name for row in taxonomy.category}
    _unique("category", (row.name for row in taxonomy.category), place)
    _unique("rule", (row.id for row in taxonomy.rule), place)
    _unique("catalogue entry", (row.id for row in taxonomy.catalogue), place)
    used = [(f"rule {row.id}", row.category) for row in taxonomy.rule]
    used += [(f"catalogue entry {row.id}", row.category) for row in taxonomy.catalogue]
    used += [(f"alias {row.scheme}.{key}", value) for row in taxonomy.alias for key, value in row.names.items()]
    for what, name in used:
        if name not in names:
            message = f"Expected a category of {place} in {what}; found {name!r}. Add a [[category]] row or mend the name."
            raise ConfigurationError(message, slug=_SLUG)
    return msgspec.structs.replace(taxonomy, digest=hashlib.sha256(raw).hexdigest())


@cache
def default_taxonomy() -> Taxonomy:
    """The taxonomy that ships with the package."""
    return parse_taxonomy(files("earned.taxonomy").joinpath("taxonomy.toml").read_bytes(), place="taxonomy.toml")


def category(taxonomy: Taxonomy, name: str) -> Category:
    """The row of one category. Raises ConfigurationError (slug `unknown-name`) that lists the known ones."""
    for row in taxonomy.category:
        if row.name == name:
            return row
    known = ", ".join(row.name for row in taxonomy.category)
    raise ConfigurationError(f"Expected a category ({known}); found {name!r}.", slug="unknown-name")


def _unique(what: str, names: Iterable[str], place: str) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ConfigurationError(f"Expected each {what} of {place} once; found {twice[0]!r} twice.", slug=_SLUG)
