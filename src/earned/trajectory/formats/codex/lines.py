"""The lines of a Codex file as records, one after another, and what is said of those that are none.

Logs are caught with whatever a terminal printed around them, so that a line without an object is noise: counted, shown once,
and no gap. A line with an object that cannot be decoded, or with another JSON value in its place, is a gap in the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import msgspec

from earned.errors import FormatError
from earned.trajectory.candidate import place_in
from earned.trajectory.decode.document import as_text, decode_any
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.reading import UNDECODED, Reading
from earned.trajectory.sources.files import Line
from earned.trajectory.steps import Steps

T = TypeVar("T")
SHOWN = 80
"""Characters shown of the first line of noise."""
Strict = Callable[[bytes], T]
Lenient = Callable[[dict[str, Any], str, Oddities], T]


class Lines(Generic[T]):
    """The records of one file, with their line numbers."""

    def __init__(self, reading: Reading, path: str, kind: Any, *, strict: Strict[T], lenient: Lenient[T]) -> None:
        """Lines are decoded as a `kind` (a type); one that is none by `strict`, and when that refuses it too, by `lenient`."""
        self.reading = reading
        self.path = path
        self.place = place_in(reading.candidate, path)
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind)
        self._strict = strict
        self._lenient = lenient
        self._noise = 0
        self._broken = 0
        self._first_broken = 0
        self._fault: FormatError | None = None
        self._is_cut = False

    def __iter__(self) -> Iterator[tuple[int, T]]:
        return self.reading.records(self.path, self._decoder.decode, self._odd)

    def _odd(self, line: Line) -> tuple[T, ...]:
        """The record of a line that does not decode as it should; none where there is none, which is noted."""
        bare = line.data.removeprefix(b"\xef\xbb\xbf").strip()
        if not bare:
            if line.size > len(line.data):
                self._note_broken(line, FormatError(f"a line of {line.size} bytes"))
            return ()
        if bare[0] != 0x7B:
            if _is_value(bare):
                self._note_broken(line, FormatError("expected an object"))
            else:
                self._note_noise(line)
            return ()
        try:
            return (self._strict(bare),)
        except UNDECODED:
            return self._leniently(line, bare)

    def _leniently(self, line: Line, bare: bytes) -> tuple[T, ...]:
        place = f"{self.place}#line {line.number}"
        try:
            return (self._lenient(decode_any(bare, self.reading.oddities, place=place), place, self.reading.oddities),)
        except (FormatError, msgspec.DecodeError, RecursionError) as error:
            self._note_broken(line, error)
            return ()

    def _note_broken(self, line: Line, error: Exception) -> None:
        offset = line.offset + (getattr(error, "offset", None) or 0)
        self._fault = self._fault or FormatError(f"line {line.number}: {error}", offset=offset)
        self._broken += 1
        self._first_broken = self._first_broken or line.number
        self._is_cut = not line.is_ended

    def _note_noise(self, line: Line) -> None:
        if not self._noise:
            text = as_text(line.data[: 4 * SHOWN], Oddities())[:SHOWN]
            self.reading.oddities.add(f"a line that is no JSON, {text!r}", f"{self.place}#line {line.number}")
        self._noise += 1

    def finish(self, steps: Steps, *, is_any: bool) -> None:
        """Say what was left out. Raises FormatError when nothing could be read (`is_any`: of what the format holds)."""
        if not is_any:
            raise self._fault or FormatError("no line of a Codex session")
        if self._noise > 1:
            self.reading.oddities.add(f"{self._noise} lines are no JSON", self.place)
        if self._is_cut:
            self._broken -= 1
            steps.missing("the file ends within a line")
        if self._broken:
            count = f"{self._broken} lines cannot" if self._broken > 1 else "a line cannot"
            steps.missing(f"{count} be read, from line {self._first_broken} on", step=-1)


def _is_value(text: bytes) -> bool:
    """Whether a line is JSON, though no object: something stands in the place of a record."""
    try:
        msgspec.json.decode(text)
    except UNDECODED:
        return False
    return True
