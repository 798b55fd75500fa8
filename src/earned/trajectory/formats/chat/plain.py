"""The turn that nearly all turns are: calls with ids, and right behind them a result for each, in order.

Made at once, at a third of what it costs to wait for results. Whatever is different in any way is left to `chat_steps`, which
makes the same of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from earned.records import Action, Observation, Step
from earned.trajectory.formats.chat.blocks import (
    ActionOf,
    block_action,
    call_action,
    reasoning_text,
    result_text,
    text_of_blocks,
)
from earned.trajectory.formats.chat.shapes import Block, Message
from earned.trajectory.formats.chat.text_calls import may_call
from earned.trajectory.steps import observation

PlainTurn = tuple[Step, int]
"""A step, and how many messages make it."""


def plain_turn(messages: Sequence[Message], number: int, index: int, place: str, act: ActionOf) -> PlainTurn | None:
    """The turn that begins with a message, as the step `index`; None when it is not plain."""
    message = messages[number]
    if message.role != "assistant" or message.type or message.function_call or message.refusal or message.is_shown:
        return None
    content = message.content
    if isinstance(content, list):
        return None if message.tool_calls else _in_blocks(messages, number, index, place, act)
    calls = message.tool_calls
    end = number + 1 + len(calls or ())
    if not calls or end > len(messages) or (content and may_call(content)):
        return None
    actions: list[Action] = []
    observations: list[Observation] = []
    for at, call in enumerate(calls, start=number + 1):
        result = messages[at]
        seen, asked = result.content, result.tool_call_id
        if result.role != "tool" or not asked or result.tool_messages:
            return None
        action = call_action(call, act)
        if action.call_id != asked or (seen.__class__ is not str and not _is_text(seen)):
            return None
        actions.append(action)
        observations.append(observation(text_of_blocks(seen), len(observations), exit_code=result.failure))
    return _step(message, index, place, content or "", reasoning_text(message), actions, observations), end - number


def _is_text(content: str | list[Block | str] | None) -> bool:
    """Whether a content is parts of text alone."""
    return isinstance(content, list) and all(isinstance(part, Block) and part.type == "text" for part in content)


def _in_blocks(messages: Sequence[Message], number: int, index: int, place: str, act: ActionOf) -> PlainTurn | None:
    """The same in the notation of Anthropic: the results are the parts of one message."""
    message = messages[number]
    following = messages[number + 1] if number + 1 < len(messages) else None
    if following is None or following.role != "user" or not isinstance(following.content, list):
        return None
    actions: list[Action] = []
    for block in message.content or ():
        if isinstance(block, str) or block.type not in {"text", "thinking", "tool_use"}:
            return None
        if block.type == "tool_use":
            actions.append(block_action(block, act))
    results = following.content
    if not actions or len(results) != len(actions):
        return None
    observations: list[Observation] = []
    for at, block in enumerate(results):
        if isinstance(block, str) or block.type != "tool_result" or not block.tool_use_id:
            return None
        if block.tool_use_id != actions[at].call_id:
            return None
        observations.append(observation(result_text(block.content), at, exit_code=block.failure))
    blocks = [block for block in message.content or () if isinstance(block, Block)]
    thoughts = [*(block.thinking for block in blocks if block.thinking), *filter(None, (reasoning_text(message),))]
    text, thought = text_of_blocks(message.content), "\n".join(thoughts)
    return _step(message, index, place, text, thought, actions, observations), 2


def _step(
    message: Message,
    index: int,
    place: str,
    text: str,
    thought: str,
    actions: list[Action],
    observations: list[Observation],
) -> Step:
    return Step(
        index=index,
        actor="agent",
        native_id=message.id if isinstance(message.id, str) else "",
        time="" if message.timestamp is None else str(message.timestamp),
        text=text,
        reasoning=thought,
        actions=tuple(actions),
        observations=tuple(observations),
        source=place,
    )
