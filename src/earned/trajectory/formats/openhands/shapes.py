"""The shapes of OpenHands V0 events as `event_to_dict` writes them, and of the older ones without `args` and `extras`.

Layout after OpenHands 0.62 (`openhands/events/serialization/event.py`, `openhands/events/action`,
`openhands/events/observation`). What is huge and says nothing of the attempt (the model's whole answer, old and new text of
edited files, lists of tools, pictures) is not declared and so never decoded.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

Id = int | str | None


class Tokens(msgspec.Struct, gc=False):
    """Tokens of a model."""

    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Metrics(msgspec.Struct, gc=False):
    """Cost and tokens so far."""

    model_name: str | None = None
    accumulated_cost: float | None = None
    accumulated_token_usage: Tokens | None = None


class Said(msgspec.Struct, gc=False):
    """The message within a model's answer."""

    reasoning_content: str | None = None


class Choice(msgspec.Struct, gc=False):
    """One choice of a model's answer."""

    message: Said | None = None


class Answer(msgspec.Struct, gc=False):
    """A model's answer; every call that it made carries it."""

    id: str | None = None
    model: str | None = None
    choices: list[Choice] | None = None


class CallMetadata(msgspec.Struct, gc=False):
    """The tool call that an event stems from."""

    function_name: str | None = None
    tool_call_id: str | None = None
    model_response: Answer | None = None


class Args(msgspec.Struct, gc=False):
    """Arguments of all actions."""

    command: str | None = None
    code: str | None = None
    thought: str | None = None
    content: str | None = None
    path: str | None = None
    file_text: str | None = None
    old_str: str | None = None
    new_str: str | None = None
    insert_line: int | None = None
    view_range: Any = None
    start: int | None = None
    end: int | None = None
    cwd: str | None = None
    url: str | None = None
    browser_actions: str | None = None
    name: str | None = None
    arguments: Any = None
    agent: str | None = None
    inputs: Any = None
    outputs: Any = None
    final_thought: str | None = None
    summary: str | None = None
    task_list: Any = None
    wait_for_response: bool | None = None
    openhands_version: str | None = None


class Terminal(msgspec.Struct, gc=False):
    """What the shell's prompt told after a command."""

    exit_code: int | None = None
    working_dir: str | None = None
    prefix: str | None = None


class Knowledge(msgspec.Struct, gc=False):
    """A text that a word of the task brought into the context."""

    holds_acts: ClassVar[bool] = False
    name: str | None = None
    content: str | None = None


class Extras(msgspec.Struct, gc=False):
    """Further fields of all observations."""

    metadata: Terminal | None = None
    exit_code: int | None = None
    """Of the time before `metadata`."""
    agent_state: str | None = None
    reason: str | None = None
    outputs: Any = None
    repo_instructions: str | None = None
    additional_agent_instructions: str | None = None
    conversation_instructions: str | None = None
    microagent_knowledge: list[Knowledge] | None = None


class Event(Args, gc=False):
    """One event. The oldest ones have the fields of `Args` and an observation's `exit_code` beside `action`."""

    id: Id = None
    timestamp: str | None = None
    source: str | None = None
    cause: Id = None
    action: str | None = None
    args: Args | None = None
    observation: str | None = None
    content: Any = None
    extras: Extras | None = None
    tool_call_metadata: CallMetadata | None = None
    llm_metrics: Metrics | None = None
    delegate_level: int | None = None
    exit_code: int | None = None
    kind: str | None = None
    """Of V1 events only: to name one that strayed in."""


History = list[Event | list[Event | None] | None]
"""Events, or pairs of an action and its observation."""
