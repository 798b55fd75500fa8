"""How much of what the agent did a trace shows: `full`, `partial`, `terminal_text` or `none`, with the steps that show it.

Silence is not clean: a pass whose trace shows no action of the agent is not called legitimate for want of evidence. A reason
that `hides_acts` says that acts may be among what is missing; whether they decide is for the audit to say (audit/gaps.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from earned.records import Completeness, Reason, Step
from earned.trajectory.terminal.launch import starts_agent

MAX_REASONS = 20
"""Kept per trajectory; a last one counts the rest."""
MAX_LAUNCHES = 4
"""Actions of a trace that may be nothing but the start of an agent."""
_NEEDS_RESULT = frozenset({"shell", "code", "edit", "write", "read", "fetch", "search", "other"})
_TRIVIAL = re.compile(
    r"^\s*(?:$|#|\.\s|\w+=\S*\s*$|(?:cd|export|source|clear|echo|set|mkdir|bash|tmux|asciinema|apt|apt-get|pip|npm|curl|uv)\b)"
)
"""What stands around the start of an agent: settings, and its installation."""
_PIECES = re.compile(r"\n|&&|;")


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
        terminals = [step for step in steps if step.actor in {"agent", "subagent", "environment"} and not step.copied]
        shown = any(step.actions or any(item.text.strip() for item in step.observations) for step in terminals)
        found = [*reasons, *_missing_in(own)]
        if not shown and not found:
            found = [Reason(what="nothing that the agent did is recorded")]
        return Completeness(grade="terminal_text" if shown else "none", reasons=_bounded(found))
    if not any(step.actions for step in own) and not (acts_in_text and any(step.text.strip() for step in own)):
        what = Reason(what="no action of the agent is shown between the instruction and the end")
        return Completeness(grade="none", reasons=_bounded([what, *reasons]))
    if not acts_in_text and _is_only_launched(own):
        what = Reason(what="only the command that started the agent is shown", step=own[-1].index)
        return Completeness(grade="none", reasons=_bounded([what, *reasons]))
    found = [*reasons, *_missing_in(own)]
    return Completeness(grade="partial" if found else "full", reasons=_bounded(found))


def _missing_in(own: Sequence[Step]) -> list[Reason]:
    """What the steps of the agent leave out."""
    found: list[Reason] = []
    for step in own:
        observations = step.observations
        if len(observations) == len(step.actions) == 1 and observations[0].action == 0 and not observations[0].truncated:
            continue  # nearly every step, and nothing is missing
        found += _missing(step)
    return found


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


def _is_only_launched(own: Sequence[Step]) -> bool:
    """Whether all that the trace shows is how an agent was started, as harnesses type it into a terminal."""
    actions = [action for step in own for action in step.actions]
    if len(actions) > MAX_LAUNCHES or not all(action.kind == "shell" for action in actions):
        return False
    starts = [_starts_agent(action.command) for action in actions]
    return any(starts) and None not in starts


def _starts_agent(command: str) -> bool | None:
    """Whether a command starts an agent; None when it does something else. What follows the start may be the prompt's text."""
    for piece in _PIECES.split(command):
        if starts_agent(piece):
            return True
        if not _TRIVIAL.match(piece):
            return None
    return False


def _bounded(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    if len(reasons) <= MAX_REASONS:
        return tuple(reasons)
    rest = reasons[MAX_REASONS:]
    more = Reason(what=f"{len(rest)} more reasons are not listed", hides_acts=any(reason.hides_acts for reason in rest))
    return (*reasons[:MAX_REASONS], more)
