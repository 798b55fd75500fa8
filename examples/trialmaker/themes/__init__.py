"""One file a theme; this table is what a seed chooses from."""

from __future__ import annotations

import random

from trialmaker.theme import Theme, settle
from trialmaker.themes import durations, fields, shares, sizes, spans, versions

THEMES = (sizes.draft, durations.draft, spans.draft, shares.draft, fields.draft, versions.draft)


def build_theme(index: int, rng: random.Random) -> Theme:
    """The theme at `index` (taken round the table) with names and numbers drawn from `rng`."""
    return settle(THEMES[index % len(THEMES)](rng))
