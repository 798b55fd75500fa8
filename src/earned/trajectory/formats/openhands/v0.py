"""OpenHands V0: `output.jsonl` of its benchmarks, trajectory documents, event logs, folders of a session's events.

Layout after OpenHands 0.62 (`evaluation/utils/shared.py`, `openhands/events/event_store.py`, `openhands/core/main.py`).
Rows are read by `openhands_rows.py`, events by `openhands_events.py`; this file owns which is which. Whether an attempt
passed stands in the row, or in reports beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

import msgspec

from earned.errors import FormatError
from earned.records import Cohort, Skip, Trajectory
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, path_below, place_in
from earned.trajectory.decode.document import decode_as
from earned.trajectory.format import Folder, Format
from earned.trajectory.formats.openhands.events import EventReader
from earned.trajectory.formats.openhands.files import Numbered, from_array, from_files, from_lines, is_event_name, numbered
from earned.trajectory.formats.openhands.reports import main_of, reports_of
from earned.trajectory.formats.openhands.rows import is_rows, is_v1, read_rows, repeated_instances
from earned.trajectory.formats.openhands.shapes import Event, History
from earned.trajectory.outcomes.evaluations import is_evaluation
from earned.trajectory.peek import SECOND_LOOK, Head, head_of, look
from earned.trajectory.reading import Reading
from earned.trajectory.sources import places
from earned.trajectory.sources.files import read_start
from earned.trajectory.steps import Steps

VERSION = 5
_SOURCES = frozenset({"agent", "user", "environment"})
_SESSION_FILES = frozenset({"metadata.json", "init.json", "llm_registry.json", "exp_config.json"})
_SESSION_FOLDERS = frozenset({"events", "event_cache"})


class Wrapped(msgspec.Struct):
    """A document that holds the events under a key."""

    trajectory: History | None = None
    history: History | None = None


def _read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    if candidate.path in candidate.files and _form(head_of_file(candidate.path)) == "rows":
        yield from read_rows(candidate, version=VERSION)
        return
    reading, steps = Reading(candidate), Steps()
    account = read_log(reading, candidate.path, steps)
    if candidate.path not in candidate.files:
        account.attempt = _session(candidate.path)
        account.names = (account.attempt,)
    yield trajectory_of(reading, steps, account, version=VERSION)


def _session(path: str) -> str:
    """The name of a session's folder, also where its `events` were named."""
    place = PurePosixPath(path)
    return place.parent.name if place.name == "events" and place.parent.name else place.name


def event_files(candidate: Candidate, folder: str) -> list[Numbered]:
    """The files of a folder that hold one event each, in order; the pages of its cache hold them once more."""
    below = ((path, path_below(folder, path)) for path in candidate.files)
    return numbered((name.removeprefix("events/"), path) for path, name in below)


def read_events(reading: Reading, files: list[Numbered], steps: Steps) -> Account:
    """Appends the steps of a session's files of one event each. Raises FormatError when none can be read."""
    reader = EventReader(reading.oddities)
    lacks: list[tuple[str, int]] = []
    if not files:
        lacks.append(("no event is recorded", -1))
    for event, place in from_files(reading, files, Event, lambda what: lacks.append((what, len(reader.turns)))):
        reader.add(event, f"{place}#")
    return _account(reader, steps, lacks)


def read_log(reading: Reading, path: str, steps: Steps) -> Account:
    """Appends the steps of one document or log of events, or of a session's folder. Raises FormatError."""
    if path not in reading.candidate.files:
        return read_events(reading, event_files(reading.candidate, path), steps)
    reader = EventReader(reading.oddities)
    lacks: list[tuple[str, int]] = []

    def missing(what: str) -> None:
        lacks.append((what, len(reader.turns)))

    form = _form(head_of_file(path))
    if form == "lines":
        for event, place in from_lines(reading, path, Event, missing):
            reader.add(event, place)
        return _account(reader, steps, lacks)
    data, place = reading.source(path), f"{place_in(reading.candidate, path)}#"
    try:
        if form == "wrapped":
            document = decode_as(data, Wrapped, reading.oddities, place=path)
            name = "trajectory" if document.trajectory is not None else "history"
            reader.add_all(document.trajectory or document.history or [], f"{place}/{name}")
        else:
            reader.add_all(decode_as(data, History, reading.oddities, place=path), place)
    except FormatError:
        if form == "wrapped":
            raise
        for event, pointer in from_array(data, Event, reading.oddities, place, missing):
            reader.add(event, pointer)
    return _account(reader, steps, lacks)


def _account(reader: EventReader, steps: Steps, lacks: list[tuple[str, int]]) -> Account:
    reader.into(steps)
    for what, turn in lacks:
        steps.missing(what, step=min(turn, steps.next) - 1)
    return Account(
        model=reader.model,
        harness="OpenHands",
        harness_version=reader.version,
        cohort=Cohort(started=reader.started or "unknown", finished=reader.finished or "unknown"),
        usage=reader.usage(),
    )


def head_of_file(path: str) -> Head:
    """The beginning of a file, far enough to tell what it holds."""
    try:
        data = read_start(path, SECOND_LOOK)
    except OSError as error:
        raise FormatError(f"the file cannot be opened: {error.strerror}") from error
    return head_of(path, data, size=len(data))


def _form(head: Head) -> str:
    """How a file holds its events: `rows`, `array`, `wrapped` or `lines`."""
    if is_rows(head):
        return "rows"
    if head.shape == "array":
        return "array"
    if head.value("/trajectory") == "[" or head.value("/history") == "[":
        return "wrapped"
    return "lines" if is_log(head) else "rows"


def is_log(head: Head) -> bool:
    """Whether a file holds one object a line, also where other lines stand between them."""
    first, _, more = head.text.lstrip().partition("\n")
    return head.shape == "lines" or (head.shape == "object" and first.rstrip().endswith("}") and bool(more.strip()))


def _recognise(head: Head) -> str:
    if is_rows(head):
        return "" if is_evaluation(head) or is_v1(head) else _rows_seen(head)
    if head.shape == "array" and _is_event(head, "/*"):
        return "a list of events with action and args, or observation and extras"
    for name in ("trajectory", "history"):
        if head.shape == "object" and _is_event(head, f"/{name}/*"):
            return f"{name}: a list of events with action and args"
    if is_log(head) and _is_event(head, ""):
        return "lines of events with action and args, or observation and extras"
    return ""


def _rows_seen(head: Head) -> str:
    names = [
        name
        for name in ("instance_id", "issue", "swe_instance", "test_result", "git_patch", "history")
        if f"/{name}" in head.values
    ]
    return f"rows with {', '.join(names[:3])}"


def _is_event(head: Head, at: str) -> bool:
    """Whether an event stands there: an action or observation by its name, with its arguments, source or cause."""
    if head.has(f"{at}/kind") or head.has(f"{at}/response") or head.has(f"{at}/role"):
        return False
    named = head.value(f"{at}/action") or head.value(f"{at}/observation")
    if not named.replace("_", "").isalpha() or not named.islower():
        return False
    if head.has(f"{at}/args") or head.has(f"{at}/extras"):
        return True
    return head.value(f"{at}/source") in _SOURCES and head.has(f"{at}/timestamp")


def _recognise_folder(folder: Folder) -> str:
    """A session's folder, where it holds nothing else, or the folder of its events."""
    if any(is_event_name(name) for name in folder.files):
        return _events_in(folder)
    is_session = "events" in folder.folders and _SESSION_FOLDERS.issuperset(folder.folders)
    if not is_session or not all(name in _SESSION_FILES or name.endswith(".pkl") for name in folder.files):
        return ""
    try:
        names = [entry.name for entry in places.listing(str(folder.path / "events")) if is_event_name(entry.name)][:1]
    except OSError:
        return ""
    inner = Folder(path=folder.path / "events", files=tuple(names), folders=())
    return _events_in(inner)


def _events_in(folder: Folder) -> str:
    """Why a folder is one of events: its first file holds one."""
    name = next((name for name in folder.files if is_event_name(name)), "")
    try:
        head = look(folder.path / name, amount=SECOND_LOOK) if name else None
    except OSError:
        return ""
    if head is None or head.shape != "object" or not _is_event(head, ""):
        return ""
    return f"a folder of events, one a file: {name} holds an event with {'action' if head.has('/action') else 'observation'}"


def _role(name: str) -> str:
    """What a file of a session's folder is."""
    top, _, rest = name.rpartition("/")
    if top in {"", "events"} and is_event_name(rest):
        return "source:trajectory"
    return "event_cache" if top == "event_cache" else "config" if name.endswith(".json") else "state"


FORMAT = Format(
    name="openhands",
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
