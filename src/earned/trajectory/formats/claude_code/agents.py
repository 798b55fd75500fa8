"""Whose a subagent's lines are: the call that started it, by what the record says of both; and their place among the turns.

In this order: the id in the call's result, the note beside the subagent's file, the progress of the call, the same prompt in
both. Where nothing says it, the subagent is named by its own id, and that is said.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from earned.errors import FormatError
from earned.trajectory.formats.claude_code.files import is_side_name
from earned.trajectory.formats.claude_code.records import Details, Record, Twin
from earned.trajectory.formats.claude_code.turns import Call, Turn, Turns
from earned.trajectory.peek import FIRST_LOOK
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import read_start
from earned.trajectory.sources.places import bare_name

STARTERS = frozenset({"Task", "Agent"})
"""Tools that start a subagent."""
_SAID = re.compile(r"\bagent_?[iI]d: ?([\w@.-]{1,200})")
_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,200})"')


class Note(msgspec.Struct, rename="camel"):
    """What stands beside a subagent's file."""

    tool_use_id: str | None = None


class _Input(msgspec.Struct):
    """Arguments of a call that starts a subagent."""

    prompt: str | None = None


class Agents:
    """The subagents of one session."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        """Key of a subagent to the id of the call that started it."""
        self.prompts: dict[str, str] = {}
        """Key to the first prompt."""
        self.failed: set[str] = set()
        """Calls that ended in an error: they may have started nothing."""
        self._counts: dict[str, int] = {}
        """Calls that start a subagent, with the number of its own calls that the record gives."""
        self._roots: dict[str, str] = {}
        self._of_call: dict[str, str] = {}

    def key_of(self, record: Record, key: str) -> str:
        """The subagent that a line is of: its own id, the file's, or else the line that it follows."""
        found = record.agent_id or key or self._roots.get(record.parent_uuid or "")
        if not found:
            found = f"sidechain-{record.uuid or len(self.prompts)}"
        if record.uuid and not (record.agent_id or key):
            self._roots[record.uuid] = found
        self.prompts.setdefault(found, "")
        return found

    def prompted(self, key: str, text: str) -> None:
        """What a subagent was asked."""
        if not self.prompts.get(key):
            self.prompts[key] = text

    def answered(self, call_id: str, call: Call, twin: Twin, *, is_error: bool | None) -> None:
        """The result of a call that starts a subagent."""
        if is_error:
            self.failed.add(call_id)
        if isinstance(twin, Details) and isinstance(twin.total_tool_use_count, int):
            self._counts[call_id] = twin.total_tool_use_count
        agent = (twin.agent_id or twin.team_agent_id) if isinstance(twin, Details) else None
        if not isinstance(agent, str):
            found = _SAID.search(call.result or "")
            agent = found.group(1) if found else ""
        if agent:
            self._of_call[call_id] = agent
            self.names.setdefault(agent, call_id)

    def note(self, reading: Reading, path: str) -> None:
        """The note beside a subagent's file."""
        key = path.rpartition("/")[2].removeprefix("agent-").removesuffix(".meta.json")
        try:
            call = reading.document(path, Note).tool_use_id
        except FormatError as error:
            reading.oddities.add(f"the note of a subagent cannot be read: {error}", path)
            return
        if call:
            self.names.setdefault(key, call)

    def attribute(self, turns: Turns) -> list[str]:
        """Name the subagents that nothing named so far by their prompts; what is left without a call."""
        left = [key for key in self.prompts if key not in self.names]
        if not left:
            return []
        taken = {self.names[key] for key in self.prompts if key in self.names}
        waiting: dict[str, list[str]] = {}
        for call_id, call in turns.calls.items():
            if call.action.tool in STARTERS and call_id not in taken:
                waiting.setdefault(_prompt(call), []).append(call_id)
        for calls in waiting.values():
            calls.reverse()
        for key in left:
            same = waiting.get(self.prompts[key]) if self.prompts[key] else None
            if same:
                self.names[key] = same.pop()
        return [key for key in left if key not in self.names]

    def short(self, turns: Turns) -> list[tuple[Call, int, int]]:
        """Calls whose subagent's lines are there, but fewer calls than the record counts: call, count, how many."""
        if not self._counts:
            return []
        shown: dict[str, int] = {}
        for turn in turns.turns:
            if turn.agent:
                call_id = self.names.get(turn.agent, "")
                shown[call_id] = shown.get(call_id, 0) + len(turn.actions)
        counted = [(turns.calls[call_id], count, shown.get(call_id, count)) for call_id, count in self._counts.items()]
        return [(call, count, here) for call, count, here in counted if here < count]

    def unseen(self, turns: Turns) -> list[Call]:
        """Calls whose subagent ran and of which no line is there."""
        seen = {self.names[key] for key in self.prompts if key in self.names} | self.failed
        seen.update(call_id for call_id, agent in self._of_call.items() if agent in self.prompts)
        starters = [(call_id, call) for call_id, call in turns.calls.items() if call.action.tool in STARTERS]
        return [call for call_id, call in starters if call.result is not None and call_id not in seen]


def _prompt(call: Call) -> str:
    try:
        return msgspec.json.decode(call.action.arguments, type=_Input).prompt or ""
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return ""


def sides_of(reading: Reading, path: str, sessions: set[str]) -> list[str]:
    """Files of a session's subagents among the candidate's that were not read yet, notes first."""
    folder, _, name = path.rpartition("/")
    below = f"{bare_name(path).removesuffix('.jsonl')}/subagents/"
    start = f"{folder}/" if folder else ""
    found: list[str] = []
    for other in reading.candidate.files:
        last = other.rpartition("/")[2]
        if other == path or not is_side_name(last) or reading.has_read(other):
            continue
        is_beside = other == start + last and last != name
        if other.startswith(below) or (is_beside and _is_of(other, sessions)):
            found.append(other)
    return sorted(found, key=lambda other: (not other.endswith(".meta.json"), other))


def _is_of(path: str, sessions: set[str]) -> bool:
    """Whether a file beside a session names it."""
    try:
        found = _SESSION.search(read_start(path, FIRST_LOOK))
    except OSError:
        return False
    return found is not None and found.group(1).decode("utf-8", "replace") in sessions


def in_order(turns: Turns, counts: Sequence[int], names: dict[str, str]) -> list[Turn]:
    """The turns of all files as one list: a subagent's behind the call that started it, by time where times are known.

    `counts`: number of turns after each file, the session's own first.
    """
    listed = turns.turns
    if len(counts) == 1:
        return listed
    own = listed[: counts[0]]
    times = _rising([turn.line.time for turn in own])
    is_timed = bool(times and times[-1])
    places = {id(turn): number for number, turn in enumerate(own)}
    placed = [(number, 0) for number in range(len(own))]
    for before, after in pairwise(counts):
        part = listed[before:after]
        call = next((turns.calls.get(names.get(turn.agent, "")) for turn in part if turn.agent), None)
        anchor = places.get(id(call.turn), -1) if call is not None else -1
        at = anchor if anchor >= 0 else len(own) - 1
        latest = times[anchor] if anchor >= 0 else ""
        for turn in part:
            if turn.line.time and is_timed:
                latest = max(latest, turn.line.time)
                at = max(at if anchor >= 0 else 0, bisect_right(times, latest) - 1)
            placed.append((at, 1))
    order = sorted(range(len(listed)), key=lambda number: placed[number])
    return [listed[number] for number in order]


def _rising(times: list[str]) -> list[str]:
    """Times none of which is before the one that stands before it."""
    found: list[str] = []
    latest = ""
    for time in times:
        latest = max(latest, time)
        found.append(latest)
    return found
