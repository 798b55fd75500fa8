"""Values of a JSON document of any size, one after another out of a stream: never more than one of them is held.

Works on anything that can be read in pieces, a member of an archive too. A value's end is where msgspec says that something
follows it; where msgspec refuses a value (NaN, control characters, lone surrogates) `spans` counts brackets instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, TypeVar

import msgspec

from earned.errors import FormatError
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.repeated import note_repeated
from earned.trajectory.decode.spans import Span, followed_at, key_text, value_at
from earned.trajectory.sources.files import MAX_DOCUMENT

T = TypeVar("T")
CHUNK = 4 * 1024 * 1024
"""Bytes that are read at first; a value that is longer doubles what is read for it."""
_WHITE = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"
_skip = msgspec.json.Decoder(msgspec.Raw).decode


class Piece(NamedTuple):
    """One value of a document."""

    offset: int
    """Of its first byte in the stream."""
    data: bytes
    """Empty where it is longer than the limit."""
    is_whole: bool
    """False when the stream ends within the value."""
    size: int
    """In bytes; of a value over the limit what was seen of it."""


class JsonStream:
    """A cursor over the bytes of a stream."""

    def __init__(self, stream: BinaryIO, *, limit: int = MAX_DOCUMENT, chunk: int = CHUNK) -> None:
        self._stream = stream
        self._limit = limit
        self._chunk = chunk
        self._data = stream.read(max(chunk, len(_BOM)))
        self._at = 3 if self._data.startswith(_BOM) else 0
        self._base = 0
        self._is_ended = not self._data

    @property
    def offset(self) -> int:
        """Of the next byte."""
        return self._base + self._at

    def peek(self) -> bytes:
        """The next byte that is no white space; empty at the end."""
        while True:
            while self._at < len(self._data) and self._data[self._at] in _WHITE:
                self._at += 1
            if self._at < len(self._data) or self._is_ended:
                return self._data[self._at : self._at + 1]
            self._more()

    def take(self, expected: bytes) -> None:
        """Go past one byte. Raises FormatError when another one stands there."""
        if self.peek() != expected:
            raise FormatError(f"not valid JSON: expected {expected.decode()}", offset=self.offset)
        self._at += 1

    def value(self) -> Piece:
        """The value that begins at the next byte that is no white space."""
        self.peek()
        start = self.offset
        while True:
            span = self._span()
            if span is not None:
                data = self._data[span.start : span.end]
                self._at = span.end
                return Piece(start, data, span.is_whole, len(data))
            if len(self._data) - self._at > self._limit:
                raise FormatError(f"expected a value of at most {self._limit} bytes, found a longer one", slug="too_large")
            self._more()

    def elements(self) -> Iterator[Piece]:
        """The elements of the array that begins here. The last one is not whole where the document is cut off within it.

        Raises FormatError at the byte at which the array is no JSON.
        """
        self.take(b"[")
        while self.peek() not in {b"]", b""}:
            piece = self.value()
            if not piece.data and piece.is_whole:
                raise FormatError("not valid JSON: expected a value", offset=piece.offset)
            yield piece
            if self.peek() not in {b",", b"]", b""}:
                raise FormatError("not valid JSON: expected a comma or the end", offset=self.offset)
            self._past(b",")
        self._past(b"]")

    def names(self) -> Iterator[str]:
        """The keys of the object that begins here; the caller takes each value before it asks for the next one."""
        self.take(b"{")
        while self.peek() not in {b"}", b""}:
            start = self.offset
            key = self.value()
            if self.peek() == b"":
                return
            if not key.data.startswith(b'"'):
                raise FormatError("not valid JSON: expected a key", offset=start)
            self.take(b":")
            yield key_text(key.data)
            self._past(b",")

    def _past(self, byte: bytes) -> None:
        if self.peek() == byte:
            self._at += 1

    def _span(self) -> Span | None:
        """Where the value ends; None when more has to be read to know it."""
        try:
            _skip(memoryview(self._data)[self._at :])
        except msgspec.DecodeError as error:
            followed = followed_at(self._data, self._at, error)
            if followed is not None:
                return followed
            if "truncated" in str(error) and not self._is_ended:
                return None
        except RecursionError:
            pass
        else:
            return Span(self._at, len(self._data), is_whole=True) if self._is_ended else None
        span = value_at(self._data, self._at)
        return span if span.is_whole or self._is_ended else None

    def _more(self) -> None:
        kept = self._data[self._at :]
        read = self._stream.read(max(self._chunk, len(kept)))
        self._base += self._at
        self._at = 0
        self._is_ended = not read
        self._data = kept + read


def decode_element(piece: Piece, kind: type[T], oddities: Oddities, place: str) -> T:
    """An element that should be an object as a `kind`. Raises FormatError with the byte in the stream at which it is none."""
    if not piece.is_whole:
        raise FormatError("the file ends within this one", offset=piece.offset + piece.size)
    if piece.data[:1] != b"{":
        raise FormatError("expected an object", offset=piece.offset)
    note_repeated(piece.data, oddities, place)
    try:
        return decode_as(piece.data, kind, oddities, place=place)
    except FormatError as error:
        raise FormatError(str(error), slug=error.slug, offset=piece.offset + (error.offset or 0)) from error
