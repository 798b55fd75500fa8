"""What of a command took place, as far as the command and its result tell, and of what they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from earned.records import Fact, Observation

BEGIN = 4000
"""Characters of a result in which a shell says what it did not do."""
_ASKS = frozenset({"[", "test", "grep", "egrep", "fgrep", "rg", "diff", "cmp", "command", "which", "type", "pgrep"})
"""Programs that are run for a yes or no."""
_SYNTAX = re.compile(
    r"^[^\n]{0,200}sh: [^\n]{0,200}(?:[Ss]yntax error\b|unexpected EOF while looking)|^zsh: parse error", re.MULTILINE
)
_BRANCH = re.compile(r"(?:^|[\s;])(?:then|else)\s*$")
_BRANCH_END = re.compile(r"(?:^|[\s;])fi(?:[\s;&|)]|$)")


def carried_out(command: str, facts: Sequence[Fact], result: Observation | None = None) -> Sequence[Fact]:
    """The facts without those that a shell never came to: behind `false &&`, `true ||`, and a `cd` that failed and `&&`."""
    said = result.text[:BEGIN] if result is not None else ""
    is_lost = "cd: " in said or "can't cd to" in said
    if not is_lost and "false" not in command and "true" not in command and ":" not in command:
        return facts
    kept: list[Fact] = []
    dead = ""
    for fact, gap in _with_gaps(command, facts):
        if gap is not None and gap.strip() != dead:
            dead = ""
        if not dead:
            kept.append(fact)
            if not fact.via:
                dead = {"false": "&&", "true": "||", ":": "||"}.get(fact.program, "")
            if is_lost and _has_failed(fact, said):
                dead = "&&"
    return kept


def _has_failed(fact: Fact, said: str) -> bool:
    """Whether a shell said that it could not go to a folder."""
    if fact.program != "cd" or len(fact.argv) < 2:
        return False
    folder = fact.argv[-1]
    return f"cd: {folder}: " in said or f"can't cd to {folder}\n" in f"{said}\n"


def doubtful(command: str, facts: Sequence[Fact], result: Observation | None) -> frozenset[int]:
    """The numbers of the facts of which it is not known whether they took place.

    They stand behind a question whose answer is not shown (`[ -f x ] &&`, `if … then`), or in a command in which the shell
    found an error: what stands before the error may have been done.
    """
    if result is not None and _SYNTAX.search(result.text[:BEGIN]) is not None:
        return frozenset(range(len(facts)))
    if "&&" not in command and "||" not in command and "then" not in command:
        return frozenset()
    found: set[int] = set()
    chain: set[int] = set()
    is_asked = is_branch = False
    for number, (fact, gap) in enumerate(_with_gaps(command, facts)):
        if gap is not None:
            link = gap.rstrip("({ \t\n")
            is_asked = (is_asked and link.strip() in ("&&", "||")) or (
                "]]" in link and link.endswith(("&&", "||")) and "\n" not in link
            )
            is_branch = _BRANCH.search(gap) is not None or (is_branch and _BRANCH_END.search(gap) is None)
            chain = chain if is_asked and link.endswith("&&") else set()
        if is_asked or is_branch:
            found.add(number)
        if is_asked and not is_branch:
            chain.add(number)
        is_asked = is_asked or (not fact.via and (fact.program in _ASKS or fact.runs == "tests"))
    has_ended_well = result is not None and result.exit_code == 0 and "||" not in command
    return frozenset(found - chain if has_ended_well else found)


def _with_gaps(command: str, facts: Sequence[Fact]) -> Iterator[tuple[Fact, str | None]]:
    """Each fact with what stands between it and those before it; None for one within the span of another."""
    end = 0
    for fact in facts:
        yield fact, command[end : fact.start] if fact.start >= end else None
        end = max(end, fact.end)
