"""Tokens of a Claude Code run: each answer of the model counts once, with what was read from a cache or written to one."""

from __future__ import annotations

import math
from collections.abc import Iterable

from earned.records import Usage
from earned.trajectory.formats.claude_code.records import ModelTokens, Tokens


def usage_of(answers: Iterable[Tokens | ModelTokens], cost: float | None) -> Usage:
    """The sum; None where nothing is recorded."""
    known = list(answers)
    cost = cost if cost is not None and math.isfinite(cost) else None
    if not known:
        return Usage(cost_usd=cost)
    given = sum((tokens.input_tokens or 0) + _cached(tokens) for tokens in known)
    return Usage(input_tokens=given, output_tokens=sum(tokens.output_tokens or 0 for tokens in known), cost_usd=cost)


def _cached(tokens: Tokens | ModelTokens) -> int:
    return (tokens.cache_creation_input_tokens or 0) + (tokens.cache_read_input_tokens or 0)
