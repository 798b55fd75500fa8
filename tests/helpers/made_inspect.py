"""Small Inspect logs for tests of the reader: events as inspect_ai writes them, put together by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from made_attempt import Attempt
from made_files import only, write_json
from render_inspect import header, write_archive

from earned.records import Step, Trajectory

Event = dict[str, Any]
HEADER = header(Attempt(turns=(), task="one"))


def message(role: str, content: Any, **more: Any) -> dict[str, Any]:
    """A chat message."""
    return {"role": role, "content": content, **more}


def call(name: str, function: str = "bash", **arguments: Any) -> dict[str, Any]:
    """A tool call."""
    return {"id": name, "function": function, "arguments": arguments, "type": "function"}


def model(text: Any = "", *calls: dict[str, Any], told: Sequence[Any] = (), span: str = "", **more: Any) -> Event:
    """A model's turn; `told`: its inputs."""
    said = message("assistant", text, tool_calls=list(calls), source="generate")
    output = {"model": "m", "choices": [{"message": said, "stop_reason": "stop"}]}
    return {
        "event": "model",
        "model": "m",
        "input": list(told),
        "tools": [{"name": "bash"}],
        "output": output,
        "span_id": span,
        **more,
    }


def tool(name: str, result: Any = "", function: str = "bash", *, span: str = "", **more: Any) -> Event:
    """A tool's event."""
    return {"event": "tool", "id": name, "function": function, "arguments": {}, "result": result, "span_id": span, **more}


def ran(command: str, *, span: str = "", output: str = "", result: int | None = 0) -> Event:
    """A program in the sandbox."""
    return {"event": "sandbox", "action": "exec", "cmd": command, "output": output, "result": result, "span_id": span}


def span(name: str, kind: str, *events: Event, inside: str = "", title: str = "") -> list[Event]:
    """Events between the begin and the end of a span."""
    begin = {
        "event": "span_begin",
        "id": name,
        "parent_id": inside or None,
        "type": kind,
        "name": title or name,
        "span_id": name,
    }
    return [begin, *events, {"event": "span_end", "id": name, "span_id": name}]


def step(kind: str, name: str, *events: Event) -> list[Event]:
    """The same in a log of 2024."""
    edge = {"event": "step", "type": kind, "name": name}
    return [{**edge, "action": "begin"}, *events, {**edge, "action": "end"}]


def sample(*events: Event, **more: Any) -> dict[str, Any]:
    """A sample with these events that passed."""
    made = {
        "id": "one",
        "epoch": 1,
        "input": "Do it.",
        "target": "",
        "scores": {"tests": {"value": "C"}},
        "sandbox": ["docker"],
    }
    return {**made, "events": list(events), **more}


def log(folder: Path, *samples: dict[str, Any], name: str = "log.json", **more: Any) -> Path:
    """A log as one JSON document."""
    return write_json(folder / name, {**HEADER, **more, "samples": list(samples)})


def read(folder: Path, *events: Event, **more: Any) -> Trajectory:
    """A log of one sample with these events, read."""
    return only(log(folder, sample(*events, **more)))


def archive(folder: Path, members: Mapping[str, Any], *, name: str = "log.eval") -> Path:
    """An archive of these members, with a header unless there is one."""
    return write_archive(folder / name, {"_journal/start.json": HEADER, **members})


def acts(made: Trajectory) -> list[tuple[str, str, str]]:
    """Actor, tool and text of every action."""
    return [(item.actor, action.tool, action.text) for item in made.steps for action in item.actions]


def said(made: Trajectory, actor: str) -> list[str]:
    """The texts of an actor's steps."""
    return [item.text for item in made.steps if item.actor == actor]


def gaps(made: Trajectory) -> str:
    """Everything that is missing, in words."""
    return "\n".join(reason.what for reason in made.completeness.reasons)


def step_of(made: Trajectory, text: str) -> Step:
    """The first step of that text."""
    return next(item for item in made.steps if item.text == text)
