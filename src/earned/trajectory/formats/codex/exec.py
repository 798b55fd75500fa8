"""`codex exec --json`: items that start, change and end, and the older lines of `{"id", "msg"}`; with noise around them.

The prompt, the model and what edits wrote are not in this log (before 0.40 they are). Of an edit it names the files alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from earned.records import Trajectory, Usage
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate
from earned.trajectory.decode.lenient import coerce
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.format import Format
from earned.trajectory.formats.codex.calls import is_recorded
from earned.trajectory.formats.codex.decode import lenient_item
from earned.trajectory.formats.codex.events import Events
from earned.trajectory.formats.codex.items import action_of_item, error_text, kind_of, result_of_item
from earned.trajectory.formats.codex.lines import Lines
from earned.trajectory.formats.codex.records import KINDS, ExecLine, PassedOver, Tokens, TurnItem, TypeOnly
from earned.trajectory.formats.codex.session import task_of
from earned.trajectory.formats.codex.turns import Turns
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps

VERSION = 3
_NEW = re.compile(r'^\{"type": ?"(thread\.started|turn\.started|item\.(?:started|updated|completed))"', re.MULTILINE)
_OLD = re.compile(r'^\{"id": ?"[^"]{0,100}", ?"msg": ?\{"type": ?"(\w{1,60})"', re.MULTILINE)
_NUMBER = re.compile(r"item_(\d{1,9})")

_SAID = frozenset({"agent_message", "reasoning", "error"})
"""Items that are words, which count when they are complete."""
_NOTHING = ("failed", "declined")
"""How edits end that changed nothing."""


class _Log:
    """One log while it is being read."""

    def __init__(self, lines: Lines[ExecLine], steps: Steps) -> None:
        self.steps = steps
        self.turns = Turns(steps, lines.reading.oddities, lines.place)
        self.events = Events(self.turns)
        self.threads: dict[str, Tokens] = {}
        self.thread = ""
        self.model = ""
        self.lines = 0
        self._last = -1
        """Number of the last item: each run counts its items from 0 and leaves none out."""
        self._open: dict[str, str] = {}
        """Items that were started, with what was told of those that change."""
        self._unwritten: dict[str, tuple[int, str]] = {}
        """Edits without their text that have not ended: the step in which each stands, and its files."""

    def take(self, line: ExecLine, number: int) -> None:
        """One line."""
        if line.item is not None:
            self.lines += 1
            self._item(line.item, number, is_done=line.type == "item.completed")
        elif line.msg is not None:
            self.lines += 1
            self.events.take(line.msg, number, "")
        else:
            self._mark(line, line.type or "", number)

    def _mark(self, line: ExecLine, kind: str, number: int) -> None:
        """A line that is no item: of the thread, or of a turn."""
        if kind == "thread.started":
            self.lines += 1
            self.thread = line.thread_id or ""
            self.threads.setdefault(self.thread, Tokens())
            self.turns.close()
            self._open.clear()
            self._last = -1
        elif kind == "turn.completed":
            self.threads[self.thread] = line.usage or Tokens()
        elif kind in {"turn.failed", "error"}:
            text = error_text(line.error if line.error is not None else line.message)
            self.turns.tell("harness", text, number, "")
        elif not kind:
            self._head(line, number)

    def _head(self, line: ExecLine, number: int) -> None:
        """Before 0.40 the first lines are the configuration and the prompt."""
        if line.prompt is not None:
            self.turns.tell("user", line.prompt, number, "")
        self.model = self.model or line.model or ""
        self.events.cwd = self.events.cwd or line.workdir or ""

    def _count(self, item: TurnItem) -> None:
        """Say which numbers of items are left out. Where they go back, another run begins."""
        found = _NUMBER.fullmatch(item.id or "")
        number = int(found[1]) if found else self._last
        if number > self._last + 1:
            begins = self._last < 0 and not self.steps.steps
            what = f"the beginning is not recorded: the numbers of the items begin at {number}"
            left_out = f"the numbers of the items leave out {self._last + 1} to {number - 1}"
            self.steps.missing(what if begins else left_out, step=self.steps.next - 1)
        self._last = number if number > self._last or item.id not in self._open else self._last

    def _item(self, item: TurnItem, number: int, *, is_done: bool) -> None:
        kind = item.type or ""
        self._count(item)
        if kind == "command_execution":
            self._call(item, kind, number, is_done=is_done)
        elif kind not in _SAID:
            self._call(item, kind_of(item), number, is_done=is_done)
        elif not is_done:
            return
        elif kind == "agent_message":
            self.turns.say(item.text or "", number, "")
        elif kind == "reasoning":
            self.turns.think(item.text or "", number, "")
        else:
            self.turns.tell("harness", error_text(item.message), number, "")

    def _call(self, item: TurnItem, kind: str, number: int, *, is_done: bool) -> None:
        """A call: it stands where it started; what came back is told when it has ended."""
        call_id = item.id or ""
        if call_id not in self._open or kind == "todo_list":
            action = action_of_item(item, kind, "")
            if action is None or (kind == "todo_list" and self._open.get(call_id) == action.arguments):
                return
            self._open[call_id] = action.arguments if kind == "todo_list" else ""
            self.turns.act(action, number, "")
            if not is_recorded(action):
                named = ", ".join(edit.path for edit in action.edits[:5])
                self._unwritten[call_id] = self.steps.next, named
        if is_done:
            self._open.pop(call_id, None)
            self._untold(call_id, item.status)
            result = result_of_item(item, kind)
            if result is not None:
                self.turns.answer(call_id, result, number, "")

    def _untold(self, call_id: str, status: Any) -> None:
        """Say what an edit wrote that is not recorded; one that failed or was not allowed wrote nothing."""
        step, named = self._unwritten.pop(call_id, (-1, ""))
        if named and status not in _NOTHING:
            self.steps.missing(f"what was written to {named} is not recorded", step=step, acts=False)

    def finish(self) -> None:
        """Close what is open; an edit whose end is not told may have been made."""
        for call_id in list(self._unwritten):
            self._untold(call_id, None)
        self.turns.finish()

    def usage(self) -> Usage:
        """Tokens of all threads; within one the last count is of all its turns."""
        if self.events.usage != Usage():
            return self.events.usage
        counts = self.threads.values()
        return Usage(
            input_tokens=_sum([count.input_tokens for count in counts]),
            output_tokens=_sum([count.output_tokens for count in counts]),
        )


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _lenient(value: dict[str, Any], place: str, oddities: Oddities) -> ExecLine:
    """A line in which something has a wrong type, or whose event is of an unknown one."""
    message = value.get("msg")
    if isinstance(message, dict):
        return ExecLine(msg=lenient_item(message, place, oddities))
    return coerce({key: item for key, item in value.items() if key != "msg"}, ExecLine, place, oddities)


def _read(candidate: Candidate) -> Iterator[Trajectory]:
    reading, steps = Reading(candidate), Steps()
    account = read_log(reading, candidate.files[0] if candidate.files else candidate.path, steps)
    yield trajectory_of(reading, steps, account, version=VERSION)


def read_log(reading: Reading, path: str, steps: Steps) -> Account:
    """Appends the steps of one log. Raises FormatError."""
    lines = Lines(reading, path, ExecLine, strict=_decode_line, lenient=_lenient)
    log = _Log(lines, steps)
    for number, line in lines:
        log.take(line, number)
    log.finish()
    lines.finish(steps, is_any=log.lines > 0)
    steps.is_asked = False
    if len(log.threads) > 1:
        reading.oddities.add(f"{len(log.threads)} threads in one log, read as one attempt", lines.place)
    return Account(
        task=task_of(path),
        attempt=next(iter(log.threads), "") or task_of(path),
        model=log.model,
        harness="codex",
        usage=log.usage(),
    )


def _decode_line(data: bytes) -> ExecLine:
    """A line whose event is of a type that is not read. Raises what msgspec raises."""
    event = msgspec.json.decode(data, type=_Other).msg
    if event is None or event.type in KINDS:
        raise msgspec.ValidationError("a line that is to be read leniently")
    return ExecLine(msg=PassedOver())


class _Other(msgspec.Struct):
    """A line whose event is of a type that is not read."""

    msg: TypeOnly | None = None


def _recognise(head: Head) -> str:
    if head.shape not in {"object", "lines", "text"}:
        return ""
    found = _NEW.search(head.text)
    if found is not None and ("thread.started" in head.text or '"item":{' in head.text or '"item": {' in head.text):
        return f"lines of codex exec --json, the first {found.group(1)}"
    found = _OLD.search(head.text)
    if found is not None:
        return f"lines with id and msg as before 0.40, the first {found.group(1)}"
    return ""


FORMAT = Format(name="codex-exec", version=VERSION, read=_read, recognise=_recognise, read_log=read_log, graded_by_reports=True)
