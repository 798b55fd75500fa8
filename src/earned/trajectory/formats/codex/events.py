"""Codex's events as steps, where they are all that is recorded: what `codex exec --json` printed before 0.40.

A rollout from which the items were taken out is read in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from earned.records import Action, Usage
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.formats.codex import records
from earned.trajectory.formats.codex.calls import change_action, server_action, web_action
from earned.trajectory.formats.codex.items import error_text, server_result
from earned.trajectory.formats.codex.turns import Result, Turns
from earned.trajectory.tools import command_text


class Events:
    """Takes events in order."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.cwd = ""
        self.usage = Usage()
        self.taken = 0
        """Events that became a part of a step."""
        self._handlers: dict[type, Callable[[Any, int, str], None]] = {
            records.UserMessage: lambda event, line, time: turns.tell("user", event.message or "", line, time),
            records.AgentMessage: lambda event, line, time: turns.say(event.message or "", line, time),
            records.AgentReasoning: lambda event, line, time: turns.think(event.text or "", line, time),
            records.RawReasoning: lambda event, line, time: turns.think(event.text or "", line, time),
            records.ExecBegin: self._exec_begin,
            records.ExecEnd: self._exec_end,
            records.PatchBegin: self._patch_begin,
            records.PatchEnd: self._patch_end,
            records.McpBegin: self._server_begin,
            records.McpEnd: self._server_end,
            records.WebSearchEnd: self._searched,
            records.PlanUpdate: self._planned,
            records.TokenCount: self._counted,
            records.Aborted: self._aborted,
            records.Failure: self._failed,
            records.StreamFailure: self._failed,
        }

    def take(self, event: Any, line: int, time: str) -> None:
        """One event."""
        handler = self._handlers.get(type(event))
        if handler is not None:
            self.taken += 1
            handler(event, line, time)

    def _exec_begin(self, event: Any, line: int, time: str) -> None:
        command = command_text(event.command)
        action = Action(kind="shell", tool="shell", call_id=event.call_id or "", command=command, cwd=event.cwd or self.cwd)
        self.turns.act(action, line, time)

    def _exec_end(self, event: Any, line: int, time: str) -> None:
        if event.command is not None and not self.turns.knows(event.call_id or ""):
            self._exec_begin(event, line, time)
        text = event.aggregated_output
        if text is None:
            text = (event.stdout or "") + (event.stderr or "")
        self.turns.answer(event.call_id or "", Result(text, event.exit_code, is_plain=False), line, time)

    def _patch_begin(self, event: Any, line: int, time: str) -> None:
        self.turns.act(change_action(event.changes, event.call_id or "", self.cwd), line, time)

    def _patch_end(self, event: Any, line: int, time: str) -> None:
        if event.changes is not None and not self.turns.knows(event.call_id or ""):
            self._patch_begin(event, line, time)
        text = (event.stdout or "") + (event.stderr or "")
        code = None if event.success is None else int(not event.success)
        self.turns.answer(event.call_id or "", Result(text, code, is_plain=False), line, time)

    def _server_begin(self, event: Any, line: int, time: str) -> None:
        given = event.invocation if isinstance(event.invocation, dict) else {}
        action = server_action(given.get("server"), given.get("tool"), given.get("arguments"), event.call_id or "")
        self.turns.act(action, line, time)

    def _server_end(self, event: Any, line: int, time: str) -> None:
        if event.invocation is not None and not self.turns.knows(event.call_id or ""):
            self._server_begin(event, line, time)
        result = server_result(event.result)
        if result is not None:
            self.turns.answer(event.call_id or "", result, line, time)

    def _searched(self, event: Any, line: int, time: str) -> None:
        self.turns.act(web_action(event.action, event.query or "", event.call_id or ""), line, time)

    def _planned(self, event: Any, line: int, time: str) -> None:
        self.turns.act(Action(kind="message", tool="update_plan", arguments=as_json(event.plan)), line, time)

    def _counted(self, event: Any, _line: int, _time: str) -> None:
        self.usage = usage_of(event, self.usage)

    def _aborted(self, event: Any, line: int, time: str) -> None:
        self.turns.tell("harness", f"turn_aborted: {event.reason or 'unknown'}", line, time)

    def _failed(self, event: Any, line: int, time: str) -> None:
        self.turns.tell("harness", error_text(event.message), line, time)


def usage_of(event: records.TokenCount, before: Usage) -> Usage:
    """Tokens used so far, by the last count that has them."""
    total = event.info.total_token_usage if event.info is not None else None
    return before if total is None else Usage(input_tokens=total.input_tokens, output_tokens=total.output_tokens)
