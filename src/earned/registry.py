"""One way to find a named part: a static table first, entry points for an unknown name, a dotted path last.

Built-in names never read entry points, so `--help` stays fast and a third-party package cannot replace a built-in. A dotted
path is for the command line and the user's configuration only; nothing read from input data may reach `load`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points

from earned.errors import ConfigurationError


def load(name: str, table: Mapping[str, str], *, family: str) -> object:
    """The object that `name` stands for in a family of parts (`formats`, `judges`, …).

    `table` maps short names to `module:attribute`. Raises ConfigurationError (slug `unknown-name`) that lists the known names.
    """
    if name in table:
        return _import(table[name], name=name, family=family)
    for point in entry_points(group=f"earned.{family}"):
        if point.name == name:
            return point.load()
    if ":" in name:
        return _import(name, name=name, family=family)
    known = ", ".join(sorted(table))
    raise ConfigurationError(
        f"Expected one of the {family} ({known}), an entry point of the group earned.{family}, or module:attribute; "
        f"found {name!r}.",
        slug="unknown-name",
    )


def _import(path: str, *, name: str, family: str) -> object:
    module, _, attribute = path.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ConfigurationError(
            f"Expected {name!r} of the {family} to import as {path!r}; found: {error}. Install what it needs or mend the path.",
            slug="unknown-name",
        ) from error
