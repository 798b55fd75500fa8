"""What the agent of a trial did: from its own logs, or from the ATIF document that Harbor made of them, whichever tells more.

Both are read. The row says which one the steps are from; acts that only the other tells are a gap, and so is what of both
cannot be read, unless the other tells all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from earned.errors import FormatError
from earned.records import Reason, Step
from earned.trajectory.account import Account
from earned.trajectory.acts import Acts, acts_of, untold
from earned.trajectory.formats.atif import AtifReader
from earned.trajectory.formats.harbor.native import Native, gap_of, native_logs, read_native
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Mark, Steps


class _Part(NamedTuple):
    """What one of the two records gave."""

    steps: list[Step]
    reasons: list[Reason]
    lost: int
    acts: Acts


class AgentReader:
    """Appends the agent's steps of one stage after another. `files`: name below the trial -> path."""

    def __init__(self, reading: Reading, files: Mapping[str, str], steps: Steps) -> None:
        self.reading = reading
        self.files = files
        self.steps = steps
        self.atif = AtifReader(reading, steps)
        self.accounts: list[Account] = []
        """Of the native logs that were taken."""
        self.faults: list[FormatError] = []
        """Why a document could not be read, where nothing else tells the stage."""
        self._said: list[str] = []

    @property
    def has_record(self) -> bool:
        """Whether anything but a terminal's text could be read."""
        return bool(self.atif.documents or self.accounts)

    def read(self, stage: str) -> None:
        """The agent's own logs and the document of one stage; the steps of the one that tells more stay."""
        start, lost, known = self.steps.mark(), self.reading.oddities.lost, len(self.atif.documents)
        native = read_native(native_logs(self.files, stage), self.reading, self.steps)
        if native is None:
            self._document_alone(stage)
            return
        own = self._take_back(start, lost)
        fault = self._document(stage)
        document = self._take_back(start, lost)
        name = f"{stage}agent/trajectory.json"
        has_document = len(self.atif.documents) > known
        missed, left_out = untold(own.acts, document.acts), untold(document.acts, own.acts)
        if len(missed) > len(left_out):
            self._put(document)
            self._say(f"steps from {name}, which shows more than the agent's own log {native.names}")
            if left_out:
                self.steps.missing(gap_of(left_out, native.names, name), step=-1)
            return
        self._put(own)
        del self.atif.documents[known:]
        self.accounts += native.accounts
        self._say(f"steps from the agent's own log {native.names}" + (f", preferred to {name}" if has_document else ""))
        if missed:
            self.steps.missing(gap_of(missed, name, native.names), step=-1)
        self._note_unread(native, fault, is_told=has_document, is_whole=not own.reasons and not own.lost - lost)

    def _note_unread(self, native: Native, fault: FormatError | None, *, is_told: bool, is_whole: bool) -> None:
        """What could not be read, where it may hold acts that nothing else tells."""
        if fault is not None and not is_whole:
            self.steps.missing(f"nothing fills the gaps: {fault}", step=-1)
        if not is_told:
            for what in native.unread:
                self.steps.missing(f"the agent's own log {what}", step=-1)

    def _say(self, what: str) -> None:
        """Which record the steps are from, of each stage."""
        self._said.append(what)
        self.reading.also = "; ".join(self._said[:3])

    def _take_back(self, start: Mark, lost: int) -> _Part:
        """What was added since a mark, which is taken off."""
        added = self.steps.steps[start.step :]
        part = _Part(added, self.steps.reasons[start.reason :], self.reading.oddities.lost, acts_of(added)[0])
        self.steps.back_to(start)
        self.reading.oddities.lost = lost
        return part

    def _put(self, part: _Part) -> None:
        self.steps.steps += part.steps
        self.steps.reasons += part.reasons
        self.reading.oddities.lost = part.lost

    def _document_alone(self, stage: str) -> None:
        fault = self._document(stage)
        if fault is not None:
            self.faults.append(fault)
            self.steps.missing(str(fault))

    def _document(self, stage: str) -> FormatError | None:
        """The agent's document of one stage, then segments that no document names; why the document cannot be read."""
        main = f"{stage}agent/trajectory.json"
        segments = sorted(
            (name for name in self.files if name.startswith(f"{stage}agent/trajectory.cont-")), key=_segment_order
        )
        fault: FormatError | None = None
        for name in [main, *segments]:
            path = self.files.get(name)
            if path is None or path in self.atif.visited:
                continue
            if name != main:
                self.reading.oddities.add("a continuation that no document names", path)
            try:
                self.atif.read_chain(path)
            except FormatError as error:
                if name == main:
                    fault = FormatError(f"{main}: {error}", slug=error.slug, offset=error.offset)
                    self.reading.oddities.add(f"the document cannot be read: {error}", path)
                else:
                    self.steps.missing(f"the continuation {name} cannot be read: {error}")
        return fault


def _segment_order(name: str) -> tuple[int, str]:
    digits = name.rpartition("-")[2].partition(".")[0]
    return (int(digits) if digits.isdecimal() and len(digits) < 10 else 0, name)
