"""Texts only: undecorate, line keys, values, fingerprints, longest run, patch and edit replay. Pure: no I/O."""

from earned.content.lines import Hit, LineKeys, key_hits, line_key
from earned.content.patch import Hunk, PatchedFile, PatchLine, parse_patch
from earned.content.rarity import Rarity
from earned.content.rewrite import Span
from earned.content.trivial import is_trivial
from earned.content.value_hits import ValueKeys
from earned.content.values import Value, distinctive_values

__all__ = [
    "Hit",
    "Hunk",
    "LineKeys",
    "PatchLine",
    "PatchedFile",
    "Rarity",
    "Span",
    "Value",
    "ValueKeys",
    "distinctive_values",
    "is_trivial",
    "key_hits",
    "line_key",
    "parse_patch",
]
