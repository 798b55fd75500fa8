"""Lines of a rollout, as they are decoded: the record of a line is told by its `type`, its payload then by its own."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

import msgspec

from earned.trajectory.formats.codex.records import AgentMessage, AnyItem, Tokens


class Compacted(msgspec.Struct):
    """Payload of a `compacted` line: what stands for the talk until then."""

    message: str | None = None
    replacement_history: list[Any] | None = None


class Head(msgspec.Struct):
    """Payload of a `session_meta`: what holds for the session."""

    id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    cli_version: str | None = None
    source: Any = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    agent_path: str | None = None
    agent_nickname: str | None = None
    subagent_history_start_ordinal: int | None = None
    history_base: Any = None
    model: str | None = None
    approval_policy: Any = None
    sandbox_policy: Any = None
    network: Any = None


class TurnContext(Head):
    """The same of a turn."""


class TokenRecord(msgspec.Struct):
    """Payload of a `token_usage_record`."""

    thread_token_usage: Tokens | None = None


class RolloutLine(msgspec.Struct, tag_field="type", kw_only=True):
    """One line of a rollout."""

    timestamp: str | None = None
    ordinal: int | None = None
    metadata: Any = None


class ItemLine(RolloutLine, tag="response_item"):
    """A line with an item."""

    payload: AnyItem


class EventLine(RolloutLine, tag="event_msg"):
    """A line with an event."""

    payload: AnyItem


class HeadLine(RolloutLine, tag="session_meta"):
    """A line with the head of a session."""

    payload: Head


class ContextLine(RolloutLine, tag="turn_context"):
    """A line with the conditions of a turn; some builds write one behind every call."""

    payload: TurnContext


class CompactedLine(RolloutLine, tag="compacted"):
    """A line with what stands for the talk until then."""

    payload: Compacted


class TokenLine(RolloutLine, tag="token_usage_record"):
    """A line with token counts."""

    payload: TokenRecord


class DeliveryLine(RolloutLine, tag="inter_agent_communication"):
    """A line with words from one agent to another."""

    payload: AgentMessage


class PassedOverLine(RolloutLine, tag="world_state"):
    """A line that says nothing of the attempt."""


LINES: dict[str, type[RolloutLine]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (ItemLine, EventLine, HeadLine, ContextLine, CompactedLine, TokenLine, DeliveryLine, PassedOverLine)
}
"""The record of each `type` of line."""
AnyLine: Any = reduce(or_, LINES.values())
"""Any of them, told by `type`."""


class OtherLine(msgspec.Struct):
    """A line that is none of these, its payload undecoded: the oldest and some new builds write its keys beside the type."""

    payload: msgspec.Raw = msgspec.Raw(b"")
    timestamp: str | None = None
    type: str | None = None
    ordinal: int | None = None
    record_type: str | None = None
