"""OpenHands V1: conversation folders, lists and logs of events, `output.jsonl` of OpenHands/benchmarks.

Layout after OpenHands/software-agent-sdk (`conversation/persistence_const.py`, `conversation/state.py`): `base_state.json`,
`events/event-00000-<id>.json`, and the same again for each subagent under `subagents/`. Rows are read by `openhands_rows.py`,
events by `openhands_v1_events.py`; this file owns which is which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TypeVar

import msgspec

from earned.errors import FormatError
from earned.records import Cohort, Skip, Trajectory, Usage
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, path_below, place_in
from earned.trajectory.decode.document import decode_as
from earned.trajectory.format import Folder, Format
from earned.trajectory.formats.openhands.events import usage_of
from earned.trajectory.formats.openhands.files import Numbered, from_array, from_files, from_lines, is_event_name, numbered
from earned.trajectory.formats.openhands.reports import main_of, reports_of
from earned.trajectory.formats.openhands.rows import is_rows, is_v1, read_rows, repeated_instances
from earned.trajectory.formats.openhands.shapes import Metrics
from earned.trajectory.formats.openhands.v0 import head_of_file, is_log
from earned.trajectory.formats.openhands.v1_events import V1Reader, is_kind
from earned.trajectory.formats.openhands.v1_shapes import V1Event
from earned.trajectory.outcomes.evaluations import is_evaluation
from earned.trajectory.peek import SECOND_LOOK, Head, look
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps

VERSION = 4
N = TypeVar("N", int, float)
STATE = "base_state.json"
_SUBAGENTS = "subagents/"
Lacks = list[tuple[str, int]]
"""What is missing, each with the turn before which it is."""


class Model(msgspec.Struct):
    """The model as configured."""

    model: str | None = None


class Agent(msgspec.Struct):
    """The agent as configured."""

    llm: Model | None = None


class Stats(msgspec.Struct):
    """What the models were used for."""

    usage_to_metrics: dict[str, Metrics] | None = None


class State(msgspec.Struct):
    """The state of a conversation."""

    id: str | None = None
    agent: Agent | None = None
    stats: Stats | None = None


def _read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    reading, steps = Reading(candidate), Steps()
    if candidate.path not in candidate.files:
        account = _conversation(reading, candidate.path, steps)
        yield trajectory_of(reading, steps, account, version=VERSION)
        return
    head = head_of_file(candidate.path)
    if is_rows(head):
        yield from read_rows(candidate, version=VERSION)
    elif _is_state(head):
        account = _of_state(reading, candidate.path)
        steps.missing(f"only {STATE} was named: the events lie in the folder that holds it", step=-1)
        yield trajectory_of(reading, steps, account, version=VERSION)
    else:
        yield trajectory_of(reading, steps, read_log(reading, candidate.path, steps), version=VERSION)


def read_log(reading: Reading, path: str, steps: Steps) -> Account:
    """Appends the steps of one document or log of events, or of a conversation's folder. Raises FormatError."""
    if path not in reading.candidate.files:
        return _conversation(reading, path, steps)
    reader, lacks = V1Reader(reading.oddities), _no_lacks()

    def missing(what: str) -> None:
        lacks.append((what, len(reader.turns)))

    if head_of_file(path).shape != "array":
        for event, place in from_lines(reading, path, V1Event, missing):
            reader.add(event, place)
        return _account(reader, steps, lacks)
    data, place = reading.source(path), f"{place_in(reading.candidate, path)}#"
    try:
        reader.add_all(decode_as(data, list[V1Event], reading.oddities, place=path), place)
    except FormatError:
        for event, pointer in from_array(data, V1Event, reading.oddities, place, missing):
            reader.add(event, pointer)
    return _account(reader, steps, lacks)


def _no_lacks() -> Lacks:
    return []


def _account(reader: V1Reader, steps: Steps, lacks: Lacks, others: Sequence[V1Reader] = ()) -> Account:
    reader.into(steps, others)
    for what, turn in lacks:
        steps.missing(what, step=min(turn, steps.next) - 1)
    return Account(
        model=reader.model,
        harness="OpenHands",
        cohort=Cohort(started=reader.started or "unknown", finished=reader.finished or "unknown"),
    )


def conversations(candidate: Candidate, home: str) -> dict[str, list[Numbered]]:
    """The files of events of a folder's conversation (``) and of those of its subagents, by folder, in order."""
    found: dict[str, list[tuple[str, str]]] = {"": []}
    for path in candidate.files:
        folder, _, name = path_below(home, path).rpartition("/")
        if is_event_name(name) and not folder.startswith(".."):
            found.setdefault(folder.removesuffix("events").rstrip("/"), []).append((name, path))
    return {folder: numbered(files) for folder, files in found.items()}


def _conversation(reading: Reading, home: str, steps: Steps) -> Account:
    """A folder: the state, the events, and those of subagents where they began. Raises FormatError."""
    candidate, lacks = reading.candidate, _no_lacks()
    groups = conversations(candidate, home)
    state = next((path for path in candidate.files if path_below(home, path) == STATE), "")
    told = _of_state(reading, state) if state else Account()
    main = V1Reader(reading.oddities, has_subagents=len(groups) > 1)
    if not groups[""]:
        lacks.append(("no event of the conversation is recorded", 0))
    _add(reading, groups.pop(""), main, lacks)
    others = [_subagent(reading, folder, files, lacks, main) for folder, files in sorted(groups.items())]
    account = _account(main, steps, lacks, others)
    account.model = told.model or account.model
    account.usage = told.usage
    place = PurePosixPath(home)
    account.attempt = place.parent.name if place.name == "events" and place.parent.name else place.name
    account.names = (told.attempt or account.attempt,)
    return account


def _subagent(reading: Reading, folder: str, files: list[Numbered], lacks: Lacks, main: V1Reader) -> V1Reader:
    reader = V1Reader(reading.oddities, subagent=folder.removeprefix(_SUBAGENTS), has_subagents=True)
    try:
        _add(reading, files, reader, [])
    except FormatError as error:
        lacks.append((f"the events of the subagent {reader.subagent} cannot be read: {error}", len(main.turns)))
    return reader


def _add(reading: Reading, files: list[Numbered], reader: V1Reader, lacks: Lacks) -> None:
    for event, place in from_files(reading, files, V1Event, lambda what: lacks.append((what, len(reader.turns)))):
        reader.add(event, f"{place}#")


def _of_state(reading: Reading, path: str) -> Account:
    """What the state of a conversation says; nothing, and an oddity, where it cannot be read."""
    try:
        state = reading.document(path, State)
    except FormatError as error:
        reading.oddities.add(f"{STATE} cannot be read: {error}", path)
        return Account(harness="OpenHands")
    used = [usage_of(item) for item in ((state.stats or Stats()).usage_to_metrics or {}).values()]
    name = state.id or ""
    return Account(
        attempt=name,
        names=(name,) if name else (),
        model=((state.agent or Agent()).llm or Model()).model or "",
        harness="OpenHands",
        usage=Usage(
            input_tokens=_sum([item.input_tokens for item in used]),
            output_tokens=_sum([item.output_tokens for item in used]),
            cost_usd=_sum([item.cost_usd for item in used]),
        ),
    )


def _sum(values: Sequence[N | None]) -> N | None:
    """The sum of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known else None


def _recognise(head: Head) -> str:
    if is_rows(head):
        return (
            "rows of OpenHands/benchmarks with instance_id and test_result" if is_v1(head) and not is_evaluation(head) else ""
        )
    if head.shape == "array" and _is_event(head, "/*"):
        return "a list of events with kind and source"
    if is_log(head) and _is_event(head, ""):
        return "lines of events with kind and source"
    return "the state of a conversation: id, agent and workspace" if _is_state(head) else ""


def _is_state(head: Head) -> bool:
    return (
        head.shape == "object" and head.has("/id", "/agent/kind") and (head.has("/workspace") or head.has("/agent/llm/model"))
    )


def _is_event(head: Head, at: str) -> bool:
    if not head.has(f"{at}/source"):
        return False
    return is_kind(head.value(f"{at}/kind")) or head.has(f"{at}/system_prompt/text") or head.has(f"{at}/llm_message/role")


def _recognise_folder(folder: Folder) -> str:
    """A conversation's folder by its state, else a folder of its events."""
    if STATE in folder.files:
        head = _look(folder, STATE)
        return f"{STATE} of a conversation: id, agent and workspace" if head is not None and _is_state(head) else ""
    name = next((name for name in folder.files if is_event_name(name)), "")
    head = _look(folder, name) if name else None
    if head is None or head.shape != "object" or not _is_event(head, ""):
        return ""
    return f"a folder of events, one a file: {name} holds an event with kind and source"


def _look(folder: Folder, name: str) -> Head | None:
    try:
        return look(folder.path / name, amount=SECOND_LOOK)
    except OSError:
        return None


def _role(name: str) -> str:
    """What a file of a conversation's folder is."""
    top, _, rest = name.rpartition("/")
    if rest == STATE or (is_event_name(rest) and (top == "" or top.rpartition("/")[2] == "events")):
        return "source:trajectory"
    return "config" if name.endswith(".json") else "log"


FORMAT = Format(
    name="openhands-v1",
    version=VERSION,
    read=_read,
    recognise=_recognise,
    recognise_folder=_recognise_folder,
    role=_role,
    main_of=main_of,
    read_log=read_log,
    graded_by_reports=True,
    reports_of=reports_of,
    repeated=repeated_instances,
)
