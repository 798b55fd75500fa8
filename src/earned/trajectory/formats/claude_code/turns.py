"""Turns of a Claude Code conversation while it is read: pieces of one message joined, results joined to their calls.

One answer of the model stands in several lines with the same message id, one for each block; results arrive between them. What
a line repeats (a call with an id that was read, a text that its message holds already) is a replay: counted, not shown again.
"""

from __future__ import annotations

from collections import deque

import msgspec

from earned.records import Action, Observation, Step
from earned.records.trajectory import Actor
from earned.trajectory.formats.claude_code.records import Block, Details, Message, Tokens, Twin
from earned.trajectory.formats.claude_code.results import is_undone, observation_of, text_of, undone
from earned.trajectory.steps import Steps
from earned.trajectory.tools import action_of

SYNTHETIC = "<synthetic>"
"""Model of messages that Claude Code wrote itself."""
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_SHELLS = frozenset({"Bash", "Monitor"})
"""Tools that run a command; the second one lets it run and reports what it prints."""
_SERVER_TOOLS = frozenset({"web_search", "web_fetch"})
"""Tools of the API's own that reach the network; the others run away from the attempt's files."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """Where a message stands and who speaks."""

    start: str
    """Of the place, up to the line's number."""
    number: int
    agent: str = ""
    uuid: str = ""
    time: str = ""
    cwd: str = ""
    node: int = -1


class Turn(msgspec.Struct, gc=False, eq=False):
    """One step to be."""

    actor: Actor
    line: Line
    agent: str = ""
    """Key of the subagent; empty for the main agent."""
    text: str = ""
    copied: bool = False
    reasoning: str = ""
    actions: list[Action] = []
    observations: list[Observation] = []
    usage: Tokens | None = None
    request: str | None = None
    index: int = -1
    """Of its step, once it has one."""
    texts: dict[str, None] | None = None
    """Pieces of the text where there are several; what is said twice stands once."""
    thoughts: dict[str, None] | None = None

    def say(self, text: str) -> bool:
        """Add a piece of text; False when it is there already."""
        if not self.text:
            self.text = text
            return True
        if self.texts is None:
            self.texts = {self.text: None}
        is_new = text not in self.texts
        self.texts[text] = None
        return is_new

    def think(self, text: str) -> None:
        """Add a piece of reasoning."""
        if not self.reasoning:
            self.reasoning = text
            return
        if self.thoughts is None:
            self.thoughts = {self.reasoning: None}
        self.thoughts[text] = None

    def step(self, index: int, subagent: str) -> Step:
        """The step, once all is known."""
        self.index = index
        line = self.line
        return Step(
            index=index,
            actor=self.actor,
            native_id=line.uuid,
            time=line.time,
            text=self.text if self.texts is None else "\n".join(self.texts),
            reasoning=self.reasoning if self.thoughts is None else "\n".join(self.thoughts),
            actions=tuple(self.actions),
            observations=tuple(self.observations),
            subagent=subagent,
            copied=self.copied,
            source=f"{line.start}{line.number}",
        )


class Call(msgspec.Struct, gc=False, eq=False):
    """One call and whether its result came."""

    turn: Turn
    number: int
    result: str | None = None

    @property
    def action(self) -> Action:
        """As it stands."""
        return self.turn.actions[self.number]


class Turns:
    """The turns of one attempt, in the order of reading."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.calls: dict[str, Call] = {}
        self.usage: list[Tokens] = []
        """Of messages that were asked for twice, beside what their turns hold."""
        self.models: dict[tuple[bool, str], None] = {}
        """Whether a subagent's, and the name, in the order of appearance."""
        self.replayed = 0
        self.interrupted = 0
        self.collided = 0
        self.gaps: list[tuple[str, Turn]] = []
        """What is missing, and the turn that shows it."""
        self._messages: dict[str | tuple[str, str], Turn] = {}
        """By message id; a subagent's with the subagent."""
        self._unnamed: dict[str, deque[Call]] = {}
        """Calls without an id in the last turn of each agent."""
        self._model = ""

    def add(self, actor: Actor, text: str, line: Line, *, copied: bool = False) -> Turn:
        """A turn that is only text."""
        agent = line.agent if actor in {"agent", "subagent"} else ""
        turn = Turn(actor, line, agent, text, copied)
        self.turns.append(turn)
        return turn

    def answer(self, message: Message, line: Line, *, request: str | None = None, is_error: bool = False) -> None:
        """One line of the model's answer."""
        model, agent = message.model, line.agent
        if is_error or model == SYNTHETIC:
            self.add("harness", _plain(message.content), line)
            return
        turn = self._turn(message.id, line)
        if message.usage is not None:
            if turn.usage is not None and turn.request != request:
                self.usage.append(turn.usage)
            turn.usage, turn.request = message.usage, request  # a later line of a message says more
        if model and (model != self._model or agent):
            self._model = "" if agent else model
            self.models[bool(agent), model] = None
        if isinstance(message.content, str):
            turn.say(message.content)
            return
        for block in message.content or ():
            kind = block.type
            if kind == "text":
                if block.text and not turn.say(block.text):
                    self.replayed += 1
            elif kind in _CALLS:
                self._call(turn, block, line, kind)
            else:
                self._other(turn, block, line, kind or "")

    def _turn(self, name: str | None, line: Line) -> Turn:
        """The turn of a message."""
        agent = line.agent
        name = name or line.uuid  # a line without a message id is a message of its own, also when it stands there again
        key = (agent, name) if agent and name else name
        turn = self._messages.get(key) if key else None
        if turn is None:
            turn = Turn("subagent" if agent else "agent", line, agent)
            self.turns.append(turn)
            if self._unnamed:
                self._unnamed.pop(agent, None)
            if key:
                self._messages[key] = turn
        return turn

    def _other(self, turn: Turn, block: Block, line: Line, kind: str) -> None:
        if kind == "thinking":
            if thought := block.thinking or block.text:
                turn.think(thought)
        elif kind == "redacted_thinking":
            turn.think("[redacted]")
        elif block.tool_use_id is not None:
            self.result(block, line)
        elif kind or block.text:
            turn.say(block.text or f"[{kind}]")

    def _call(self, turn: Turn, block: Block, line: Line, kind: str) -> None:
        name, call_id, given = block.name or "", block.id or "", block.input
        command = given.get("command") if name in _SHELLS and isinstance(given, dict) else None
        if isinstance(command, str) and command:
            action = Action(kind="shell", tool=name, call_id=call_id, command=command, cwd=line.cwd)
        else:
            action = action_of(name, given, call_id)
            if kind == "server_tool_use" and name not in _SERVER_TOOLS:
                action = undone(action)
        known = self.calls.get(call_id) if call_id else None
        if known is not None:
            if _is_same(known.action, action):
                self.replayed += 1
                return
            self.collided += 1
        call = Call(turn, len(turn.actions))
        turn.actions.append(action)
        if call_id:
            self.calls[call_id] = call
        else:
            self._unnamed.setdefault(line.agent, deque()).append(call)

    def result(self, block: Block, line: Line, twin: Twin = None, *, denial: str | None = None) -> Call | None:
        """One result; the call that it answers, None when the record holds none."""
        content, name, is_error = block.content, block.tool_use_id, block.is_error
        text = content if isinstance(content, str) else text_of(content)
        call = self.calls.get(name) if name else self._next_unnamed(line.agent)
        if call is None:
            turn = Turn("environment", line)
            turn.observations.append(Observation(text=text))
            self.turns.append(turn)
            self.gaps.append(("a result answers a call that is not in the record", turn))
            return None
        if call.result == text:
            self.replayed += 1
            return call
        call.result = text
        turn, number = call.turn, call.number
        action = turn.actions[number]
        turn.observations.append(observation_of(text, number, action, twin, is_error=is_error))
        if isinstance(twin, Details) and twin.interrupted is True:
            self.interrupted += 1
        if (is_error or denial) and is_undone(action, text, is_error=is_error, denial=denial):
            turn.actions[number] = undone(action)
        return call

    def _next_unnamed(self, agent: str) -> Call | None:
        """The next call without an id, for a result that names none."""
        waiting = self._unnamed.get(agent)
        return waiting.popleft() if waiting else None

    def deny(self, call_id: str) -> bool:
        """Note that a call was denied, as the end of a stream says; False when there is no such call."""
        call = self.calls.get(call_id)
        if call is not None:
            call.turn.actions[call.number] = undone(call.action)
        return call is not None


def _is_same(one: Action, other: Action) -> bool:
    """Whether two actions are one call, wherever it was made and whatever came of it."""
    if one.tool != other.tool:
        return False
    return one.text == (other if one.kind == other.kind else undone(other)).text


def _plain(content: str | list[Block] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n".join([block.text or f"[{block.type or 'part'}]" for block in content or ()])


def tokens_of(turns: Turns) -> list[Tokens]:
    """The usage of each answer of the model."""
    return [*turns.usage, *(turn.usage for turn in turns.turns if turn.usage is not None)]


def append_all(turns: list[Turn], steps: Steps, names: dict[str, str]) -> None:
    """Append the turns as steps, emptying the list; `names`: key of a subagent to its name."""
    listed = steps.steps
    turns.reverse()
    while turns:
        turn = turns.pop()
        listed.append(turn.step(len(listed), names.get(turn.agent, turn.agent) if turn.agent else ""))
