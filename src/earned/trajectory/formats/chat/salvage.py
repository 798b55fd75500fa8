"""The bytes of one attempt as a row with messages, read as far as they go.

A document that is cut off, or broken behind some messages, gives the messages before that place and says what is missing.
Messages that were written as JSON text, once or twice escaped, are unescaped.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from earned.errors import FormatError
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.repeated import note_repeated
from earned.trajectory.decode.spans import elements, entries
from earned.trajectory.formats.chat.row import KEYS, Row
from earned.trajectory.formats.chat.shapes import Message

MAX_ESCAPES = 3
"""Times that a text of messages is unescaped."""
_LISTS = (*KEYS, "prompt", "completion")
_BOM = b"\xef\xbb\xbf"
_OPENED = b'{"messages":'


class Told(NamedTuple):
    """What could be read, and what is missing behind it."""

    row: Row
    missing: str = ""
    is_bare: bool = False
    """The messages stand in no object."""


class Talk(msgspec.Struct, gc=False):
    """A list of messages under a name, so that it is decoded as documents are."""

    messages: list[Message] = []


def told(data: bytes, oddities: Oddities, place: str) -> Told:
    """One attempt: an object, or a bare list of messages. Raises FormatError when no message can be read."""
    data = data.removeprefix(_BOM)
    is_bare = data.lstrip()[:1] == b"["
    document = _OPENED + data + b"}" if is_bare else data
    shift = len(_OPENED) if is_bare else 0
    if not is_bare:
        note_repeated(data, oddities, place)
    try:
        return Told(decode_as(document, Row, oddities, place=place), is_bare=is_bare)
    except FormatError as error:
        kept = _kept(document, oddities, place)
        if kept is not None:
            return kept._replace(is_bare=is_bare)
        offset = None if error.offset is None else max(0, min(len(data), error.offset - shift))
        raise FormatError(str(error), slug=error.slug, offset=offset) from error


def _kept(document: bytes, oddities: Oddities, place: str) -> Told | None:
    """What stands whole in a document that as a whole is no JSON."""
    found: dict[str, Any] = {}
    missing = "the record ends within a message"
    try:
        for key, span in entries(document):
            if key in _LISTS and document[span.start : span.start + 1] == b"[":
                found[key], missing = _whole_messages(document, span.start, oddities, place)
            elif key in Row.__struct_fields__ and span.is_whole:
                value = _value(document[span.start : span.end])
                found[key] = value if key not in _LISTS or isinstance(value, str) else None
    except FormatError as error:
        missing = f"{error}: what follows is not read"
    return Told(Row(**found), missing) if any(found.get(key) for key in _LISTS) else None


def _value(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _whole_messages(data: bytes, start: int, oddities: Oddities, place: str) -> tuple[list[Message], str]:
    """The messages of a list that can be decoded, and what is missing of it."""
    kept: list[Message] = []
    missing = ""
    try:
        for number, span in enumerate(elements(data, start)):
            if not span.is_whole:
                return kept, "the record ends within a message"
            try:
                kept.append(decode_as(data[span.start : span.end], Message, oddities, place=place))
            except FormatError as error:
                missing = f"message {number} cannot be decoded"
                oddities.add(f"{missing}: {error}", place)
    except FormatError as error:
        return kept, f"{error}: what follows is not read"
    return kept, missing or "the record ends behind a message"


def messages_in_text(text: str, oddities: Oddities, place: str) -> tuple[list[Message], str]:
    """Messages that were written as JSON text, and what is missing behind them.

    Raises FormatError when the text holds none.
    """
    for number in range(MAX_ESCAPES):
        data = text.encode("utf-8", "replace")
        if not text.startswith('"') and not text.startswith(('[{\\"', "[\\n")):
            return _in_text(text, data, oddities, place)
        text = _unescaped(text)
        if number == 0:
            oddities.add("messages are escaped twice", place)
    raise FormatError("expected messages as JSON text, found text that is escaped again and again")


def _in_text(text: str, data: bytes, oddities: Oddities, place: str) -> tuple[list[Message], str]:
    try:
        return decode_as(_OPENED + data + b"}", Talk, oddities, place=place).messages, ""
    except FormatError:
        pass
    again = text.replace("\\\\n", "\\n").replace('\\\\"', '\\"').encode("utf-8", "replace")
    try:
        made = decode_as(_OPENED + again + b"}", Talk, oddities, place=place).messages
    except FormatError:
        kept, missing = _whole_messages(data, 0, oddities, place)
        if not kept:
            raise
        return kept, missing
    oddities.add("messages are escaped twice in part", place)
    return made, ""


def _unescaped(text: str) -> str:
    quoted = text if text.startswith('"') else f'"{text}"'
    try:
        return msgspec.json.decode(quoted, type=str).strip()
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise FormatError(f"expected messages as JSON text: {error}") from error
