"""A text changed for comparing, with the way back: every span of it names the span of the original that it came from."""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.int64]


class Span(NamedTuple):
    """Half-open range of characters."""

    start: int
    end: int


class Replacement(NamedTuple):
    """The original's characters `start` to `end` stand as `text` in the rewritten text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Rewrite:
    """A rewritten text in segments; a segment is either copied, character by character, or stands for its source as a whole."""

    text: str
    at: Positions
    """Where each segment begins in `text`; ascending, the first is 0. Empty when nothing was changed."""
    source: Positions
    """Where each segment's source begins in the text that was rewritten."""
    until: Positions
    """Where each segment's source ends there."""
    base: Rewrite | None = None
    """The rewrite that had made the text that was rewritten; None when that was the original."""

    def span(self, start: int, end: int) -> Span:
        """The original span of `text[start:end]`: from its first character's source to the end of its last one's."""
        span = Span(start, end)
        rewrite: Rewrite | None = self
        while rewrite is not None:
            span = rewrite.step_back(*span)
            rewrite = rewrite.base
        return span

    def step_back(self, start: int, end: int) -> Span:
        """The span in the text that was rewritten."""
        if not len(self.at):
            return Span(start, end)
        first = self._source(start).start
        return Span(first, max(first, self._source(end - 1).end) if end > start else first)

    def _source(self, position: int) -> Span:
        """The source of one character; past the last segment, the end of what was kept."""
        segment = max(0, int(np.searchsorted(self.at, position, "right")) - 1)
        begin, source, until = int(self.at[segment]), int(self.source[segment]), int(self.until[segment])
        after = int(self.at[segment + 1]) if segment + 1 < len(self.at) else len(self.text)
        if position >= after:
            return Span(until, until)
        if after - begin == until - source:
            return Span(source + position - begin, source + position - begin + 1)
        return Span(source, until)


_NONE: Positions = np.empty(0, np.int64)


def unchanged(text: str) -> Rewrite:
    """The rewrite that changes nothing."""
    return Rewrite(text, _NONE, _NONE, _NONE)


def replace_spans(base: Rewrite, replacements: Iterable[Replacement]) -> Rewrite:
    """Rewrite a text by replacements in ascending order that do not overlap; an empty text removes."""
    text = base.text
    pieces = io.StringIO()
    segments = array("q")  # eight bytes a number: a hostile text has millions
    length = done = 0
    for start, end, replacement in replacements:
        if start > done:
            pieces.write(text[done:start])
            segments.extend((length, done, start))
            length += start - done
        if replacement:
            pieces.write(replacement)
            segments.extend((length, start, end))
            length += len(replacement)
        done = end
    if not done:
        return base
    if done < len(text):
        pieces.write(text[done:])
        segments.extend((length, done, len(text)))
    at, source, until = np.frombuffer(segments or array("q", (0, 0, 0)), np.int64).reshape(-1, 3).T
    return Rewrite(pieces.getvalue(), at, source, until, base if len(base.at) else None)
