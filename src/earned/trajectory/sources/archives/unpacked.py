"""Packed bytes are read at any place, in bounded memory, without unpacking everything before it again.

Unpacked bytes come in blocks. Of the last ones a few are kept, and on the way forward places are noted from which unpacking can
begin again, at most MAX_POINTS: so what is read in order is unpacked once, and a jump costs a part of the whole. Some
positions are kept open, so that members can be read by turns.
"""

from __future__ import annotations

import itertools
import zlib
from bisect import bisect_right
from collections import OrderedDict
from typing import NamedTuple

from earned.errors import FormatError
from earned.trajectory.sources.archives.codecs import Codec, Cut, Decoder, declared_size, decoder, window
from earned.trajectory.sources.archives.content import Content
from earned.trajectory.sources.limits import MAX_RATIO, MAX_WORK, RATIO_FROM

BLOCK = 256 * 1024
KEPT_BLOCKS = 192
"""Of all packed bytes together: 48 MB."""
SPACING = 4 * 1024 * 1024
MAX_POINTS = 128
"""Of one packed stream; each holds a state of 40 KB. When there are more, every other is dropped."""
MAX_POSITIONS = 8
MAX_HELD = 128 * 1024 * 1024
"""Bytes that the decoders of all positions hold together; two there are in any case."""
_serials = itertools.count()
_kept: OrderedDict[tuple[int, int], bytes] = OrderedDict()


class _Point(NamedTuple):
    """A place from which unpacking can begin."""

    at: int
    """Of the unpacked bytes."""
    packed: int
    state: Decoder | None
    """None at the beginning of a frame."""
    checksum: int


class _Position:
    """A decoder on its way."""

    def __init__(self, decoder: Decoder, at: int, checksum: int) -> None:
        self.decoder, self.at, self.checksum = decoder, at, checksum


class Unpacked:
    """What packed bytes hold."""

    def __init__(self, content: Content, codec: Codec, *, size: int | None = None, checksum: int | None = None) -> None:
        """`size` and `checksum` are those that an archive declares of a member: then bytes that end too early are damaged.

        Without them they end where they are cut off, and `is_cut` says so from then on.
        """
        self.is_cut = False
        self._content, self._codec, self._size, self._expected = content, codec, size, checksum
        self._serial = next(_serials)
        self._end: int | None = None
        self._furthest = self._work = 0
        self._points = [_Point(0, 0, None, 0)]
        self._spacing = SPACING
        self._positions: list[_Position] = []
        self._most = max(2, min(MAX_POSITIONS, MAX_HELD // max(1, window(codec, content))))

    def length(self) -> int:
        """As of a Content."""
        if self._size is not None:
            return self._size
        while self._end is None:
            self._block(self._furthest // BLOCK)
        return self._end

    def declared(self) -> int | None:
        """How many bytes there are by what is said of them, where it is; a compressed file's word is not to be relied on."""
        known = self._size if self._end is None else self._end
        return known if known is not None else declared_size(self._codec, self._content)

    def likely(self) -> int:
        """How many bytes there are, as far as is known without unpacking: what is said of them, else what they take packed."""
        known = self._size if self._end is None else self._end
        return max(self.declared() or 0, self._content.length()) if known is None else known

    def read_at(self, offset: int, amount: int) -> bytes:
        """As of a Content. Raises FormatError also for what unpacks to too much (`too_large`)."""
        parts: list[bytes] = []
        while amount > 0:
            number, start = divmod(offset, BLOCK)
            block = self._block(number)
            piece = block[start : start + amount] if start or amount < len(block) else block
            parts.append(piece)
            offset += len(piece)
            amount -= len(piece)
            if len(block) < BLOCK:
                break
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _block(self, number: int) -> bytes:
        """One block; shorter than BLOCK where the bytes end."""
        key = self._serial, number
        found = _kept.get(key)
        if found is not None:
            _kept.move_to_end(key)
            return found
        if self._end is not None and number * BLOCK >= self._end:
            return b""
        position = self._nearest(number * BLOCK)
        try:
            while position.at < number * BLOCK:
                if not self._unpack(position):
                    return b""
            return self._unpack(position)
        except FormatError:
            self._positions.remove(position)  # it stands behind what it failed at
            raise

    def _nearest(self, target: int) -> _Position:
        """The position or point from which the way is shortest."""
        point = self._points[bisect_right(self._points, target, key=lambda point: point.at) - 1]
        near = [position for position in self._positions if point.at <= position.at <= target]
        if near:
            chosen = max(near, key=lambda position: position.at)
            self._positions.remove(chosen)
        else:
            state = point.state.copied() if point.state is not None else None
            chosen = _Position(state or decoder(self._codec, self._content, point.packed), point.at, point.checksum)
        self._positions = [chosen, *self._positions][: self._most]
        return chosen

    def _unpack(self, position: _Position) -> bytes:
        """The bytes up to the next border of a block, or to the end."""
        start = position.at
        wanted = BLOCK - start % BLOCK
        if self._size is not None:
            wanted = min(wanted, self._size - start)
        parts: list[bytes] = []
        while position.at < start + wanted and (data := self._read(position, start + wanted - position.at)):
            parts.append(data)
        block = b"".join(parts)
        if len(block) < wanted or position.at == self._size:
            self._finish(position)
        if start % BLOCK == 0:
            _keep(self._serial, start // BLOCK, block)
        self._note(position)
        return block

    def _read(self, position: _Position, amount: int) -> bytes:
        before, checksum = position.at, position.checksum
        try:
            data = position.decoder.read(amount)
        except Cut:
            if self._size is not None:
                raise FormatError("the packed bytes end before it does", offset=position.at) from None
            self.is_cut = True
            return b""
        if position.decoder.began is not None:
            self._add_point(_Point(before, position.decoder.began, None, checksum))
        position.at += len(data)
        if self._expected is not None:
            position.checksum = zlib.crc32(data, checksum)
        self._check_work(position, len(data))
        return data

    def _check_work(self, position: _Position, amount: int) -> None:
        self._work += amount
        self._furthest = max(self._furthest, position.at)
        if position.at > RATIO_FROM and position.at > MAX_RATIO * position.decoder.at:
            what = f"{position.decoder.at} packed bytes become more than {position.at}"
            raise FormatError(f"{what}; unpack it if it can be trusted", slug="too_large")
        if self._work > MAX_WORK * max(self._furthest, RATIO_FROM):
            what = "its members lie in another order than they are read in, so that it is unpacked over and over"
            raise FormatError(f"{what}; pack it again as .zip", slug="too_large")

    def _finish(self, position: _Position) -> None:
        """At the end: what was unpacked is held against what is declared."""
        if self._size is not None:
            if position.at < self._size:
                raise FormatError(f"it ends {self._size - position.at} bytes before the size that is declared")
            if self._read(_Position(position.decoder, position.at, 0), 1):
                raise FormatError(f"it is larger than the {self._size} bytes that are declared", slug="too_large")
        if self._expected is not None and position.checksum != self._expected:
            raise FormatError("its checksum is not the one that the archive declares")
        self._end = position.at

    def _note(self, position: _Position) -> None:
        """Keep a way back to here."""
        if position.at < self._points[-1].at + self._spacing:
            return
        state = position.decoder.copied()
        if state is not None:
            self._add_point(_Point(position.at, state.at, state, position.checksum))

    def _add_point(self, point: _Point) -> None:
        if point.at < self._points[-1].at + self._spacing:
            return
        self._points.append(point)
        if len(self._points) > MAX_POINTS:
            self._points = self._points[::2]
            self._spacing *= 2


def _keep(serial: int, number: int, block: bytes) -> None:
    _kept[serial, number] = block
    while len(_kept) > KEPT_BLOCKS:
        _kept.popitem(last=False)
