"""An Inspect AI log of one sample as inspect_ai 0.3.285 writes it: zstd members, pooled messages, long texts as attachments."""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from made_attempt import Attempt, Call, Kind

if sys.version_info >= (3, 14):
    zstd_zipfile = zipfile
else:
    from backports.zstd import zipfile as zstd_zipfile

TOOLS: tuple[Kind, ...] = ("bash", "write", "edit")
HOLDS_VERIFIER = True
WHEN = "2026-01-01T00:00:00.000000+00:00"
INLINE = frozenset({"result", "score"})
"""Fields of events that hold their texts however long they are."""
LONG = 100
"""Characters from which on a text of an event stands among the attachments."""


def header(attempt: Attempt) -> dict[str, Any]:
    """The log without samples."""
    spec = {
        "eval_id": "e1",
        "run_id": "r1",
        "created": WHEN,
        "task": "demo",
        "task_id": "t1",
        "task_version": 0,
        "dataset": {"name": "demo", "samples": 1, "sample_ids": [attempt.task], "shuffled": False},
        "model": attempt.model,
        "config": {"epochs": 1},
        "packages": {"inspect_ai": "0.3.285"},
    }
    plan = {"name": "plan", "steps": [{"solver": "react", "params": {}}], "config": {}}
    return {"version": 2, "status": "success", "eval": spec, "plan": plan, "stats": {"started_at": WHEN, "completed_at": WHEN}}


class Transcript:
    """Events of a sample, with the pool and the attachments that they refer to."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.pool: list[dict[str, Any]] = []
        self.attachments: dict[str, str] = {}

    def text(self, value: Any) -> Any:
        """A value of an event, its long texts put aside."""
        if isinstance(value, dict):
            return {key: self.text(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.text(item) for item in value]
        if not isinstance(value, str) or len(value) <= LONG:
            return value
        name = hashlib.sha256(value.encode("utf-8")).hexdigest()[:32]
        self.attachments[name] = value
        return f"attachment://{name}"

    def add(self, event: str, span: str, **fields: Any) -> None:
        """One event."""
        base = {"uuid": f"u{len(self.events)}", "span_id": span, "timestamp": WHEN, "working_start": 0.1, "event": event}
        told = {key: value if key in INLINE else self.text(value) for key, value in fields.items()}
        self.events.append({**base, **(fields if event == "sandbox" else told)})

    def begin(self, name: str, parent: str | None, kind: str, title: str) -> None:
        """A span begins."""
        self.add("span_begin", name, id=name, parent_id=parent, type=kind, name=title)

    def end(self, name: str) -> None:
        """A span ends."""
        self.add("span_end", name, id=name)

    def pooled(self, message: Mapping[str, Any]) -> None:
        """A message among those that inputs refer to."""
        self.pool.append(self.text(message))


def called(call: Call, name: str) -> dict[str, Any]:
    """A call by Inspect's own tools."""
    arguments: dict[str, Any] = {"command": call.command}
    if call.kind == "write":
        arguments = {"command": "create", "path": call.path, "file_text": call.new}
    elif call.kind == "edit":
        arguments = {"command": "str_replace", "path": call.path, "old_str": call.old, "new_str": call.new}
    return {
        "id": name,
        "function": "bash" if call.kind == "bash" else "text_editor",
        "arguments": arguments,
        "type": "function",
    }


def sample(attempt: Attempt) -> dict[str, Any]:
    """The sample, with its transcript."""
    made = Transcript()
    messages: list[dict[str, Any]] = [
        {"id": "m0", "content": "You are an agent.", "role": "system"},
        {"id": "m1", "content": attempt.instruction, "source": "input", "role": "user"},
    ]
    made.begin("init", None, "init", "init")
    made.add("sample_init", "init", sample={"input": attempt.instruction, "target": ""})
    made.end("init")
    made.begin("solvers", None, "solvers", "solvers")
    made.begin("react", "solvers", "agent", "react")
    for message in messages:
        made.pooled(message)
    for number, turn in enumerate(attempt.turns):
        messages += told(made, number, turn.text, turn.calls, attempt.model)
    made.end("react")
    made.end("solvers")
    score: dict[str, Any] = {
        "value": "C" if attempt.passed else "I",
        "explanation": attempt.verifier,
        "metadata": {},
        "history": [],
    }
    if attempt.patch:
        score["metadata"] = {"model_patch": attempt.patch}
    scored(made, score, attempt)
    return {
        "id": attempt.task,
        "epoch": 1,
        "input": attempt.instruction,
        "target": "",
        "sandbox": {"type": "docker"},
        "messages": messages,
        "output": {"model": attempt.model, "choices": [{"message": messages[-1], "stop_reason": "stop"}]},
        "scores": {"tests": score},
        "metadata": {},
        "store": {},
        "events": made.events,
        "model_usage": {attempt.model: {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}},
        "started_at": WHEN,
        "completed_at": WHEN,
        "uuid": "s1",
        "attachments": made.attachments,
        "events_data": {"messages": made.pool, "calls": []},
    }


def told(made: Transcript, number: int, text: str, calls: tuple[Call, ...], model: str) -> list[dict[str, Any]]:
    """One turn of the model with the results of its calls: events, and the messages that they leave."""
    listed = [called(call, f"call_{number}_{at}") for at, call in enumerate(calls)]
    message = {
        "id": f"a{number}",
        "content": text,
        "source": "generate",
        "role": "assistant",
        "tool_calls": listed,
        "model": model,
    }
    output = {"model": model, "choices": [{"message": message, "stop_reason": "tool_calls"}]}
    refs = [[0, len(made.pool)]]
    tools = [{"name": name, "description": "A tool.", "parameters": {"type": "object"}} for name in ("bash", "text_editor")]
    made.add(
        "model", "react", model=model, input=[], input_refs=refs, tools=tools, tool_choice="auto", config={}, output=output
    )
    made.pooled(message)
    left: list[dict[str, Any]] = [message]
    for call, known in zip(calls, listed, strict=True):
        span = f"tool_{known['id']}"
        made.begin(span, "react", "tool", known["function"])
        event = {"type": "function", **known, "arguments": known["arguments"], "events": []}
        if call.result is None:
            made.add("tool", "react", **event, pending=True)
            continue
        answer = {"id": f"t_{known['id']}", "content": call.result, "role": "tool", "tool_call_id": known["id"]}
        made.add("tool", "react", **event, result=call.result, message_id=answer["id"])
        if call.kind == "bash":
            command = f"bash --login -c {json.dumps(call.command)}"
            made.add("sandbox", span, action="exec", cmd=command, result=0, output=call.result)
        made.end(span)
        made.pooled(answer)
        left.append(answer)
    return left


def scored(made: Transcript, score: dict[str, Any], attempt: Attempt) -> None:
    """The scorer, which runs the tests in the same sandbox."""
    made.begin("scorers", None, "scorers", "scorers")
    made.begin("tests", "scorers", "scorer", "tests")
    made.add("sandbox", "tests", action="exec", cmd="bash -c 'run-tests'", result=0, output=attempt.verifier)
    made.add("score", "tests", score=score, target="", intermediate=False, scorer="tests")
    made.end("tests")
    made.end("scorers")


def summary(attempt: Attempt, whole: dict[str, Any]) -> dict[str, Any]:
    """What the journal says of a sample."""
    kept = {key: whole[key] for key in ("id", "epoch", "input", "target", "metadata", "scores", "model_usage", "uuid")}
    return {**kept, "completed": True, "input": attempt.instruction[:100]}


def write_archive(path: Path, members: Mapping[str, Any], *, compression: int = 93) -> Path:
    """An `.eval` of these members, each a JSON value."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zstd_zipfile.ZipFile(path, "w", compression) as archive:
        for name, value in members.items():
            archive.writestr(name, json.dumps(value, ensure_ascii=False))
    return path


def render(attempt: Attempt, folder: Path) -> Path:
    """The log file."""
    whole, head = sample(attempt), header(attempt)
    short = [summary(attempt, whole)]
    members = {
        "_journal/start.json": {key: head[key] for key in ("version", "eval", "plan")},
        f"samples/{attempt.task}_epoch_1.json": whole,
        "_journal/summaries/1.json": short,
        "summaries.json": short,
        "header.json": head,
    }
    return write_archive(folder / f"2026-01-01T00-00-00-00-00_demo_{attempt.task}.eval", members)
