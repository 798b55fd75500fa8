"""How a file holds attempts: one list of messages, an object around it, a list or lines of such, or a message on each line.

Gives the bytes of one attempt after another, with its place in the file, and never holds more than one. What cannot be decoded
in one attempt is that attempt's row; the others are read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Literal, NamedTuple

import msgspec

from earned.trajectory.decode.json_stream import JsonStream, Piece
from earned.trajectory.formats.chat.row import KEYS
from earned.trajectory.sources.files import CHUNK, MAX_DOCUMENT, Line, lines_of, open_stream

Layout = Literal["one", "list", "lines", "message lines"]
_skip = msgspec.json.Decoder(msgspec.Raw).decode
_FILLED = re.compile(rb"\S")
_BOM = b"\xef\xbb\xbf"


class Part(NamedTuple):
    """The bytes of one attempt."""

    place: str
    """JSON pointer or line within the file, such as `#/3` or `#line 3 `; empty for the whole document."""
    number: int
    """From 1."""
    offset: int
    data: bytes
    """Empty where it is longer than the limit."""
    is_whole: bool
    size: int


class _Keys(msgspec.Struct, gc=False):
    """Enough of an object to tell a message from an attempt."""

    role: Any = None
    type: Any = None
    messages: Any = None
    traj: Any = None
    trajectory: Any = None
    conversation: Any = None
    conversations: Any = None
    history: Any = None
    items: Any = None
    completion: Any = None


def layout_of(path: str) -> Layout:
    """How the file at `path` is laid out, by its first documents. Raises FormatError when it cannot be opened."""
    with open_stream(path) as stream:
        second = _second_line(stream)
    if second:
        with open_stream(path) as stream:
            first = next((line.data for line in lines_of(stream) if line.data.strip()), b"").removeprefix(_BOM)
        if (first.lstrip()[:1] == second == b"{") or _is_json(first):
            return "message lines" if is_message(first) else "lines"
    with open_stream(path) as stream:
        document = JsonStream(stream)
        if document.peek() != b"[":
            return "one"
        element = next(document.elements(), None)
    return "one" if element is None or is_message(element.data) else "list"


def _second_line(stream: BinaryIO) -> bytes:
    """The first byte of the second line that is not blank; empty when there is none. No line is held."""
    is_begun = is_ended = False
    while chunk := stream.read(CHUNK):
        at = 0
        if not is_begun:
            found = _FILLED.search(chunk)
            if found is None:
                continue
            is_begun, at = True, found.end()
        if not is_ended:
            at = chunk.find(b"\n", at) + 1
            if not at:
                continue
            is_ended = True
        found = _FILLED.search(chunk, at)
        if found is not None:
            return found.group()
    return b""


def _is_json(data: bytes) -> bool:
    try:
        _skip(data)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def is_message(data: bytes) -> bool:
    """Whether an element is a message or an item of a conversation, and no attempt that holds messages."""
    try:
        keys = msgspec.json.decode(data, type=_Keys)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    holds = any(getattr(keys, name) is not None for name in (*KEYS, "completion"))
    return not holds and (keys.role is not None or keys.type is not None)


def parts_of(path: str, layout: Layout) -> Iterator[Part]:
    """The attempts of a file of several. Raises FormatError where nothing more can be read."""
    with open_stream(path) as stream:
        if layout == "list":
            for number, piece in enumerate(JsonStream(stream).elements(), start=1):
                yield _of_piece(piece, number)
        else:
            yield from map(_of_line, filter(_is_filled, lines_of(stream)))


def _of_piece(piece: Piece, number: int) -> Part:
    return Part(f"#/{number - 1}", number, piece.offset, piece.data, piece.is_whole, piece.size)


def _is_filled(line: Line) -> bool:
    return bool(line.data.strip()) or line.size > MAX_DOCUMENT


def _of_line(line: Line) -> Part:
    data = line.data.removeprefix(_BOM) if line.number == 1 else line.data
    return Part(f"#line {line.number} ", line.number, line.offset, data, line.is_ended or _is_json(data), line.size)
