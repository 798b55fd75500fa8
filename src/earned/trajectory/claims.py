"""All that one file says of attempts: a report, predictions, a table or a patch, as its content tells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

import msgspec

from earned.errors import FormatError
from earned.records import Outcome
from earned.trajectory import places
from earned.trajectory.claim import MAX_REPORT, Claim
from earned.trajectory.claim_documents import claims_of_document, claims_of_lines
from earned.trajectory.claim_tables import claims_of_table
from earned.trajectory.document import as_text, decode_any
from earned.trajectory.evaluations import evaluated, is_evaluation
from earned.trajectory.files import read_bytes, read_start
from earned.trajectory.oddities import Oddities
from earned.trajectory.peek import FIRST_LOOK, Head, head_of

PATCHES = (".patch", ".diff")
_BOM = b"\xef\xbb\xbf"


class Claims(msgspec.Struct, frozen=True):
    """All claims of one file, by key."""

    by_key: dict[str, tuple[Claim, ...]]
    error: str = ""
    """Why the file could not be read."""


def claims_of(path: str) -> Iterator[Claim]:
    """All claims of one file, in order. Raises FormatError when it cannot be read."""
    if is_evaluation(_head(path)):
        yield from (_evaluated(key, said) for key, said in evaluated(path))
        return
    data = read_bytes(path, limit=MAX_REPORT)
    start = data[:64].removeprefix(_BOM).lstrip()
    if path.endswith(PATCHES):
        yield _patch_file(as_text(data, Oddities(), place=path), path)
    elif not start or start[:1] not in b"{[":
        yield from claims_of_table(as_text(data, Oddities(), place=path), path)
    else:
        yield from _claims_of_json(data, path)


def _head(path: str) -> Head:
    data = read_start(path, FIRST_LOOK)
    return head_of(path, data, size=len(data))


def _evaluated(key: str, said: Outcome) -> Claim:
    """What a row of an evaluation says: its file may be larger than what is held at once."""
    return Claim(key=key, source=said.source, status=said.status, reward=said.reward, detail=said.detail)


def _claims_of_json(data: bytes, path: str) -> Iterator[Claim]:
    try:
        value = decode_any(data, Oddities(), place=path)
    except FormatError:
        rows = data.removeprefix(_BOM).strip()
        if b"\n" not in rows or not rows.startswith(b"{"):
            raise
        yield from claims_of_lines(data.removeprefix(_BOM), path)
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
