"""One sample of an Inspect log, with its events one after another: from one document, or from the members of a chunked sample.

A document that is not what it should be, or large, is read piece by piece, so that one odd event costs no other and what is
decoded at a time stays small.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec

from earned.errors import FormatError
from earned.trajectory.decode.document import decode_any
from earned.trajectory.decode.lenient import coerce
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.repeated import note_repeated
from earned.trajectory.decode.spans import Buffer, Span, elements, entries
from earned.trajectory.formats.inspect.records import Brief, Conversation, Event, Message, Pools, Sample, Transcript
from earned.trajectory.formats.inspect.texts import Texts
from earned.trajectory.sources.limits import MAX_DOCUMENT
from earned.trajectory.sources.zips import Archive

T = TypeVar("T")
_REFUSED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
MAX_SAMPLE = 1024 * 1024 * 1024
"""Bytes of one sample's document. Logs before 2025 repeat the whole conversation at every turn."""
MAX_WHOLE = 64 * 1024 * 1024
"""Bytes of a document that is decoded at once, whatever it holds."""
MAX_EVENTS = 100_000
"""Events of a document of up to MAX_DOCUMENT bytes that is decoded at once."""
MAX_NUMBERS = 8
"""NaN and infinities of a document that is decoded at once."""
MAX_HOLE = 1_000_000
"""Messages of a lost chunk whose places are kept, so that the numbers of the others hold."""
MAX_REPEATS = 16
"""Times that a conversation may be longer than the list of its messages, each of which stands there once."""
_LISTS = frozenset({"events", "messages", "message_pool", "events_data", "transcript", "attachments"})
_CHARACTER = re.compile(r"invalid character \(byte (\d+)\)$")
_NUMBER = re.compile(rb"NaN|Infinity")
_whole = msgspec.json.Decoder(Sample).decode


class Record(NamedTuple):
    """A sample as it is gone through."""

    sample: Sample
    """Without its lists."""
    events: Iterable[tuple[str, int, Event]]
    """With the pointer to the list that each stands in, below the sample, and its number there."""
    brief: Sequence[Brief | Message]
    """The conversation at the end."""
    messages: Callable[[], Sequence[tuple[str, Message]]]
    """The same whole, with the pointer to each: read when it is asked for, since the events mostly tell it."""
    pool: Sequence[Message]
    """What inputs of model events refer to."""
    texts: Texts
    gaps: list[str]
    """What is found missing; grows as the events are gone through."""


def record_of(data: Buffer, oddities: Oddities, place: str) -> Record:
    """The sample in a document. Raises FormatError when nothing of it can be read."""
    note_repeated(data, oddities, place)
    record = _at_once(data, oddities, place) if _is_small(data) else None
    if record is None:
        record = _Pieces(bytes(data), oddities, place).record()
    if record.sample.id is None and record.sample.epoch is None:
        raise FormatError("no sample: it has neither an id nor an epoch")
    return record


def _is_small(data: Buffer) -> bool:
    """Whether a document and its events, decoded, take little more memory than the sample's steps."""
    return len(data) <= MAX_WHOLE or (len(data) <= MAX_DOCUMENT and bytes(data).count(b'"event"') <= MAX_EVENTS)


def _at_once(data: Buffer, oddities: Oddities, place: str) -> Record | None:
    """A sound document at once. What is not scored has NaN as its score, which is no JSON: it is taken for null."""
    for _ in range(MAX_NUMBERS):
        try:
            return _of_document(_whole(data), data, oddities, place)
        except msgspec.ValidationError:
            return None
        except msgspec.DecodeError as error:
            at = _CHARACTER.search(str(error))
            number = _NUMBER.match(data, int(at.group(1))) if at else None
            if number is None:
                return None
            before, behind = bytes(data[: number.start()]), bytes(data[number.end() :])
            data = b"%bnull%b" % (before.removesuffix(b"-"), behind)
        except (UnicodeDecodeError, RecursionError):
            return None
    return None


def _of_document(sample: Sample, data: Buffer, oddities: Oddities, place: str) -> Record:
    told = sample.transcript or Transcript()
    events, pointer = (sample.events, "events") if sample.events else (told.events or [], "transcript/events")
    pools = sample.events_data or Pools()

    def messages() -> list[tuple[str, Message]]:
        listed = decoded(bytes(data), Conversation, oddities, place).messages or ()
        return [(f"messages/{number}", message) for number, message in enumerate(listed)]

    return Record(
        sample,
        ((pointer, number, event) for number, event in enumerate(events)),
        sample.messages or (),
        messages,
        pools.messages or sample.message_pool or [],
        Texts({**(told.content or {}), **(sample.attachments or {})}.get),
        [],
    )


def decoded(data: bytes, kind: type[T], oddities: Oddities, place: str) -> T:
    """A small document as a `kind`, whatever numbers stand in it: an unscored sample has NaN as its score."""
    try:
        return msgspec.json.decode(data, type=kind)
    except _REFUSED:
        found = Oddities()
        value = decode_any(data, found, place=place)
        for oddity in found.records():
            if "NaN" not in oddity.what:
                oddities.add(oddity.what, place)
        return coerce(value, kind, place, oddities)


def picked(buffer: Buffer, spans: dict[str, Span], kind: type[msgspec.Struct], leave: frozenset[str] = frozenset()) -> bytes:
    """A small document of the entries of a large one that a `kind` declares, without those that are left out or cut off."""
    keys = [key for key in kind.__struct_fields__ if key in spans and key not in leave and spans[key].is_whole]
    pairs = [f'"{key}":'.encode() + bytes(buffer[spans[key].start : spans[key].end]) for key in keys]
    return b"{" + b",".join(pairs) + b"}"


def spans_of(buffer: Buffer, start: int, gaps: list[str], *, last: str | None = None) -> dict[str, Span]:
    """Where the entries of an object stand; of a damaged one those before it. Raises FormatError when there are none.

    Of the value of the key `last` only the beginning is found, and nothing behind it.
    """
    found: dict[str, Span] = {}
    try:
        for key, span in entries(buffer, start, last=last):
            found[key] = span
            if not span.is_whole and key != last:
                gaps.append(f"the document ends within {key[:60]!r}")
    except FormatError as error:
        if not found:
            raise
        gaps.append(f"the document cannot be read from byte {error.offset} on: {error}")
    return found


class _Pieces:
    """A document that is decoded entry by entry, and its lists element by element."""

    def __init__(self, data: bytes, oddities: Oddities, place: str) -> None:
        self.data, self.oddities, self.place = data, oddities, place
        self.gaps: list[str] = []
        self.spans = spans_of(data, 0, self.gaps)

    def record(self) -> Record:
        """The sample. Raises FormatError."""
        small = picked(self.data, self.spans, Sample, _LISTS)
        sample = decoded(small, Sample, self.oddities, self.place)
        told = self._inside("transcript")
        pools = self._inside("events_data")
        pool = [message for _, _, message in self._each(Message, "events_data/messages", pools.get("messages"))]
        if not pool:
            pool = [message for _, _, message in self._each(Message, "message_pool", self.spans.get("message_pool"))]
        attachments = {**self._attachments(told.get("content")), **self._attachments(self.spans.get("attachments"))}
        own = self.spans.get("events")
        events = self._each(Event, "events", own) if own else self._each(Event, "transcript/events", told.get("events"))
        listed = self._each(Message, "messages", self.spans.get("messages"))
        messages = [(f"messages/{number}", message) for _, number, message in listed]
        brief = [message for _, message in messages]
        return Record(sample, events, brief, lambda: messages, pool, Texts(attachments.get), self.gaps)

    def _inside(self, key: str) -> dict[str, Span]:
        span = self.spans.get(key)
        if span is None or self.data[span.start : span.start + 1] != b"{":
            return {}
        try:
            return spans_of(self.data, span.start, self.gaps)
        except FormatError as error:
            self.gaps.append(f"{key} cannot be read: {error}")
            return {}

    def _each(self, kind: type[T], key: str, span: Span | None) -> Iterator[tuple[str, int, T]]:
        if span is None or self.data[span.start : span.start + 1] != b"[":
            return
        decode = msgspec.json.Decoder(kind).decode
        try:
            for number, part in enumerate(elements(self.data, span.start)):
                if not part.is_whole:
                    self.gaps.append(f"the document ends within {key}/{number}")
                    return
                raw = self.data[part.start : part.end]
                try:
                    yield key, number, decode(raw)
                except _REFUSED:
                    yield from self._odd(kind, raw, key, number)
        except FormatError as error:
            self.gaps.append(f"{key} cannot be read further: {error}")

    def _odd(self, kind: type[T], raw: bytes, key: str, number: int) -> Iterator[tuple[str, int, T]]:
        """An element that is not what it should be."""
        try:
            yield key, number, decoded(raw, kind, self.oddities, f"{self.place}/{key}/{number}")
        except FormatError as error:
            self.gaps.append(f"{key}/{number} cannot be read: {error}")

    def _attachments(self, span: Span | None) -> dict[str, str]:
        if span is None or not span.is_whole:
            return {}
        place = f"{self.place}/attachments"
        try:
            value = decode_any(self.data[span.start : span.end], self.oddities, place=place)
        except FormatError as error:
            self.gaps.append(f"attachments cannot be read: {error}")
            return {}
        return {key: text for key, text in value.items() if isinstance(text, str)} if isinstance(value, dict) else {}


class Chunks:
    """A sample that stands in several members of an archive, below one prefix."""

    def __init__(self, archive: Archive, prefix: str, names: Sequence[str], oddities: Oddities) -> None:
        """`names`: of the members below the prefix."""
        self.archive, self.prefix, self.oddities = archive, prefix, oddities
        self.gaps: list[str] = []
        self.digest = hashlib.sha256()
        """Of every member that was read, in that order."""
        self.size = 0
        self._starts = {kind: _starts(prefix, kind, names) for kind in ("messages", "events", "attachments")}
        self._attached: dict[str, str] = {}
        self._unread = list(self._starts["attachments"])

    def record(self) -> Record:
        """The sample. Raises FormatError when its shell cannot be read."""
        data, place = self._read("sample.json"), f"{self.prefix}/sample.json"
        note_repeated(data, self.oddities, place)
        sample = decoded(data, Sample, self.oddities, place)
        pool = self._pool()
        most = MAX_REPEATS * len(pool)
        told = [(f"messages/{at}", pool[at]) for at in islice(_indices(sample.message_refs or (), len(pool)), most)]
        brief = [message for _, message in told]
        return Record(sample, self._events(), brief, lambda: told, pool, Texts(self._attachment), self.gaps)

    def _read(self, name: str) -> bytes:
        data = self.archive.read(f"{self.prefix}/{name}", limit=MAX_SAMPLE)
        self.digest.update(data)
        self.size += len(data)
        return data

    def _lists(self, kind: str, made: Callable[[bytes, str], list[T]]) -> Iterator[tuple[int, list[T]]]:
        """Each chunk of a sequence with the number of its first item; what is missing between them is named."""
        expected = 0
        for start in self._starts[kind]:
            if start != expected:
                self.gaps.append(f"{kind} {expected} to {start - 1} are not in the log")
            name = f"{kind}/{start}.json"
            try:
                items = made(self._read(name), f"{self.prefix}/{name}")
            except FormatError as error:
                self.gaps.append(f"the {kind} from {start} on cannot be read: {error}")
                continue
            yield start, items
            expected = start + len(items)

    def _pool(self) -> list[Message]:
        pool: list[Message] = []
        for start, items in self._lists("messages", self._messages_of):
            if start - len(pool) > MAX_HOLE:
                self.gaps.append(f"the messages from {start} on stand too far behind the others")
                break
            del pool[start:]
            pool += [Message() for _ in range(start - len(pool))]
            pool += items
        return pool

    def _messages_of(self, data: bytes, place: str) -> list[Message]:
        return decoded_list(data, Message, self.oddities, place)

    def _events(self) -> Iterator[tuple[str, int, Event]]:
        for start, items in self._lists("events", self._events_of):
            within = f"events/{start}.json"
            for number, event in enumerate(items):
                yield within, number, event

    def _events_of(self, data: bytes, place: str) -> list[Event]:
        return decoded_list(data, Event, self.oddities, place)

    def _attachment(self, key: str) -> str | None:
        """The text of that number; chunks are read when a text of theirs is asked for, each once."""
        if key not in self._attached and key.isascii() and key.isdigit() and len(key) < 12:
            start = next((start for start in reversed(self._starts["attachments"]) if start <= int(key)), None)
            if start in self._unread:
                self._unread.remove(start)
                self._attach(start)
        return self._attached.get(key)

    def _attach(self, start: int) -> None:
        name = f"attachments/{start}.json"
        try:
            value = decode_any(self._read(name), self.oddities, place=f"{self.prefix}/{name}")
        except FormatError as error:
            self.gaps.append(f"the attachments from {start} on cannot be read: {error}")
            return
        for number, text in enumerate(value if isinstance(value, list) else ()):
            if isinstance(text, str):
                self._attached[str(start + number)] = text


def _starts(prefix: str, kind: str, names: Iterable[str]) -> list[int]:
    pattern = re.compile(rf"{re.escape(prefix)}/{kind}/([0-9]{{1,12}})\.json")
    found = (pattern.fullmatch(name) for name in names)
    return sorted({int(match.group(1)) for match in found if match})


def decoded_list(data: bytes, kind: type[T], oddities: Oddities, place: str) -> list[T]:
    """A document that is a list of records. Raises FormatError."""
    try:
        return msgspec.json.decode(data, type=list[kind])  # type: ignore[valid-type]
    except _REFUSED:
        spans = enumerate(elements(data))
        return [decoded(data[at.start : at.end], kind, oddities, f"{place}/{number}") for number, at in spans]


def _indices(refs: Iterable[Any], size: int) -> Iterator[int]:
    """The numbers within `size` that ranges `[start, end)` name."""
    for ref in refs:
        if isinstance(ref, list) and len(ref) == 2:
            yield from range(max(0, ref[0]), min(ref[1], size))
