"""JSON lines that an agent's program printed to a terminal: read by the reader of their own format, cleaned of the terminal."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from earned.errors import FormatError
from earned.trajectory.account import Account
from earned.trajectory.format import load_format
from earned.trajectory.peek import SECOND_LOOK, head_of
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import MAX_DOCUMENT, Line
from earned.trajectory.steps import Steps
from earned.trajectory.terminal.log import Log

PRINTED = ("claude-code-stream", "codex-exec")
"""Formats that programs print to a terminal."""


class _Cleaned(Reading):
    """A reading whose one file is the cleaned text of a log."""

    def __init__(self, reading: Reading, rows: list[tuple[int, bytes]]) -> None:
        super().__init__(reading.candidate)
        self.oddities = reading.oddities
        self._rows = rows

    def lines(self, path: str, *, limit: int = MAX_DOCUMENT) -> Iterator[Line]:
        offset = 0
        for number, data in self._rows:
            yield Line(number, offset, data if len(data) <= limit else b"", len(data), is_ended=True)
            offset += len(data) + 1
        self.pieces(path, hashlib.sha256().hexdigest(), offset)

    def source(self, path: str, *, limit: int = MAX_DOCUMENT) -> bytes:
        return b"\n".join([line.data for line in self.lines(path, limit=limit)])


def read_stream(reading: Reading, path: str, log: Log, span: tuple[int, int], steps: Steps) -> tuple[str, Account] | None:
    """Append the steps of JSON lines between two lines; the format's name and account, None when there is no such stream."""
    start, end = span
    texts, numbers = log.lines.texts, log.lines.numbers
    first = next((line for line in range(start, end) if texts[line].startswith('{"')), None)
    if first is None:
        return None
    rows = [(numbers[line], texts[line].rstrip().encode("utf-8", "replace")) for line in range(first, end)]
    size = sum(len(data) + 1 for _, data in rows)
    beginning = b""
    for _, data in rows:
        beginning += data + b"\n"
        if len(beginning) > SECOND_LOOK:
            break
    head = head_of(path, beginning[:SECOND_LOOK], size=size)
    name = next((name for name in PRINTED if load_format(name).recognise(head)), None)
    read = load_format(name).read_log if name else None
    if name is None or read is None:
        return None
    before, reasons = steps.next, len(steps.reasons)
    try:
        account = read(_Cleaned(reading, rows), path, steps)
    except FormatError as error:
        reading.oddities.add(f"what looks like {name} cannot be read: {error}", log.at(first))
        del steps.steps[before:], steps.reasons[reasons:]
        return None
    return name, account
