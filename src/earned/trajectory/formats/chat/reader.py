"""Chat messages with tool calls, whoever wrote them: OpenAI Chat Completions and Responses, Anthropic Messages, calls in text.

The most general of the formats, tried last. A file is an attempt only when an assistant acts in it, or when what stands around
its messages says that a benchmark's task was attempted: prompts, plain talk and training pairs are none (`chat_recognised`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from earned.errors import FormatError
from earned.records import Skip, Step, Trajectory
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.document import decode_as
from earned.trajectory.format import Format
from earned.trajectory.formats.chat.blocks import result_text
from earned.trajectory.formats.chat.exchanges import family
from earned.trajectory.formats.chat.layout import Part, layout_of, parts_of
from earned.trajectory.formats.chat.lists import append, lists_of, told_best
from earned.trajectory.formats.chat.outcome import RewardScale, outcome_of
from earned.trajectory.formats.chat.recognised import recognise
from earned.trajectory.formats.chat.row import Row, account_of, is_text_graded
from earned.trajectory.formats.chat.salvage import Told, told
from earned.trajectory.formats.chat.shapes import Message
from earned.trajectory.formats.chat.steps import Conversation
from earned.trajectory.members import Members
from earned.trajectory.outcomes.reports import stem_of
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import MAX_DOCUMENT
from earned.trajectory.steps import Steps

VERSION = 4
MAX_LINE_FAULTS = 5
"""Lines that are no JSON which an attempt names one by one; the rest is counted."""


def _read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    layout = layout_of(candidate.path)
    if layout == "one":
        reading = Reading(candidate)
        found = told(reading.source(candidate.path), reading.oddities, candidate.path)
        yield _attempt(reading, found, "#", _stem(candidate), None)
    elif layout == "message lines":
        yield _message_lines(candidate)
    else:
        scale, members = RewardScale(candidate.path), Members()
        for part in parts_of(candidate.path, layout):
            yield _part(candidate, part, scale, members)


def _stem(candidate: Candidate) -> str:
    return stem_of(PurePosixPath(candidate.path).name)


def _part(candidate: Candidate, part: Part, scale: RewardScale, members: Members) -> Trajectory | Skip:
    """One attempt of several, or the row of one that cannot be read."""
    reading = Reading(candidate)
    member = str(part.number)
    if part.size > len(part.data):
        detail = f"expected at most {MAX_DOCUMENT} bytes, found {part.size}"
        return Skip(path=candidate.path, member=member, reason="too_large", detail=detail, offset=part.offset)
    try:
        reading.piece(candidate.path, part.data)
        found = told(part.data, reading.oddities, f"{candidate.path}{part.place}")
        return _attempt(reading, found, part.place, f"{_stem(candidate)} {member}", scale, number=member, members=members)
    except FormatError as error:
        offset = part.offset + (error.offset or 0)
        return Skip(path=candidate.path, member=member, reason="unreadable", detail=str(error), offset=offset)


def _attempt(
    reading: Reading,
    found: Told,
    place: str,
    name: str,
    scale: RewardScale | None,
    *,
    number: str = "",
    members: Members | None = None,
) -> Trajectory:
    """The trajectory of one row; `place` is where it stands in the file, `name` what it is called without a name of its own."""
    row, steps = found.row, Steps()
    here = f"{place_in(reading.candidate, reading.candidate.path)}{place}"
    if row.system:
        steps.append(Step(index=steps.next, actor="harness", text=result_text(row.system), source=f"{here}/system"))
    told_by = lists_of(row)
    if told_by:
        taken = told_by[0] if len(told_by) == 1 else told_best(row, told_by, steps)
        append(row, taken, reading.oddities, steps, here if found.is_bare else f"{here}/")
    if not steps.steps:
        raise FormatError("expected messages of an attempt, found none")
    if found.missing:
        steps.missing(found.missing)
    account = account_of(row, name)
    steps.is_asked = not account.instruction
    account.outcome = outcome_of(row, here, scale)
    account.member = "" if members is None else members.name(account.member if account.member != name else number)
    _answer(row, account, steps)
    return trajectory_of(reading, steps, account, version=VERSION)


def _answer(row: Row, account: Account, steps: Steps) -> None:
    """An attempt without any call is an answer in text where text is graded, and it was asked once or it is a rollout."""
    own = [step for step in steps.steps if step.actor == "agent" and not step.copied]
    if any(step.actions for step in own):
        return
    account.acts_in_text = is_text_graded(row) and (row.completion is not None or len(own) == 1)
    if account.acts_in_text and not account.answer and own:
        account.answer = own[-1].text


def _message_lines(candidate: Candidate) -> Trajectory:
    """A file with one message on each line."""
    reading, steps = Reading(candidate), Steps()
    conversation = Conversation(steps, reading.oddities)
    here = place_in(candidate, candidate.path)
    faults = lines = 0
    for line in reading.lines(candidate.path):
        lines += 1
        if not line.data.strip() and line.size == len(line.data):
            continue
        place = f"{here}#line {line.number}"
        try:
            conversation.add(decode_as(line.data, Message, reading.oddities, place=place), place)
        except FormatError as error:
            faults += 1
            if not line.is_ended:
                steps.missing("the file ends within a line", step=-1)
            elif faults <= MAX_LINE_FAULTS:
                reading.oddities.add(f"a line that cannot be read: {error}", place)
    if faults == lines:
        raise FormatError("expected a message on each line, found none")
    if faults > MAX_LINE_FAULTS:
        reading.oddities.add(f"{faults} lines cannot be read", here)
    conversation.close()
    account = Account(task=_stem(candidate), attempt=_stem(candidate))
    return trajectory_of(reading, steps, account, version=VERSION)


FORMAT = Format(name="chat", version=VERSION, read=_read, recognise=recognise, family=family, graded_by_reports=True)
