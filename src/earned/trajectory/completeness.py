"""How much of what the agent did a trace shows: `full`, `partial`, `terminal_text` or `none`, with the steps that show it.

Silence is not clean: a pass whose trace shows no action of the agent is not called legitimate for want of evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

from earned.records import Completeness, Reason, Step

MAX_REASONS = 20
"""Kept per trajectory; a last one counts the rest."""
_NEEDS_RESULT = frozenset({"shell", "code", "edit", "write", "read", "fetch", "search", "other"})


def completeness_of(
    steps: Sequence[Step], reasons: Sequence[Reason] = (), *, terminal: bool = False, acts_in_text: bool = False
) -> Completeness:
    """The grade of a trace.

    Args:
        steps: All steps, in order.
        reasons: What the reader found missing (a continuation, a subagent's trajectory).
        terminal: Only a terminal's text is recorded, not the calls that made it.
        acts_in_text: The benchmark asks for an answer in text, so that a message is the act.
    """
    own = [step for step in steps if step.actor in {"agent", "subagent"} and not step.copied]
    if terminal:
        terminals = [step for step in steps if step.actor == "environment"]
        shown = any(observation.text.strip() for step in terminals for observation in step.observations)
        return Completeness(grade="terminal_text" if shown else "none", reasons=_bounded(reasons))
    if not any(step.actions for step in own) and not (acts_in_text and any(step.text.strip() for step in own)):
        what = Reason(what="no action of the agent is shown between the instruction and the end")
        return Completeness(grade="none", reasons=_bounded([what, *reasons]))
    found = list(reasons)
    for step in own:
        observations = step.observations
        if len(observations) == len(step.actions) == 1 and observations[0].action == 0 and not observations[0].truncated:
            continue  # nearly every step, and nothing is missing
        found += _missing(step)
    return Completeness(grade="partial" if found else "full", reasons=_bounded(found))


def _missing(step: Step) -> list[Reason]:
    """What one step of the agent leaves out."""
    found = [Reason(what="a result is cut", step=step.index) for item in step.observations if item.truncated]
    answered = {item.action for item in step.observations}
    if len(answered) < len(step.actions) and -1 not in answered:
        found += [
            Reason(what=f"the call of {action.tool or action.kind} has no result", step=step.index)
            for number, action in enumerate(step.actions)
            if number not in answered and action.kind in _NEEDS_RESULT
        ]
    return found


def _bounded(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    if len(reasons) <= MAX_REASONS:
        return tuple(reasons)
    return (*reasons[:MAX_REASONS], Reason(what=f"{len(reasons) - MAX_REASONS} more reasons are not listed"))
