"""asciinema recordings, versions 2 and 3: a header line, then one event a line: output, input, markers, sizes.

After docs.asciinema.org/manual/asciicast. Times are not kept: in version 2 they count from the start, in 3 from the last event.
"""

from __future__ import annotations

from typing import Any

import msgspec

from earned.errors import FormatError
from earned.trajectory.candidate import place_in
from earned.trajectory.decode.document import decode_any
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import Line
from earned.trajectory.terminal.log import MAX_LOG, MAX_ROWS, Log, Mark
from earned.trajectory.terminal.screen import HEIGHT, WIDTH, Screen

MAX_TYPED = 1024 * 1024
"""Characters of typed keys that are kept."""
_VERSIONS = (2, 3)


class Term(msgspec.Struct, gc=False):
    """The terminal of version 3."""

    cols: int | None = None
    rows: int | None = None


class Header(msgspec.Struct, gc=False):
    """The first line."""

    version: int | None = None
    width: int | None = None
    height: int | None = None
    term: Term | None = None


_decode_event = msgspec.json.Decoder(tuple[float, str, str]).decode
_decode_header = msgspec.json.Decoder(Header).decode


def recognise_cast(head: Head) -> str:
    """Why a file is a recording; empty when it is not."""
    if head.shape not in {"object", "lines"} or head.value("/version") not in {"2", "3"}:
        return ""
    if head.has("/width", "/height") or head.has("/term/cols", "/term/rows"):
        return f"an asciinema header of version {head.value('/version')}"
    return ""


def read_cast(reading: Reading, path: str) -> Log:
    """A recording as the lines that it shows. Raises FormatError when it is none."""
    cast = _Cast(reading, path)
    for line in reading.lines(path, limit=MAX_LOG):
        cast.take(line)
    return cast.log()


class _Cast:
    """A recording while it is read."""

    def __init__(self, reading: Reading, path: str) -> None:
        self.reading = reading
        self.path = path
        self.screen: Screen | None = None
        self.marks: list[Mark] = []
        self.typed: list[str] = []
        self.room = MAX_TYPED
        self.size = 0
        self.unread = 0
        self.first_unread = 0
        self.is_cut = False

    def take(self, line: Line) -> None:
        """One line of the file."""
        self.size += line.size + 1
        if self.screen is None:
            self.screen = self._opened(line)
        elif self.size > MAX_LOG or self.screen.grid.row > MAX_ROWS:
            self.is_cut = True
        elif line.data and not line.data.isspace() and line.data[:1] != b"#":
            event = _event(line.data, self.reading.oddities, self.path)
            if event is None:
                self.is_cut = self.is_cut or not line.is_ended
                self.unread += 1
                self.first_unread = self.first_unread or line.number
            else:
                self._play(self.screen, *event, line.number)

    def _opened(self, line: Line) -> Screen:
        try:
            header = _decode_header(line.data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            header = Header()
        term = header.term or Term()
        if header.version not in _VERSIONS:
            raise FormatError("expected the header of an asciinema recording of version 2 or 3 in the first line", offset=0)
        return Screen(header.width or term.cols or WIDTH, header.height or term.rows or HEIGHT, counts=False)

    def _play(self, screen: Screen, code: str, data: str, number: int) -> None:
        screen.grid.number = number
        if code == "o":
            screen.feed(data)
        elif code == "i" and self.room > 0:
            self.typed.append(data[: self.room])
            self.room -= len(data)
        elif code == "m":
            self.marks.append(Mark(data, number, screen.grid.row))
        elif code == "r":
            width, _, height = data.partition("x")
            if width.isdecimal() and height.isdecimal():
                screen.resize(int(width[:6]), int(height[:6]))

    def log(self) -> Log:
        """The recording, when all its lines were read."""
        if self.screen is None:
            raise FormatError("expected an asciinema recording, found an empty file")
        place = place_in(self.reading.candidate, self.path)
        if self.unread:
            self.reading.oddities.add(f"{self.unread} lines are no events", f"{place}#line {self.first_unread}")
        width = self.screen.grid.width
        return Log(self.screen.lines(), place, width, tuple(self.marks), "".join(self.typed), self.is_cut)


def _event(data: bytes, oddities: Oddities, path: str) -> tuple[str, str] | None:
    """Code and data of an event line; None when it is none."""
    try:
        _, code, text = _decode_event(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _odd_event(data, oddities, path)
    return code, text


def _odd_event(data: bytes, oddities: Oddities, path: str) -> tuple[str, str] | None:
    try:
        value: Any = decode_any(data, oddities, place=path)
    except FormatError:
        return None
    if not isinstance(value, list) or len(value) < 3 or not isinstance(value[1], str) or not isinstance(value[2], str):
        return None
    return value[1], value[2]
