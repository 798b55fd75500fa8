"""What the first bytes of a file show of its structure, without decoding it.

`Head.values` maps shallow JSON paths to what stands there: `/info/mini_version` -> text, `/steps/*/source` -> text. Of an
array only the first element is followed. That is enough to tell formats apart by content, at about 30 MB/s.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast

import msgspec

from earned.errors import FormatError
from earned.trajectory.sources import places
from earned.trajectory.sources.archives.codecs import codec_of
from earned.trajectory.sources.archives.content import stream_of
from earned.trajectory.sources.archives.unpacked import Unpacked
from earned.trajectory.sources.limits import MAX_DOCUMENT
from earned.trajectory.sources.zips import MAGIC, first_names

FIRST_LOOK = 8 * 1024
SECOND_LOOK = 96 * 1024
"""Bytes looked at when the first look recognised nothing."""
THIRD_LOOK = 32 * 1024 * 1024
"""Largest JSON file that is decoded whole for its keys when both looks recognised nothing."""
TAIL = 2 * 1024
MAX_DEPTH = 4
"""Path segments that are followed."""
MAX_VALUE = 300
"""Characters kept of a text value."""

_TOKEN = re.compile(r'"((?:[^"\\]+|\\.)*)("?)|[{}\[\]:,]|[^\s"{}\[\]:,]+', re.DOTALL)
# A text that is cut off matches without its closing quote, so nothing inside it is ever taken for structure.
_STRING_TAIL = re.compile(r'"([A-Za-z_]{1,40})"\s*:\s*"([^"\\\n]{0,100})"')

Shape = Literal["object", "array", "lines", "text", "binary", "empty"]


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The beginning of one file."""

    path: str
    size: int
    """Of the whole file, in bytes."""
    text: str
    """The bytes looked at, decoded with replacement."""
    shape: Shape
    values: dict[str, str]
    """JSON path of the first document -> text value, or `{`, `[` or the literal."""
    whole: bool
    """All of the file was looked at."""
    tail: dict[str, str]
    """Plain `"key": "text"` pairs in the last bytes of the file, whatever their depth."""
    members: tuple[str, ...] = ()
    """Names of the first members, where the file is a ZIP."""

    def has(self, *paths: str) -> bool:
        """Whether all these paths were seen."""
        return all(path in self.values for path in paths)

    def value(self, path: str) -> str:
        """What stands at a path; empty when it was not seen."""
        return self.values.get(path, "")

    def is_broken(self) -> bool:
        """Whether the whole file was seen and is no document, as when its writing was stopped."""
        try:
            msgspec.json.decode(self.text)
        except (msgspec.DecodeError, RecursionError):
            return self.whole and self.shape in {"object", "empty"}
        return False


def look(path: Path, *, amount: int = FIRST_LOOK) -> Head:
    """The head of a file, in an archive too; of a compressed one that of what it holds. Raises OSError."""
    name = os.fspath(path)
    try:
        with io.FileIO(name) as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(amount)
            if codec_of(data[: places.MAGIC]) is not None:
                return _look_inside(name, amount)
            tail = b""
            if size > amount:
                file.seek(max(amount, size - TAIL))
                tail = file.read(TAIL)
            members = first_names(cast("BinaryIO", file)) if data.startswith(MAGIC) else ()
    except NotADirectoryError:
        return _look_inside(name, amount)
    return head_of(name, data, size=size, tail=tail, members=members)


def _look_inside(path: str, amount: int) -> Head:
    try:
        content = places.content_of(path)
        data = content.read_at(0, amount)
        size = len(data)
        if size == amount and content.read_at(amount, 1):
            known = content.likely() if isinstance(content, Unpacked) else content.length()
            size = max(known, amount + 1)
        # the end of what is too long to be decoded whole is not worth unpacking it all
        tail = content.read_at(max(amount, size - TAIL), TAIL) if amount < size <= MAX_DOCUMENT else b""
        members = first_names(stream_of(content)) if data.startswith(MAGIC) else ()
    except FormatError as error:
        raise places.as_os_error(error) from error
    return head_of(places.bare_name(path), data, size=size, tail=tail, members=members)


def head_of(path: str, data: bytes, *, size: int, tail: bytes = b"", members: tuple[str, ...] = ()) -> Head:
    """The head of a file whose first bytes are at hand."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    stripped = text.lstrip()
    values: dict[str, str] = {}
    shape: Shape = "text"
    if not stripped:
        shape = "empty" if size == len(data) else "text"
    elif b"\0" in data[:1024]:
        shape = "binary"
    elif stripped[0] in "{[":
        shape = "object" if stripped[0] == "{" else "array"
        end = 0 if size <= len(data) and _decoded(data, values) else _structure(stripped, values)
        if shape == "object" and end and stripped[end:].lstrip()[:1] == "{":
            shape = "lines"
    pairs = dict(_STRING_TAIL.findall(tail.decode("utf-8", "replace")))
    whole = size <= len(data)
    return Head(path=path, size=size, text=text, shape=shape, values=values, whole=whole, tail=pairs, members=members)


def _decoded(data: bytes, values: dict[str, str]) -> bool:
    """Fill `values` from a whole document, where it is a sound one; ten times faster than going through its text."""
    try:
        _paths(msgspec.json.decode(data), "", 0, values)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def decoded_head(head: Head, value: object) -> Head:
    """The same head with the paths of the whole document: the third look."""
    values: dict[str, str] = {}
    _paths(value, "", 0, values)
    return msgspec.structs.replace(head, values=values, whole=True)


def _paths(value: Any, path: str, depth: int, values: dict[str, str]) -> None:
    if isinstance(value, dict) and depth < MAX_DEPTH:
        for key, item in value.items():
            values[f"{path}/{key}"] = _shown(item)
            _paths(item, f"{path}/{key}", depth + 1, values)
    elif isinstance(value, list) and value and depth < MAX_DEPTH:
        values[f"{path}/*"] = _shown(value[0])
        _paths(value[0], f"{path}/*", depth + 1, values)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value[:MAX_VALUE]
    return "{" if isinstance(value, dict) else "[" if isinstance(value, list) else str(value)


class _Level:
    """One open object or array."""

    __slots__ = ("follow", "is_object", "key", "path", "waiting")

    def __init__(self, *, is_object: bool, path: str, follow: bool) -> None:
        self.is_object = is_object
        self.path = path
        self.follow = follow
        self.key: str | None = None if is_object else "*"
        self.waiting = not is_object


def _structure(text: str, values: dict[str, str]) -> int:
    """Fill `values`; the position after the first document, or 0 when it does not end within `text`."""
    stack: list[_Level] = []
    last = ""
    for match in _TOKEN.finditer(text):
        token = match.group()
        first = token[0]
        if first in "{[":
            stack.append(_opened(stack, first, values))
        elif first in "}]":
            if stack:
                stack.pop()
            if not stack:
                return match.end()
        elif not stack:
            return 0
        elif first == ":":
            stack[-1].key, stack[-1].waiting = last, True
        elif first == ",":
            _next(stack[-1])
        else:
            last = (match.group(1) or "")[:MAX_VALUE] if first == '"' else token[:MAX_VALUE]
            _seen(stack[-1], last, values)
            if first == '"' and not match.group(2):
                return 0
    return 0


def _opened(stack: list[_Level], bracket: str, values: dict[str, str]) -> _Level:
    if not stack:
        return _Level(is_object=bracket == "{", path="", follow=True)
    above = stack[-1]
    follow = above.follow and above.waiting and len(stack) < MAX_DEPTH
    path = f"{above.path}/{above.key}" if follow else ""
    if follow:
        values.setdefault(path, bracket)
    above.waiting = False
    return _Level(is_object=bracket == "{", path=path, follow=follow)


def _seen(level: _Level, value: str, values: dict[str, str]) -> None:
    if level.follow and level.waiting:
        values.setdefault(f"{level.path}/{level.key}", value)
    level.waiting = False if level.is_object else level.waiting


def _next(level: _Level) -> None:
    level.waiting = False
    if not level.is_object:
        level.follow = False
