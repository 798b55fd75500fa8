"""What Codex writes, as it is decoded: one small record for each type, with the keys that are read of it and no others.

`decoder(…)` tells types by their `type` key while it decodes, which is what makes long sessions quick to read. A line of an
unknown type, or with a wrong type somewhere, is decoded again leniently (`codex_lines.py`).
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

import msgspec


class Item(msgspec.Struct, tag_field="type"):
    """A response item, or the payload of an event."""


class Message(Item, tag="message"):
    """Words of a user, the agent or the harness."""

    role: str | None = None
    content: Any = None
    internal_chat_message_metadata_passthrough: Any = None


class Reasoning(Item, tag="reasoning"):
    """Reasoning: a summary that can be read, and content that mostly cannot."""

    summary: Any = None
    content: Any = None


class FunctionCall(Item, tag="function_call", gc=False):
    """A call of a tool whose arguments are JSON text."""

    name: str | None = None
    namespace: str | None = None
    arguments: Any = None
    call_id: str | None = None
    id: str | None = None


class CustomToolCall(Item, tag="custom_tool_call"):
    """A call of a tool whose input is free text."""

    name: str | None = None
    namespace: str | None = None
    input: Any = None
    call_id: str | None = None


class LocalShellCall(Item, tag="local_shell_call"):
    """A call of the shell that the model has by itself."""

    action: Any = None
    call_id: str | None = None
    id: str | None = None


class Output(Item, tag="function_call_output"):
    """A result."""

    output: str | list[Any] | dict[str, Any] | None = None
    call_id: str | None = None


class CustomOutput(Output, tag="custom_tool_call_output"):
    """A result of a custom tool."""


class LocalShellOutput(Output, tag="local_shell_call_output"):
    """A result of the oldest builds."""


class WebSearchCall(Item, tag="web_search_call"):
    """A search on the web that the model's provider made."""

    action: Any = None
    id: str | None = None


class OtherCall(Item, tag="tool_search_call"):
    """A call that is neither a command nor an edit."""

    arguments: Any = None
    call_id: str | None = None


class OtherOutput(Item, tag="tool_search_output"):
    """Its result."""

    tools: Any = None
    call_id: str | None = None


class AgentMessage(Item, tag="agent_message"):
    """As an item words from one agent to another; as an event the agent's own words again."""

    author: str | None = None
    recipient: str | None = None
    content: Any = None
    encrypted_content: str | None = None
    message: str | None = None
    id: str | None = None


class UserMessage(Item, tag="user_message"):
    """Event: what the user typed."""

    message: str | None = None


class AgentReasoning(Item, tag="agent_reasoning"):
    """Event: reasoning that can be read."""

    text: str | None = None


class RawReasoning(AgentReasoning, tag="agent_reasoning_raw_content"):
    """Event: reasoning as the model wrote it."""


class Tokens(msgspec.Struct, gc=False):
    """Token counts."""

    input_tokens: int | None = None
    output_tokens: int | None = None


class TokenInfo(msgspec.Struct, gc=False):
    """Of a `token_count`."""

    total_token_usage: Tokens | None = None


class TokenCount(Item, tag="token_count"):
    """Event: tokens used so far."""

    info: TokenInfo | None = None


class ExecBegin(Item, tag="exec_command_begin"):
    """Event: a command starts."""

    call_id: str | None = None
    command: Any = None
    cwd: str | None = None


class ExecEnd(Item, tag="exec_command_end"):
    """Event: a command has ended."""

    call_id: str | None = None
    command: Any = None
    cwd: str | None = None
    aggregated_output: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    exit_code: int | None = None


class PatchBegin(Item, tag="patch_apply_begin"):
    """Event: files will be changed."""

    call_id: str | None = None
    changes: Any = None


class PatchEnd(Item, tag="patch_apply_end"):
    """Event: files were changed, or not."""

    call_id: str | None = None
    changes: Any = None
    stdout: str | None = None
    stderr: str | None = None
    success: bool | None = None


class McpBegin(Item, tag="mcp_tool_call_begin"):
    """Event: a tool of a server is called."""

    call_id: str | None = None
    invocation: Any = None


class McpEnd(Item, tag="mcp_tool_call_end"):
    """Event: it has answered."""

    call_id: str | None = None
    invocation: Any = None
    result: Any = None


class WebSearchEnd(Item, tag="web_search_end"):
    """Event: a search on the web was made."""

    call_id: str | None = None
    query: str | None = None
    action: Any = None


class PlanUpdate(Item, tag="plan_update"):
    """Event: the agent's plan."""

    plan: Any = None


class Aborted(Item, tag="turn_aborted"):
    """Event: the turn was stopped."""

    reason: str | None = None


class Failure(Item, tag="error"):
    """Event: what went wrong."""

    message: Any = None


class StreamFailure(Failure, tag="stream_error"):
    """Event: a connexion that broke and is tried again."""


class TurnItem(msgspec.Struct):
    """An item of a turn: of `codex exec --json` (`command_execution`) and of events of new builds (`CommandExecution`)."""

    type: str | None = None
    id: str | None = None
    text: str | None = None
    command: Any = None
    cwd: str | None = None
    aggregated_output: str | None = None
    exit_code: int | None = None
    changes: Any = None
    server: str | None = None
    tool: str | None = None
    arguments: Any = None
    result: Any = None
    results: Any = None
    error: Any = None
    query: str | None = None
    action: Any = None
    kind: Any = None
    status: Any = None
    items: Any = None
    message: Any = None
    prompt: str | None = None
    receiver_thread_ids: Any = None
    agents_states: Any = None


class ItemCompleted(Item, tag="item_completed"):
    """Event: an item of the turn is done."""

    item: TurnItem | None = None


class PassedOver(Item, tag=""):
    """An item or event that says nothing which is not said elsewhere, or nothing of the attempt."""


class Unknown(Item, tag="unknown"):
    """An item of a type that this reader does not know."""

    name: str = ""


_PASSED_OVER = """
    additional_tools raw_response_item agent_message_content_delta agent_message_delta agent_reasoning_delta
    agent_reasoning_raw_content_delta
    agent_reasoning_section_break apply_patch_approval_request background_event compaction compaction_summary compaction_trigger
    configuration_update context_compacted context_compaction conversation_path deprecation_notice elicitation_request
    entered_review_mode exec_approval_request exec_command_output_delta exited_review_mode ghost_snapshot
    guardian_assessment image_generation_call image_generation_end item_started mcp_startup_complete mcp_startup_update
    reasoning_content_delta session_configured shutdown_complete sub_agent_activity task_complete task_started
    thread_goal_updated thread_name_updated thread_rolled_back thread_settings_applied turn_complete turn_diff turn_started
    undo_completed undo_started view_image_tool_call warning web_search_begin
"""
_READ: tuple[type[Item], ...] = (
    *(Message, Reasoning, FunctionCall, CustomToolCall, LocalShellCall, Output, CustomOutput, LocalShellOutput),
    *(WebSearchCall, OtherCall, OtherOutput, AgentMessage, UserMessage, AgentReasoning, RawReasoning, TokenCount),
    *(ExecBegin, ExecEnd, PatchBegin, PatchEnd, McpBegin, McpEnd, WebSearchEnd, PlanUpdate, Aborted, Failure),
    *(StreamFailure, ItemCompleted),
)
_SKIPPED: Any = {
    name: msgspec.defstruct(f"PassedOver_{name}", [], bases=(PassedOver,), tag=name) for name in _PASSED_OVER.split()
}
KINDS: dict[str, type[Item]] = {**{str(kind.__struct_config__.tag): kind for kind in _READ}, **_SKIPPED}
"""The record of each `type`."""
AnyItem: Any = reduce(or_, KINDS.values())
"""Any of them, told by `type`."""


class TypeOnly(msgspec.Struct):
    """What is looked at of an item of an unknown type."""

    type: str | None = None


class ExecLine(msgspec.Struct):
    """One line of `codex exec --json`, or of what it printed before 0.40."""

    type: str | None = None
    item: TurnItem | None = None
    thread_id: str | None = None
    usage: Tokens | None = None
    error: Any = None
    message: Any = None
    msg: AnyItem | None = None
    id: str | None = None
    prompt: str | None = None
    model: str | None = None
    workdir: str | None = None
