"""Packed bytes are unpacked in order, never more at a time than asked for: gzip and zstd streams, deflated and zstd members.

A decoder tells where in the packed bytes it stands, so that unpacking can begin again there: for deflate from a copy of its
state, for zstd, whose state cannot be copied, from the beginning of a frame.
"""

from __future__ import annotations

import sys
import zlib
from typing import Literal, Protocol, Self

from earned.errors import FormatError
from earned.trajectory.sources.archives.content import Content

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Codec = Literal["gzip", "deflate", "zstd"]

GZIP = b"\x1f\x8b\x08"
ZSTD = b"\x28\xb5\x2f\xfd"
FEED = 64 * 1024
MAX_WINDOW = 27
"""Binary logarithm of the bytes that a zstd frame may ask to be held: what `zstd --long` asks for without a number."""


class Cut(Exception):  # noqa: N818 - no error for who sees it: what was unpacked stands
    """The packed bytes end before what they hold does."""


class Decoder(Protocol):
    """Unpacks from one place on."""

    at: int
    """Offset of the first packed byte that is not used yet, where `copied` gives a decoder."""
    began: int | None
    """Offset at which the last `read` began another frame, where it did."""

    def read(self, amount: int) -> bytes:
        """At most `amount` bytes; none at the end. Raises Cut, and FormatError for damaged bytes."""

    def copied(self) -> Self | None:
        """A decoder that goes on from here by itself; None where there cannot be one."""


class Inflate:
    """Deflated bytes, bare or as gzip of one or more members; what follows a gzip's end and is none is left, as `gzip` does."""

    def __init__(self, content: Content, at: int = 0, *, is_gzip: bool = True) -> None:
        self.at = at
        self.began: int | None = None
        self._content, self._is_gzip, self._waiting = content, is_gzip, b""
        self._object = zlib.decompressobj(31 if is_gzip else -zlib.MAX_WBITS)

    def read(self, amount: int) -> bytes:
        """As of a Decoder."""
        self.began = None
        while not self._object.eof or self._begin():
            fed = self._waiting or self._content.read_at(self.at, FEED)
            try:
                data = self._object.decompress(fed, amount)
            except zlib.error as error:
                raise FormatError(f"cannot be unpacked: {error}", offset=self.at) from error
            self._waiting = self._object.unused_data if self._object.eof else self._object.unconsumed_tail
            self.at += len(fed) - len(self._waiting)
            if data:
                return data
            if not fed:
                raise Cut
        return b""

    def _begin(self) -> bool:
        """Whether another member of a gzip follows; zeros before it are passed over."""
        if not self._is_gzip:
            return False
        while True:
            fed = self._waiting or self._content.read_at(self.at, FEED)
            self._waiting = fed.lstrip(b"\0")
            self.at += len(fed) - len(self._waiting)
            if self._waiting or not fed:
                break
        if self._content.read_at(self.at, len(GZIP)) != GZIP:
            return False
        self._object = zlib.decompressobj(31)
        self.began = self.at
        return True

    def copied(self) -> Inflate:
        """As of a Decoder."""
        made = Inflate(self._content, self.at, is_gzip=self._is_gzip)
        made._object = self._object.copy()
        return made


class Unzstd:
    """zstd frames one after another, skippable ones among them; what follows and is none is left."""

    def __init__(self, content: Content, at: int = 0) -> None:
        self.at = at
        self.began: int | None = None
        self._content = content
        self._object = _decompressor()

    def read(self, amount: int) -> bytes:
        """As of a Decoder."""
        self.began = None
        while not self._object.eof or self._begin():
            is_hungry = self._object.needs_input
            fed = self._content.read_at(self.at, FEED) if is_hungry else b""
            self.at += len(fed)
            try:
                data = self._object.decompress(fed, amount)
            except (zstd.ZstdError, MemoryError) as error:
                raise FormatError(f"cannot be unpacked: {error}", offset=self.at) from error
            if self._object.eof:
                self.at -= len(self._object.unused_data)
            elif is_hungry and not fed and not data:
                raise Cut
            if data:
                return data
        return b""

    def _begin(self) -> bool:
        if not is_zstd(self._content.read_at(self.at, len(ZSTD))):
            return False
        self._object = _decompressor()
        self.began = self.at
        return True

    def copied(self) -> None:
        """As of a Decoder: there is none."""


def _decompressor() -> zstd.ZstdDecompressor:
    return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: MAX_WINDOW})


def is_zstd(start: bytes) -> bool:
    """Whether bytes begin a zstd frame, or one that holds no content."""
    return start[:4] == ZSTD or (len(start) >= 4 and start[0] & 0xF0 == 0x50 and start[1:4] == b"\x2a\x4d\x18")


def codec_of(start: bytes) -> Codec | None:
    """How a file that begins so is compressed as a whole; None when it is not."""
    if start[:3] == GZIP:
        return "gzip"
    return "zstd" if is_zstd(start) else None


def decoder(codec: Codec, content: Content, at: int = 0) -> Decoder:
    """A decoder of packed bytes from `at`, where a frame or a member begins."""
    return Unzstd(content, at) if codec == "zstd" else Inflate(content, at, is_gzip=codec == "gzip")


def window(codec: Codec, content: Content) -> int:
    """Bytes that a decoder holds of what it unpacked (RFC 8878, 3.1.1.1.2), at most."""
    start = content.read_at(0, 18)
    if codec != "zstd" or start[:4] != ZSTD or len(start) < 6:
        return 1 << 15
    if start[4] & 0x20:
        return min(declared_size(codec, content) or 0, 1 << MAX_WINDOW)
    base = 1 << (10 + (start[5] >> 3))
    return min(base + base // 8 * (start[5] & 7), 1 << MAX_WINDOW)


def declared_size(codec: Codec, content: Content) -> int | None:
    """How many bytes a compressed file says that it holds, where it does; not to be relied on."""
    if codec == "gzip":
        return int.from_bytes(content.read_at(max(0, content.length() - 4), 4), "little")
    try:
        return zstd.get_frame_info(content.read_at(0, 32)).decompressed_size
    except zstd.ZstdError:
        return None
