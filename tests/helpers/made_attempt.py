"""One attempt as no harness writes it: what every format must be able to hold, to be rendered in each and read back.

`RENDERINGS` names, for each format, a module of this folder with `render(attempt, folder) -> Path` (what a user would name to
`earned read`), `TOOLS`, the kinds of call that the format can hold, `HOLDS_VERIFIER = True` where the verifier's output can
stand in it or beside it, `HOLDS_PATCH = False` where an answer or a database is graded and no patch, and `HOLDS_INSTRUCTION =
False` where a log leaves out what was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Literal

from earned.records import Trajectory

Kind = Literal["bash", "write", "edit"]


@dataclass(frozen=True)
class Call:
    """One tool call with its result; `result` None: the record ends before it came."""

    kind: Kind
    command: str = ""
    path: str = ""
    old: str = ""
    new: str = ""
    result: str | None = ""


@dataclass(frozen=True)
class Turn:
    """One turn of the agent."""

    text: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Attempt:
    """What was asked, what was done and what came out. `passed` is rendered where the format holds an outcome."""

    turns: tuple[Turn, ...]
    task: str = "demo-task"
    model: str = "model-a"
    instruction: str = "Create hello.txt with the word hello."
    patch: str = ""
    passed: bool = True
    verifier: str = ""
    """What the verifier printed, for formats that hold it."""


RENDERINGS: dict[str, str] = {
    "atif": "render_atif",
    "chat": "render_chat",
    "chat-anthropic": "render_chat_anthropic",
    "claude-code": "render_claude_code",
    "claude-code-stream": "render_claude_code_stream",
    "codex": "render_codex",
    "codex-exec": "render_codex_exec",
    "earned": "render_earned",
    "harbor": "render_harbor",
    "inspect": "render_inspect",
    "inspect-json": "render_inspect_json",
    "mcp-atlas": "render_mcp_atlas",
    "mini-swe-agent": "render_mini_swe_agent",
    "openhands": "render_openhands",
    "openhands-v1": "render_openhands_v1",
    "swe-agent": "render_swe_agent",
    "tau-bench": "render_tau_bench",
}
"""Format -> module of its rendering. A format with several notations has a row for each: `chat`, `chat-anthropic`."""


def rendering(name: str) -> tuple[Callable[[Attempt, Path], Path], Collection[Kind]]:
    """`render` and `TOOLS` of a format."""
    module = import_module(RENDERINGS[name])
    return module.render, module.TOOLS


def holds_verifier(name: str) -> bool:
    """Whether what a format's rendering writes holds the verifier's output."""
    return getattr(import_module(RENDERINGS[name]), "HOLDS_VERIFIER", False) is True


def holds_patch(name: str) -> bool:
    """Whether what a format's rendering writes holds the attempt's patch as the submission."""
    return getattr(import_module(RENDERINGS[name]), "HOLDS_PATCH", True) is True


def holds_instruction(name: str) -> bool:
    """Whether what a format's rendering writes holds what was asked."""
    return getattr(import_module(RENDERINGS[name]), "HOLDS_INSTRUCTION", True) is True


def made_calls(attempt: Attempt) -> list[tuple[str, ...]]:
    """Every call with its result, flat: grouping into steps is a format's own."""
    return [(*_made(call), call.result or "") for turn in attempt.turns for call in turn.calls]


def _made(call: Call) -> tuple[str, ...]:
    if call.kind == "bash":
        return ("shell", call.command)
    return (call.kind, call.path, call.old if call.kind == "edit" else "", call.new)


def read_calls(trajectory: Trajectory) -> list[tuple[str, ...]]:
    """The same of a trajectory that was read; results as the observation that answers the call."""
    return list(_read_calls(trajectory))


def _read_calls(trajectory: Trajectory) -> Iterator[tuple[str, ...]]:
    for step in trajectory.steps:
        if step.actor not in {"agent", "subagent"} or step.copied:
            continue
        for number, action in enumerate(step.actions):
            if action.kind in {"submit", "message"}:
                continue
            result = next((item.text for item in step.observations if item.action == number), "")
            if action.edits:
                edit = action.edits[0]
                yield (action.kind, edit.path, edit.old, edit.new, result)
            else:
                yield (action.kind, action.command, result)
