"""The lists of messages of one row: most rows have one, and some keep a view of the talk beside it.

Read is the list that tells the most acts. What another list tells beyond it is a gap: nobody says that it was done in another
run. What an assistant says within a `prompt` is a demonstration.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from earned.errors import FormatError
from earned.trajectory.acts import Acts, acts_of, untold
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.chat.row import KEYS, Messages, Row
from earned.trajectory.formats.chat.salvage import messages_in_text
from earned.trajectory.formats.chat.shapes import Message
from earned.trajectory.formats.chat.steps import Conversation
from earned.trajectory.steps import Steps

ROLLOUT = "completion"
SHOWN = 80
"""Characters of an act in a reason."""


class Talk(NamedTuple):
    """Where one talk stands: under a key, with what was said before it under another one."""

    key: str
    prompt: str = ""


def lists_of(row: Row) -> list[Talk]:
    """The talks that a row has, in the order in which they are looked for.

    Messages beside a completion, without a `prompt`, are the prompt where they hold no act, or not those of the completion.
    """
    talks = [Talk(key) for key in KEYS if getattr(row, key)]
    if row.completion is None:
        return talks
    if talks and not row.prompt:
        acts = _acts(row, talks[0])
        if not acts or untold(acts, _acts(row, Talk(ROLLOUT))):
            return [*talks[1:], Talk(ROLLOUT, talks[0].key)]
    return [*talks, Talk(ROLLOUT, "prompt")]


def told_best(row: Row, talks: Sequence[Talk], steps: Steps) -> Talk:
    """The one that tells the most acts, the first of such; acts that only others tell are noted as missing."""
    acts = {talk: _acts(row, talk) for talk in talks}
    best = max(talks, key=lambda talk: acts[talk].total())
    for talk in talks:
        left = untold(acts[best], acts[talk]) if talk != best else ()
        if left:
            counted = "an act" if len(left) == 1 else f"{len(left)} acts"
            what = f"`{talk.key}` tells {counted} that `{best.key}` does not tell: {left[0].kind} {left[0].text[:SHOWN]}"
            steps.missing(what, step=-1)
    return best


def _acts(row: Row, talk: Talk) -> Acts:
    steps = Steps()
    with contextlib.suppress(FormatError):  # told when that list is the one that is read
        append(row, talk, Oddities(), steps, "")
    return acts_of(steps.steps)[0]


def append(row: Row, talk: Talk, oddities: Oddities, steps: Steps, here: str) -> None:
    """The steps of one talk; `here` is the place of the row with a slash, or of a bare list."""
    if talk.prompt:
        _append(getattr(row, talk.prompt), "user", oddities, steps, f"{here}{talk.prompt}")
        for number, step in enumerate(steps.steps):
            if step.actor == "agent":
                steps.steps[number] = msgspec.structs.replace(step, copied=True)
    role = "assistant" if talk.key == ROLLOUT else "user"
    _append(getattr(row, talk.key), role, oddities, steps, f"{here}{talk.key}" if here.endswith("/") else here)


def _append(messages: Messages, role: str, oddities: Oddities, steps: Steps, place: str) -> None:
    """The steps of one list of messages. Plain text is one message of `role`; JSON text is messages."""
    if not messages:
        return
    if isinstance(messages, str):
        if messages.lstrip()[:2] not in {"[{", '"['}:
            messages = [Message(role=role, content=messages)]
        else:
            messages, missing = messages_in_text(messages, oddities, place)
            if missing:
                steps.missing(missing)
    conversation = Conversation(steps, oddities)
    conversation.read(messages, place)
    conversation.close()
