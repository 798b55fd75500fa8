"""Claude Code session files: the main conversation with its subagents, in the order in which things happened.

A session is a tree, but its file is only ever appended to: the order of the file is the order of acting, and that of the steps.
What was done on a branch that a rewind left behind was still done: commands ran and files changed, and a new prompt takes none
of it back. So its acts count, in their place, and the reading says which steps they are. Only what repeats earlier lines is no
act: the summary after a compaction, a subagent's prompt, lines that are written again. Outcome, task and patch are not in the
format.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from earned.errors import FormatError
from earned.records import Trajectory
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.document import decode_as
from earned.trajectory.format import Format
from earned.trajectory.formats.claude_code.agents import in_order, sides_of
from earned.trajectory.formats.claude_code.files import family, recognise
from earned.trajectory.formats.claude_code.records import Message, Record
from earned.trajectory.formats.claude_code.talk import Talk
from earned.trajectory.formats.claude_code.told import attached
from earned.trajectory.formats.claude_code.tree import Tree
from earned.trajectory.formats.claude_code.turns import Line, append_all, tokens_of
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import Line as FileLine
from earned.trajectory.steps import Steps

VERSION = 5
_BEFORE = b" \t\r\0\xef\xbb\xbf"
"""What can stand before a line's first brace: blanks, a byte order mark, the zeros of a file system that lost power."""
_decode = msgspec.json.Decoder(Record).decode


def _read(candidate: Candidate) -> Iterator[Trajectory]:
    reading, steps = Reading(candidate), Steps()
    session = Session(reading)
    account = session.read(candidate.path, steps)
    made = trajectory_of(reading, steps, account, version=VERSION)
    if made.submission.recovered == "edits_replayed" and session.found.has_abandoned_acts():
        # a rewind can put files back as well, and leaves no trace of that
        weak = msgspec.structs.replace(made.submission, certainty="weak")
        made = msgspec.structs.replace(made, submission=weak)
    yield made


def read_log(reading: Reading, path: str, steps: Steps) -> Account:
    """Appends the steps of one session and of its subagents' files among the candidate's. Raises FormatError."""
    return Session(reading).read(path, steps)


class Session(Talk):
    """One session while it is read."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading
        self.tree = Tree()
        self.before = 0
        """Lines of the files before this one."""
        self.ends: list[int] = []
        """Lines of the main conversation."""
        self.attached: set[str] = set()
        """Texts that were attached already: they come again with every turn."""

    def read(self, path: str, steps: Steps) -> Account:
        """Everything of the session at `path`; its steps are appended."""
        found, turns = self.found, self.turns
        self._file(path)
        if not turns.turns:
            raise FormatError(f"expected lines with messages, found none; lines that are no JSON: {len(found.unread)}")
        found.is_alone = bool(self.agents.prompts) and not found.spoken
        found.note_main(turns, self.tree, self.ends)
        counts = [len(turns.turns)]
        if not found.is_alone:
            for side in sides_of(self.reading, path, set(found.sessions)):
                self._side(side, counts)
            left = self.agents.attribute(turns)
            found.note_agents(turns, left, self.agents.unseen(turns), self.agents.short(turns))
        ordered = in_order(turns, counts, self.agents.names)
        marks = self.tree.abandoned(self.ends)
        found.settle(ordered, marks, circles=self.tree.circles)
        found.tokens = tokens_of(turns)
        append_all(ordered, steps, self.agents.names)
        found.tell(turns, steps, self.reading.oddities, path)
        return found.account(turns, path)

    def _side(self, path: str, counts: list[int]) -> None:
        """A subagent's file, or the note beside it."""
        if path.endswith(".meta.json"):
            self.agents.note(self.reading, path)
            return
        try:
            self._file(path, is_side=True)
        except FormatError as error:
            self.reading.oddities.add(f"a subagent's file cannot be read: {error}", path)
        counts.append(len(self.turns.turns))

    def _file(self, path: str, *, is_side: bool = False) -> None:
        name = path.rpartition("/")[2]
        key = name.removeprefix("agent-").removesuffix(".jsonl") if name.startswith("agent-") else ""
        start = f"{place_in(self.reading.candidate, path)}#line "
        self.before = len(self.tree.parents)
        for number, record in self.reading.records(path, _decode, lambda line: self._odd(line, name, start)):
            self._record(record, start, number, key, is_side=is_side)

    def _odd(self, line: FileLine, name: str, start: str) -> tuple[Record, ...]:
        """The record of a line that is not as it should be; what is none is noted."""
        data = line.data.lstrip(_BEFORE)
        if not data and (line.data or not line.size):
            return ()
        record = self._decoded(data, f"{start}{line.number}")
        if record is not None:
            return (record,)
        self.found.unread.append((name, line.number, line.is_ended))
        return ()

    def _decoded(self, data: bytes, place: str) -> Record | None:
        """A line that is not as it should be; None when it is no record."""
        try:
            return decode_as(data, Record, self.reading.oddities, place=place) if data[:1] == b"{" else None
        except FormatError:
            return None

    def _record(self, record: Record, start: str, number: int, key: str, *, is_side: bool) -> None:
        node, uuid = -1, record.uuid
        if uuid is not None:
            node = self.tree.add(uuid, record.parent_uuid, record.logical_parent_uuid)
            if node < self.before:
                return  # a subagent's file begins with lines of the conversation that it comes from
        is_sub = is_side or record.is_sidechain is True
        agent = self.agents.key_of(record, key) if is_sub else ""
        line = Line(start, number, agent, uuid or "", record.timestamp or "", record.cwd or "", node)
        message, kind = record.message, record.type
        if message is None or kind not in {"assistant", "user", None}:
            self._other(record, line)
            return
        if is_sub:
            self.found.version = self.found.version or record.version or ""
        else:
            self.found.note(record.session_id, record.timestamp, record.version)
            if node >= 0:
                self.ends.append(node)
        if (kind or message.role) == "assistant":
            self.turns.answer(message, line, request=record.request_id, is_error=record.is_api_error_message is True)
        else:
            self._user(record, message, line)

    def _user(self, record: Record, message: Message, line: Line) -> None:
        content = message.content
        if isinstance(content, list) and len(content) == 1 and content[0].tool_use_id is not None:
            self.answered(content[0], line, record.tool_use_result, record.tool_denial_kind)
            return
        origin = record.origin.kind if record.origin is not None else None
        self.heard(
            message,
            line,
            record.tool_use_result,
            is_injected=record.is_meta is True or origin not in {None, "human"},
            is_summary=record.is_compact_summary is True,
            denial=record.tool_denial_kind,
        )

    def _other(self, record: Record, line: Line) -> None:
        """Compactions, attachments, notes of the system; bookkeeping is passed over."""
        kind = record.type
        if kind == "progress":
            self._progress(record, line)
        elif kind == "attachment":
            is_typed, text = attached(record.attachment, record.rendered)
            if text and text not in self.attached:
                self.attached.add(text)
                self.turns.add("user" if is_typed and not line.agent else "harness", text, line)
        elif kind == "system" and record.subtype == "compact_boundary":
            is_known = record.logical_parent_uuid in self.tree.numbers
            self.found.note_compaction(self.turns, line, is_known=is_known)
        elif kind == "system" and isinstance(record.content, str) and record.content:
            self.turns.add("harness", record.content, line)
        elif kind == "cost-state" and record.total_cost_usd is not None:
            self.found.cost = record.total_cost_usd

    def _progress(self, record: Record, line: Line) -> None:
        """What a call reports on the way; of a subagent that is its own line, which may stand nowhere else."""
        data = record.data
        if data is None or data.type != "agent_progress" or data.message is None or not data.agent_id:
            return
        inner = data.message
        inner.is_sidechain, inner.agent_id, inner.data = True, data.agent_id, None
        if record.parent_tool_use_id:
            self.agents.names.setdefault(data.agent_id, record.parent_tool_use_id)
        self._record(inner, line.start, line.number, "", is_side=True)


FORMAT = Format(
    name="claude-code",
    version=VERSION,
    read=_read,
    recognise=recognise,
    family=family,
    read_log=read_log,
    graded_by_reports=True,
)
