"""OpenHands V0 events become turns: actions with the observations that name them as their cause.

What the harness put into the context (recalled files of the repository, knowledge, summaries of condensed events) is the
harness's, summaries are `copied`. Between a `delegate` action and its observation the events are those of the subagent. State
changes and null observations say nothing of what was done and are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from earned.records import Action, Edit, Observation, Usage
from earned.records.trajectory import Actor
from earned.trajectory.completeness.results import is_cut
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.decode.messages import content_text
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.openhands.shapes import Args, Event, Extras, History, Metrics, Tokens
from earned.trajectory.formats.openhands.turns import Id, Turn, Turns, exit_code
from earned.trajectory.steps import Steps
from earned.trajectory.tools import action_of

NUMBERED_LATE = 2
"""Events are numbered from 0, and the first two are the system's prompt and what was asked."""
MANY = 20
"""Events that say nothing of what was done may be left out of a history, but never so many behind one another."""
LACKS_CALL = "a result answers an action that is not in the record"
_ACTORS: dict[str | None, Actor] = {"agent": "agent", "user": "user", "environment": "harness", None: "agent"}
_UNSAID = frozenset(
    {"null", "recall", "change_agent_state", "condensation_request", "loop_recovery", "pause", "resume", "stop", "start"}
)
"""Actions that only move the harness on."""
_CONTEXT = frozenset({"recall", "condense", "agent_state_changed"})
"""Observations of what the harness itself did."""
_NO_EXTRAS = Extras()


class EventReader:
    """Takes the events of one attempt in the order of the record and knows at the end what they say of it."""

    def __init__(self, oddities: Oddities) -> None:
        self.turns = Turns()
        self.oddities = oddities
        self.model = ""
        self.version = ""
        self.metrics = Metrics()
        self.started = ""
        self._begins = -1
        """Number of the first event."""
        self._left_out: list[tuple[int, int]] = []
        """Numbers of events that a history leaves out, first and last of each gap."""
        self.finished = ""
        self._cwd = ""
        self._delegates: list[_Delegate] = []
        """Subagents at work, the innermost last."""
        self._names: dict[str, int] = {}
        self._unseen: list[Turn] = []
        """Calls of subagents of which no call follows."""
        self._is_told = False

    def add_all(self, history: History, place: str) -> None:
        """All events of a history; `place` is the JSON pointer of the list."""
        for number, item in enumerate(history):
            if isinstance(item, Event):
                self.add(item, place, number)
            elif item is None:
                self.oddities.lose(f"{place}/{number}")
            else:
                self._pair(item, f"{place}/{number}")
        events = (event for item in history if item is not None for event in ((item,) if isinstance(item, Event) else item))
        numbers = sorted({event.id for event in events if event is not None and isinstance(event.id, int)})
        self._left_out += [(one + 1, other - 1) for one, other in pairwise(numbers) if other - one > MANY]

    def _pair(self, pair: Sequence[Event | None], place: str) -> None:
        """An action with what came of it, which may be nothing."""
        for inner, event in enumerate(pair):
            if event is not None:
                self.add(event, place, inner)
            elif not inner:
                self.oddities.lose(f"{place}/{inner}")

    def add(self, event: Event, place: str, number: int = -1) -> None:
        """One event; `place` is where it stands, or the list in which it has this number."""
        if self._begins < 0 and isinstance(event.id, int):
            self._begins = event.id
        if event.timestamp:
            self.started = self.started or event.timestamp
            self.finished = event.timestamp
        if event.llm_metrics is not None:
            self.metrics = event.llm_metrics
        if event.action is not None:
            if event.action not in _UNSAID:
                self._act(event, event.action, place if number < 0 else f"{place}/{number}")
        elif event.observation is None:
            what = f"the kind {event.kind[:80]}" if event.kind else "neither action nor observation"
            self.oddities.add(f"an event of {what}", place)
        elif event.observation in _CONTEXT:
            self._context(event, place if number < 0 else f"{place}/{number}")
        elif event.observation != "null":
            self._result(event, event.extras or _NO_EXTRAS, place, number)

    def _act(self, event: Event, name: str, place: str) -> None:
        args = event.args or _inline(event)
        turn = self._turn(event, _ACTORS.get(event.source, "agent"), place)
        if name == "message":
            self._message(event, args, turn)
        elif name == "system":
            turn.actor, turn.subagent = "harness", ""
            turn.text = args.content or ""
            self.version = args.openhands_version or self.version
            self.turns.tell(turn)
        elif name == "condensation":
            turn.actor, turn.subagent, turn.copied = "harness", "", True
            turn.text = args.summary or ""
            if turn.text:
                self.turns.tell(turn)
        else:
            self._call(event, name, args, turn)

    def _message(self, event: Event, args: Args, turn: Turn) -> None:
        """What was said. In records without sources the user speaks first and after each message that waits for an answer."""
        turn.text = args.content or ""
        if event.source is None and not args.wait_for_response and not self._is_told:
            turn.actor = "user"
        if turn.subagent and event.source == "user":
            turn.copied = True  # the task that the call of the subagent holds already
        self._is_told = not args.wait_for_response
        self.turns.tell(turn)

    def _call(self, event: Event, name: str, args: Args, turn: Turn) -> None:
        self._is_told = True
        if self._delegates:
            self._delegates[-1].is_seen = True
        call_id = ""
        told = event.tool_call_metadata
        if told is not None:
            call_id = told.tool_call_id or ""
            self._answered(told.model_response, turn)
        if name != "think":
            turn.text = args.thought or ""
        if name == "run":
            cwd = args.cwd or self._cwd
            action = Action(kind="shell", tool="execute_bash", call_id=call_id, command=args.command or "", cwd=cwd)
        else:
            action = _ACTIONS.get(name, _other)(args, name, call_id)
        if name in {"finish", "reject"}:
            turn.text = _joined(turn.text, args.final_thought)
        done = self.turns.act(turn, action, event.id, call_id)
        if name == "delegate":
            agent = args.agent or "delegate"
            count = self._names[agent] = self._names.get(agent, 0) + 1
            self._delegates.append(_Delegate(agent if count == 1 else f"{agent}#{count}", event.id, call_id, done))

    def _answered(self, answer: Any, turn: Turn) -> None:
        """What the model's answer that made a call says besides it."""
        if answer is None:
            return
        turn.response = answer.id or ""
        self.model = self.model or answer.model or ""
        for choice in answer.choices or ():
            if choice.message is not None and choice.message.reasoning_content:
                turn.reasoning = choice.message.reasoning_content

    def _turn(self, event: Event, actor: Actor, place: str) -> Turn:
        subagent = self._delegates[-1].name if self._delegates else ""
        if not subagent and event.delegate_level:
            subagent = f"level {event.delegate_level}"
        if subagent and actor != "harness":
            return Turn("subagent", place, event.id, event.timestamp, subagent)
        return Turn(actor, place, event.id, event.timestamp)

    def _context(self, event: Event, place: str) -> None:
        """What the harness showed or did of itself."""
        extras = event.extras or _NO_EXTRAS
        if event.observation == "recall":
            text = _recalled(extras)
        elif event.observation == "condense":
            text = content_text(event.content)
        else:
            text = extras.reason or ""
        if text:
            turn = self.turns.tell(Turn("harness", place, event.id, event.timestamp))
            turn.text, turn.copied = text, event.observation == "condense"

    def _result(self, event: Event, extras: Extras, place: str, number: int) -> None:
        """A result, given to what it names as its cause."""
        told, terminal = event.tool_call_metadata, extras.metadata
        cause, call_id = event.cause, told.tool_call_id if told is not None else None
        text = event.content if isinstance(event.content, str) else content_text(event.content)
        code = extras.exit_code if event.exit_code is None else event.exit_code
        cut = is_cut(text)
        if terminal is not None:
            code = terminal.exit_code if terminal.exit_code is not None else code
            cut = cut or (terminal.prefix is not None and "truncated" in terminal.prefix)
            if terminal.working_dir and not self._delegates:
                self._cwd = terminal.working_dir
        if self._delegates:
            cause, call_id = self._ended(event, call_id)
            text = text or (as_json(extras.outputs) if extras.outputs else "")
        code = exit_code(code)
        call = self.turns.called(cause, call_id)
        if call is None and cause is None and not call_id and event.id is None:
            call = self.turns.last  # the oldest records name nothing
        if call is not None:
            self.turns.answer(call, text, exit_code=code, truncated=cut)
            return
        turn = Turn("environment", place if number < 0 else f"{place}/{number}", event.id, event.timestamp)
        self.turns.stray(turn, Observation(text=text, exit_code=code, truncated=cut), cause, call_id)

    def _ended(self, event: Event, call_id: str | None) -> tuple[Id, str | None]:
        """What an observation names: the call of the subagent that it ends, where it ends one."""
        begun = self._delegates[-1]
        if event.observation != "delegate" and (event.cause is None or event.cause != begun.event_id):
            return event.cause, call_id
        self._delegates.pop()
        if not begun.is_seen:
            self._unseen.append(begun.turn)
        return begun.event_id, begun.call_id

    def into(self, steps: Steps) -> None:
        """Append what was read as steps."""
        steps.is_asked = self._begins >= NUMBERED_LATE
        self.turns.into(steps, lacks=LACKS_CALL)
        for first, last in self._left_out[:MANY]:
            steps.missing(f"events {first} to {last} are not in the record", step=-1)
        for turn in self._unseen:
            steps.missing("the steps of the subagent that was called are not in the record", step=turn.at)

    def usage(self) -> Usage:
        """Tokens and cost, as the last event tells them."""
        return usage_of(self.metrics)


class _Delegate:
    """A subagent at work."""

    __slots__ = ("call_id", "event_id", "is_seen", "name", "turn")

    def __init__(self, name: str, event_id: Id, call_id: str, turn: Turn) -> None:
        self.name = name
        self.event_id = event_id
        self.call_id = call_id
        self.turn = turn
        self.is_seen = False
        """Whether a call of its own was shown."""


def usage_of(metrics: Metrics) -> Usage:
    """The record of what a model's use came to."""
    tokens = metrics.accumulated_token_usage or Tokens()
    return Usage(
        input_tokens=_count(tokens.prompt_tokens),
        output_tokens=_count(tokens.completion_tokens),
        cost_usd=metrics.accumulated_cost,
    )


def _count(value: int | None) -> int | None:
    """A number of tokens, where it can be one."""
    return value if value is not None and 0 <= value < 1 << 63 else None


def _inline(event: Event) -> Args:
    """The arguments of an action of the time before `args`."""
    event.content = content_text(event.content)
    return event


def _joined(*texts: str | None) -> str:
    return "\n".join(dict.fromkeys(text for text in texts if text))


def _recalled(extras: Extras) -> str:
    """Texts that the harness took from the repository and from its own store into the context."""
    return _joined(
        extras.repo_instructions,
        extras.additional_agent_instructions,
        extras.conversation_instructions,
        *(item.content for item in extras.microagent_knowledge or ()),
    )


def _given(args: Args, *names: str) -> dict[str, Any]:
    """These arguments, as far as they were given."""
    found = {name: getattr(args, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _think(args: Args, name: str, call_id: str) -> Action:
    return action_of(name, {"thought": args.thought or ""}, call_id)


def _cell(args: Args, _name: str, call_id: str) -> Action:
    return action_of("execute_ipython_cell", {"code": args.code or ""}, call_id)


def _read(args: Args, name: str, call_id: str) -> Action:
    given = _given(args, "path", "view_range", "start", "end")
    if given.get("start") in {0, None} and given.get("end") in {-1, None}:
        given = {key: value for key, value in given.items() if key not in {"start", "end"}}
    return action_of(name, given, call_id)


def _write(args: Args, name: str, call_id: str) -> Action:
    return action_of(name, _given(args, "path", "content"), call_id)


def _edit(args: Args, _name: str, call_id: str) -> Action:
    """An edit by sub-command, or a draft of some lines that a model then fitted in."""
    if args.command == "write":
        return _write(args, "write", call_id)
    if args.command:
        names = ("command", "path", "file_text", "old_str", "new_str", "insert_line", "view_range")
        return action_of("str_replace_editor", _given(args, *names), call_id)
    edit = Edit(path=args.path or "", operation="append" if args.start == -1 else "replace", new=args.content or "")
    raw = as_json(_given(args, "path", "content", "start", "end"))
    return Action(kind="edit", tool="edit_file", call_id=call_id, edits=(edit,), arguments=raw)


def _browse(args: Args, name: str, call_id: str) -> Action:
    return action_of(name, _given(args, "url"), call_id)


def _interact(args: Args, name: str, call_id: str) -> Action:
    return action_of(name, _given(args, "browser_actions"), call_id)


def _mcp(args: Args, name: str, call_id: str) -> Action:
    return action_of(args.name or name, args.arguments, call_id)


def _finish(args: Args, name: str, call_id: str) -> Action:
    given = {"message": args.final_thought, "outputs": args.outputs or None}
    raw = {key: value for key, value in given.items() if value}
    return Action(kind="submit", tool=name, call_id=call_id, arguments=as_json(raw) if raw else "")


def _tasks(args: Args, name: str, call_id: str) -> Action:
    return Action(kind="message", tool=name, call_id=call_id, arguments=as_json(_given(args, "command", "task_list")))


def _delegate(args: Args, name: str, call_id: str) -> Action:
    return Action(kind="other", tool=name, call_id=call_id, arguments=as_json(_given(args, "agent", "inputs")))


def _other(args: Args, name: str, call_id: str) -> Action:
    given = _given(args, "command", "path", "content", "url", "name", "arguments", "inputs", "outputs")
    return Action(kind="other", tool=name, call_id=call_id, arguments=as_json(given) if given else "")


_ACTIONS: dict[str, Callable[[Args, str, str], Action]] = {
    "think": _think,
    "run_ipython": _cell,
    "read": _read,
    "write": _write,
    "edit": _edit,
    "browse": _browse,
    "browse_interactive": _interact,
    "call_tool_mcp": _mcp,
    "finish": _finish,
    "reject": _finish,
    "task_tracking": _tasks,
    "delegate": _delegate,
}
