"""Messages as OpenAI Chat Completions, OpenAI Responses and Anthropic Messages write them: one record that holds all three.

What is not declared here is skipped while decoding, so that images and encrypted reasoning cost nothing.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Function(msgspec.Struct, gc=False):
    """The function of a call in the Chat Completions notation."""

    name: str | None = None
    arguments: Any = None


class Call(msgspec.Struct, gc=False):
    """One tool call. Some harnesses write the function's name in the place of the function."""

    id: str | None = None
    call_id: str | None = None
    function: Function | str | None = None
    name: str | None = None
    arguments: Any = None
    args: Any = None
    input: Any = None


class Block(msgspec.Struct, gc=False):
    """One part of a content list: text, reasoning, a call or a result."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    refusal: str | None = None
    id: str | None = None
    name: str | None = None
    input: Any = None
    tool_use_id: str | None = None
    content: Any = None
    is_error: Any = None

    @property
    def failure(self) -> int | None:
        """The exit code of a result that the record calls an error; None where it does not."""
        return 1 if self.is_error is True else None


class Raw(msgspec.Struct, gc=False):
    """What the provider returned, where a harness keeps it beside the message."""

    thinking_blocks: list[Block | str] | None = None


class Message(msgspec.Struct, gc=False):
    """One message, or one item of the Responses interface."""

    role: str | None = None
    type: str | None = None
    content: str | list[Block | str] | None = None
    tool_calls: list[Call | str] | None = None
    function_call: Call | None = None
    tool_call_id: str | None = None
    call_id: str | None = None
    id: str | int | None = None
    name: str | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    thinking: Any = None
    thinking_blocks: list[Block | str] | None = None
    raw_data: Raw | None = None
    refusal: str | None = None
    timestamp: str | float | None = None
    arguments: Any = None
    input: Any = None
    output: Any = None
    summary: Any = None
    action: Any = None
    operation: Any = None
    code: str | None = None
    outputs: Any = None
    queries: Any = None
    results: Any = None
    error: Any = None
    tool_messages: list[Message] | None = None
    messages: Any = None
    """Only to tell an object that holds messages from a message."""
    is_demo: Any = None
    is_error: Any = None
    status: Any = None

    @property
    def failure(self) -> int | None:
        """The exit code of a result that the record calls an error; None where it does not."""
        return 1 if self.is_error is True or self.status == "error" else None

    @property
    def is_shown(self) -> bool:
        """Whether it is part of a demonstration: marked as one, or by the names that OpenAI gives to examples."""
        return self.is_demo is True or (self.name is not None and self.name in DEMONSTRATORS)


DEMONSTRATORS = frozenset({"example_assistant", "example_user"})
ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
CALL_ITEMS = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "shell_call",
        "apply_patch_call",
        "computer_call",
        "mcp_call",
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
    }
)
RESULT_ITEMS = frozenset(
    {
        "function_call_output",
        "custom_tool_call_output",
        "local_shell_call_output",
        "shell_call_output",
        "apply_patch_call_output",
        "computer_call_output",
    }
)
ITEMS = CALL_ITEMS | RESULT_ITEMS | {"reasoning", "message"}
"""Values of `type` that the items of a conversation in the Responses notation have."""
