"""Copies that were renamed, reformatted or commented anew: the second, weaker comparison, over abstracted tokens.

It runs only where a delivery showed foreign text and much of the submission has no explanation yet, and only over lines that
the agent had not written before the delivery (tracing.md, "Three levels").
"""

from __future__ import annotations

from collections.abc import Iterator

from earned.audit.delivery import Delivery
from earned.audit.firstseen import FirstSeen, Place
from earned.audit.targets import Targets
from earned.content import lex, token_matches
from earned.records import Trajectory

MIN_SHARE = 0.2
"""Of the added content that must be without explanation for the comparison to be worth its cost."""
MIN_CONSISTENCY = 0.8
"""Share of names that must follow one renaming. Unrelated code of the same shape renames at random."""
MAX_CHARACTERS = 400_000
"""Of one shown text that is compared; more is data, not code."""


def renamed_lines(
    trajectory: Trajectory, delivered: tuple[Delivery, ...], seen: FirstSeen, targets: Targets, taken: set[int]
) -> Iterator[tuple[int, tuple[int, ...], Place]]:
    """(delivery, lines of the submission, where the original was shown) for each renamed copy that is found.

    `taken` holds the lines that have an explanation already.
    """
    free = [index for index, line in enumerate(targets.lines) if index not in taken and line.key not in seen.given]
    free_weight = sum(targets.lines[index].weight for index in free)
    if free_weight < MIN_SHARE * (targets.weight or 1.0):
        return
    for number, delivery in enumerate(delivered):
        if not delivery.shown or delivery.mixed:
            continue
        lines = [index for index in free if not _is_earlier(targets.lines[index].key, seen, delivery.step)]
        if lines:
            yield from _copies(number, delivery, lines, trajectory, targets)


def _is_earlier(key: str, seen: FirstSeen, step: int) -> bool:
    place = seen.own.get(key)
    return place is not None and place.step <= step


def _copies(
    number: int, delivery: Delivery, lines: list[int], trajectory: Trajectory, targets: Targets
) -> Iterator[tuple[int, tuple[int, ...], Place]]:
    ours = "\n".join(targets.lines[index].text for index in lines)
    submitted = lex(ours)
    for part, spans in _shown_lines(delivery, trajectory):
        text = "\n".join(line for line, _, _ in spans)
        for match in token_matches(lex(text), submitted):
            if match.consistency < MIN_CONSISTENCY:
                continue
            first, last = text.count("\n", 0, match.span.start), text.count("\n", 0, match.span.end)
            place = Place(delivery.step, part, spans[first][1], spans[last][2])
            begin, end = ours.count("\n", 0, match.other_span.start), ours.count("\n", 0, match.other_span.end)
            yield number, tuple(lines[begin : end + 1]), place


def _shown_lines(delivery: Delivery, trajectory: Trajectory) -> Iterator[tuple[str, list[tuple[str, int, int]]]]:
    """For each observation of the delivery: its part, and its foreign lines as (text, start, end)."""
    for number, observation in enumerate(trajectory.steps[delivery.step].observations):
        if observation.action not in (delivery.action, -1) or len(observation.text) > MAX_CHARACTERS:
            continue
        spans: list[tuple[str, int, int]] = []
        at = 0
        for line in observation.text.split("\n"):
            if not delivery.signed:
                spans.append((line, at, at + len(line)))
            elif line.startswith("+") and not line.startswith("+++"):
                spans.append((line[1:], at, at + len(line)))
            at += len(line) + 1
        if spans:
            yield f"observation:{number}", spans
