"""What an `.eval` archive holds: its header, its samples as members or as chunks, and summaries of samples that it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from earned.errors import FormatError
from earned.records.trajectory import SkipReason
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.spans import elements
from earned.trajectory.formats.inspect.records import Header, Sample
from earned.trajectory.formats.inspect.samples import decoded
from earned.trajectory.sources.zips import Archive

HEADER, START, SUMMARIES = "header.json", "_journal/start.json", "summaries.json"
SAMPLES = "samples/"
_SHELL = "/sample.json"
_PART = re.compile(
    r"(samples/.{1,4096}_epoch_[0-9]{1,9})/(?:(?:messages|events|calls|attachments)/[^/]{1,64}|[^/]{1,64})\.json"
)
_JOURNAL = re.compile(r"_journal/summaries/([0-9]{1,12})\.json")
_MEMBER = re.compile(r"samples/.{1,4096}_epoch_[0-9]{1,9}(?:\.json|/)")


class Found(NamedTuple):
    """One sample of an archive."""

    member: str
    """Its name: `<id>_epoch_<n>`."""
    place: str
    """The member that holds it, or the prefix of its chunks."""
    chunks: tuple[str, ...] = ()
    """Names of its chunks; empty when it is one member."""


class Lost(NamedTuple):
    """A sample, or something in its place, that is not read."""

    member: str
    reason: SkipReason
    detail: str


def is_inspect(names: tuple[str, ...]) -> str:
    """Why an archive of these first names is an Inspect log; empty when it is none."""
    if START in names:
        return f"a ZIP with {START}"
    if any(_MEMBER.match(name) for name in names):
        return "a ZIP with samples by id and epoch"
    return f"a ZIP with {HEADER} and {SUMMARIES}" if HEADER in names and SUMMARIES in names else ""


def header_of(archive: Archive, oddities: Oddities) -> Header:
    """The header; of a run that did not end the one that was written when it began."""
    for name in (HEADER, START):
        if name not in archive:
            continue
        try:
            header = decoded(archive.read(name), Header, oddities, name)
        except FormatError as error:
            oddities.add(f"the header cannot be read: {error}", name)
            continue
        if name == START:
            header.status = header.status or "started"
        return header
    oddities.add("the log has no header", HEADER)
    return Header()


def found_in(archive: Archive) -> Iterator[Found | Lost]:
    """Every sample, in the order of the archive."""
    chunked: dict[str, list[str]] = {}
    parts: dict[str, list[str]] = {}
    for name in archive.names:
        match = _PART.fullmatch(name)
        if match:
            parts.setdefault(match.group(1), []).append(name)
            if name == match.group(1) + _SHELL:
                chunked[match.group(1)] = parts[match.group(1)]
    yield from _refused(archive)
    for name in archive.names:
        if not name.startswith(SAMPLES) or not name.endswith(".json"):
            continue
        match = _PART.fullmatch(name)
        if match is None:
            yield Found(name[len(SAMPLES) : -len(".json")], name)
        elif match.group(1) in chunked:
            if name.endswith(_SHELL):
                yield Found(match.group(1)[len(SAMPLES) :], match.group(1), tuple(chunked[match.group(1)]))
        elif parts.pop(match.group(1), None):
            yield Lost(match.group(1)[len(SAMPLES) :], "unreadable", "the sample's own member, sample.json, is not there")


def _refused(archive: Archive) -> Iterator[Lost]:
    for member in archive.refused:
        if member.name.startswith(SAMPLES) and member.name.endswith(".json"):
            name = member.name[len(SAMPLES) : -len(".json")]
            if member.name in archive:
                yield Lost(name, "duplicate", f"an earlier record of the sample: {member.refused}")
            else:
                yield Lost(name, "unreadable", f"the member of the archive is not read: {member.refused}")


def summarised(archive: Archive, told: set[str], oddities: Oddities) -> Iterator[tuple[str, bytes, Sample]]:
    """Samples of which the log holds a summary only, by the names of those that were found: name, bytes, and what they say."""
    for name in _summaries(archive):
        data = archive.read(name)
        for at in elements(data):
            raw = data[at.start : at.end]
            sample = decoded(raw, Sample, oddities, name)
            member = f"{sample.id}_epoch_{sample.epoch}"
            if at.is_whole and sample.id is not None and member not in told:
                told.add(member)
                yield member, raw, sample


def _summaries(archive: Archive) -> list[str]:
    if SUMMARIES in archive:
        return [SUMMARIES]
    numbered = ((_JOURNAL.fullmatch(name), name) for name in archive.names)
    return [name for _, name in sorted((int(match.group(1)), name) for match, name in numbered if match)]
