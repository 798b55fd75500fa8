"""Messages of any of the chat notations as steps: one for each turn, with its calls and the results that answer them.

Results are joined to calls by id, over the whole conversation; where ids are missing, within the turn by the tool's name, or
else in order. A result that answers no call that is shown is a step of the environment. A call that is quoted is none, unless a
result follows it. Demonstrations are copied.
"""

from __future__ import annotations

from collections.abc import Sequence

from earned.records import Action, Observation, Step
from earned.records.trajectory import Actor
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.chat.blocks import (
    ActionOf,
    Result,
    block_action,
    call_action,
    is_call,
    is_result,
    item_action,
    item_result,
    own_result,
    reasoning_text,
    result_text,
    text_of_blocks,
)
from earned.trajectory.formats.chat.plain import plain_turn
from earned.trajectory.formats.chat.shapes import CALL_ITEMS, RESULT_ITEMS, Block, Message
from earned.trajectory.formats.chat.text_calls import TextCall, answers_quoted, text_calls, text_results, unquoted
from earned.trajectory.steps import Steps, observation
from earned.trajectory.tools import action_of, plain_name

INJECTED = ("<system-reminder>", "<environment_context>", "<user_instructions>", "# AGENTS.md instructions")
"""How text begins that a harness puts into the place of the user."""
_AGENTS = frozenset({"assistant", "model", "ai", "agent"})
_TELLING = frozenset({"system", "developer"})
_TOOLS = frozenset({"tool", "function", "ipython", "observation", "environment"})


class Protocol:
    """How calls stand in the text of a message, and their results in the text of the next one."""

    def calls(self, text: str) -> Sequence[TextCall]:
        """The calls of an assistant's text."""
        return text_calls(text)

    def results(self, text: str, expected: int) -> Sequence[str]:
        """The results of so many calls in the text of the user's message that follows; none when the user speaks himself."""
        return text_results(text, expected)

    def meant(self, text: str, calls: Sequence[TextCall]) -> Sequence[TextCall]:
        """The calls that are not merely quoted."""
        return unquoted(text, calls)


class Turn:
    """One turn while its results are still coming."""

    __slots__ = (
        "actions",
        "actor",
        "answered",
        "copied",
        "first",
        "in_text",
        "is_item",
        "native_id",
        "observations",
        "place",
        "quoted",
        "reasoning",
        "text",
        "time",
    )

    def __init__(self, actor: Actor, place: str, message: Message, *, is_item: bool = False) -> None:
        self.actor: Actor = actor
        self.place = place
        self.is_item = is_item
        self.native_id = message.id if isinstance(message.id, str) else ""
        self.time = "" if message.timestamp is None else str(message.timestamp)
        self.text = ""
        self.reasoning = ""
        self.in_text = range(0)
        """The calls that stand in the text."""
        self.quoted: Sequence[TextCall] = ()
        """Calls in the text that look quoted: none unless a result follows."""
        self.copied = False
        self.actions: list[Action] = []
        self.observations: list[Observation] = []
        self.answered: set[int] = set()
        self.first = 0

    def say(self, text: str) -> None:
        """Add text."""
        if text:
            self.text = f"{self.text}\n{text}" if self.text else text

    def think(self, text: str) -> None:
        """Add reasoning."""
        if text:
            self.reasoning = f"{self.reasoning}\n{text}" if self.reasoning else text

    def unanswered(self, name: str = "") -> int:
        """The first call without a result; of the tool of this name where the turn calls it. -1 when there is none."""
        while self.first in self.answered:
            self.first += 1
        if name:
            named = [number for number, action in enumerate(self.actions) if plain_name(action.tool) == plain_name(name)]
            if named:
                return next((number for number in named if number not in self.answered), -1)
        return self.first if self.first < len(self.actions) else -1

    def step(self, index: int) -> Step:
        """The turn as a step."""
        return Step(
            index=index,
            actor=self.actor,
            native_id=self.native_id,
            time=self.time,
            text=self.text,
            reasoning=self.reasoning,
            actions=tuple(self.actions),
            observations=tuple(self.observations),
            copied=self.copied,
            source=self.place,
        )


class Conversation:
    """Takes messages one after another; `close` appends the steps that they make, and nobody else does before."""

    def __init__(
        self, steps: Steps, oddities: Oddities, *, act: ActionOf = action_of, protocol: Protocol | None = None
    ) -> None:
        self._steps = steps
        self._first = steps.next
        self._oddities = oddities
        self._act = act
        self._protocol = protocol or Protocol()
        self._turns: list[Turn | Step] = []
        self._waiting: dict[str, tuple[Turn, int]] = {}
        self._is_late = False
        self._strangers: list[tuple[int, str]] = []
        """Results that answer no call before them: their turn, and the id of the call that they name."""

    def read(self, messages: Sequence[Message], place: str) -> None:
        """All messages of a list that stands at `place`."""
        number = 0
        while number < len(messages):
            here = f"{place}/{number}"
            plain = plain_turn(messages, number, self._first + len(self._turns), here, self._act)
            if plain is None:
                self.add(messages[number], here)
                number += 1
            else:
                step, taken = plain
                for action in step.actions if self._waiting else ():
                    self._waiting.pop(action.call_id, None)  # an id that is used again is the later call's
                self._turns.append(step)
                number += taken

    def add(self, message: Message, place: str) -> None:
        """One message, or one item of the Responses notation."""
        before = len(self._turns)
        self._add(message, place)
        if message.is_shown:
            for turn in self._turns[before:]:
                if isinstance(turn, Turn):
                    turn.copied = True

    def _add(self, message: Message, place: str) -> None:
        role = message.role
        if role == "assistant":
            self._agent(message, place)
        elif role == "tool":
            self._tool(message, place)
        elif role == "user":
            self._user(message, place)
        elif role in _TELLING:
            self._open("harness", message, place).say(text_of_blocks(message.content))
        elif role is None and message.type is not None:
            self._item(message, place)
        else:
            self._other(message, place)

    def close(self) -> None:
        """Append every step."""
        steps = self._steps
        for turn in self._turns:
            steps.append(turn.step(steps.next) if isinstance(turn, Turn) else turn)
        if self._strangers:
            self._tell_strangers()

    def _tell_strangers(self) -> None:
        """Results without a call; one that names a call which stands nowhere shows that the call is missing."""
        steps = self._steps
        self._oddities.add(f"{len(self._strangers)} results answer no call that is shown", steps.steps[self._first].source)
        known = {action.call_id for step in steps.steps for action in step.actions}
        for index, call_id in self._strangers[self._is_late :]:
            if call_id and call_id not in known:
                steps.missing("a result answers a call that is not in the record", step=index)

    def _other(self, message: Message, place: str) -> None:
        """Roles of other systems."""
        role = (message.role or "").lower()
        if role in _AGENTS:
            self._agent(message, place)
        elif role in _TOOLS:
            self._tool(message, place)
        elif role in {"user", "human"}:
            self._user(message, place)
        else:
            self._unknown("author", role, message, place)

    def _open(self, actor: Actor, message: Message, place: str, *, is_item: bool = False) -> Turn:
        turn = Turn(actor, place, message, is_item=is_item)
        self._turns.append(turn)
        return turn

    def _agent(self, message: Message, place: str) -> None:
        is_item = message.type == "message"
        turn = self._going_on() if is_item else None
        if turn is None:
            turn = self._open("agent", message, place, is_item=is_item)
        self._speak(turn, message)
        if message.refusal is not None:
            turn.say(message.refusal)
        turn.think(reasoning_text(message))
        for call in message.tool_calls or ():
            self._call(turn, call_action(call, self._act))
        if message.function_call is not None:
            self._call(turn, call_action(message.function_call, self._act))
        if turn.text and not turn.in_text:
            self._calls_in_text(turn)

    def _going_on(self) -> Turn | None:
        """The turn that the items before began, until its first result came."""
        last = self._last()
        return last if last is not None and last.is_item and not last.observations else None

    def _last(self) -> Turn | None:
        """The turn that was begun last; None when it is whole already."""
        last = self._turns[-1] if self._turns else None
        return last if isinstance(last, Turn) else None

    def _speak(self, turn: Turn, message: Message) -> None:
        """The content of a turn: a text, or parts with calls and with results of the provider's own tools."""
        content = message.content
        if content is None or isinstance(content, str):
            turn.say(content or "")
            return
        turn.say(text_of_blocks(content))
        for block in content:
            if isinstance(block, str):
                continue
            if block.thinking is not None:
                turn.think(block.thinking)
            elif is_call(block):
                self._call(turn, block_action(block, self._act))
            elif is_result(block):
                self._answer(block.tool_use_id or "", Result(result_text(block.content), block.failure), turn.place)

    def _call(self, turn: Turn, action: Action) -> None:
        call_id = action.call_id
        if call_id and (call_id not in self._waiting or self._waiting[call_id][0] is not turn):
            self._waiting[call_id] = turn, len(turn.actions)
        turn.actions.append(action)

    def _calls_in_text(self, turn: Turn) -> None:
        found = self._protocol.calls(turn.text)
        meant = self._protocol.meant(turn.text, found)
        if meant:
            self._take(turn, meant)
        else:
            turn.quoted = found

    def _take(self, turn: Turn, found: Sequence[TextCall]) -> None:
        made = [self._act(call.name, call.arguments, "") for call in found]
        if turn.actions:  # what stands in both notations is one call
            known = {(action.kind, action.text) for action in turn.actions}
            made = [action for action in made if (action.kind, action.text) not in known]
        turn.in_text = range(len(turn.actions), len(turn.actions) + len(made))
        turn.actions += made
        turn.text = turn.text[: found[0].start].rstrip()

    def _user(self, message: Message, place: str) -> None:
        content = message.content
        if isinstance(content, list):
            for block in content:
                if isinstance(block, Block) and is_result(block):
                    self._answer(block.tool_use_id or "", Result(result_text(block.content), block.failure), place)
        text = text_of_blocks(content)
        if text and self._answers_text(text):
            return
        if text or message.tool_calls or not content:
            actor: Actor = "harness" if text.startswith(INJECTED) else "user"
            turn = self._open(actor, message, place)
            turn.say(text)
            for call in message.tool_calls or ():
                self._call(turn, call_action(call, self._act))

    def _answers_text(self, text: str, *, is_tool: bool = False) -> bool:
        """Takes the text for the results of the calls in the text before it, where there are such calls."""
        turn = self._last()
        if turn is not None and turn.quoted and not turn.actions and (is_tool or answers_quoted(turn.text, turn.quoted, text)):
            self._take(turn, turn.quoted)
        if turn is None or not turn.in_text or not turn.answered.isdisjoint(turn.in_text):
            return False
        results = self._protocol.results(text, len(turn.in_text))
        alone = len(results) != len(turn.in_text)
        turn.observations += [observation(part, -1 if alone else turn.in_text[number]) for number, part in enumerate(results)]
        turn.answered.update(turn.in_text if results else ())
        return bool(results)

    def _tool(self, message: Message, place: str) -> None:
        if message.tool_messages:
            for one in message.tool_messages:
                self._answer(one.tool_call_id or str(one.id or ""), Result(text_of_blocks(one.content), one.failure), place)
            return
        text = text_of_blocks(message.content)
        call_id = message.tool_call_id or message.call_id
        if not call_id and self._answers_text(text, is_tool=True):
            return
        if isinstance(message.content, list) and any(isinstance(part, Block) and is_result(part) for part in message.content):
            self._user(message, place)
            return
        named = call_id or (message.id if isinstance(message.id, str) and message.id in self._waiting else "")
        self._answer(named, Result(text, message.failure), place, name=message.name or "")

    def _item(self, message: Message, place: str) -> None:
        """One item of the Responses notation that is no message."""
        kind = message.type or ""
        if kind in RESULT_ITEMS:
            self._answer(message.call_id or "", item_result(message), place)
            return
        if kind not in CALL_ITEMS and kind != "reasoning":
            self._unknown("item", kind, message, place)
            return
        turn = self._going_on() or self._open("agent", message, place, is_item=True)
        if kind in CALL_ITEMS:
            action = item_action(message, self._act)
            self._call(turn, action)
            result = own_result(message)
            if result is not None:
                self._answer(action.call_id, result, place)
        else:
            turn.think(reasoning_text(message) or text_of_blocks(message.content))

    def _unknown(self, what: str, name: str, message: Message, place: str) -> None:
        self._oddities.add(f"an {what} of an unknown kind: {name[:50] or 'none'}", place)
        text = text_of_blocks(message.content)
        if text:
            self._open("environment", message, place).observations.append(observation(text))

    def _answer(self, call_id: str, result: Result, place: str, *, name: str = "") -> None:
        """Join a result to its call; `name` is the tool's, where the result says it."""
        slot = self._waiting.pop(call_id, None) if call_id else None
        if slot is None:
            slot = self._in_order(call_id, "" if call_id else name)
        if slot is None:
            if not self._strangers and not self._has_acted():
                self._is_late = True
                self._steps.missing("the beginning is not recorded: a result comes before any call", step=-1)
            self._strangers.append((self._first + len(self._turns), call_id))
            turn = self._open("environment", Message(), place)
            turn.observations.append(observation(result.text, exit_code=result.exit_code))
            return
        turn, number = slot
        turn.answered.add(number)
        turn.observations.append(observation(result.text, number, exit_code=result.exit_code))

    def _has_acted(self) -> bool:
        return any(turn.actor == "agent" for turn in (*self._turns, *self._steps.steps))

    def _in_order(self, call_id: str, name: str) -> tuple[Turn, int] | None:
        """The next call without a result of the turn that acts, where the ids of call and result cannot be compared."""
        turn = next((turn for turn in reversed(self._turns[-2:]) if isinstance(turn, Step) or turn.actions), None)
        number = turn.unanswered(name) if isinstance(turn, Turn) else -1
        if not isinstance(turn, Turn) or number < 0:
            return None
        asked = turn.actions[number].call_id
        if call_id and asked not in {"", call_id}:
            return None
        self._waiting.pop(asked, None)
        return turn, number
