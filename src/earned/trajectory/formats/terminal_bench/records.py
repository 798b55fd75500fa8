"""What is read of Terminal-Bench 1's `results.json`, `run_metadata.json` and `tb.lock`; and when a trial passed.

After terminal-bench 0.2.18 (`terminal_bench/harness/models.py`, `utils/run_lock.py`). `is_resolved` is true when every test of
the task passed; a trial whose agent ran out of time can be resolved all the same. Null: the tests ended in no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeVar

import msgspec

from earned.errors import FormatError
from earned.records import Cohort, Outcome, Usage
from earned.trajectory.decode.document import decode_any, decode_as
from earned.trajectory.decode.json_stream import JsonStream, Piece
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.sources.files import open_stream, read_bytes
from earned.trajectory.sources.places import stamp

T = TypeVar("T")
MAX_METADATA = 16 * 1024 * 1024
MAX_NAME = 255
"""Bytes of a file's name."""


class Result(msgspec.Struct, gc=False):
    """One trial's result."""

    id: str | None = None
    uuid: str | None = None
    trial_name: str | None = None
    task_id: str | None = None
    instruction: str | None = None
    is_resolved: bool | None = None
    failure_mode: str | None = None
    parser_results: dict[str, Any] | None = None
    total_input_tokens: int | None = None
    total_output_tokens: int | None = None
    trial_started_at: str | None = None
    trial_ended_at: str | None = None


class Metadata(msgspec.Struct, gc=False):
    """`run_metadata.json`."""

    run_id: str | None = None
    dataset_name: str | None = None
    dataset_version: str | None = None
    agent_name: str | None = None
    model_name: str | None = None


class LockAgent(msgspec.Struct, gc=False):
    """The agent in `tb.lock`."""

    name: str | None = None
    model_name: str | None = None


class LockDataset(msgspec.Struct, gc=False):
    """The dataset in `tb.lock`."""

    name: str | None = None
    version: str | None = None


class Lock(msgspec.Struct, gc=False):
    """`tb.lock`."""

    agent: LockAgent | None = None
    dataset: LockDataset | None = None


class Run(NamedTuple):
    """What the files of a run say of all its trials."""

    benchmark: str = "terminal-bench"
    agent: str = ""
    model: str = ""

    @property
    def is_scripted(self) -> bool:
        """Whether no agent ran: the benchmark's own solution, or nothing at all."""
        return self.agent.lower() in {"oracle", "nop", "null"}

    @property
    def types_itself(self) -> bool:
        """Whether the agent is one of the benchmark's own that act by typing into the terminal."""
        return self.agent.lower().startswith(("terminus", "naive", "human"))


class Verdict(NamedTuple):
    """What the run's `results.json` says of one trial at one place."""

    pointer: str
    is_resolved: bool | None
    id: str = ""
    """Of the trial; empty where none is recorded."""


class RunResults(NamedTuple):
    """What a run's `results.json` says of all its trials."""

    by_trial: dict[str, list[Verdict]]
    resolved: frozenset[str] = frozenset()
    unresolved: frozenset[str] = frozenset()
    """Tasks of which an attempt was resolved, and of which one was not."""

    def of(self, result: Result) -> list[Verdict]:
        """All that is said of a trial; a task that is listed as unresolved alone was resolved in none.

        Lists of several runs hold trials of one name, told apart by their ids.
        """
        own = result.id or result.uuid or ""
        said = [item for item in self.by_trial.get(result.trial_name or "", []) if not own or item.id in ("", own)]
        task = result.task_id or ""
        return [*said, Verdict("unresolved_ids", is_resolved=False)] if task in self.unresolved - self.resolved else said


def run_of(metadata: str, lock: str, oddities: Oddities) -> Run:
    """A run from the paths of its metadata and lock; empty where there is none."""
    told = _beside(metadata, Metadata, oddities)
    locked = _beside(lock, Lock, oddities)
    agent, dataset = locked.agent or LockAgent(), locked.dataset or LockDataset()
    name = told.dataset_name or dataset.name or "terminal-bench"
    version = told.dataset_version if told.dataset_name else dataset.version
    return Run(
        f"{name}@{version}" if version else name,
        told.agent_name or agent.name or "",
        told.model_name or agent.model_name or "",
    )


def _beside(path: str, kind: type[T], oddities: Oddities) -> T:
    if not path:
        return kind()
    try:
        return decode_as(read_bytes(path, limit=MAX_METADATA), kind, oddities, place=path)
    except FormatError as error:
        oddities.add(f"{PurePosixPath(path).name} cannot be read: {error}", path)
        return kind()


def elements_of(path: str) -> Iterator[Piece]:
    """The trials of a run's `results.json`, one at a time. Raises FormatError."""
    with open_stream(path) as stream:
        document = JsonStream(stream)
        for key in document.names():
            if key == "results" and document.peek() == b"[":
                yield from document.elements()
                return
            document.value()


def results_of(path: str) -> RunResults:
    """What a run's `results.json` says; nothing when it cannot be read."""
    try:
        return _results(path, stamp(path))
    except OSError:
        return RunResults({})


class _Named(msgspec.Struct, gc=False):
    """As much of a result as the join needs."""

    trial_name: str | None = None
    is_resolved: bool | None = None
    id: str | None = None
    uuid: str | None = None


@lru_cache(maxsize=8)
def _results(path: str, _stamp: str) -> RunResults:
    found: dict[str, list[Verdict]] = {}
    listed: dict[str, frozenset[str]] = {}
    try:
        with open_stream(path) as stream:
            _take(JsonStream(stream), found, listed)
    except FormatError:
        pass
    found.pop("", None)
    return RunResults(found, listed.get("resolved_ids", frozenset()), listed.get("unresolved_ids", frozenset()))


def _take(document: JsonStream, found: dict[str, list[Verdict]], listed: dict[str, frozenset[str]]) -> None:
    """Keep what a document says until it ends or breaks. Raises FormatError."""
    for key in document.names():
        if key == "results" and document.peek() == b"[":
            for number, piece in enumerate(document.elements()):
                item = decode_as(piece.data, _Named, Oddities())
                verdict = Verdict(f"results/{number}/is_resolved", item.is_resolved, item.id or item.uuid or "")
                found.setdefault(item.trial_name or "", []).append(verdict)
            continue
        value = document.value()
        if key in {"resolved_ids", "unresolved_ids"} and value.is_whole:
            listed[key] = _ids(decode_any(value.data, Oddities()))


def _ids(value: Any) -> frozenset[str]:
    return frozenset(item for item in value if isinstance(item, str)) if isinstance(value, list) else frozenset()


def outcome_of(result: Result, source: str, *, run: Iterable[Verdict] = (), run_source: str = "") -> Outcome:
    """The outcome of a trial.

    Args:
        result: Its own result.
        source: The file and pointer of that, such as `results.json#`.
        run: What the run's `results.json` says of the same trial.
        run_source: The file of that, with the mark of a pointer.
    """
    own = result.is_resolved
    place = f"{source}/is_resolved"
    against = next((item for item in run if item.is_resolved is not None and own is not None and item.is_resolved != own), None)
    if own is not None and against is not None:
        said = f"{place} says {_word(own)}; {run_source}/{against.pointer} says {_word(not own)}"
        return Outcome(status="conflicting", source=place, detail=said)
    failed = [f"{name} {verdict}" for name, verdict in (result.parser_results or {}).items() if verdict != "passed"]
    if own and failed:
        said = f"{place} says passed; {source}/parser_results says {failed[0]}"[:500]
        return Outcome(status="conflicting", source=place, detail=said)
    if own is None:
        mode = result.failure_mode or "unset"
        return Outcome(source=place, detail=f"the tests gave no verdict (failure_mode {mode})")
    detail = f"failure_mode {result.failure_mode}" if result.failure_mode not in {None, "unset", "none"} else ""
    return Outcome(status="passed" if own else "failed", source=place, detail=detail)


def _word(is_resolved: bool) -> str:
    return "passed" if is_resolved else "failed"


def usage_of(result: Result) -> Usage:
    """Tokens; 0 of both is what agents that count none report."""
    if not result.total_input_tokens and not result.total_output_tokens:
        return Usage()
    return Usage(input_tokens=result.total_input_tokens, output_tokens=result.total_output_tokens)


def cohort_of(result: Result) -> Cohort:
    """Conditions of a trial: Terminal-Bench 1 runs in Docker only."""
    return Cohort(
        environment="docker", started=result.trial_started_at or "unknown", finished=result.trial_ended_at or "unknown"
    )


def names_in(result: Result) -> tuple[str, ...]:
    """What tells a trial from others of which nothing is recorded: its own id, where it has one."""
    return tuple(name for name in (result.id or result.uuid, result.task_id, result.trial_name) if name)


def is_name(text: str | None) -> bool:
    """Whether a text can be one folder's name."""
    return bool(text) and text not in {".", ".."} and not {"/", "\0"} & set(text or "") and len(text or "") <= MAX_NAME
