"""Where the parts of a large JSON document begin and end, found without decoding it or holding it in memory.

A document of samples is a gigabyte, a sample is not: the document's parts are found one after another in a mapped file, and
each is decoded alone. A part ends where msgspec says that something follows it, at about 900 MB/s; where it refuses a part
(NaN, control characters, lone surrogates) a scanner that only counts brackets finds the end, so that one odd sample costs no
other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from earned.errors import FormatError

Buffer = bytes | memoryview

_WHITE = b" \t\r\n"
_AT = re.compile(r"trailing characters \(byte (\d+)\)$")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|"', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\]}]*")
_skip = msgspec.json.Decoder(msgspec.Raw).decode


class Span(NamedTuple):
    """One value within a buffer: `buffer[start:end]`."""

    start: int
    end: int
    is_whole: bool
    """False when the buffer ends within the value."""


def elements(buffer: Buffer, start: int = 0) -> Iterator[Span]:
    """The elements of the array that begins at `start` (white space before it is skipped).

    The last span is not whole when the document is cut off within it. Raises FormatError when no array begins there, or at the
    byte at which the array is no JSON.
    """
    at = _expect(buffer, start, b"[")
    while (at := _past_white(buffer, at)) < len(buffer) and buffer[at] != 0x5D:
        span = value_at(buffer, at)
        yield span
        if not span.is_whole:
            return
        at = _past_comma(buffer, span.end, 0x5D)


def entries(buffer: Buffer, start: int = 0, *, last: str | None = None) -> Iterator[tuple[str, Span]]:
    """The keys and values of the object that begins at `start`; a repeated key comes again. Raises as `elements` does.

    The value of the key `last` is not gone through: its span is empty, and nothing behind it follows.
    """
    at = _expect(buffer, start, b"{")
    while (at := _past_white(buffer, at)) < len(buffer) and buffer[at] != 0x7D:
        key = value_at(buffer, at)
        colon = _past_white(buffer, key.end)
        if not key.is_whole or colon >= len(buffer):
            return
        if buffer[at] != 0x22 or buffer[colon] != 0x3A:
            raise FormatError("not valid JSON: expected a key and a colon", offset=at)
        name, behind = key_text(bytes(buffer[at : key.end])), _past_white(buffer, colon + 1)
        if name == last:
            yield name, Span(behind, behind, is_whole=False)
            return
        span = value_at(buffer, behind)
        yield name, span
        if not span.is_whole:
            return
        at = _past_comma(buffer, span.end, 0x7D)


def value_at(buffer: Buffer, start: int) -> Span:
    """The value that begins at `start`, which is no white space."""
    try:
        _skip(memoryview(buffer)[start:])
    except msgspec.DecodeError as error:
        span = followed_at(buffer, start, error)
        if span is not None:
            return span
    except RecursionError:
        pass
    else:
        return Span(start, len(buffer), is_whole=True)
    return _scanned(buffer, start)


def followed_at(buffer: Buffer, start: int, error: msgspec.DecodeError) -> Span | None:
    """The value at `start`, by what msgspec said of it; None when it did not say that something follows the value."""
    found = _AT.search(str(error))
    if found is None:
        return None
    end = start + int(found.group(1)) - 1
    while end > start and buffer[end - 1] in _WHITE:
        end -= 1
    return Span(start, end, is_whole=True)


def _scanned(buffer: Buffer, start: int) -> Span:
    """The same by counting brackets outside of texts; what stands in the value is not looked at."""
    if start >= len(buffer):
        return Span(start, start, is_whole=False)
    if buffer[start] not in b'{["':
        found = _SCALAR.match(buffer, start)
        end = found.end() if found else start
        return Span(start, end, is_whole=end < len(buffer))
    depth = 0
    for token in _TOKEN.finditer(buffer, start):
        first = buffer[token.start()]
        if first == 0x22:
            if token.end() == token.start() + 1:
                break  # a text without an end
        else:
            depth += 1 if first in b"{[" else -1
        if depth == 0:
            return Span(start, token.end(), is_whole=True)
    return Span(start, len(buffer), is_whole=False)


def _expect(buffer: Buffer, start: int, bracket: bytes) -> int:
    at = _past_white(buffer, start)
    if at >= len(buffer) or buffer[at] != bracket[0]:
        raise FormatError(f"not valid JSON: expected {bracket.decode()}", offset=at)
    return at + 1


def _past_comma(buffer: Buffer, at: int, closing: int) -> int:
    at = _past_white(buffer, at)
    if at >= len(buffer) or buffer[at] == closing:
        return at
    if buffer[at] != 0x2C:
        raise FormatError("not valid JSON: expected a comma or the end", offset=at)
    return at + 1


def _past_white(buffer: Buffer, at: int) -> int:
    while at < len(buffer) and buffer[at] in _WHITE:
        at += 1
    return at


def key_text(quoted: bytes) -> str:
    """A key as text; what cannot be decoded in it is replaced."""
    try:
        return msgspec.json.decode(quoted, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return quoted.strip(b'"').decode("utf-8", "replace")
