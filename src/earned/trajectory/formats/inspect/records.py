"""The parts of an Inspect log that are read, typed; what is huge and not needed (provider calls, state changes) is left out.

Layout after inspect_ai 0.3.285 (`log/_log.py`, `event/_*.py`, `model/_chat_message.py`) and the older names that it still
reads: `transcript`, `score`, `message_pool`, `tool_error`, `step` events.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec


class Part(msgspec.Struct, gc=False):
    """A part of a message's content. Images and other media are not declared: `type` names them."""

    type: str = ""
    text: str | None = None
    reasoning: str | None = None
    summary: str | None = None
    redacted: bool | None = None
    id: str | None = None
    name: str | None = None
    arguments: Any = None
    result: Any = None
    error: Any = None


Content = str | list[Part] | None


class Fault(msgspec.Struct, gc=False):
    """An error: of a tool call, a sample."""

    type: str | None = None
    message: str | None = None


class Call(msgspec.Struct, gc=False):
    """One tool call of a message."""

    id: str | None = None
    function: str | None = None
    arguments: Any = None
    parse_error: str | None = None


class Message(msgspec.Struct, gc=False):
    """One chat message."""

    role: str | None = None
    id: str | None = None
    content: Content = None
    source: str | None = None
    metadata: Any = None
    tool_calls: list[Call] | None = None
    tool_call_id: str | list[str] | None = None
    function: str | None = None
    error: Fault | None = None
    tool_error: str | None = None


class Named(msgspec.Struct, gc=False):
    """A call of which only the id counts."""

    id: str | None = None


class Brief(msgspec.Struct, gc=False):
    """A message of which only the calls and the call that it answers count: its text stands among the events."""

    role: str | None = None
    tool_calls: list[Named] | None = None
    tool_call_id: str | list[str] | None = None


class Conversation(msgspec.Struct, gc=False):
    """The messages of a sample, whole."""

    messages: list[Message] | None = None


class Choice(msgspec.Struct, gc=False):
    """One of the answers that a model gave."""

    message: Message | None = None


class Output(msgspec.Struct, gc=False):
    """What a model returned."""

    model: str | None = None
    choices: list[Choice] | None = None


class Anything(msgspec.Struct, gc=False):
    """An object of which only the presence counts."""

    holds_acts: ClassVar[bool] = False


class ScoreValue(msgspec.Struct, gc=False):
    """What one scorer said."""

    value: Any = None
    answer: str | None = None
    explanation: str | None = None
    metadata: Any = None
    history: list[Anything] | None = None


class Event(msgspec.Struct, gc=False):
    """One event of any type; each uses some of these fields."""

    event: str = ""
    uuid: str | None = None
    span_id: str | None = None
    timestamp: str | None = None
    pending: bool | None = None
    id: str | None = None
    parent_id: str | None = None
    type: str | None = None
    name: str | None = None
    action: str | None = None
    model: str | None = None
    role: str | None = None
    input: str | list[Message] | dict[str, Any] | None = None
    input_refs: list[list[int]] | None = None
    tools: list[Anything] | None = None
    output: str | Output | None = None
    error: str | Fault | None = None
    function: str | None = None
    arguments: Any = None
    result: Any = None
    truncated: Any = None
    message_id: str | None = None
    cmd: str | None = None
    file: str | None = None
    score: ScoreValue | None = None
    scorer: str | None = None
    intermediate: bool | None = None
    message: Any = None
    source: str | None = None
    events: list[Event] | None = None


class ModelUsage(msgspec.Struct, gc=False):
    """Tokens of one model."""

    input_tokens: int | None = None
    """Without those that came from a cache or went into one."""
    input_tokens_cache_read: int | None = None
    input_tokens_cache_write: int | None = None
    output_tokens: int | None = None
    total_cost: float | None = None


class Limit(msgspec.Struct, gc=False):
    """The limit that halted a sample."""

    type: str | None = None
    limit: float | None = None


class Pools(msgspec.Struct, gc=False):
    """What the inputs of model events point into."""

    messages: list[Message] | None = None


class Transcript(msgspec.Struct, gc=False):
    """Events and attachments of logs of 2024."""

    events: list[Event] | None = None
    content: dict[str, str] | None = None


class Sample(msgspec.Struct):
    """One sample: the attempt at one task in one epoch. In chunked samples the lists stand apart, `message_refs` stays."""

    id: str | int | float | None = None
    epoch: int | None = None
    input: str | list[Message] | None = None
    target: Any = None
    sandbox: Any = None
    messages: list[Brief] | None = None
    message_refs: list[list[int]] | None = None
    output: Output | None = None
    scores: dict[str, ScoreValue] | None = None
    score: ScoreValue | None = None
    events: list[Event] | None = None
    transcript: Transcript | None = None
    events_data: Pools | None = None
    message_pool: list[Message] | None = None
    attachments: dict[str, str] | None = None
    model_usage: dict[str, ModelUsage] | None = None
    started_at: str | None = None
    completed_at: str | None = None
    error: str | Fault | None = None
    limit: str | Limit | None = None
    error_retries: list[Anything] | None = None
    invalidation: Any = None


class PlanStep(msgspec.Struct, gc=False):
    """One solver of the plan."""

    solver: str | None = None


class Plan(msgspec.Struct, gc=False):
    """The solvers that were run."""

    steps: list[PlanStep] | None = None


class Spec(msgspec.Struct, gc=False):
    """What was evaluated."""

    task: str | None = None
    model: str | None = None
    created: str | None = None
    solver: str | None = None
    sandbox: Any = None
    packages: Any = None


class ResultScore(msgspec.Struct, gc=False):
    """A scorer as the results name it."""

    name: str | None = None


class Results(msgspec.Struct, gc=False):
    """Results of the whole run."""

    scores: list[ResultScore] | None = None
    scorer: ResultScore | None = None


class Header(msgspec.Struct, gc=False):
    """The log without its samples."""

    status: str | None = None
    eval: Spec | None = None
    plan: Plan | None = None
    results: Results | None = None
