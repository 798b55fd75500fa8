"""What `claude -p --output-format stream-json` prints: one run, line by line, with whatever the shell around it printed.

Logs of it are written by `| tee` or a redirection, so warnings, colours and other programs' lines stand before and between.
The last line, `result`, says what the run used and cost; that it ended well there says nothing of whether it passed. The prompt
is not printed unless the caller asks for it (`--replay-user-messages`). A subagent's lines name the call that started it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from earned.errors import FormatError
from earned.records import Trajectory, Usage
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.spans import value_at
from earned.trajectory.format import Format
from earned.trajectory.formats.claude_code.records import ModelTokens, StreamRecord, Tokens
from earned.trajectory.formats.claude_code.talk import Talk
from earned.trajectory.formats.claude_code.turns import Line, append_all, tokens_of
from earned.trajectory.formats.claude_code.usage import usage_of
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import Line as FileLine
from earned.trajectory.steps import Steps

VERSION = 5
_START = b'{"'
_TYPE = b'"type"'
_PRINTED = re.compile(r'\{\s*"type"\s*:\s*"(?:system|assistant)"[^\n]{0,4000}"session_id"\s*:')
_MOVES = re.compile(r"\b(?:cd|pushd|popd)\b")
_SAID_NOTHING = frozenset(
    {"stream_event", "rate_limit_event", "keep_alive", "control_request", "control_response", "control_cancel_request"}
    | {"tool_progress", "auth_status", "tool_use_summary", "prompt_suggestion", "conversation_reset", "error"}
)
"""Kinds of line that tell nothing that another line does not tell."""
FEW_TURNS = 10
"""Turns that are counted, by some versions, beyond what the stream shows."""
NOISE = 3
"""Lines that are none of Claude Code's and are shown."""
KINDS = 10
"""Unknown kinds of line that are named."""
SHOWN = 80
"""Characters that are shown of a line that is none of Claude Code's."""


_decode = msgspec.json.Decoder(StreamRecord).decode


def _read(candidate: Candidate) -> Iterator[Trajectory]:
    reading, steps = Reading(candidate), Steps()
    account = read_log(reading, candidate.path, steps)
    yield trajectory_of(reading, steps, account, version=VERSION)


def read_log(reading: Reading, path: str, steps: Steps) -> Account:
    """Appends the steps of one stream. Raises FormatError."""
    return Stream(reading).read(path, steps)


class Stream(Talk):
    """One stream while it is read."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading
        self.model = self.cwd = ""
        self.has_moved = False
        """A command of the main agent may have changed the directory."""
        self.results: dict[str, StreamRecord] = {}
        """The last `result` of each session: a later one counts what an earlier one counted."""
        self.is_ended = self.is_begun = False
        self.denied: set[str] = set()
        self.unknown: dict[str, int] = {}
        self.noise: list[str] = []
        self.noisy = 0

    def read(self, path: str, steps: Steps) -> Account:
        """Everything of the stream at `path`; its steps are appended."""
        self._file(path)
        if not self.found.spoken and not self.results and not self.model:
            raise FormatError(f"expected lines of a stream, found none among {self.noisy + len(self.found.unread)} lines")
        denied = sum(map(self.turns.deny, self.denied))
        if denied:
            self.found.said.append(f"calls were denied and did nothing ({denied})")
        left = [key for key in self.agents.prompts if key not in self.turns.calls]
        self.found.note_agents(self.turns, left, self.agents.unseen(self.turns), self.agents.short(self.turns))
        self._count_turns()
        self.found.tokens = tokens_of(self.turns)
        append_all(self.turns.turns, steps, {})
        if not self.is_ended:
            steps.missing("the stream ends without a line that says how the run ended", acts=False)
        self._tell()
        self.found.tell(self.turns, steps, self.reading.oddities, path)
        account = self.found.account(self.turns, path)
        account.model = account.model or self.model
        account.usage = self._usage()
        steps.is_asked = False
        return account

    def _file(self, path: str) -> None:
        name = path.rpartition("/")[2]
        start = f"{place_in(self.reading.candidate, path)}#line "
        for number, record in self.reading.records(path, _decode, lambda line: self._mixed(line, start, name)):
            self._record(record, start, number)

    def _mixed(self, line: FileLine, start: str, name: str) -> Iterator[StreamRecord]:
        """A line that is not one sound document: what of it is one, or else whose it is."""
        is_any = False
        for data in _documents(line.data):
            try:
                yield decode_as(data, StreamRecord, self.reading.oddities, place=f"{start}{line.number}")
            except FormatError:
                continue
            is_any = True
        if is_any or not (line.data.strip() if line.data else line.size):
            return
        if not line.data or _is_broken(line.data):
            self.found.unread.append((name, line.number, line.is_ended))
        else:
            self.noisy += 1
            if len(self.noise) < NOISE:
                self.noise.append(line.data[:SHOWN].decode("utf-8", "replace").strip().replace(": ", ":"))

    def _record(self, record: StreamRecord, start: str, number: int) -> None:
        agent = record.parent_tool_use_id or ""
        if agent:
            self.agents.prompts.setdefault(agent, "")
            self.agents.names[agent] = agent
        cwd = self.cwd if agent or not self.has_moved else ""
        line = Line(start, number, agent, record.uuid or "", record.timestamp or "", cwd)
        kind, message = record.type, record.message
        if message is not None and kind in {"assistant", "user"}:
            self.found.note(record.session_id, record.timestamp)
            self.is_ended = False
            if not (self.is_begun or agent):
                self.is_begun = True
                self.found.lost.append("the beginning is not recorded: no line before the first message says that a run starts")
            if kind == "assistant":
                self.turns.answer(message, line)
                self._note_moves(agent)
            else:
                origin = record.origin.kind if record.origin is not None else None
                is_injected = record.is_synthetic is True or origin not in {None, "human"}
                is_summary = record.is_compact_summary is True
                self.heard(message, line, record.tool_use_result, is_injected=is_injected, is_summary=is_summary)
        elif kind == "system":
            self._system(record, line)
        elif kind == "result":
            self._result_line(record)
        elif kind is None:
            self.noisy += 1
        elif kind not in _SAID_NOTHING:
            self.unknown[str(kind)[:SHOWN]] = self.unknown.get(str(kind)[:SHOWN], 0) + 1

    def _note_moves(self, agent: str) -> None:
        """A shell goes on where the last command left it; a subagent's begins anew each time."""
        if agent or self.has_moved or not self.turns.turns:
            return
        actions = self.turns.turns[-1].actions
        self.has_moved = bool(actions) and actions[-1].kind == "shell" and _MOVES.search(actions[-1].command) is not None

    def _system(self, record: StreamRecord, line: Line) -> None:
        """Where a run begins, compactions, what hooks and tasks in the background say."""
        subtype = record.subtype or ""
        if subtype == "init":
            self.is_begun = True
            self.model = self.model or record.model or ""
            self.cwd = record.cwd or self.cwd
            self.has_moved = False
            self.is_ended = False
            self.found.version = record.claude_code_version or self.found.version
            self.found.session = record.session_id or self.found.session
        elif subtype == "compact_boundary":
            self.found.note_compaction(self.turns, line, is_known=True)
        else:
            text = next((item for item in (record.summary, record.output, record.stdout, record.content) if item), "")
            if isinstance(text, str) and text:
                self.turns.add("harness", text, line)

    def _result_line(self, record: StreamRecord) -> None:
        self.is_ended = True
        self.results[record.session_id or ""] = record
        self.denied.update(denial.tool_use_id for denial in record.permission_denials or () if denial.tool_use_id)

    def _count_turns(self) -> None:
        """The count of turns goes by rules of its own, so that only one far above the messages shows that some are missing."""
        counts = [record.num_turns for record in self.results.values() if isinstance(record.num_turns, int)]
        if sum(counts) > 2 * self.found.spoken + FEW_TURNS:
            self.found.lost.append(f"the record counts {sum(counts)} turns, with {self.found.spoken} messages")

    def _usage(self) -> Usage:
        """What the last line of each session says; else the sum of the answers."""
        costs = [
            record.total_cost_usd if record.total_cost_usd is not None else record.cost_usd for record in self.results.values()
        ]
        known = [cost for cost in costs if cost is not None]
        cost = sum(known) if known else None
        counted: list[Tokens | ModelTokens] = []
        for record in self.results.values():
            models = [tokens for tokens in (record.model_usage or {}).values() if tokens is not None]
            counted += models or ([record.usage] if record.usage is not None else [])
        return usage_of(counted or self.found.tokens, cost)

    def _tell(self) -> None:
        said = self.found.said
        if self.noisy:
            such = ", such as " + ", ".join(map(repr, self.noise)) if self.noise else ""
            said.append(f"lines that are not of the stream were passed over ({self.noisy}){such}")
        if self.unknown:
            kinds = ", ".join(f"{kind} {count}" for kind, count in list(self.unknown.items())[:KINDS])
            self.found.lost.append(f"lines of unknown kinds may hold acts ({kinds})")


def _documents(data: bytes) -> Iterator[bytes]:
    """What of a line looks like a document of the stream, between other programs' output."""
    at = data.find(_START)
    while at >= 0:
        span = value_at(data, at)
        if not span.is_whole:
            return
        if _TYPE in data[span.start : span.end]:
            yield data[span.start : span.end]
        at = data.find(_START, max(span.end, at + 1))


def _is_broken(data: bytes) -> bool:
    """Whether a line that cannot be read was one of the stream's."""
    at = data.find(_START)
    return at >= 0 and data[at : at + 20].replace(b" ", b"").startswith(b'{"type":"')


def _recognise(head: Head) -> str:
    if head.shape in {"binary", "empty"} or head.has("/parentUuid") or head.has("/isSidechain"):
        return ""
    kind = head.value("/type")
    if head.shape in {"lines", "object"} and head.has("/session_id"):
        if kind == "system" and head.has("/subtype"):
            return f"a line of type system, subtype {head.value('/subtype')}, with session_id"
        if kind in {"assistant", "user"} and head.has("/message"):
            return f"a line of type {kind} with message and session_id"
        if kind == "stream_event" and head.has("/event"):
            return "a line of type stream_event with session_id"
    if head.shape in {"text", "array", "lines"} and _PRINTED.search(head.text):
        return "lines of types system or assistant with session_id, among others"
    return ""


FORMAT = Format(
    name="claude-code-stream",
    version=VERSION,
    read=_read,
    recognise=_recognise,
    read_log=read_log,
    graded_by_reports=True,
)
