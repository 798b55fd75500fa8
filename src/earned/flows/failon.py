"""`--fail-on EXPR`: comparisons of the card's numbers, joined by `and` and `or`; nothing is evaluated but these words."""

from __future__ import annotations

import re

from earned.errors import ConfigurationError
from earned.records import Estimate, IntegrityCard

_NAMES = "gap|violation|neutral|insufficient|undecided|new_violations"
_COUNTS = ("insufficient", "undecided")
_TERM = re.compile(rf"\s*({_NAMES})(?:\.(value|low|high|k|n))?\s*(<=|>=|==|!=|<|>)\s*([0-9]*\.?[0-9]+)\s*$")


class FailOn:
    """A parsed expression."""

    def __init__(self, expression: str) -> None:
        """Parse `expression`. Raises ConfigurationError (slug `fail-on-invalid`) that names the part that does not fit."""
        self.expression = expression
        self._any = [
            [_parsed(term, expression) for term in re.split(r"\band\b", group)] for group in re.split(r"\bor\b", expression)
        ]

    def holds(self, card: IntegrityCard) -> bool:
        """Whether the expression is true of a card. A rate over no passes compares as false."""
        return any(all(_holds(term, card) for term in group) for group in self._any)

    def why(self, card: IntegrityCard) -> str:
        """The values that make it true, such as `gap.value is 0.25, gap.n is 4`; empty where it is false."""
        true = [term for group in self._any if all(_holds(term, card) for term in group) for term in group]
        return ", ".join(dict.fromkeys(f"{name}.{part} is {_value(name, part, card):g}" for name, part, _, _ in true))


def _parsed(term: str, expression: str) -> tuple[str, str, str, float]:
    match = _TERM.match(term)
    if match is None:
        raise ConfigurationError(
            f"Expected comparisons such as gap>0.05, joined by and/or; found {term.strip()!r} in "
            f"--fail-on {expression!r}. Names: gap, violation, neutral, insufficient, undecided (.value .low .high .k .n).",
            slug="fail-on-invalid",
        )
    name, part, operator, number = match.groups()
    if name in _COUNTS and part in ("low", "high"):
        raise ConfigurationError(
            f"Expected .value, .k or .n of {name} in --fail-on; found .{part}, but a count has no interval.",
            slug="fail-on-invalid",
        )
    if name == "new_violations":
        raise ConfigurationError(
            "Expected a name that one audit knows in --fail-on; found 'new_violations', which compares two audits. "
            "Use it where an earlier audit is given.",
            slug="fail-on-invalid",
        )
    return name, part or ("k" if name in _COUNTS else "value"), operator, float(number)


def _holds(term: tuple[str, str, str, float], card: IntegrityCard) -> bool:
    name, part, operator, number = term
    value = _value(name, part, card)
    if value is None:
        return False
    return {
        "<": value < number,
        ">": value > number,
        "<=": value <= number,
        ">=": value >= number,
        "==": value == number,
        "!=": value != number,
    }[operator]


def _value(name: str, part: str, card: IntegrityCard) -> float | None:
    if name in _COUNTS:
        count: int = getattr(card, name)
        n = card.surface_passes
        return {"k": float(count), "n": float(n), "value": count / n if n else None}.get(part)
    found: Estimate = getattr(card.trajectory, name)
    value = getattr(found, part)
    return None if value is None else float(value)
