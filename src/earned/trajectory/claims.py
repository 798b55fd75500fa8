"""All that one file says of attempts: a report, predictions, a table or a patch, as its content tells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

import msgspec

from earned.errors import FormatError
from earned.trajectory import places
from earned.trajectory.claim import MAX_REPORT, Claim
from earned.trajectory.claim_documents import claims_of_document, claims_of_lines
from earned.trajectory.claim_tables import claims_of_table
from earned.trajectory.document import as_text, decode_any
from earned.trajectory.files import read_bytes
from earned.trajectory.oddities import Oddities

PATCHES = (".patch", ".diff")
_BOM = b"\xef\xbb\xbf"


class Claims(msgspec.Struct, frozen=True):
    """All claims of one file, by key."""

    by_key: dict[str, tuple[Claim, ...]]
    error: str = ""
    """Why the file could not be read."""


def claims_of(path: str) -> Iterator[Claim]:
    """All claims of one file, in order. Raises FormatError when it cannot be read."""
    data = read_bytes(path, limit=MAX_REPORT)
    start = data[:64].removeprefix(_BOM).lstrip()
    if path.endswith(PATCHES):
        yield _patch_file(as_text(data, Oddities(), place=path), path)
    elif not start or start[:1] not in b"{[":
        yield from claims_of_table(as_text(data, Oddities(), place=path), path)
    else:
        yield from _claims_of_json(data, path)


def _claims_of_json(data: bytes, path: str) -> Iterator[Claim]:
    try:
        value = decode_any(data, Oddities(), place=path)
    except FormatError:
        lines = [line for line in data.removeprefix(_BOM).split(b"\n") if line.strip()]
        if len(lines) < 2 or not lines[0].lstrip().startswith(b"{"):
            raise
        yield from claims_of_lines(lines, path)
        return
    yield from claims_of_document(value, path)


def claims_by_key(path: str) -> Claims:
    """The same by key, kept for the next trajectory; of a file that cannot be read, why."""
    try:
        return _kept(path, places.stamp(path))
    except OSError as error:
        return Claims({}, error=f"the file cannot be opened: {error.strerror or error}")


@lru_cache(maxsize=64)
def _kept(path: str, _stamp: str) -> Claims:
    found: dict[str, list[Claim]] = {}
    try:
        for claim in claims_of(path):
            found.setdefault(claim.key, []).append(claim)
    except FormatError as error:
        return Claims({}, error=str(error))
    return Claims({key: tuple(claims) for key, claims in found.items()})


def _patch_file(text: str, path: str) -> Claim:
    """`patch.diff` in the folder of an instance, or `ID.patch`."""
    name = PurePosixPath(path)
    key = name.parent.name if name.stem == "patch" else name.stem
    return Claim(key=key, source=path, patch=text, is_outcome=False)
