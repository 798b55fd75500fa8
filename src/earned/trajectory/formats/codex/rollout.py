"""Codex rollouts: the session files of the Codex command line, from the bare items before 0.32 to the newest lines.

Response items are the record; events repeat them for a screen and are read for what only they hold: reasoning in plain text,
exit codes, token counts, and the commands that a program of code mode ran. Whether the task was solved is not recorded here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from earned.records import Action, Trajectory, Usage
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.decode.messages import content_text, decoded_arguments
from earned.trajectory.format import Format
from earned.trajectory.formats.codex import line_records, records
from earned.trajectory.formats.codex.calls import (
    PROGRAM,
    full_name,
    function_call,
    is_program,
    local_shell_call,
    placed,
    result_of,
    web_action,
)
from earned.trajectory.formats.codex.copies import Copies
from earned.trajectory.formats.codex.decode import decode_line, lenient_item, lenient_line
from earned.trajectory.formats.codex.events import Events, usage_of
from earned.trajectory.formats.codex.items import action_of_item, error_text, kind_of, result_of_item
from earned.trajectory.formats.codex.lines import Lines
from earned.trajectory.formats.codex.messages import cwd_in, speakers, text_of
from earned.trajectory.formats.codex.session import Session, recognise, task_of
from earned.trajectory.formats.codex.turns import Turns
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps
from earned.trajectory.tools import action_of

VERSION = 3


class _Rollout:
    """One file while it is being read."""

    def __init__(self, lines: Lines[Any], steps: Steps) -> None:
        self.lines = lines
        self.steps = steps
        self.turns = Turns(steps, lines.reading.oddities, lines.place)
        self.copies = Copies(steps)
        self.session = Session()
        self.usage = Usage()
        self.cwd = ""
        self.unknown: set[str] = set()
        self.is_begun = False
        """Whether a compaction was met."""
        self.said: tuple[str, str] = ("", "")
        self.handlers: dict[type, Callable[[Any, int, str], None]] = {
            records.Message: self._message,
            records.Reasoning: self._reasoning,
            records.FunctionCall: self._function_call,
            records.CustomToolCall: self._custom_call,
            records.LocalShellCall: self._shell_call,
            records.WebSearchCall: self._web_search,
            records.OtherCall: self._other_call,
            records.Output: self._output,
            records.CustomOutput: self._output,
            records.LocalShellOutput: self._output,
            records.OtherOutput: self._other_output,
            records.AgentMessage: self._agent_message,
            records.Unknown: self._unknown,
            records.AgentReasoning: self._overheard,
            records.RawReasoning: self._overheard,
            records.TokenCount: self._counted,
            records.ExecEnd: self._exited,
            records.PatchEnd: self._patched,
            records.ItemCompleted: self._item_completed,
            records.Aborted: self._aborted,
            records.Failure: self._failed,
            line_records.Head: self._meta,
            line_records.TurnContext: self._context,
            line_records.Compacted: self._compacted,
            line_records.TokenRecord: self._token_record,
        }

    def read(self) -> tuple[int, int, int]:
        """All lines; how many of them are items, events, and others that are read."""
        handlers, copies = self.handlers, self.copies
        items = events = others = 0
        last = ""
        for number, line in self.lines:
            if type(line) is line_records.PassedOverLine:
                continue
            time = line.timestamp or ""
            if copies.is_fork:
                self._in_fork(line, time)
            payload = line.payload
            handler = handlers.get(type(payload))
            if handler is not None:
                handler(payload, number, time)
            if type(line) is line_records.ItemLine:
                items += 1
            elif type(line) is line_records.EventLine:
                events += 1
            else:
                others += 1
            last = time or last
        self.session.finished = last
        self.turns.finish()
        copies.finish()
        return items, events, others

    def _in_fork(self, line: line_records.RolloutLine, time: str) -> None:
        """Whether a line of a session that began as a copy of another one is copied."""
        if self.copies.pauses(time):
            self._copying(copied=False)
            self.turns.close()
            if self.copies.settle():
                self.usage = Usage()
            return
        inherited = isinstance(line.metadata, dict) and line.metadata.get("inherited_user_message") is True
        self._copying(copied=inherited or self.copies.is_copied(time, line.ordinal))

    def _copying(self, *, copied: bool) -> None:
        if copied is not self.turns.copied:
            self.turns.close()
            self.turns.copied = copied

    def _meta(self, head: line_records.Head, _number: int, time: str) -> None:
        self.turns.close()
        if self.copies.meet(head):
            self.session.begin(head, time, self.turns)
            self.cwd = head.cwd or self.cwd
            if head.history_base:
                self.steps.missing("what came before stands in the file of another session", step=-1)
        if self.copies.is_fork:
            self.copies.pauses(time)

    def _context(self, head: line_records.Head, _number: int, _time: str) -> None:
        self.cwd = head.cwd or self.cwd
        if not self.turns.copied:
            self.session.turn(head)

    def _message(self, message: records.Message, number: int, time: str) -> None:
        if message.role == "assistant":
            self.turns.say(text_of(message.content), number, time)
            return
        for actor, text in speakers(message):
            if actor == "harness":
                self.cwd = cwd_in(text) or self.cwd
            self.turns.tell(actor, text, number, time)

    def _reasoning(self, item: records.Reasoning, number: int, time: str) -> None:
        text = text_of(item.summary)
        self.turns.think(f"{text}\n{text_of(item.content)}" if item.content else text, number, time)

    def _function_call(self, call: records.FunctionCall, number: int, time: str) -> None:
        name = call.name or ""
        if call.namespace or "__" in name:
            name = full_name(name, call.namespace or "")
        self.turns.act(function_call(name, call.arguments, call.call_id or call.id or "", self.cwd), number, time)

    def _custom_call(self, call: records.CustomToolCall, number: int, time: str) -> None:
        name, call_id = full_name(call.name or "", call.namespace or ""), call.call_id or ""
        if is_program(name, call.input):
            action = Action(kind="code", tool=name, call_id=call_id, command=call.input, language="javascript", cwd=self.cwd)
            self.turns.act(action, number, time, script=call.input)
        else:
            given = decoded_arguments(call.input) if name == PROGRAM else call.input
            self.turns.act(placed(action_of(name, given, call_id), self.cwd), number, time)

    def _shell_call(self, call: records.LocalShellCall, number: int, time: str) -> None:
        self.turns.act(local_shell_call(call, self.cwd), number, time)

    def _web_search(self, call: records.WebSearchCall, number: int, time: str) -> None:
        if not (call.id and self.turns.knows(call.id)):
            self.turns.act(web_action(call.action, "", call.id or ""), number, time)

    def _other_call(self, call: records.OtherCall, number: int, time: str) -> None:
        action = Action(kind="other", tool="tool_search", call_id=call.call_id or "", arguments=as_json(call.arguments))
        self.turns.act(action, number, time)

    def _output(self, output: records.Output, number: int, time: str) -> None:
        self.turns.answer(output.call_id or "", result_of(output.output), number, time)

    def _other_output(self, output: records.OtherOutput, number: int, time: str) -> None:
        self.turns.answer(output.call_id or "", result_of(as_json(output.tools)), number, time)

    def _agent_message(self, message: records.AgentMessage, number: int, time: str) -> None:
        """Words between agents: the task of this one when they are its parent's, else what another one reports."""
        if message.message is not None:
            return  # an event, which repeats an item
        author, text = message.author or "", content_text(message.content or message.encrypted_content)
        if (author, text) == self.said:
            return  # the line and the item of one delivery
        self.said = author, text
        own = self.session.agent_path
        if author == own:
            self.turns.say(text, number, time)
        elif own.startswith(f"{author}/"):
            self.turns.tell("user", text, number, time)
        else:
            self.turns.tell("subagent", text, number, time, name=author or "subagent")

    def _unknown(self, item: records.Unknown, number: int, _time: str) -> None:
        if item.name not in self.unknown and len(self.unknown) < 10:
            self.unknown.add(item.name)
            self.turns.oddities.add(f"an item of unknown type {item.name[:80]!r}", f"{self.turns.place}#line {number}")

    def _overheard(self, event: records.AgentReasoning, number: int, time: str) -> None:
        if event.text:
            self.turns.overhear(event.text, number, time)

    def _counted(self, event: records.TokenCount, _number: int, _time: str) -> None:
        if not self.turns.copied:
            self.usage = usage_of(event, self.usage)

    def _token_record(self, record: line_records.TokenRecord, _number: int, _time: str) -> None:
        total = record.thread_token_usage
        if total is not None and not self.turns.copied:
            self.usage = Usage(input_tokens=total.input_tokens, output_tokens=total.output_tokens)

    def _exited(self, event: records.ExecEnd, _number: int, _time: str) -> None:
        if event.exit_code is not None:
            self.turns.exited(event.call_id or "", event.exit_code)

    def _patched(self, event: records.PatchEnd, _number: int, _time: str) -> None:
        if event.success is not None:
            self.turns.exited(event.call_id or "", int(not event.success))

    def _item_completed(self, event: records.ItemCompleted, number: int, time: str) -> None:
        """An item that no response item holds: a call that a program of code mode made."""
        item = event.item
        kind = kind_of(item) if item is not None else ""
        if item is None or kind == "todo_list":
            return
        call_id = item.id or ""
        if call_id and self.turns.knows(call_id):
            if item.exit_code is not None:
                self.turns.exited(call_id, item.exit_code)
            return
        action = action_of_item(item, kind, self.cwd)
        if action is not None:
            self.turns.act_within(action, number, time)
            result = result_of_item(item, kind)
            if result is not None:
                self.turns.answer(call_id, result, number, time)

    def _aborted(self, event: records.Aborted, number: int, time: str) -> None:
        self.turns.tell("harness", f"turn_aborted: {event.reason or 'unknown'}", number, time)

    def _failed(self, event: records.Failure, number: int, time: str) -> None:
        self.turns.tell("harness", error_text(event.message), number, time)

    def _compacted(self, payload: line_records.Compacted, number: int, time: str) -> None:
        """What stands for the talk until then: shown as copied, for its acts stand in the file already."""
        self.turns.close()
        if not self.is_begun and not any(step.actor in ("agent", "subagent") for step in self.steps.steps):
            self.steps.missing("the beginning is not recorded: the rollout goes on from a compaction", step=-1)
        self.is_begun = True
        main, self.turns = self.turns, Turns(self.steps, self.turns.oddities, self.turns.place)
        self.turns.actor, self.turns.subagent, self.turns.copied = main.actor, main.subagent, True
        if payload.message:
            self.turns.tell("harness", payload.message, number, time)
        for item in payload.replacement_history or ():
            record = lenient_item(item, f"{main.place}#line {number}", main.oddities)
            handler = self.handlers.get(type(record))
            if handler is not None:
                handler(record, number, time)
        self.turns.finish()
        self.turns = main


def _read(candidate: Candidate) -> Iterator[Trajectory]:
    reading, steps = Reading(candidate), Steps()
    account = read_log(reading, candidate.files[0] if candidate.files else candidate.path, steps)
    yield trajectory_of(reading, steps, account, version=VERSION)


def read_log(reading: Reading, path: str, steps: Steps) -> Account:
    """Appends the steps of one rollout. Raises FormatError."""
    mark = steps.mark()
    lines = _lines(reading, path)
    rollout = _Rollout(lines, steps)
    items, events, others = rollout.read()
    usage = rollout.usage
    if events and not items and not any(step.copied for step in steps.steps[mark.step :]):
        steps.back_to(mark)
        usage = _from_events(_lines(Reading(reading.candidate), path), rollout, steps)
    lines.finish(steps, is_any=items + events + others > 0)
    session, name = rollout.session, task_of(path)
    return Account(
        task="" if name == session.id else name,
        attempt=session.id or name,
        model=session.model,
        harness="codex",
        harness_version=session.version,
        cohort=session.cohort(),
        usage=usage,
    )


def _lines(reading: Reading, path: str) -> Lines[Any]:
    return Lines(reading, path, line_records.AnyLine, strict=decode_line, lenient=lenient_line)


def _from_events(lines: Lines[Any], rollout: _Rollout, steps: Steps) -> Usage:
    """A rollout without items: its events are all there is."""
    turns = Turns(steps, rollout.turns.oddities, rollout.turns.place)
    turns.actor, turns.subagent = rollout.turns.actor, rollout.turns.subagent
    events = Events(turns)
    events.cwd = rollout.cwd
    for number, line in lines:
        if isinstance(line, line_records.EventLine):
            events.take(line.payload, number, line.timestamp or "")
    turns.finish()
    return events.usage


FORMAT = Format(name="codex", version=VERSION, read=_read, recognise=recognise, read_log=read_log, graded_by_reports=True)
