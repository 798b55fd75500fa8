"""Events of an Inspect sample become steps: turns of models, calls with their results, what was told, what the scorers did.

The transcript is the whole history: the final `messages` lack what a compaction took away. A message is a step when it is seen
first, among a model's inputs; a result is joined to its call by id, from the tool's event or from a later input.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

import msgspec

from earned.records import Action, Observation
from earned.records.trajectory import Actor
from earned.trajectory.formats.inspect_records import Call, Event, Fault, Message, Output, ScoreValue
from earned.trajectory.formats.inspect_seen import Seen
from earned.trajectory.formats.inspect_spans import Span, Spans
from earned.trajectory.formats.inspect_texts import Texts
from earned.trajectory.formats.inspect_turn import Turn, result
from earned.trajectory.lenient import as_json
from earned.trajectory.oddities import Oddities
from earned.trajectory.steps import Steps, observation
from earned.trajectory.tools import action_of

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
        """Final scores among the events."""
        self._waiting: dict[str, deque[tuple[int, int]]] = {}
        self._answered: set[str] = set()
        self._loose: list[tuple[int, Span]] = []
        """Programs that ran outside of any tool, whose actor the next model's turn tells."""
        self._last: tuple[int, Span] | None = None
        """The latest turn of a model that does not score, with its span."""
        self._compacted = False
        self._nesting = 0
        self._take: dict[str, Callable[[Event, str], None]] = {
            "model": self._model,
            "tool": self._tool,
            "sandbox": self._sandbox,
            "score": self._score,
            "span_begin": lambda event, _: self.spans.begin(event),
            "step": lambda event, _: self.spans.step(event),
            "subtask": self._subtask,
            "compaction": self._compaction,
            "sample_limit": self._note,
            "error": self._note,
            "interrupt": self._note,
        }

    def event(self, event: Event, pointer: str) -> None:
        """One event of the transcript."""
        take = self._take.get(event.event)
        if take is not None:
            take(event, f"{self.place}/{pointer}")

    def _add(self, actor: Actor, text: str, place: str, event: Event | None = None, *, subagent: str = "") -> Turn:
        time, native = (event.timestamp or "", event.uuid or "") if event else ("", "")
        turn = Turn(actor, text, place, subagent=subagent, time=time, native=native)
        self.turns.append(turn)
        return turn

    # what models are told and answer

    def _model(self, event: Event, place: str) -> None:
        span = self.spans.of(event)
        actor, subagent = span.model()
        if actor == "agent" and (event.role or "").lower() in _GRADERS:
            actor = "grader"
        if actor != "grader":
            self._inputs(event, place, subagent)
            self.has_tools = self.has_tools or bool(event.tools)
            self._settle(span)
        output = event.output if isinstance(event.output, Output) else Output()
        message = next((choice.message for choice in output.choices or () if choice.message is not None), None)
        if message is None:
            if isinstance(event.error, str):
                self._add("harness", f"the model call failed: {self.texts.of(event.error)}", place, event)
            return
        self.seen.note(message)
        turn = self._assistant(message, place, actor, subagent, event)
        if actor != "grader":
            self.models += 1
            self._compacted = False
            self._last = len(self.turns) - 1, span
            turn.native = event.uuid or message.id or ""

    def _inputs(self, event: Event, place: str, subagent: str) -> None:
        """The messages among the inputs that were not seen before."""
        if event.input_refs:
            for number, message in self.seen.fresh_in_pool(event.input_refs):
                self.message(message, f"{self.place}/events_data/messages/{number}", subagent)
        elif isinstance(event.input, list):
            for number, message in enumerate(event.input):
                if self.seen.is_fresh(message):
                    self.message(message, f"{place}/input/{number}", subagent)

    def message(self, message: Message, place: str, subagent: str = "", *, is_history: bool = True) -> None:
        """A message that no model's event gave. `is_history`: it stands among inputs, so that its calls were made before."""
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
        text = self.texts.plain(message.content)
        if message.role == "system":
            self._add("harness", text, place)
        elif subagent and not self._speaks(subagent):
            self._add("subagent", text, place, subagent=subagent).copied = True  # the call that started it says the same
        elif message.source in {"input", "operator"} or not (self.models or self._compacted):
            self._add("user", text, place)
        else:
            is_summary = isinstance(message.metadata, dict) and message.metadata.get("summary") is True
            self._add("harness", text, place).copied = is_summary or self._compacted

    def _speaks(self, subagent: str) -> bool:
        """Whether the latest turn of a model was this subagent's."""
        return self._last is not None and self.turns[self._last[0]].subagent == subagent

    def _assistant(self, message: Message, place: str, actor: Actor, subagent: str, event: Event | None = None) -> Turn:
        told = self.texts.told(message.content)
        turn = self._add(actor, told.text, place, event, subagent=subagent)
        turn.reasoning = told.reasoning
        turn.results += told.observations
        calls = message.tool_calls or ()
        turn.actions = (*told.actions, *(self._action(call) for call in calls))
        fresh: set[str] = set()
        for number, call in enumerate(calls, start=len(told.actions)):
            name = call.id or ""
            if name not in fresh:
                self._waiting[name] = deque()
                fresh.add(name)
            self._waiting[name].append((len(self.turns) - 1, number))
            if call.parse_error and not call.arguments:
                self.oddities.add(f"the arguments of a call could not be parsed: {call.parse_error[:200]}", place)
        return turn

    def _action(self, call: Call) -> Action:
        return action_of(call.function or "", self.texts.within(call.arguments), call.id or "")

    # results

    def _answer(self, message: Message, place: str) -> None:
        """A result as a message: of a call that no tool's event answered."""
        name = message.tool_call_id if isinstance(message.tool_call_id, str) else ""
        text = self.texts.plain(message.content)
        fault = message.error.message if message.error else message.tool_error
        call = self._called(name)
        if call is not None:
            self.turns[call[0]].results.append(result(text, fault, call[1]))
        elif name not in self._answered:
            self._add("environment", "", place).results.append(result(text, fault, -1))
            self.oddities.add(f"a result answers no call: {name[:60]!r}", place)

    def _called(self, name: str) -> tuple[int, int] | None:
        waiting = self._waiting.get(name)
        if not waiting:
            return None
        self._answered.add(name)
        return waiting.popleft()

    def _tool(self, event: Event, place: str) -> None:
        self.seen.note_id(event.message_id)
        call = self._called(event.id or "")
        if call is not None:
            self.turns[call[0]].copied = False
            self.spans.answers(event, call)
            if not _is_open(event):
                self.turns[call[0]].results.append(self._result_of(event, call[1]))
            else:
                self._waiting[event.id or ""].appendleft(call)
        elif (event.id or "") not in self._answered:
            self._uncalled(event, place)
        self._inner(event, place, call)

    def _uncalled(self, event: Event, place: str) -> None:
        """A tool that ran without a model's call."""
        turn = self._add("grader" if self.spans.of(event).is_scoring else "harness", "", place, event)
        turn.actions = (action_of(event.function or "", self.texts.within(event.arguments), event.id or ""),)
        turn.results.append(self._result_of(event, 0))
        self.spans.answers(event, (len(self.turns) - 1, 0))
        self.oddities.add(f"a tool ran without a call: {(event.function or '')[:60]!r}", place)

    def _result_of(self, event: Event, number: int) -> Observation:
        fault = event.error.message if isinstance(event.error, Fault) else event.error
        made = result(self.texts.result(event.result), self.texts.of(fault) if fault else None, number)
        return msgspec.structs.replace(made, truncated=True) if event.truncated else made

    def _inner(self, event: Event, place: str, call: tuple[int, int] | None) -> None:
        """Events within an event, of logs before 2025."""
        if not event.events or self._nesting >= MAX_NESTING:
            return
        self._nesting += 1
        self.spans.inside(event, call)
        for number, inner in enumerate(event.events):
            take = self._take.get(inner.event)
            if take is not None:
                take(inner, f"{place}/events/{number}")
        self.spans.outside()
        self._nesting -= 1

    def _subtask(self, event: Event, place: str) -> None:
        self._inner(event, place, None)

    # programs in the sandbox

    def _sandbox(self, event: Event, place: str) -> None:
        span = self.spans.of(event)
        code = event.result if isinstance(event.result, int) and not isinstance(event.result, bool) else None
        if span.tool and not span.is_scoring:
            if (
                span.call is not None
                and event.action == "exec"
                and not any(name in (event.cmd or "") for name in _TOOL_SUPPORT)
            ):
                turn, number = span.call
                self.turns[turn].codes.setdefault(number, []).append(code)
            return
        turn_made = self._add("grader" if span.is_scoring else "harness", "", place, event)
        turn_made.actions = (self._program(event),)
        output = self.texts.of(event.output) if isinstance(event.output, str) else ""
        turn_made.results.append(observation(output, 0, exit_code=code))
        if not span.is_scoring:
            self._loose.append((len(self.turns) - 1, span))

    def _program(self, event: Event) -> Action:
        if event.action == "exec":
            return Action(kind="shell", tool="sandbox exec", command=self.texts.of(event.cmd or ""))
        given = {"path": self.texts.of(event.file or "")}
        if event.action == "write_file":
            return action_of(
                "write_file", {**given, "content": self.texts.of(event.input) if isinstance(event.input, str) else ""}
            )
        return action_of("read_file", given)

    def _settle(self, span: Span) -> None:
        """A model is asked: what ran since its last turn without calls, in its span, was run from what it wrote there."""
        for index, where in self._loose:
            if self._last is None or where is not span or self._last[1] is not span or self.turns[self._last[0]].actions:
                continue
            turn, spoke = self.turns[index], self.turns[self._last[0]]
            turn.actor, turn.subagent = spoke.actor, spoke.subagent
        self._loose.clear()

    # what else happened

    def _score(self, event: Event, place: str) -> None:
        if event.score is None:
            return
        name = event.scorer or self.spans.of(event).scorer or "score"
        self.scored += not event.intermediate
        said = [self.texts.of(text) for text in (event.score.explanation, event.score.answer) if text]
        turn = self._add("grader", "", place, event)
        turn.actions = (Action(kind="other", tool=f"scorer/{name}"),)
        turn.results.append(observation("\n".join([f"{name}: {as_json(event.score.value)}", *said[:1]]), 0))

    def _compaction(self, event: Event, place: str) -> None:
        self._compacted = True
        last = self.turns[-1] if self._last is not None and self._last[0] == len(self.turns) - 1 else None
        if last is not None and not last.results and event.type in {"summary", None}:
            last.copied = True  # the model was asked for the summary, not for its next act
        self._add("harness", f"the conversation was compacted ({event.type or 'unknown way'})", place, event)

    def _note(self, event: Event, place: str) -> None:
        fault = event.error.message if isinstance(event.error, Fault) else event.error
        said = fault or (event.message if isinstance(event.message, str) else "") or event.source or ""
        self._add("harness", f"{event.event.replace('_', ' ')}: {self.texts.of(said)}", place, event)

    def close(self, messages: Sequence[tuple[str, Message]], scores: Mapping[str, ScoreValue]) -> None:
        """The conversation at the end, as far as no event told it, and the scores, when no event did."""
        if self.models:
            self._rest(messages)
        else:
            told = len(self.turns)
            for pointer, message in messages:
                self.message(message, f"{self.place}/{pointer}", is_history=False)
            self.turns[:] = self.turns[told:] + self.turns[:told]
            self._loose = [(index + len(self.turns) - told, span) for index, span in self._loose]
        if not self.scored:
            for name, score in scores.items():
                self._score(Event(score=score, scorer=name), f"{self.place}/scores/{name}")

    def _rest(self, messages: Sequence[tuple[str, Message]]) -> None:
        """Calls that stand in the conversation and in no event, and their results."""
        for pointer, message in messages:
            calls = [call.id or "" for call in message.tool_calls or ()]
            is_new = any(calls) and not any(name in self._waiting for name in calls)
            if (message.role == "assistant" and is_new) or (message.role == "tool" and message.tool_call_id in self._waiting):
                self.message(message, f"{self.place}/{pointer}", is_history=False)

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


def _is_open(event: Event) -> bool:
    """A call that was under way when the record ended."""
    return event.pending is True and not event.result and event.error is None
