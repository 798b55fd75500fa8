"""OpenHands V1 events become turns: calls with the observations that name them, by the call's event or the model's id for it.

The calls of one answer of the model are one turn. What the harness put into the context (system prompt, skills, output of
hooks, summaries of condensed events) is the harness's, summaries are `copied`. The events of abandoned branches of a
conversation are read like all others: what they did to the workspace stayed done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from earned.records import Action, Edit, Observation
from earned.records.trajectory import Actor
from earned.trajectory.completeness.results import is_cut
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.decode.messages import content_text, decoded_arguments
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.openhands.shapes import Metrics
from earned.trajectory.formats.openhands.turns import Turn, Turns, exit_code
from earned.trajectory.formats.openhands.v1_shapes import Content, Message, Part, Seen, ToolCall, V1Event
from earned.trajectory.steps import Steps
from earned.trajectory.tools import action_of

LACKS_CALL = "a result answers a call that is not in the record"
FAILED = "[An error occurred during execution.]\n"
"""What the agent is shown before the text of an observation that is an error."""
_ACTORS: dict[str | None, Actor] = {"agent": "agent", "user": "user"}
_SPEAKERS = frozenset({"agent", "user"})
_TERMINALS = ("TerminalAction", "ExecuteBashAction")  # a tuple: what is looked up may be anything
_DELEGATES = frozenset({"delegate", "task"})
_SILENT = frozenset(
    {
        "ConversationStateUpdateEvent",
        "CondensationRequest",
        "PauseEvent",
        "InterruptEvent",
        "TokenEvent",
        "LLMCompletionLogEvent",
        "StreamingDeltaEvent",
    }
)
"""Kinds that say nothing of what was done or shown."""
_ACP_TOOLS = {
    "execute": "bash",
    "read": "read_file",
    "delete": "delete_file",
    "search": "grep",
    "fetch": "fetch",
    "think": "think",
}


class V1Reader:
    """Takes the events of one conversation in the order of the record and knows at the end what they say of it."""

    def __init__(self, oddities: Oddities, *, subagent: str = "", has_subagents: bool = False) -> None:
        self.turns = Turns()
        self.oddities = oddities
        self.subagent = subagent
        self.model = ""
        self.version = ""
        self.metrics = Metrics()
        self.started = ""
        self.finished = ""
        self._has_subagents = has_subagents
        self._cwd = ""
        self._delegating: list[Turn] = []
        self._remote: dict[str, Turn] = {}
        """Turns of the calls that another agent's server reported, by call."""

    def add_all(self, events: Iterable[V1Event | None], place: str) -> None:
        """All events of a history; `place` is the JSON pointer of the list."""
        for number, event in enumerate(events):
            if event is None:
                self.oddities.lose(f"{place}/{number}")
            else:
                self.add(event, place, number)

    def add(self, event: V1Event, place: str, number: int = -1) -> None:
        """One event; `place` is where it stands, or the list in which it has this number."""
        if event.timestamp:
            self.started = self.started or event.timestamp
            self.finished = event.timestamp
        kind = event.kind or ""
        take = _KINDS.get(kind)
        if take is not None:
            take(self, event, place if number < 0 else f"{place}/{number}")
        elif kind not in _SILENT:
            self.oddities.add(f"an event of the kind {kind[:80]}" if kind else "an event without kind", place)

    def _turn(self, event: V1Event, actor: Actor, place: str) -> Turn:
        if self.subagent and actor in _SPEAKERS:
            return Turn("subagent", place, event.id, event.timestamp, self.subagent)
        return Turn(actor, place, event.id, event.timestamp)

    def _context(self, event: V1Event, text: str, place: str, *, copied: bool = False, actor: Actor = "harness") -> None:
        """What the harness showed of itself."""
        if text:
            turn = self._turn(event, actor, place)
            turn.text, turn.copied = text, copied
            self.turns.tell(turn)

    def message(self, event: V1Event, place: str) -> None:
        """What the user or the agent said, and behind it what the harness added to it."""
        message = event.llm_message or Message()
        turn = self._turn(event, _ACTORS.get(event.source, "harness"), place)
        turn.text = _text(message.content)
        turn.reasoning = message.reasoning_content or ""
        turn.copied = bool(self.subagent) and event.source == "user"
        if turn.text or turn.reasoning:
            self.turns.tell(turn)
        self._context(event, _text(event.extended_content), place)

    def system_prompt(self, event: V1Event, place: str) -> None:
        """The system prompt with what was added for this conversation."""
        parts = (event.system_prompt or Part(), event.dynamic_context or Part())
        self._context(event, "\n".join(part.text for part in parts if part.text), place)

    def condensation(self, event: V1Event, place: str) -> None:
        """A summary of events that the agent does not see any more."""
        self._context(event, event.summary or "", place, copied=True)

    def failure(self, event: V1Event, place: str) -> None:
        """The conversation broke off."""
        text = ": ".join(part for part in (event.code, event.detail) if part)
        self._context(event, text, place, actor="environment")

    def hook(self, event: V1Event, place: str) -> None:
        """What a hook of the harness's said into the context."""
        self._context(event, "\n".join(part for part in (event.stdout, event.additional_context) if part), place)

    def act(self, event: V1Event, place: str) -> None:
        """One call."""
        turn = self._turn(event, "agent", place)
        turn.text = _text(event.thought)
        turn.reasoning = _reasoning(event)
        turn.response = event.llm_response_id or ""
        name, call_id = event.tool_name or "", event.tool_call_id or ""
        given = event.action
        if isinstance(given, dict) and given.get("kind") in _TERMINALS and isinstance(given.get("command"), str):
            action = Action(kind="shell", tool=name, call_id=call_id, command=given["command"], cwd=self._cwd)
        else:
            action = self._called(name, _arguments(event), call_id, turn)
        self.turns.act(turn, action, event.id, call_id)

    def _called(self, name: str, arguments: Any, call_id: str, turn: Turn) -> Action:
        """A call of any tool."""
        action = action_of(name, arguments, call_id)
        if action.kind == "shell" and self._cwd and not action.cwd:
            return msgspec.structs.replace(action, cwd=self._cwd)
        if action.kind == "submit" and isinstance(arguments, dict):
            said = arguments.get("message")
            turn.text = "\n".join(dict.fromkeys(part for part in (turn.text, said) if isinstance(part, str) and part))
        if name in _DELEGATES and not self._has_subagents and _hands_over(arguments):
            self._delegating.append(turn)
        return action

    def observe(self, event: V1Event, place: str) -> None:
        """The result of a call, and behind it what the harness added to it."""
        seen = event.observation or Seen()
        text, code = _shown(seen), seen.exit_code
        cut = is_cut(text)
        terminal = seen.metadata
        if terminal is not None:
            self._cwd = terminal.working_dir or self._cwd
            code = terminal.exit_code if code is None else code
            cut = cut or (terminal.prefix is not None and "truncated" in terminal.prefix)
        self._answer(event, text, place, exit_code=exit_code(code), truncated=cut)
        if event.extended_content:
            self._context(event, _text(event.extended_content), place)

    def refuse(self, event: V1Event, place: str) -> None:
        """A call that the user or a hook did not allow, in the words that the agent is told."""
        self._answer(event, f"Action rejected: {event.rejection_reason or ''}", place)

    def fail(self, event: V1Event, place: str) -> None:
        """A call that the harness could not carry out."""
        self._answer(event, event.error or "", place)

    def _answer(self, event: V1Event, text: str, place: str, *, exit_code: int | None = None, truncated: bool = False) -> None:
        call = self.turns.called(event.action_id, event.tool_call_id)
        if call is not None:
            self.turns.answer(call, text, exit_code=exit_code, truncated=truncated)
            return
        seen = Observation(text=text, exit_code=exit_code, truncated=truncated)
        self.turns.stray(self._turn(event, "environment", place), seen, event.action_id, event.tool_call_id)

    def remote(self, event: V1Event, place: str) -> None:
        """A call that another agent made under this harness: reported again as it goes on, the last word counts."""
        call_id = event.tool_call_id or ""
        turn = self._remote.get(call_id) if call_id else None
        if turn is None:
            turn = self.turns.tell(self._turn(event, "agent", place))
            if call_id:
                self._remote[call_id] = turn
        turn.actions[:] = [_remote_action(event, call_id)]
        text = content_text(event.raw_output) if event.raw_output is not None else _texts(event.content)
        if text or event.status in {"completed", "failed"}:
            turn.observations[:] = [Observation(text=text, action=0, truncated=is_cut(text))]

    def into(self, steps: Steps, subagents: Sequence[V1Reader] = ()) -> None:
        """Append what was read as steps, that of subagents where they began."""
        steps.is_asked = False  # events of a row have no numbers, and those of a folder are numbered by their files
        blocks = [(other.started, other.turns) for other in subagents]
        self.turns.into(steps, lacks=LACKS_CALL, blocks=blocks)
        for turn in self._delegating:
            steps.missing("the steps of the subagent that was called are not in the record", step=turn.at)


_KINDS: dict[str, Callable[[V1Reader, V1Event, str], None]] = {
    "ActionEvent": V1Reader.act,
    "ObservationEvent": V1Reader.observe,
    "UserRejectObservation": V1Reader.refuse,
    "AgentErrorEvent": V1Reader.fail,
    "MessageEvent": V1Reader.message,
    "SystemPromptEvent": V1Reader.system_prompt,
    "Condensation": V1Reader.condensation,
    "CondensationEvent": V1Reader.condensation,
    "CondensationSummaryEvent": V1Reader.condensation,
    "ConversationErrorEvent": V1Reader.failure,
    "HookExecutionEvent": V1Reader.hook,
    "ACPToolCallEvent": V1Reader.remote,
}


def is_kind(name: str) -> bool:
    """Whether that is a kind of event."""
    return name in _KINDS or name in _SILENT


def _reasoning(event: V1Event) -> str:
    if event.reasoning_content:
        return event.reasoning_content
    blocks = [block.thinking for block in event.thinking_blocks or () if block.thinking]
    if event.responses_reasoning_item is not None:
        blocks += [*(event.responses_reasoning_item.content or ()), *(event.responses_reasoning_item.summary or ())]
    return "\n".join(blocks)


def _arguments(event: V1Event) -> Any:
    """The arguments as the tool got them, else as the model gave them."""
    if not isinstance(event.action, dict):
        return decoded_arguments((event.tool_call or ToolCall()).arguments)
    data = event.action.get("data")
    given = data if event.action.get("kind") == "MCPToolAction" and isinstance(data, dict) else event.action
    return {name: value for name, value in given.items() if name != "kind" and value is not None}


def _hands_over(arguments: Any) -> bool:
    """Whether a call sets a subagent to work, and not only makes one ready."""
    return isinstance(arguments, dict) and arguments.get("command") != "spawn"


def _shown(seen: Seen) -> str:
    """An observation as the agent is shown it."""
    text = _text(seen.content or seen.output or seen.message or seen.error)
    return f"{FAILED}{text}" if seen.is_error else text


def _text(content: Content) -> str:
    """Text of content; pictures are named in brackets."""
    if not isinstance(content, list):
        return content or ""
    if len(content) == 1 and isinstance(content[0], Part) and content[0].text is not None:
        return content[0].text
    return "\n".join(_part(part) for part in content)


def _part(part: Part | str | None) -> str:
    if isinstance(part, Part):
        return part.text if part.text is not None else f"[{part.type or 'part'}]"
    return part or ""


def _remote_action(event: V1Event, call_id: str) -> Action:
    given: Mapping[str, Any] = event.raw_input if isinstance(event.raw_input, dict) else {}
    edits = tuple(_differences(event.content))
    if edits and "old_string" not in given:
        raw = as_json(given) if given else ""
        return Action(kind="edit", tool=event.title or "edit", call_id=call_id, edits=edits, arguments=raw)
    if event.tool_kind == "edit":
        name = "edit_file" if "old_string" in given else "write_file" if "content" in given else event.title or "edit_file"
    else:
        name = _ACP_TOOLS.get(event.tool_kind or "", event.title or "")
    return action_of(name, given or event.raw_input, call_id)


def _differences(content: Any) -> Iterable[Edit]:
    """Edits that a reported call shows as differences."""
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "diff":
            old, new = block.get("old_text", block.get("oldText")), block.get("new_text", block.get("newText"))
            path = block.get("path")
            yield Edit(
                path=path if isinstance(path, str) else "",
                operation="write" if old is None else "replace",
                new=new if isinstance(new, str) else "",
                old=old if isinstance(old, str) else "",
            )


def _texts(content: Any) -> str:
    """Texts within the content of a reported call."""
    inner = [block.get("content") for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return "\n".join(content_text([part]) for part in inner if part is not None)
