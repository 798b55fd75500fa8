"""The lines of Claude Code's session files and of its `stream-json` output, as far as they are read.

After claude-agent-sdk-python (`_internal/message_parser.py`, `types.py`) and session files of versions 1.0 to 2.1. What only
repeats a text (`originalFile`, `structuredPatch`) and the bytes of images are not declared and so never decoded.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec import field


class Tokens(msgspec.Struct, gc=False):
    """Usage of one answer of the model."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class Part(msgspec.Struct, gc=False):
    """A part of a result: text, an image, a hit of a search."""

    type: str | None = None
    text: str | None = None
    title: str | None = None
    url: str | None = None
    tool_name: str | None = None
    content: Any = None
    stdout: Any = None
    error_code: Any = None


Parts = str | list[Part] | Part | None


class Block(msgspec.Struct, gc=False):
    """A block of a message."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Any = None
    tool_use_id: str | None = None
    content: Parts = None
    is_error: bool | None = None


class Message(msgspec.Struct, gc=False):
    """A message of the API."""

    id: str | None = None
    role: str | None = None
    model: str | None = None
    content: str | list[Block] | None = None
    usage: Tokens | None = None


class Shown(msgspec.Struct, gc=False, rename="camel"):
    """What a read tool says of the lines that it showed."""

    num_lines: Any = None
    start_line: Any = None
    total_lines: Any = None


class Details(msgspec.Struct, gc=False, rename="camel"):
    """The structured twin of a result; each tool has fields of its own."""

    interrupted: Any = None
    background_task_id: Any = None
    return_code_interpretation: Any = None
    persisted_output_path: Any = None
    exit_code: Any = None
    stdout: Any = None
    truncated: Any = None
    applied_limit: Any = None
    agent_id: Any = None
    team_agent_id: Any = field(default=None, name="agent_id")
    total_tool_use_count: Any = None
    file: Shown | str | list[Any] | None = None


Twin = Details | str | list[Any] | None


class Origin(msgspec.Struct, gc=False):
    """Who sent a message that has the role of a user."""

    kind: str | None = None


class Record(msgspec.Struct, gc=False, rename="camel"):
    """One line of a session file."""

    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    timestamp: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    cwd: str | None = None
    version: str | None = None
    request_id: str | None = None
    tool_denial_kind: str | None = None
    origin: Origin | None = None
    message: Message | None = None
    tool_use_result: Twin = None
    content: Any = None
    attachment: Any = None
    rendered: Any = None
    data: Progress | None = None
    parent_tool_use_id: str | None = field(default=None, name="parentToolUseID")
    total_cost_usd: float | None = field(default=None, name="totalCostUSD")


class Progress(msgspec.Struct, gc=False, rename="camel"):
    """What a `progress` line reports; of a subagent it holds the subagent's own line."""

    type: str | None = None
    agent_id: str | None = None
    message: Record | None = None


class ModelTokens(msgspec.Struct, gc=False, rename="camel"):
    """Usage of one model over a run, subagents and all."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class Denial(msgspec.Struct, gc=False):
    """A call that was not permitted."""

    holds_acts: ClassVar[bool] = False
    tool_use_id: str | None = None


class StreamRecord(msgspec.Struct, gc=False):
    """One line of `claude -p --output-format stream-json`."""

    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    session_id: str | None = None
    parent_tool_use_id: str | None = None
    timestamp: str | None = None
    message: Message | None = None
    tool_use_result: Twin = None
    is_synthetic: bool | None = field(default=None, name="isSynthetic")
    is_compact_summary: bool | None = field(default=None, name="isCompactSummary")
    origin: Origin | None = None
    cwd: str | None = None
    model: str | None = None
    claude_code_version: str | None = None
    summary: Any = None
    output: Any = None
    stdout: Any = None
    content: Any = None
    total_cost_usd: float | None = None
    cost_usd: float | None = None
    usage: Tokens | None = None
    model_usage: dict[str, ModelTokens | None] | None = field(default=None, name="modelUsage")
    permission_denials: list[Denial] | None = None
    num_turns: Any = None
