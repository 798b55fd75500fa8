"""The shapes of OpenHands V1 events (the software agent SDK), told apart by `kind`.

Layout after OpenHands/software-agent-sdk (`openhands-sdk/openhands/sdk/event`, `openhands-tools`). What is huge and says
nothing of the attempt (definitions of tools, old and new text of edited files, token ids, snapshots of the state) is not
declared and so never decoded.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Part(msgspec.Struct, gc=False):
    """A part of content."""

    type: str | None = None
    text: str | None = None


Content = str | list[Part | str | None] | None
"""Text, or parts of it."""


class Thinking(msgspec.Struct, gc=False):
    """A block of what the model thought."""

    thinking: str | None = None


class Reasoning(msgspec.Struct, gc=False):
    """The same in the notation of the Responses API."""

    summary: list[str] | None = None
    content: list[str] | None = None


class Message(msgspec.Struct, gc=False):
    """A chat message."""

    role: str | None = None
    content: Content = None
    reasoning_content: str | None = None


class ToolCall(msgspec.Struct, gc=False):
    """A call as the model made it."""

    name: str | None = None
    arguments: str | None = None


class Terminal(msgspec.Struct, gc=False):
    """What the shell's prompt told after a command."""

    exit_code: int | None = None
    working_dir: str | None = None
    prefix: str | None = None


class Seen(msgspec.Struct, gc=False):
    """An observation. `output`, `error` and `message` are what older tools have instead of `content`."""

    kind: str | None = None
    content: Content = None
    output: Content = None
    message: Content = None
    error: Content = None
    is_error: bool | None = None
    exit_code: int | None = None
    metadata: Terminal | None = None


class V1Event(msgspec.Struct, gc=False):
    """One event of any kind."""

    kind: str | None = None
    id: str | int | None = None
    timestamp: str | None = None
    source: str | None = None
    llm_message: Message | None = None
    extended_content: Content = None
    sender: str | None = None
    thought: Content = None
    reasoning_content: str | None = None
    thinking_blocks: list[Thinking] | None = None
    responses_reasoning_item: Reasoning | None = None
    action: Any = None
    tool_name: str | None = None
    tool_call_id: str | None = None
    tool_call: ToolCall | None = None
    llm_response_id: str | None = None
    observation: Seen | None = None
    action_id: str | None = None
    rejection_reason: str | None = None
    error: str | None = None
    system_prompt: Part | None = None
    dynamic_context: Part | None = None
    summary: str | None = None
    code: str | None = None
    detail: str | None = None
    title: str | None = None
    status: str | None = None
    tool_kind: str | None = None
    raw_input: Any = None
    raw_output: Any = None
    content: Any = None
    stdout: str | None = None
    additional_context: str | None = None
