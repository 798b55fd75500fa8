"""A turn that is made at once is the turn that waiting for its results makes, in both notations."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from earned.records import Step
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.chat.shapes import Message
from earned.trajectory.formats.chat.steps import Conversation
from earned.trajectory.steps import Steps

NAMES = st.sampled_from(["a", "b", "c", ""])
TEXT = st.sampled_from(["", "x", "exit code: 3"])
CALL = st.builds(
    lambda name: {"id": name, "function": {"name": "bash", "arguments": '{"command": "ls"}'}},
    NAMES,
)
TOOL_USE = st.builds(lambda name: {"type": "tool_use", "id": name, "name": "bash", "input": {"command": "ls"}}, NAMES)
TOOL_RESULT = st.builds(lambda name, text: {"type": "tool_result", "tool_use_id": name, "content": text}, NAMES, TEXT)
THOUGHT = st.just({"type": "thinking", "thinking": "hm"})
SAID = st.builds(lambda text: {"type": "text", "text": text}, TEXT)
MESSAGE: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(
        lambda calls, text: {"role": "assistant", "content": text, "tool_calls": calls}, st.lists(CALL, max_size=3), TEXT
    ),
    st.builds(lambda name, text: {"role": "tool", "tool_call_id": name, "content": text}, NAMES, TEXT),
    st.builds(lambda blocks: {"role": "assistant", "content": blocks}, st.lists(TOOL_USE | SAID | THOUGHT, max_size=3)),
    st.builds(lambda blocks: {"role": "user", "content": blocks}, st.lists(TOOL_RESULT | SAID, max_size=3)),
    st.builds(lambda text: {"role": "user", "content": text}, TEXT),
    st.just({"role": "assistant", "content": "x", "reasoning_content": "hm", "tool_calls": [{"id": "a", "name": "bash"}]}),
)


def steps_of(messages: list[Message], *, at_once: bool) -> tuple[list[Step], tuple[Any, ...]]:
    steps, oddities = Steps(), Oddities()
    conversation = Conversation(steps, oddities)
    if at_once:
        conversation.read(messages, "x")
    else:
        for number, message in enumerate(messages):
            conversation.add(message, f"x/{number}")
    conversation.close()
    return steps.steps, oddities.records()


ASKED = {"role": "assistant", "content": "", "tool_calls": [{"id": "b", "function": {"name": "bash", "arguments": "{}"}}]}
GIVEN = {"role": "tool", "tool_call_id": "b", "content": ""}


@settings(max_examples=300)
@given(st.lists(MESSAGE, max_size=8))
@example([ASKED, ASKED, GIVEN, GIVEN])
def test_what_is_made_at_once_is_what_waiting_makes(values: list[dict[str, Any]]) -> None:
    messages = msgspec.convert(values, list[Message])
    assert steps_of(messages, at_once=True) == steps_of(messages, at_once=False)


@settings(max_examples=100)
@given(st.lists(MESSAGE, max_size=8))
def test_every_call_keeps_its_place_and_every_result_points_at_one(values: list[dict[str, Any]]) -> None:
    steps, _ = steps_of(msgspec.convert(values, list[Message]), at_once=True)
    calls = sum(
        len(value.get("tool_calls") or ())
        + sum(block["type"] == "tool_use" for block in value["content"] if isinstance(block, dict))
        for value in values
    )
    assert sum(len(step.actions) for step in steps) == calls
    assert [step.index for step in steps] == list(range(len(steps)))
    assert all(-1 <= item.action < len(step.actions) for step in steps for item in step.observations)
