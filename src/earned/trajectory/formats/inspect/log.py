"""Inspect AI logs: `.eval` archives (deflated or zstd, whole or chunked samples, also of runs that did not end) and `.json`.

Layout after inspect_ai 0.3.285 (`log/_recorders/eval.py`, `log/_recorders/chunked/format.py`). A log holds many samples; each
is an attempt, read one at a time, and its own bytes make its id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from earned.errors import FormatError
from earned.records import Skip, Trajectory
from earned.records.trajectory import SkipReason
from earned.trajectory.account import trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.spans import Buffer, Span, elements
from earned.trajectory.format import Format
from earned.trajectory.formats.inspect.account import account_of, with_answer
from earned.trajectory.formats.inspect.archive import Found, Lost, found_in, header_of, is_inspect, summarised
from earned.trajectory.formats.inspect.records import Header
from earned.trajectory.formats.inspect.samples import MAX_SAMPLE, Chunks, Record, decoded, picked, record_of, spans_of
from earned.trajectory.formats.inspect.scale import Scales, scores_in_document, scores_in_summaries
from earned.trajectory.formats.inspect.summaries import Summaries
from earned.trajectory.formats.inspect.texts import Texts
from earned.trajectory.formats.inspect.turns import Talk
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import open_mapped, open_stream
from earned.trajectory.sources.zips import MAGIC, Archive
from earned.trajectory.steps import Steps

VERSION = 3
_BOM = b"\xef\xbb\xbf"
_SUMMARY_ONLY = "the log holds a summary of the sample, not the sample"


def _read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    with open_stream(candidate.path) as stream:
        if stream.read(len(MAGIC)) == MAGIC:
            yield from _Log(candidate).archived(Archive(stream))
            return
    with open_mapped(candidate.path) as mapped, memoryview(mapped) as buffer:
        yield from _Log(candidate).written(buffer)


class _Log:
    """One log as its samples are read."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.header = Header()
        self.scales = Scales(tuple, self.header)
        self.faults = Oddities()
        """Of the header: they are said of every sample."""
        self.summaries: Summaries | None = None
        self.names: dict[str, int] = {}

    def archived(self, archive: Archive) -> Iterator[Trajectory | Skip]:
        """The samples of an archive. Raises FormatError when it is none that can be read."""
        self.header = header_of(archive, self.faults)
        self.scales = Scales(partial(scores_in_summaries, archive), self.header)
        self.summaries = Summaries(archive, self.header)
        for found in found_in(archive):
            if isinstance(found, Lost):
                yield self._skip(found.member, found.reason, found.detail)
                self.names.setdefault(found.member, 0)
            else:
                yield self._guarded(self._unique(found.member), partial(self._member, archive, found))
        yield from self._summaries(archive)
        yield from self._nothing()

    def _member(self, archive: Archive, found: Found, member: str) -> Trajectory:
        reading = Reading(self.candidate)
        if not found.chunks:
            data = archive.read(found.place, limit=MAX_SAMPLE)
            reading.piece(self.candidate.path, data)
            return self._attempt(record_of(data, reading.oddities, found.place), reading, found.place, member)
        chunks = Chunks(archive, found.place, found.chunks, reading.oddities)
        return self._attempt(chunks.record(), reading, found.place, member, partial(self._digested, reading, chunks))

    def _digested(self, reading: Reading, chunks: Chunks) -> None:
        reading.pieces(self.candidate.path, chunks.digest.hexdigest(), chunks.size)

    def _summaries(self, archive: Archive) -> Iterator[Trajectory | Skip]:
        """Samples that were run, and perhaps scored, of which nothing is left but the outcome."""
        try:
            for member, data, sample in summarised(archive, set(self.names), self.faults):
                reading = Reading(self.candidate)
                reading.piece(self.candidate.path, data)
                record = Record(sample, (), (), list, (), Texts(dict[str, str]().get), [_SUMMARY_ONLY])
                yield self._attempt(record, reading, "summaries.json", self._unique(member))
        except FormatError as error:
            yield self._skip("", _reason(error), f"the summaries cannot be read: {error}", error.offset)

    def written(self, buffer: Buffer) -> Iterator[Trajectory | Skip]:
        """The samples of a JSON document: a log, or one sample of an archive that was unpacked. Raises FormatError."""
        gaps: list[str] = []
        start = len(_BOM) if bytes(buffer[:3]) == _BOM else 0
        spans = spans_of(buffer, start, gaps, last="samples")
        if "samples" in spans and "eval" not in spans:
            spans = spans_of(buffer, start, gaps)  # in an order that no harness writes
        if "epoch" in spans and "samples" not in spans:
            whole = Span(0, len(buffer), is_whole=True)
            yield self._guarded("", partial(self._sample, buffer, whole, ""))
            return
        place = place_in(self.candidate, self.candidate.path)
        self.header = decoded(picked(buffer, spans, Header), Header, self.faults, place)
        for gap in gaps:
            self.faults.add(gap, place)
        samples = spans.get("samples")
        if samples is not None and bytes(buffer[samples.start : samples.start + 1]) == b"[":
            self.scales = Scales(partial(scores_in_document, buffer, samples), self.header)
            yield from self._listed(buffer, samples)
        yield from self._nothing()

    def _listed(self, buffer: Buffer, samples: Span) -> Iterator[Trajectory | Skip]:
        try:
            for number, span in enumerate(elements(buffer, samples.start)):
                member = f"samples/{number}"
                yield self._guarded(member, partial(self._sample, buffer, span, member), span.start)
        except FormatError as error:
            yield self._skip("", _reason(error), f"no further sample can be found: {error}", error.offset)

    def _sample(self, buffer: Buffer, span: Span, pointer: str, _member: str) -> Trajectory:
        if span.end - span.start > MAX_SAMPLE:
            detail = f"expected a sample of at most {MAX_SAMPLE} bytes, found {span.end - span.start}"
            raise FormatError(detail, slug="too_large")
        reading = Reading(self.candidate)
        data = buffer[span.start : span.end]
        reading.piece(self.candidate.path, data)
        record = record_of(data, reading.oddities, pointer)
        native = f"{record.sample.id}_epoch_{record.sample.epoch}" if record.sample.id is not None else pointer
        return self._attempt(record, reading, pointer, self._unique(native) if pointer else "")

    def _attempt(
        self, record: Record, reading: Reading, pointer: str, member: str, digested: Callable[[], None] = lambda: None
    ) -> Trajectory:
        place = f"{place_in(self.candidate, self.candidate.path)}#/{pointer}"
        if self.summaries is not None:
            reading.oddities.torn = reading.oddities.torn or self.summaries.against(record.sample, place)
        talk = Talk(record.texts, record.pool, reading.oddities, place.rstrip("/"))
        steps = Steps()
        talk.events(record.events)
        talk.close(record.brief, record.messages, record.sample.scores or {})
        account, answer = account_of(record, talk, self.header, self.scales, member)
        talk.finish(steps)
        steps.is_asked = False  # the sample itself says what was asked
        digested()
        for gap in record.gaps:
            steps.missing(gap, step=-1)
        if record.texts.lost:
            steps.missing(f"texts stand in attachments that are not in the log ({record.texts.lost})", step=-1)
        if talk.uncalled:
            steps.missing(f"results answer calls that are not in the record ({talk.uncalled})", step=-1)
        if talk.seen.has_gaps:
            steps.missing("inputs of a model name messages that are not in the log", step=-1, acts=False)
        if record.sample.error_retries:
            tries = len(record.sample.error_retries)
            reading.oddities.add(f"earlier tries that ended in an error are left out ({tries})", place)
        for oddity in self.faults.records():
            reading.oddities.add(oddity.what, oddity.place)
        return with_answer(trajectory_of(reading, steps, account, version=VERSION), answer)

    def _unique(self, member: str) -> str:
        count = self.names[member] = self.names.get(member, 0) + 1
        return member if count == 1 else f"{member}#{count}"

    def _guarded(self, member: str, make: Callable[[str], Trajectory], offset: int = 0) -> Trajectory | Skip:
        """One sample, or a row when it cannot be read: the others are read all the same."""
        try:
            return make(member)
        except FormatError as error:
            at = None if error.offset is None else offset + error.offset
            return self._skip(member, _reason(error), str(error), at)

    def _skip(self, member: str, reason: SkipReason, detail: str, offset: int | None = None) -> Skip:
        return Skip(path=self.candidate.path, member=member, reason=reason, detail=detail, offset=offset)

    def _nothing(self) -> Iterator[Skip]:
        if not self.names:
            yield self._skip("", "not_a_trajectory", "the log holds no samples")


def _reason(error: FormatError) -> SkipReason:
    return "too_large" if error.slug == "too_large" else "unreadable"


def _recognise(head: Head) -> str:
    if head.members:
        return is_inspect(head.members)
    if head.shape != "object":
        return ""
    if head.has("/eval/task", "/eval/model") and (head.has("/eval/run_id") or head.has("/eval/created")):
        return "eval with task, model and run_id"
    if head.has("/id", "/epoch", "/input", "/target") and (head.has("/messages") or head.has("/output") or head.has("/events")):
        return "a sample with id, epoch, input and target"
    return ""


FORMAT = Format(name="inspect", version=VERSION, read=_read, recognise=_recognise)
