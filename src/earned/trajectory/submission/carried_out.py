"""What of a command took place, as far as the command itself tells."""

from __future__ import annotations

from collections.abc import Sequence

from earned.records import Fact


def carried_out(command: str, facts: Sequence[Fact]) -> Sequence[Fact]:
    """The facts without those behind `false &&` and `true ||`, which a shell never comes to."""
    if "false" not in command and "true" not in command and ":" not in command:
        return facts
    kept: list[Fact] = []
    dead = ""
    end = 0
    for fact in facts:
        if fact.start >= end and command[end : fact.start].strip() != dead:
            dead = ""
        if not dead:
            kept.append(fact)
            if not fact.via:
                dead = {"false": "&&", "true": "||", ":": "||"}.get(fact.program, "")
        end = max(end, fact.end)
    return kept
