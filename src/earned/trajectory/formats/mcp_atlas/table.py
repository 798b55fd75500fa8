"""MCP-Atlas CSV: `outputs.csv` of a run, and `scored_<model>.csv` with the coverage of the claims that the answer makes.

Layout after `run_eval.py` and `services/scoring/score_claims.py`. The conversation of a row holds what agent and tools
said. The prompt has a column of its own, only in tables that were joined with the tasks. Passed is a coverage from THRESHOLD
on, the one at which the benchmark's paper counts; the scorer also prints rates at 0.50.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from earned.errors import FormatError
from earned.records import Score, Skip, Step, Trajectory
from earned.records.trajectory import Status
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.csv_rows import MAX_ROW, CsvRow, fields_of, rows_of
from earned.trajectory.decode.document import as_text
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.format import Format
from earned.trajectory.formats.chat.salvage import messages_in_text
from earned.trajectory.formats.chat.shapes import Message
from earned.trajectory.formats.chat.steps import Conversation
from earned.trajectory.formats.mcp_atlas.tools import mcp_action
from earned.trajectory.members import Members
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import open_stream
from earned.trajectory.steps import Steps

VERSION = 3
THRESHOLD = 0.75
HISTORY = "raw_conversation_history"
SCORE = "coverage_score"
_ERROR = "ERROR:"
_EMPTY = frozenset({"", "nan", "None", "null"})
_FILE = re.compile(r"^(?:scored|merged)_(.{1,200})\.csv$|^mcp_eval_(.{1,200}?)_\d+tasks_")
_Fields = Mapping[str, str]


def _read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    with open_stream(candidate.path) as stream:
        rows = rows_of(stream)
        first = next(rows, None)
        if first is None or not first.data:
            raise FormatError("expected a row of column names, found none")
        names = [name.strip() for name in fields_of(as_text(first.data, Oddities()))]
        members, found = Members(), False
        for row in rows:
            found = True
            yield _row(candidate, row, names, members)
        if not found:
            raise FormatError("expected a row below the column names, found none")


def _row(candidate: Candidate, row: CsvRow, names: list[str], members: Members) -> Trajectory | Skip:
    """One attempt, or the row of one that cannot be read."""
    reading = Reading(candidate)
    member = f"line {row.line}"
    if row.size > len(row.data) + 1:
        detail = f"expected a row of at most {MAX_ROW} bytes, found {row.size}"
        return Skip(path=candidate.path, member=member, reason="too_large", detail=detail, offset=row.offset)
    reading.piece(candidate.path, row.data)
    place = f"{place_in(candidate, candidate.path)}#line {row.line} "
    try:
        fields = fields_of(as_text(row.data, reading.oddities, place=place))
        if len(fields) > len(names) and row.is_whole:
            reading.oddities.add(f"expected {len(names)} fields, found {len(fields)}", place)
        if not row.is_ended:
            reading.oddities.add("no line end follows the last row", place)
        missing = "" if row.is_whole and len(fields) >= len(names) else "the record ends within a row of the table"
        _note_repeated(names, fields, reading.oddities, place)
        return _attempt(reading, dict(zip(names, fields, strict=False)), place, members, missing)
    except FormatError as error:
        return Skip(path=candidate.path, member=member, reason="unreadable", detail=str(error), offset=row.offset)


def _note_repeated(names: list[str], fields: list[str], oddities: Oddities, place: str) -> None:
    """Note every column whose name stands more than once with other fields: which of them is meant is not known."""
    first: dict[str, str] = {}
    for name, field in zip(names, fields, strict=False):
        if first.setdefault(name, field) == field or not name:
            continue
        where = f"{place}/{name}"
        oddities.add("the column stands more than once, with different fields: the last one is read", where)
        if name == SCORE:
            oddities.torn = f"{where} stands more than once: {first[name][:40]} and {field[:40]}"
        elif name == HISTORY:
            oddities.lose(where)


def _attempt(reading: Reading, row: _Fields, place: str, members: Members, missing: str) -> Trajectory:
    steps = Steps()
    steps.is_asked = False  # the prompt has a column of its own, and the conversation may begin behind it
    prompt, task = row.get("PROMPT", ""), row.get("TASK", "") or row.get("task_id", "")
    if not task and HISTORY not in row:
        raise FormatError(f"expected a row with a task and {HISTORY}, found neither")
    if missing:
        steps.missing(missing, step=-1)
    messages = _messages(row.get(HISTORY, "").strip(), reading, steps, place)
    if prompt and not any(message.role == "user" for message in messages):
        steps.append(Step(index=steps.next, actor="user", text=prompt, source=f"{place}/PROMPT"))
    conversation = Conversation(steps, reading.oddities, act=mcp_action)
    conversation.read(messages, f"{place}/{HISTORY}")
    conversation.close()
    answer = _response(row)
    if answer.startswith(_ERROR):
        steps.missing(f"the harness recorded an error in the place of an answer: {answer[:200]}", acts=False)
    if row.get("errors", "").strip() not in {*_EMPTY, "[]"}:
        reading.oddities.add(f"the harness recorded errors: {row['errors'][:200]}", f"{place}/errors")
    account = Account(
        benchmark="MCP-Atlas",
        task=task,
        attempt=task,
        model=_model(reading.candidate.path),
        harness="MCP-Atlas",
        scores=_scores(row, f"{place}/{SCORE}"),
        instruction=prompt or None,
        answer="" if answer.startswith(_ERROR) else answer,
        acts_in_text=True,
        member=members.name(task or place.rpartition("#")[2].strip()),
    )
    return trajectory_of(reading, steps, account, version=VERSION)


def _messages(text: str, reading: Reading, steps: Steps, place: str) -> list[Message]:
    """The conversation of a row. One that cannot be read costs the row neither its answer nor its score."""
    if text in _EMPTY:
        steps.missing("no conversation is recorded", step=-1)
        return []
    try:
        messages, missing = messages_in_text(text, reading.oddities, f"{place}/{HISTORY}")
    except FormatError as error:
        missing, messages = f"the conversation cannot be read: {error}", []
    if missing:
        steps.missing(missing, step=-1)
    return messages


def _response(row: _Fields) -> str:
    """The answer that was scored, from the column that the scorer takes it from."""
    own = (name for name in row if name.endswith("_response") and name not in {"script_model_response", "MODEL_RESPONSE"})
    for name in (*own, "script_model_response", "response"):
        if row.get(name, "").strip() not in _EMPTY:
            return row[name]
    return ""


def _scores(row: _Fields, source: str) -> tuple[Score, ...]:
    """The coverage as a score with the threshold that decides; none in a file that was not scored."""
    if SCORE not in row:
        return ()
    try:
        coverage = float(row[SCORE])
    except ValueError:
        coverage = math.nan
    if not math.isfinite(coverage) or not 0 <= coverage <= 1:
        detail = f"expected a coverage from 0 to 1, found {row[SCORE][:40] or 'nothing'}"
        return (Score(name=SCORE, status="unknown", source=source, detail=detail),)
    status: Status = "passed" if coverage >= THRESHOLD else "failed"
    return (Score(name=SCORE, status=status, reward=coverage, maximum=THRESHOLD, source=source, threshold=THRESHOLD),)


def _model(path: str) -> str:
    """The model that the scorer puts into the file's name; `outputs.csv` names none."""
    found = _FILE.match(PurePosixPath(path).name)
    return (found.group(1) or found.group(2)) if found else ""


def _recognise(head: Head) -> str:
    """By the names of the columns; a NUL in the first row must not make it binary."""
    if head.shape not in {"text", "binary"} or HISTORY not in head.text:
        return ""
    try:
        columns = {name.strip() for name in fields_of(head.text.partition("\n")[0].removesuffix("\r"))}
    except FormatError:
        return ""
    if HISTORY not in columns or not columns & {"task_id", "TASK"}:
        return ""
    return f"a table with {HISTORY}" + (f" and {SCORE}" if SCORE in columns else "")


FORMAT = Format(name="mcp-atlas", version=VERSION, read=_read, recognise=_recognise)
