"""Makes quotes that the program itself found at the named step: no text, no quote, no finding."""

from __future__ import annotations

from earned.records import Fact, Quote, Step, part_text

QUOTE_LIMIT = 600
"""Characters of a quote; a longer span is cut at its end, so that the position still addresses what is shown."""


def action_quote(step: Step, fact: Fact) -> Quote:
    """The command (or edited text) that a fact stands for, as it stands in its action."""
    part = f"action:{fact.action}"
    text = part_text(step, part)
    start, end = (fact.start, fact.end) if 0 <= fact.start < fact.end <= len(text) else (0, len(text))
    if any(write.text is not None for write in fact.writes):
        end = _with_document(text, start, end)
    return span_quote(step, part, start, end)


def _with_document(text: str, start: int, end: int) -> int:
    """The end of a command that writes: with its redirection, and with the here-document that it takes its text from."""
    line = text.find("\n", end)
    line = len(text) if line < 0 else line
    return len(text) if "<<" in text[start:line] else max(end, line)


def span_quote(step: Step, part: str, start: int, end: int) -> Quote:
    """The text between two positions of a part, cut to QUOTE_LIMIT."""
    text = part_text(step, part)
    start = max(0, min(start, len(text)))
    end = max(start, min(end, len(text), start + QUOTE_LIMIT))
    return Quote(step=step.index, part=part, start=start, end=end, text=text[start:end])


def line_quote(step: Step, part: str, start: int, end: int) -> Quote:
    """The whole lines around a span, without the blanks at either end."""
    text = part_text(step, part)
    start = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return span_quote(step, part, start, stop)


def find_quote(step: Step, part: str, needle: str) -> Quote | None:
    """The first place of `needle` in a part; None when it is not there."""
    at = part_text(step, part).find(needle) if needle else -1
    return span_quote(step, part, at, at + len(needle)) if at >= 0 else None
