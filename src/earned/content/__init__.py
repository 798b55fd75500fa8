"""Texts only: undecorate, line keys, values, fingerprints, longest run, patch and edit replay. Pure: no I/O."""

from earned.content.envelope import is_envelope, parse_envelope, read_patch
from earned.content.fingerprints import Fingerprint, Overlap, fingerprint, overlap
from earned.content.lexer import Tokens, comment_family, lex
from earned.content.lines import Hit, LineKeys, key_hits, line_key
from earned.content.patch import Hunk, PatchedFile, PatchLine, parse_patch
from earned.content.rarity import Rarity
from earned.content.replay import FileReplay, ReplayedFile
from earned.content.rewrite import Span
from earned.content.runs import Run, covered_lines, longest_run
from earned.content.tables import Pair, Table, tables
from earned.content.tokens import TokenMatch, token_fingerprint, token_matches
from earned.content.trivial import is_trivial
from earned.content.undecorate import Plain, undecorate
from earned.content.value_hits import ValueKeys
from earned.content.values import Value, distinctive_values

__all__ = [
    "FileReplay",
    "Fingerprint",
    "Hit",
    "Hunk",
    "LineKeys",
    "Overlap",
    "Pair",
    "PatchLine",
    "PatchedFile",
    "Plain",
    "Rarity",
    "ReplayedFile",
    "Run",
    "Span",
    "Table",
    "TokenMatch",
    "Tokens",
    "Value",
    "ValueKeys",
    "comment_family",
    "covered_lines",
    "distinctive_values",
    "fingerprint",
    "is_envelope",
    "is_trivial",
    "key_hits",
    "lex",
    "line_key",
    "longest_run",
    "overlap",
    "parse_envelope",
    "parse_patch",
    "read_patch",
    "tables",
    "token_fingerprint",
    "token_matches",
    "undecorate",
]
