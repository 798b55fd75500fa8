"""What a reader makes of one recorded attempt, whatever format it came in.

Positions are `(step index, part, start, end)`, where `part` names one text of a step (`part_text`), so that a quote can be
found again in the source by anyone.
"""

from __future__ import annotations

from typing import Literal

import msgspec

SCHEMA = 1
"""Version of every record in this package that is written to disk."""

Network = Literal["open", "closed", "allow_list", "unknown"]
GitHistory = Literal["reachable", "sealed", "unknown"]
Status = Literal["passed", "failed", "partial_credit", "conflicting", "unknown"]
Actor = Literal["agent", "user", "environment", "grader", "harness", "subagent"]
ActionKind = Literal["shell", "code", "edit", "write", "read", "fetch", "search", "message", "submit", "other"]
EditOperation = Literal["write", "append", "replace", "insert", "delete", "patch"]
CompletenessGrade = Literal["full", "partial", "terminal_text", "none"]
Recovery = Literal["recorded", "artifact", "last_diff", "edits_replayed", "none"]
Certainty = Literal["certain", "likely", "weak", "none"]


class SourceFile(msgspec.Struct, frozen=True):
    """One file that was read to make a trajectory."""

    path: str
    """As found, below the path that the user gave."""
    digest: str
    """sha256 of its bytes, hexadecimal."""
    size: int
    """In bytes."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where a trajectory came from."""

    path: str
    """The file or folder as found, below the path that the user gave."""
    format: str
    """Name in the table of formats, such as `harbor`."""
    reader_version: int
    member: str = ""
    """Inside an archive or a file of several samples; empty otherwise. In an archive the file's name in it, and behind a colon
    that of the sample in a file of several."""
    sample: str = ""
    """The part of `member` that names one of several attempts in a file; it enters the id."""
    files: tuple[SourceFile, ...] = ()
    recognised: str = ""
    """Why the file was taken for this format."""

    @property
    def place(self) -> str:
        """The file or folder that was read, as places are written: `runs.zip/job/trial` for one in an archive."""
        inner = self.member.removesuffix(self.sample).removesuffix(":") if self.sample else self.member
        return f"{self.path}/{inner}" if inner else self.path


class Cohort(msgspec.Struct, frozen=True, kw_only=True):
    """What the record says of the conditions of the attempt; `unknown` where it says nothing."""

    network: Network = "unknown"
    git_history: GitHistory = "unknown"
    harness: str = "unknown"
    harness_version: str = "unknown"
    agent_version: str = "unknown"
    environment: str = "unknown"
    """Kind of sandbox that the harness names, such as `docker`."""
    started: str = "unknown"
    finished: str = "unknown"


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the benchmark's verifier said. Only full credit is `passed`; nothing is inferred from `submitted`."""

    status: Status = "unknown"
    reward: float | None = None
    maximum: float | None = None
    source: str = ""
    """File and key that it was read from, such as `result.json#/verifier_result/rewards/reward`."""
    detail: str = ""
    """Why it is not a plain pass or fail, in words; for `conflicting` both sources with what each says."""


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What one scorer of the benchmark said of the attempt, where a record names several or a threshold decides."""

    name: str
    status: Status
    reward: float | None = None
    maximum: float | None = None
    source: str = ""
    detail: str = ""
    threshold: float | None = None
    """Reward from which on the attempt counts as passed, where the benchmark sets one that a user may set otherwise."""


# What a trajectory has a million of is left out of the search for cycles (`gc=False`): it holds texts and tuples of its like,
# and no cycle can be made of frozen records. That saves a quarter of the time of reading a million steps.
class Edit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One change of one file as an edit tool's arguments state it."""

    path: str
    operation: EditOperation
    new: str = ""
    """Text that is written, inserted or put in place of `old`; the patch itself for `patch`."""
    old: str = ""
    line: int | None = None
    """Line after which is inserted, where the tool says it."""


class Action(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One thing that the agent did. `text` is what quotes of it are taken from."""

    kind: ActionKind
    tool: str = ""
    call_id: str = ""
    command: str = ""
    """Shell text for `shell`, program text for `code`."""
    language: str = ""
    """Of `command` where it is `code`: `python`, …"""
    cwd: str = ""
    edits: tuple[Edit, ...] = ()
    paths: tuple[str, ...] = ()
    """Files that a `read` or `search` names."""
    url: str = ""
    query: str = ""
    arguments: str = ""
    """Raw arguments as JSON text where nothing above holds them whole."""

    @property
    def text(self) -> str:
        """What the agent wrote in this action: command, else edited text, else URL or query, else raw arguments.

        Edits that only take away are told by what they take: the old text, or the path of a file that goes.
        """
        if self.command:
            return self.command
        if self.edits:
            new = "\n".join(edit.new for edit in self.edits)
            return new if new.strip() else "\n".join(edit.old or edit.path for edit in self.edits)
        return self.url or self.query or self.arguments or "\n".join(self.paths)


class Observation(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What came back to the agent."""

    text: str
    action: int = -1
    """Index into the step's actions; -1 when it answers none, or several at once (one screen after several commands)."""
    exit_code: int | None = None
    truncated: bool = False


class Step(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One turn."""

    index: int
    """Ours, from 0, over the whole trajectory with continuations and subagents in place."""
    actor: Actor
    native_id: str = ""
    time: str = ""
    text: str = ""
    reasoning: str = ""
    actions: tuple[Action, ...] = ()
    observations: tuple[Observation, ...] = ()
    subagent: str = ""
    """Identifier of the subagent whose step it is; empty for the main agent."""
    copied: bool = False
    """Repeats an earlier segment or a demonstration: shown, never counted as this run's act."""
    source: str = ""
    """File and JSON pointer or line where the step stands: from the trajectory's path where that is a folder, else from the
    folder that holds it."""


class WrittenFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the submission whose final text is known."""

    path: str
    text: str


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What was graded, as far as the record holds it."""

    patch: str = ""
    files: tuple[WrittenFile, ...] = ()
    answer: str = ""
    recovered: Recovery = "none"
    certainty: Certainty = "none"
    source: str = ""
    """The file that holds it, where it is not the trajectory's own: predictions, a patch, an outcome file."""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why a trace is not full, with the step that shows it (-1: the trajectory as a whole)."""

    what: str
    step: int = -1
    hides_acts: bool = False
    """Acts of the agent may be among what is missing, and not only results of acts that are shown."""


class Completeness(msgspec.Struct, frozen=True, kw_only=True):
    """How much of what the agent did the trace shows."""

    grade: CompletenessGrade
    reasons: tuple[Reason, ...] = ()


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens and cost as recorded; None where they are not."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


class Oddity(msgspec.Struct, frozen=True, kw_only=True):
    """Something in the input that the format does not allow and that was read leniently."""

    what: str
    place: str


class Trajectory(msgspec.Struct, frozen=True, kw_only=True):
    """One agent attempt."""

    id: str
    """sha256 over format, member and the digests of every source file, outcome files excluded."""
    source: Source
    benchmark: str = "unknown"
    task: str = "unknown"
    attempt: str = ""
    """Native name of the attempt."""
    attempt_index: int = 0
    """A reader that sees one attempt cannot know it: 0 until rows are read back from the audit folder (`AuditRow`)."""
    model: str = "unknown"
    harness: str = "unknown"
    cohort: Cohort = Cohort()
    outcome: Outcome = Outcome()
    scores: tuple[Score, ...] = ()
    """Of every scorer, where the record names them: the outcome is chosen from these."""
    instruction: str = ""
    steps: tuple[Step, ...] = ()
    submission: Submission = Submission()
    usage: Usage = Usage()
    completeness: Completeness = Completeness(grade="none")
    oddities: tuple[Oddity, ...] = ()


SkipReason = Literal[
    "failed",
    "partial_credit",
    "unknown_outcome",
    "conflicting_outcome",
    "unreadable",
    "not_a_trajectory",
    "duplicate",
    "too_large",
]


class Skip(msgspec.Struct, frozen=True, kw_only=True):
    """An input, or a trajectory, that is not judged, and why. Nothing is left out without one."""

    path: str
    reason: SkipReason
    detail: str
    member: str = ""
    offset: int | None = None
    """Byte at which reading failed, where it is known."""
    trajectory_id: str = ""
    task: str = ""


class Companion(msgspec.Struct, frozen=True, kw_only=True):
    """A file that belongs to trajectories without being one: a patch, a report, a configuration."""

    path: str
    kind: str


def part_text(step: Step, part: str) -> str:
    """The text that a position's `part` names: `text`, `reasoning`, `action:K` or `observation:K`.

    Raises KeyError for a name of another form and IndexError for a number that the step does not have.
    """
    if part == "text":
        return step.text
    if part == "reasoning":
        return step.reasoning
    name, _, number = part.partition(":")
    if name == "action":
        return step.actions[int(number)].text
    if name == "observation":
        return step.observations[int(number)].text
    raise KeyError(part)
