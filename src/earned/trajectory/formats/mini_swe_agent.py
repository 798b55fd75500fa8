"""mini-swe-agent `.traj.json`: versions 1 and 2, bare message lists, chat messages or Responses items.

Layout after mini-swe-agent 2 (`agents/default.py`, `run/benchmarks/swebench.py`). The command of a turn is what
`extra.actions`, the tool calls or the one fenced block of the text say, in this order. Whether it passed stands in SWE-bench
reports only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import msgspec

from earned.content.patch import parse_patch
from earned.records import Action, Cohort, Observation, Step, Trajectory, Usage
from earned.records.trajectory import Network
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.messages import content_text, tool_call_action
from earned.trajectory.format import Format
from earned.trajectory.outcomes.reports import stem_of
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps, observation
from earned.trajectory.tools import action_of

VERSION = 2
_MARKERS = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_BLOCK = re.compile(r"```(?:mswea_bash_command|bash|sh)[^\S\n]*\n(.{0,1000000}?)\n?```", re.DOTALL)


class ModelStats(msgspec.Struct):
    """Usage."""

    instance_cost: float | None = None
    api_calls: int | None = None


class ModelConfig(msgspec.Struct):
    """The model as configured."""

    model_name: str | None = None


class Environment(msgspec.Struct):
    """The sandbox as configured."""

    run_args: list[Any] | None = None
    environment_class: str | None = None


class Config(msgspec.Struct):
    """The configuration of a run."""

    model: ModelConfig | None = None
    environment: Environment | None = None
    environment_type: str | None = None


class Info(msgspec.Struct):
    """What the harness says of the run."""

    model_stats: ModelStats | None = None
    config: Config | None = None
    mini_version: str | None = None
    exit_status: str | None = None
    submission: str | None = None


class Message(msgspec.Struct):
    """One message, or one item of the Responses interface."""

    role: str | None = None
    type: str | None = None
    content: Any = None
    extra: Any = None
    tool_calls: list[Any] | None = None
    tool_call_id: str | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: Any = None
    output: Any = None
    summary: Any = None
    reasoning_content: str | None = None
    timestamp: Any = None


class Document(msgspec.Struct):
    """The whole file."""

    info: Info | None = None
    messages: list[Message] = []
    instance_id: str | None = None
    trajectory_format: str | None = None


_NO_CALL = "a result answers a call that is not in the record"


class _Turn:
    """One turn of the agent while its results are still coming."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.texts: list[str] = []
        self.reasoning: list[str] = []
        self.actions: list[Action] = []
        self.observations: list[Observation] = []
        self.ids: dict[str, int] = {}
        self.time = ""

    def take_result(self, text: str, call_id: str, exit_code: int | None) -> bool:
        """Whether its call is among those of the turn."""
        if len(self.ids) < len(self.actions):
            self.ids = {action.call_id: number for number, action in reversed(list(enumerate(self.actions)))}
        is_known = not call_id or call_id in self.ids or "" in self.ids
        index = self.ids.get(call_id, len(self.observations)) if call_id else len(self.observations)
        is_own = is_known and index < len(self.actions)
        self.observations.append(observation(text, index if is_own else -1, exit_code=exit_code))
        return is_own


class _Messages:
    """Turns messages into steps."""

    def __init__(self, steps: Steps, name: str) -> None:
        self.steps = steps
        self.name = name
        self.turn: _Turn | None = None
        self.submission: str | None = None

    def read(self, messages: list[Message]) -> None:
        """All messages in order."""
        for number, message in enumerate(messages):
            place = f"{self.name}#/messages/{number}"
            extra = message.extra if isinstance(message.extra, dict) else {}
            if message.role == "exit":
                self._exit(message, extra, place)
            elif self._is_result(message):
                self._result(message, extra, place)
            elif message.role in {"user", "system", "developer"}:
                self._told(message, place)
            else:
                self._agent(message, extra, place)
        self.close()

    def _is_result(self, message: Message) -> bool:
        if message.role == "tool" or message.type == "function_call_output":
            return True
        return message.role == "user" and self._awaits_result()

    def _awaits_result(self) -> bool:
        turn = self.turn
        return turn is not None and len(turn.observations) < len(turn.actions)

    def _told(self, message: Message, place: str) -> None:
        """A message to the agent: the task from the user, all else from the harness."""
        self.close()
        is_task = message.role == "user" and not any(step.actor in {"user", "agent"} for step in self.steps.steps)
        self.steps.append(
            Step(
                index=self.steps.next, actor="user" if is_task else "harness", text=content_text(message.content), source=place
            )
        )

    def _result(self, message: Message, extra: dict[str, Any], place: str) -> None:
        text = content_text(message.content if message.content is not None else message.output)
        code = extra.get("returncode")
        if self.turn is None:
            self.steps.append(Step(index=self.steps.next, actor="environment", observations=(observation(text),), source=place))
            self.steps.missing(_NO_CALL)
            return
        call_id = message.tool_call_id or message.call_id or ""
        if not self.turn.take_result(text, call_id, code if isinstance(code, int) else None):
            self.steps.missing(_NO_CALL, step=self.steps.next)

    def _exit(self, message: Message, extra: dict[str, Any], place: str) -> None:
        """The last message: the submission is the result of the command that submitted."""
        submission = extra.get("submission")
        if isinstance(submission, str):
            self.submission = submission
        text = content_text(message.content)
        if self._awaits_result() and self.turn is not None:
            self.turn.take_result(text, "", None)
        else:
            self.close()
            self.steps.append(Step(index=self.steps.next, actor="harness", text=text, source=place))

    def _agent(self, message: Message, extra: dict[str, Any], place: str) -> None:
        is_item = message.type in {"function_call", "reasoning"} and message.role is None
        if self.turn is None or not is_item or self.turn.observations:
            self.close()
            self.turn = _Turn(place)
        turn = self.turn
        items = message.output if isinstance(message.output, list) else None
        turn.texts += [content_text(message.content)] if message.content is not None else []
        turn.reasoning += [message.reasoning_content] if message.reasoning_content else []
        calls = list(message.tool_calls or ())
        for item in items if items is not None else ([msgspec.structs.asdict(message)] if is_item else ()):
            self._item(turn, item, calls)
        self._lost(extra.get("actions"), place)
        turn.actions += _actions(extra, calls, "" if items is not None or is_item else content_text(message.content))
        stamp = extra.get("timestamp", message.timestamp)
        turn.time = turn.time or ("" if stamp is None else str(stamp))

    def _lost(self, recorded: object, place: str) -> None:
        """Say which of the recorded actions cannot be read."""
        lost = sum(not isinstance(item, dict) for item in recorded) if isinstance(recorded, list) else 0
        if lost:
            what = f"{lost} recorded actions cannot be read" if lost > 1 else "a recorded action cannot be read"
            self.steps.missing(f"{what}: {place}", step=self.steps.next)

    def _item(self, turn: _Turn, item: Any, calls: list[Any]) -> None:
        """One item of the Responses interface."""
        kind = item.get("type") if isinstance(item, dict) else None
        if kind == "function_call":
            calls.append(item)
        elif kind == "reasoning":
            turn.reasoning.append(content_text(item.get("summary")))
        elif kind == "message":
            turn.texts.append(content_text(item.get("content")))

    def close(self) -> None:
        """Append the turn that is open."""
        turn, self.turn = self.turn, None
        if turn is not None:
            self.steps.append(
                Step(
                    index=self.steps.next,
                    actor="agent",
                    text="\n".join(text for text in turn.texts if text),
                    time=turn.time,
                    reasoning="\n".join(text for text in turn.reasoning if text),
                    actions=tuple(turn.actions),
                    observations=tuple(turn.observations),
                    source=turn.place,
                )
            )


def _actions(extra: dict[str, Any], calls: list[Any], text: str) -> list[Action]:
    recorded = extra.get("actions")
    if isinstance(recorded, list) and recorded:
        return [_recorded(item) for item in recorded if isinstance(item, dict)]
    if calls:
        return [tool_call_action(call) for call in calls]
    blocks = _BLOCK.findall(text)
    return [action_of("bash", {"command": blocks[0]})] if len(blocks) == 1 else []


def _recorded(item: dict[str, Any]) -> Action:
    call_id = item.get("tool_call_id") or item.get("call_id") or ""
    return action_of("bash", {"command": item.get("command")}, call_id=str(call_id))


def _read(candidate: Candidate) -> Iterator[Trajectory]:
    reading, steps = Reading(candidate), Steps()
    account = read_log(reading, candidate.path, steps)
    yield trajectory_of(reading, steps, account, version=VERSION)


def read_log(reading: Reading, path: str, steps: Steps) -> Account:
    """Appends the steps of one file. Raises FormatError."""
    data = reading.source(path)
    if data.lstrip()[:1] == b"[":
        data = b'{"messages":' + data + b"}"
    document = decode_as(data, Document, reading.oddities, place=path)
    messages = _Messages(steps, place_in(reading.candidate, path))
    messages.read(document.messages)
    info = document.info or Info()
    config = info.config or Config()
    listed = tuple(steps.steps)
    patch, answer = _submitted(info.submission or messages.submission, listed[-1].observations if listed else (), listed)
    name = document.instance_id or stem_of(PurePosixPath(path).name)
    return Account(
        task=name,
        attempt=name,
        model=(config.model.model_name if config.model else None) or "",
        harness="mini-swe-agent",
        harness_version=info.mini_version or "",
        cohort=_cohort(config),
        patch=patch,
        answer=answer,
        usage=Usage(cost_usd=(info.model_stats or ModelStats()).instance_cost),
    )


def _submitted(recorded: str | None, last: tuple[Observation, ...], steps: tuple[Any, ...]) -> tuple[str | None, str]:
    """The recorded submission as a patch, or as an answer when it is none."""
    if not recorded and steps and steps[-1].actions and last:
        command = steps[-1].actions[-1].command
        recorded = last[-1].text if any(marker in command for marker in _MARKERS) else None
    if not recorded:
        return None, ""
    return (recorded, "") if parse_patch(recorded) else (None, recorded)


def _cohort(config: Config) -> Cohort:
    environment = config.environment or Environment()
    words = " ".join(str(word) for word in environment.run_args or ())
    closed = "--network none" in words or "--network=none" in words
    network: Network = "closed" if closed else "unknown"
    return Cohort(network=network, environment=config.environment_type or environment.environment_class or "unknown")


def _recognise(head: Head) -> str:
    if head.shape == "array":
        return _recognise_list(head)
    if head.shape != "object":
        return ""
    named = head.value("/trajectory_format") or head.tail.get("trajectory_format", "")
    if named.startswith("mini-swe-agent"):
        return f"trajectory_format {named}"
    if "/info/mini_version" in head.values:
        return "info.mini_version"
    is_chat = head.has("/messages/*/role") and "/info" in head.values
    return "info and messages of the first version" if is_chat and _speaks_mini(head) else ""


def _recognise_list(head: Head) -> str:
    is_chat = head.has("/*/role", "/*/content")
    return "a list of messages that submit as mini-swe-agent does" if is_chat and _speaks_mini(head) else ""


def _speaks_mini(head: Head) -> bool:
    return "mswea_bash_command" in head.text or any(marker in head.text for marker in _MARKERS)


FORMAT = Format(
    name="mini-swe-agent", version=VERSION, read=_read, recognise=_recognise, read_log=read_log, graded_by_reports=True
)
