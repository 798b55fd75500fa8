"""Whether a call takes time in proportion to what it is given: a ratio of two measurements, never a number of seconds."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

PARTS = 8
MARGIN = 4
"""Times what proportion allows: machines are shared, and a quadratic call takes `PARTS` times too long."""
SLACK = 0.2
"""Seconds of which a ratio of short measurements tells nothing."""


def check_in_proportion(call: Callable[[int], object], size: int) -> None:
    """Check that the whole of a size takes no more time than proportion to an eighth of it allows."""
    for_part, for_whole = seconds(call, size // PARTS), seconds(call, size)
    assert for_whole < PARTS * MARGIN * for_part + SLACK, (for_part, for_whole)


def check_text_in_proportion(call: Callable[[str], object], text: str) -> None:
    """The same for a text and its first eighth."""
    check_in_proportion(lambda size: call(text[:size]), len(text))


def seconds(call: Callable[[int], object], size: int) -> float:
    """Processor time of one call (a second one could be answered by a cache), without the collector of garbage, which would go
    through all that earlier tests left."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        began = time.process_time()
        call(size)
        return time.process_time() - began
    finally:
        if was_enabled:
            gc.enable()
