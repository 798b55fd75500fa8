"""SWE-agent `.traj`: the 0.x and 1.x lines, retried attempts, files that hold only a history.

Layout after SWE-agent 1.1 (`sweagent/types.py`, `sweagent/agent/agents.py`). Demonstrations are marked `copied`. Whether it
passed stands in SWE-bench reports only: `exit_status` says that it submitted, nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import msgspec

from earned.records import Action, Observation, Step, Trajectory, Usage
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.messages import content_text, decoded_arguments, tool_call_action
from earned.trajectory.format import Format
from earned.trajectory.formats.swe_agent.actions import action_of_text
from earned.trajectory.outcomes.reports import stem_of
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps, observation

VERSION = 2


class TrajStep(msgspec.Struct):
    """One entry of `trajectory`. `query` and `messages` repeat the whole history at every step and are not read."""

    action: str | None = None
    observation: Any = None
    response: str | None = None
    thought: str | None = None
    state: Any = None


class HistoryItem(msgspec.Struct):
    """One entry of `history`."""

    role: str | None = None
    content: Any = None
    message_type: str | None = None
    is_demo: bool | None = None
    action: str | None = None
    thought: str | None = None
    tool_calls: list[Any] | None = None
    tool_call_ids: list[Any] | None = None


class ModelStats(msgspec.Struct):
    """Usage."""

    instance_cost: float | None = None
    tokens_sent: int | None = None
    tokens_received: int | None = None


class Info(msgspec.Struct):
    """What the harness says of the run."""

    exit_status: str | None = None
    submission: str | None = None
    model_stats: ModelStats | None = None
    swe_agent_version: str | None = None
    best_attempt_idx: int | None = None


class Document(msgspec.Struct):
    """The whole file, or one of its attempts."""

    trajectory: list[TrajStep] | None = None
    history: list[HistoryItem] | None = None
    info: Info | None = None
    environment: str | None = None
    replay_config: Any = None
    attempts: list[Document] | None = None


def _read(candidate: Candidate) -> Iterator[Trajectory]:
    reading, steps = Reading(candidate), Steps()
    account = read_log(reading, candidate.path, steps)
    yield trajectory_of(reading, steps, account, version=VERSION)


def read_log(reading: Reading, path: str, steps: Steps) -> Account:
    """Appends the steps of one file. Raises FormatError."""
    document = reading.document(path, Document)
    run = _graded_attempt(document, reading, steps)
    place = place_in(reading.candidate, path)
    history = run.history or []
    steps.is_asked = bool(history)
    _told(history, steps, place)
    if run.trajectory:
        _from_trajectory(run.trajectory, _calls(history, len(run.trajectory)), steps, place)
    else:
        _from_history(history, steps, place)
    info = run.info or document.info or Info()
    stats = info.model_stats or ModelStats()
    name = stem_of(PurePosixPath(path).name)
    return Account(
        task=name,
        attempt=name,
        model=_model(run.replay_config) or _model(document.replay_config),
        harness="SWE-agent",
        harness_version=info.swe_agent_version or "",
        patch=info.submission,
        usage=Usage(input_tokens=stats.tokens_sent, output_tokens=stats.tokens_received, cost_usd=stats.instance_cost),
    )


def _graded_attempt(document: Document, reading: Reading, steps: Steps) -> Document:
    """The run itself; of retried attempts the best one, which the harness merges into the top level when it is done."""
    attempts = document.attempts or []
    if document.trajectory or document.history or not attempts:
        if len(attempts) > 1:
            reading.oddities.add(f"{len(attempts) - 1} other attempts were not submitted and are left out", "/attempts")
        return document
    steps.reasons.clear()
    steps.missing("the run was not finished: no attempt was chosen, the last one is shown", step=-1)
    return attempts[-1]


def _told(history: list[HistoryItem], steps: Steps, name: str) -> None:
    """What stands before the agent's first turn: system prompt, demonstrations, the task."""
    for number, item in enumerate(history):
        if item.role == "assistant" and not item.is_demo:
            return
        text = content_text(item.content)
        place = f"{name}#/history/{number}"
        if item.is_demo:
            steps.append(Step(index=steps.next, actor="harness", text=text, copied=True, source=place))
        elif item.role == "user":
            steps.append(Step(index=steps.next, actor="user", text=text, source=place))
        else:
            steps.append(Step(index=steps.next, actor="harness", text=text, source=place))


def _calls(history: list[HistoryItem], turns: int) -> list[list[Any]]:
    """The tool calls of each turn, where the history has one turn for each entry of the trajectory."""
    own = [item.tool_calls or [] for item in history if item.role == "assistant" and not item.is_demo]
    return own if len(own) == turns else [[] for _ in range(turns)]


def _from_trajectory(entries: list[TrajStep], calls: list[list[Any]], steps: Steps, name: str) -> None:
    open_file = working = ""
    for number, entry in enumerate(entries):
        text = entry.action or ""
        actions = _actions(text, calls[number], open_file, working)
        result = content_text(entry.observation)
        observations: tuple[Observation, ...] = ()
        if entry.observation is not None:
            observations = (observation(result, 0 if len(actions) == 1 else -1),)
        steps.append(
            Step(
                index=steps.next,
                actor="agent",
                text=entry.thought or entry.response or "",
                actions=actions,
                observations=observations,
                source=f"{name}#/trajectory/{number}",
            )
        )
        open_file, working = _state(entry.state, open_file, working)


def _actions(text: str, calls: list[Any], open_file: str, working: str) -> tuple[Action, ...]:
    """The recorded calls where they are known, else the text command."""
    made = tuple(tool_call_action(call) for call in calls)
    if made and all(action.kind != "other" for action in made):
        return tuple(_placed(action, working) for action in made)
    return (action_of_text(text, open_file=open_file, cwd=working),) if text.strip() else ()


def _placed(action: Action, working: str) -> Action:
    return msgspec.structs.replace(action, cwd=working) if working and not action.cwd else action


def _state(value: Any, open_file: str, working: str) -> tuple[str, str]:
    """Open file and working directory after a step; the state is an object, or JSON text in the 0.x line."""
    state = decoded_arguments(value)
    if not isinstance(state, dict):
        return open_file, working
    opened, directory = state.get("open_file"), state.get("working_dir")
    return (
        opened if isinstance(opened, str) and opened != "n/a" else open_file,
        directory if isinstance(directory, str) else working,
    )


def _from_history(history: list[HistoryItem], steps: Steps, name: str) -> None:
    """Turns of a file without `trajectory`: an assistant's item and the results that follow it."""
    number = 0
    while number < len(history) and (history[number].role != "assistant" or history[number].is_demo):
        number += 1
    while number < len(history):
        item, place = history[number], f"{name}#/history/{number}"
        number += 1
        if item.role != "assistant":
            steps.append(
                Step(
                    index=steps.next, actor="environment", observations=(observation(content_text(item.content)),), source=place
                )
            )
            continue
        actions = _actions(item.action or "", item.tool_calls or [], "", "")
        results: list[str] = []
        while number < len(history) and history[number].role in {"tool", "user"}:
            results.append(content_text(history[number].content).removeprefix("OBSERVATION:\n"))
            number += 1
        attributed = len(results) == len(actions)
        steps.append(
            Step(
                index=steps.next,
                actor="agent",
                text=item.thought or content_text(item.content),
                actions=actions,
                observations=tuple(observation(text, at if attributed else -1) for at, text in enumerate(results)),
                copied=item.is_demo is True,
                source=place,
            )
        )


def _model(replay_config: Any) -> str:
    config = decoded_arguments(replay_config)
    for key in ("agent", "model", "name"):
        config = config.get(key) if isinstance(config, dict) else None
    return config if isinstance(config, str) else ""


def _recognise(head: Head) -> str:
    if head.shape != "object":
        return ""
    if head.has("/trajectory/*/action") and (head.has("/trajectory/*/response") or head.has("/trajectory/*/observation")):
        return "trajectory with action and observation"
    if head.has("/attempts/*/trajectory") or head.has("/attempts/*/history"):
        return "attempts with a trajectory"
    if head.value("/history") == "[" and head.value("/trajectory") == "[" and "/info" in head.values:
        return "trajectory, history and info"
    if head.has("/history/*/role", "/history/*/agent") and "/messages" not in head.values:
        return "history with agent and role"
    return ""


FORMAT = Format(name="swe-agent", version=VERSION, read=_read, recognise=_recognise, read_log=read_log, graded_by_reports=True)
