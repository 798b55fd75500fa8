"""Batches of keystrokes that Terminus answered with: one file an episode, or one marker of the recording a batch.

After `terminal_bench/agents/terminus_1.py`, `terminus_2/terminus_2.py`, `naive_agent.py`: the next episode's prompt is what the
terminal showed after the batch. Terminus 1 also sets every batch as a marker into the recording.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from earned.errors import FormatError
from earned.records import Action, Observation, Step
from earned.trajectory.candidate import place_in
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps, observation
from earned.trajectory.terminal.keys import is_named_key
from earned.trajectory.terminal.log import Log
from earned.trajectory.terminal.terminus import terminus_actions
from earned.trajectory.tools import action_of

MAX_EPISODE = 16 * 1024 * 1024
"""Bytes of one file of an episode."""
_EPISODE = re.compile(r"(?:.*/)?episode-(\d{1,6})/(prompt\.txt|response\.(?:json|txt))$")
_SAID = ("state_analysis", "analysis", "explanation", "plan", "reasoning")


class Batch(NamedTuple):
    """What one answer asked for."""

    text: str
    actions: tuple[Action, ...]


def read_episodes(reading: Reading, files: Mapping[str, str], steps: Steps) -> int:
    """Append one step an episode; the number of acts. `files`: name below the agent's logs -> path."""
    prompts: dict[int, str] = {}
    answers: dict[int, str] = {}
    for name, path in files.items():
        found = _EPISODE.match(name)
        if found is not None:
            (prompts if found.group(2) == "prompt.txt" else answers)[int(found.group(1))] = path
    if not answers and "response.json" in files:
        answers[0] = files["response.json"]
    acts = 0
    for number in sorted(answers):
        answer = _text(reading, answers[number], steps)
        shown = _text(reading, prompts[number + 1], steps) if number + 1 in prompts else None
        if answer is not None:
            batch = batch_of(answer) or Batch(answer, ())
            acts += len(batch.actions)
            _append(batch, shown, str(number), place_in(reading.candidate, answers[number]), steps)
    return acts


def _text(reading: Reading, path: str, steps: Steps) -> str | None:
    try:
        return reading.text(path, limit=MAX_EPISODE)
    except FormatError as error:
        steps.missing(f"{place_in(reading.candidate, path)} cannot be read: {error}", step=-1)
        return None


def read_marks(log: Log, steps: Steps) -> int:
    """Append one step for each marker that is a batch, with what the terminal showed up to the next; the number of acts."""
    batches = [(mark, batch) for mark in log.marks if (batch := batch_of(mark.text)) is not None]
    acts = 0
    for number, (mark, batch) in enumerate(batches):
        end = log.line_at(batches[number + 1][0].row) if number + 1 < len(batches) else len(log.lines.texts)
        acts += len(batch.actions)
        shown = log.text(min(log.line_at(mark.row), end), end)
        _append(batch, shown, str(number), f"{log.place}#line {mark.number}", steps)
    return acts


def _append(batch: Batch, shown: str | None, number: str, place: str, steps: Steps) -> None:
    """One answer; a screen after several commands answers none of them alone."""
    results: tuple[Observation, ...] = ()
    if shown is not None and batch.actions:
        results = (observation(shown, 0 if len(batch.actions) == 1 else -1),)
    steps.append(
        Step(
            index=steps.next,
            actor="agent",
            native_id=number,
            text=batch.text,
            actions=batch.actions,
            observations=results,
            source=place,
        )
    )


def batch_of(text: str) -> Batch | None:
    """The batch of an answer in JSON or XML; None when it is none."""
    start, end = text.find("{"), text.rfind("}")
    value: Any = None
    if 0 <= start < end:
        try:
            value = msgspec.json.decode(text[start : end + 1])
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            value = None
    if not isinstance(value, dict) or not isinstance(value.get("commands"), list):
        made = terminus_actions(text) if "<keystrokes" in text else ()
        return Batch(text, made) if made else None
    actions = [_typed(item) for item in _keystrokes(value["commands"]) if item.strip("\r\n")]
    if value.get("is_task_complete") is True or value.get("task_complete") in (True, "true"):
        actions.append(action_of("mark_task_complete", {}))
    said = [value[key] for key in _SAID if isinstance(value.get(key), str) and value[key]]
    return Batch("\n".join(said), tuple(actions))


def _keystrokes(commands: Sequence[Any]) -> list[str]:
    keys = [item.get("keystrokes") if isinstance(item, dict) else item for item in commands]
    return [key for key in keys if isinstance(key, str)]


def _typed(keys: str) -> Action:
    """Keystrokes as an action: a key that tmux knows by name runs nothing by itself."""
    if is_named_key(keys):
        return Action(kind="other", tool="terminal", arguments=keys)
    return action_of("terminal", {"command": keys.rstrip("\r\n")})
