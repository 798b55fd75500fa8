"""Events of an Inspect sample become steps: turns of models, calls with their results, what was told, what the scorers did.

The transcript is the whole history: the final `messages` lack what a compaction took away. A message is a step when it is seen
first, among a model's inputs; a result is joined to its call by id, from the tool's event or from a later input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from earned.records import Action, Observation
from earned.records.trajectory import Actor
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.inspect.calls import Calls, Place
from earned.trajectory.formats.inspect.records import Brief, Event, Fault, Message, Output, ScoreValue
from earned.trajectory.formats.inspect.seen import Seen
from earned.trajectory.formats.inspect.spans import Span, Spans
from earned.trajectory.formats.inspect.texts import Texts
from earned.trajectory.formats.inspect.turn import Turn, result
from earned.trajectory.steps import Steps, observation
from earned.trajectory.tools import action_of

Messages = Callable[[], Sequence[tuple[str, Message]]]
MAX_NESTING = 16
"""Events within events that are followed."""
_TOOL_SUPPORT = ("inspect-tool-support", "inspect-sandbox-tools")
"""Programs through which tools run in a sandbox: their exit code is not the command's."""
_GRADERS = frozenset({"grader", "judge", "scorer"})


class Talk:
    """Takes events and messages in order; `finish` appends the steps."""

    def __init__(self, texts: Texts, pool: Sequence[Message], oddities: Oddities, place: str) -> None:
        self.texts, self.oddities, self.place = texts, oddities, place
        self.seen = Seen(pool)
        self.spans = Spans()
        self.turns: list[Turn] = []
        self.has_tools = False
        """Whether a model was offered tools."""
        self.models = 0
        """Answers of the agent's and its subagents' models."""
        self.scored = 0
        self.uncalled = 0
        """Results of calls that are not in the log."""
        """Final scores among the events."""
        self._calls = Calls()
        self._loose: list[tuple[int, Span]] = []
        """Programs that ran outside of any tool, whose actor the next model's turn tells."""
        self._last: tuple[int, Span] | None = None
        """The latest turn of a model that does not score, with its span."""
        self._compacted = False
        self._nesting = 0
        self._within = ""
        """The list of events that is gone through."""
        self._number = 0
        """Of the present event in it."""

    def events(self, events: Iterable[tuple[str, int, Event]]) -> None:
        """Events of the transcript in order, each with the list it stands in and its number there."""
        take_of = self._TAKE.get
        for self._within, self._number, event in events:
            take = take_of(event.event)
            if take is not None:
                take(self, event)

    def _here(self) -> str:
        """Where the present event stands."""
        return f"{self.place}/{self._within}/{self._number}"

    def _add(self, actor: Actor, text: str, event: Event) -> Turn:
        turn = Turn(actor, text, self._here(), "", event.timestamp or "", event.uuid or "")
        self.turns.append(turn)
        return turn

    def _begin(self, event: Event) -> None:
        self.spans.begin(event)

    def _step(self, event: Event) -> None:
        self.spans.step(event)

    # what models are told and answer

    def _model(self, event: Event) -> None:
        span = self.spans.of(event)
        actor, subagent = span.model()
        if event.role is not None and actor == "agent" and event.role.lower() in _GRADERS:
            actor = "grader"
        if actor != "grader":
            self._inputs(event, subagent)
            self.has_tools = self.has_tools or bool(event.tools)
            if self._loose:
                self._settle(span)
        message = _said(event)
        if message is None:
            if isinstance(event.error, str):
                self._add("harness", f"the model call failed: {self.texts.of(event.error)}", event)
            return
        self.seen.note(message)
        turn = self._assistant(message, self._here(), actor, subagent)
        turn.time, turn.native = event.timestamp or "", event.uuid or message.id or ""
        if actor != "grader":
            self.models += 1
            self._compacted = False
            self._last = len(self.turns) - 1, span

    def _inputs(self, event: Event, subagent: str) -> None:
        """The messages among the inputs that were not seen before."""
        if event.input_refs:
            for number, message in self.seen.fresh_in_pool(event.input_refs):
                self.message(message, f"events_data/messages/{number}", subagent)
        elif isinstance(event.input, list):
            for number, message in enumerate(event.input):
                if self.seen.is_fresh(message):
                    self.message(message, f"{self._within}/{self._number}/input/{number}", subagent)

    def message(self, message: Message, pointer: str, subagent: str = "", *, is_history: bool = True) -> None:
        """A message that no model's event gave. `is_history`: it stands among inputs, so that its calls were made before."""
        place = f"{self.place}/{pointer}"
        if message.role is None and message.content is None:
            return
        if message.role == "assistant":
            turn = self._assistant(message, place, "subagent" if subagent else "agent", subagent)
            turn.copied = is_history or message.source == "input"
        elif message.role == "tool":
            self._answer(message, place)
        else:
            self._told(message, place, subagent)

    def _told(self, message: Message, place: str, subagent: str) -> None:
        turn = Turn("harness", self.texts.plain(message.content), place)
        self.turns.append(turn)
        if message.role == "system":
            return
        if subagent and not self._speaks(subagent):
            turn.actor, turn.subagent, turn.copied = "subagent", subagent, True  # the call that started it says the same
        elif message.source in {"input", "operator"} or not (self.models or self._compacted):
            turn.actor = "user"
        else:
            is_summary = isinstance(message.metadata, dict) and message.metadata.get("summary") is True
            turn.copied = is_summary or self._compacted

    def _speaks(self, subagent: str) -> bool:
        """Whether the latest turn of a model was this subagent's."""
        return self._last is not None and self.turns[self._last[0]].subagent == subagent

    def _assistant(self, message: Message, place: str, actor: Actor, subagent: str) -> Turn:
        content = message.content
        number = len(self.turns)
        actions: list[Action] = []
        if isinstance(content, str):
            turn = Turn(actor, self.texts.of(content), place, subagent)
        else:
            told = self.texts.told(content)
            turn = Turn(actor, told.text, place, subagent, reasoning=told.reasoning, results=[*told.observations])
            actions += told.actions
        self.turns.append(turn)
        for call in message.tool_calls or ():
            name = call.id or ""
            self._calls.made(name, (number, len(actions)))
            actions.append(action_of(call.function or "", self.texts.within(call.arguments), name))
            if call.parse_error and not call.arguments:
                self.oddities.add(f"the arguments of a call could not be parsed ({call.parse_error[:200]})", place)
        turn.actions = tuple(actions)
        return turn

    # results

    def _answer(self, message: Message, place: str) -> None:
        """A result as a message: of a call that no tool's event answered."""
        name = message.tool_call_id if isinstance(message.tool_call_id, str) else ""
        call = self._calls.taken(name)
        if call is None and name in self._calls:
            return
        fault = message.error.message if message.error else message.tool_error
        text = self.texts.plain(message.content)
        if call is not None:
            self.turns[call[0]].results.append(result(text, fault, call[1]))
            return
        self.turns.append(Turn("environment", "", place, results=[result(text, fault, -1)]))
        self.oddities.add("a result answers no call", place)

    def _tool(self, event: Event) -> None:
        self.seen.note_id(event.message_id)
        name = event.id or ""
        call = self._calls.taken(name)
        if call is not None:
            turn = self.turns[call[0]]
            turn.copied = False
            self.spans.answers(event, call)
            if event.pending is True and not event.result and event.error is None:
                self._calls.put_back(name, call)  # it was under way when the record ended
            else:
                turn.results.append(self._result_of(event, call[1]))
        elif name not in self._calls:
            self._uncalled(event)
        if event.events:
            self._inner(event, call)

    def _uncalled(self, event: Event) -> None:
        """A tool that ran without a model's call."""
        turn = self._add("grader" if self.spans.of(event).is_scoring else "harness", "", event)
        turn.actions = (action_of(event.function or "", self.texts.within(event.arguments), event.id or ""),)
        turn.results.append(self._result_of(event, 0))
        self.spans.answers(event, (len(self.turns) - 1, 0))
        self.oddities.add("a tool ran without a call of a model", turn.source)

    def _result_of(self, event: Event, number: int) -> Observation:
        fault = event.error.message if isinstance(event.error, Fault) else event.error
        made = result(self.texts.result(event.result), self.texts.of(fault) if fault else None, number)
        if event.truncated and not made.truncated:
            return Observation(text=made.text, action=number, exit_code=made.exit_code, truncated=True)
        return made

    def _inner(self, event: Event, call: Place | None = None) -> None:
        """Events within an event, of logs before 2025."""
        if self._nesting >= MAX_NESTING:
            return
        within, number, self._nesting = self._within, self._number, self._nesting + 1
        self.spans.inside(event, call)
        below = f"{within}/{number}/events"
        self.events((below, at, inner) for at, inner in enumerate(event.events or ()))
        self.spans.outside()
        self._within, self._number, self._nesting = within, number, self._nesting - 1

    # programs in the sandbox

    def _sandbox(self, event: Event) -> None:
        span = self.spans.of(event)
        code = event.result if isinstance(event.result, int) and not isinstance(event.result, bool) else None
        if span.tool and not span.is_scoring:
            if span.call is not None and event.action == "exec":
                self._ran(span.call, event.cmd or "", code)
            return
        turn = self._add("grader" if span.is_scoring else "harness", "", event)
        turn.actions = (self._program(event),)
        turn.results.append(
            observation(self.texts.of(event.output) if isinstance(event.output, str) else "", 0, exit_code=code)
        )
        if not span.is_scoring:
            self._loose.append((len(self.turns) - 1, span))

    def _ran(self, call: Place, command: str, code: int | None) -> None:
        """A program ran for a call."""
        turn = self.turns[call[0]]
        if _TOOL_SUPPORT[0] in command or _TOOL_SUPPORT[1] in command:
            code = None
        if turn.codes is None:
            turn.codes = {}
        turn.codes.setdefault(call[1], []).append(code)

    def _program(self, event: Event) -> Action:
        if event.action == "exec":
            return Action(kind="shell", tool="sandbox exec", command=self.texts.of(event.cmd or ""))
        path = self.texts.of(event.file or "")
        if event.action == "write_file":
            content = self.texts.of(event.input) if isinstance(event.input, str) else ""
            return action_of("write_file", {"path": path, "content": content})
        return action_of("read_file", {"path": path})

    def _settle(self, span: Span) -> None:
        """A model is asked: what ran since its last turn without calls, in its span, was run from what it wrote there."""
        for index, where in self._loose:
            if self._last is None or where is not span or self._last[1] is not span or self.turns[self._last[0]].actions:
                continue
            turn, spoke = self.turns[index], self.turns[self._last[0]]
            turn.actor, turn.subagent = spoke.actor, spoke.subagent
        self._loose.clear()

    # what else happened

    def _score(self, event: Event) -> None:
        if event.score is None:
            return
        name = event.scorer or self.spans.of(event).scorer or "score"
        self.scored += not event.intermediate
        said = [self.texts.of(text) for text in (event.score.explanation, event.score.answer) if text]
        turn = self._add("grader", "", event)
        turn.actions = (Action(kind="other", tool=f"scorer/{name}"),)
        turn.results.append(observation("\n".join([f"{name}: {as_json(event.score.value)}", *said[:1]]), 0))

    def _compaction(self, event: Event) -> None:
        self._compacted = True
        last = self.turns[-1] if self._last is not None and self._last[0] == len(self.turns) - 1 else None
        if last is not None and not last.results and event.type in {"summary", None}:
            last.copied = True  # the model was asked for the summary, not for its next act
        self._add("harness", f"the conversation was compacted ({event.type or 'unknown way'})", event)

    def _note(self, event: Event) -> None:
        fault = event.error.message if isinstance(event.error, Fault) else event.error
        said = fault or (event.message if isinstance(event.message, str) else "") or event.source or ""
        self._add("harness", f"{event.event.replace('_', ' ')}: {self.texts.of(said)}", event)

    # the end

    def close(self, brief: Sequence[Brief | Message], messages: Messages, scores: Mapping[str, ScoreValue]) -> None:
        """The conversation at the end, as far as no event told it, and the scores, when no event did."""
        if not self.models:
            told = len(self.turns)
            for pointer, message in messages():
                self.message(message, pointer, is_history=False)
            self.turns[:] = self.turns[told:] + self.turns[:told]
            self._loose = [(index + len(self.turns) - told, span) for index, span in self._loose]
        elif any(self._is_new(item) for item in brief):
            for pointer, message in messages():
                if self._is_new(message):
                    self.message(message, pointer, is_history=False)
        if not self.scored:
            for name, score in scores.items():
                self._within, self._number = "scores", 0
                self._score(Event(score=score, scorer=name))

    def _is_new(self, message: Brief | Message) -> bool:
        """Whether a message of the conversation holds calls that no event has, or a result that a call waits for."""
        if message.tool_calls:
            return not any((call.id or "") in self._calls for call in message.tool_calls)
        return message.role == "tool" and self._calls.is_open(message.tool_call_id)

    @property
    def has_acts(self) -> bool:
        """Whether the agent or a subagent called anything."""
        return any(turn.actions and not turn.copied and turn.actor in {"agent", "subagent"} for turn in self.turns)

    def finish(self, steps: Steps) -> None:
        """Append all steps. What ran behind the last turn of a model in no known span was the scorer's."""
        for index, where in self._loose:
            if not where.is_known and self._last is not None and index > self._last[0]:
                self.turns[index].actor = "grader"
        self._loose.clear()
        self.turns.reverse()
        while self.turns:
            steps.append(self.turns.pop().step(steps.next))

    _TAKE: ClassVar[Mapping[str, Callable[[Talk, Event], None]]] = {
        "model": _model,
        "tool": _tool,
        "sandbox": _sandbox,
        "score": _score,
        "span_begin": _begin,
        "step": _step,
        "subtask": _inner,
        "compaction": _compaction,
        "sample_limit": _note,
        "error": _note,
        "interrupt": _note,
    }
    """What is done with an event. Of the class: methods kept by an instance would keep it, and its sample, alive."""


def _said(event: Event) -> Message | None:
    """The answer of a model; None when it gave none."""
    if isinstance(event.output, Output):
        for choice in event.output.choices or ():
            if choice.message is not None:
                return choice.message
    return None
