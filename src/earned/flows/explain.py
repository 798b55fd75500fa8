"""`--explain CATEGORY`: what a category means, what must hold, what starts a finding, one that fires and one that does not."""

from __future__ import annotations

from typing import Any

import msgspec

from earned.taxonomy import category, default_taxonomy


def explain(name: str) -> dict[str, Any]:
    """The taxonomy's row of a category with its rules, routes and other people's names. ConfigurationError when unknown."""
    taxonomy = default_taxonomy()
    row = msgspec.to_builtins(category(taxonomy, name))
    row["rules"] = [msgspec.to_builtins(rule) for rule in taxonomy.rule if rule.category == name]
    row["routes"] = [msgspec.to_builtins(entry) for entry in taxonomy.catalogue if entry.category == name]
    row["also_called"] = {
        alias.scheme: sorted(key for key, value in alias.names.items() if value == name)
        for alias in taxonomy.alias
        if name in alias.names.values()
    }
    return dict(row)
