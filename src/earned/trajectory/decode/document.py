"""Bytes of a file become a decoded document: typed and fast where the file is sound, leniently where it is not.

Invalid UTF-8, NaN, lone surrogates, control characters and wrong types become oddities; what cannot be decoded at all is a
FormatError with the byte at which reading failed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable
from functools import lru_cache
from typing import Any, TypeVar, cast

import msgspec

from earned.errors import FormatError
from earned.trajectory.decode.lenient import coerce
from earned.trajectory.decode.oddities import Oddities

T = TypeVar("T")
MAX_LENIENT = 64 * 1024 * 1024
"""Bytes of a faulty document that is decoded again leniently: that takes about six times its size in memory."""
_BYTE = re.compile(r"\(byte (\d+)\)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"


def decode_as(data: bytes, kind: type[T], oddities: Oddities, *, place: str = "") -> T:
    """The document as a `kind`, a struct whose fields all have defaults. Raises FormatError when it is no JSON."""
    try:
        return cast("T", _decoder(cast("Hashable", kind)).decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return coerce(decode_any(data, oddities, place=place), kind, f"{place}#", oddities)


@lru_cache(maxsize=64)
def _decoder(kind: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(cast("type[Any]", kind))


def decode_any(data: bytes, oddities: Oddities, *, place: str = "") -> Any:
    """The document as plain dicts, lists and scalars. Raises FormatError when it is no JSON."""
    try:
        return msgspec.json.decode(data)
    except RecursionError as error:
        raise FormatError("the document is nested too deeply to be decoded") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if len(data) > MAX_LENIENT:
            raise FormatError(f"not valid JSON: {error}", offset=_offset(error, data)) from error
        return _decode_faulty(data, error, oddities, place)


def _decode_faulty(data: bytes, error: Exception, oddities: Oddities, place: str) -> Any:
    text = as_text(data, oddities, place=place)
    try:
        value = json.loads(text, strict=False)
    except json.JSONDecodeError as fault:
        offset = len(text[: fault.pos].encode("utf-8", "surrogatepass"))
        raise FormatError(f"not valid JSON: {fault.msg}", offset=offset) from fault
    except (RecursionError, ValueError) as fault:
        raise FormatError(f"not valid JSON: {fault}", offset=_offset(error, data)) from fault
    if "NaN" in text or "Infinity" in text:
        oddities.add("holds NaN or Infinity, or these words", place)
    else:
        oddities.add(f"decoded leniently: {error}", place)
    return _without_surrogates(value)


def _offset(error: Exception, data: bytes) -> int | None:
    found = _BYTE.search(str(error))
    if found:
        return int(found.group(1))
    return len(data) if "truncated" in str(error) else None


def as_text(data: bytes, oddities: Oddities, *, place: str = "") -> str:
    """Bytes as text; what is not UTF-8 is replaced and named."""
    if data.startswith(_UTF16):
        oddities.add("UTF-16 instead of UTF-8", place)
        return data.decode("utf-16", "replace")
    data = data.removeprefix(_BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        oddities.add(f"bytes that are not UTF-8 were replaced, the first at byte {error.start}", place)
        return data.decode("utf-8", "replace")


def _without_surrogates(value: Any) -> Any:
    """The same value with lone surrogates replaced, so that every text in it can be written again."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", str(key)): _without_surrogates(item) for key, item in value.items()}
    return value
