"""All that one file says of attempts: a report, predictions, a table or a patch, as its content tells."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

import msgspec

from earned.errors import FormatError
from earned.trajectory.decode.document import as_text
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.outcomes.claim import MAX_REPORT, Claim
from earned.trajectory.outcomes.claim_documents import claims_of_document, claims_of_lines, decode_all
from earned.trajectory.outcomes.claim_tables import claims_of_table
from earned.trajectory.outcomes.evaluations import Evaluated, evaluated, is_evaluation
from earned.trajectory.outcomes.fits import Index
from earned.trajectory.peek import FIRST_LOOK, Head, head_of
from earned.trajectory.sources import places
from earned.trajectory.sources.files import read_bytes, read_start

PATCHES = (".patch", ".diff")
OWN = ".pred"
"""The prediction of one instance, which lies beside its trajectory whatever name the run has."""
MAX_HELD = 128 * 1024 * 1024
"""Bytes that the claims of files near trajectories take together, about; those asked for longest ago go first."""
WEIGHT = 500
"""Bytes that a claim takes, about, and a file without any."""
_BOM = b"\xef\xbb\xbf"


class Claims(NamedTuple):
    """All claims of one file."""

    found: Index
    error: str = ""
    """Why the file could not be read."""


def claims_of(path: str) -> Iterator[Claim]:
    """All claims of one file, in order. Raises FormatError when it cannot be read.

    Where a number without a stated maximum is larger than 1, no such number of the file is known to be full credit.
    """
    found = list(_stated(path))
    is_open = any(claim.bare is not None and claim.bare > 1 for claim in found)
    yield from (_without_number(claim) if is_open and claim.bare is not None else claim for claim in found)


def _without_number(claim: Claim) -> Claim:
    detail = "" if claim.otherwise != "unknown" else "scores above 1 stand in the file, and no maximum: its scale is not known"
    return msgspec.structs.replace(claim, status=claim.otherwise, reward=None, detail=detail)


def _stated(path: str) -> Iterator[Claim]:
    if is_evaluation(_head(path)):
        yield from map(_evaluated, evaluated(path))
        return
    data = read_bytes(path, limit=MAX_REPORT)
    start = data[:64].removeprefix(_BOM).lstrip()
    if path.endswith(PATCHES):
        yield _patch_file(as_text(data, Oddities(), place=path), path)
    elif not start or start[:1] not in b"{[":
        yield from claims_of_table(as_text(data, Oddities(), place=path), path)
    elif path.endswith(OWN):
        yield from (msgspec.structs.replace(claim, model="") for claim in _claims_of_json(data, path))
    else:
        yield from _claims_of_json(data, path)


def _head(path: str) -> Head:
    data = read_start(path, FIRST_LOOK)
    return head_of(path, data, size=len(data))


def _evaluated(row: Evaluated) -> Claim:
    """What a row of an evaluation says: its file may be larger than what is held at once."""
    said = row.outcome
    return Claim(
        key=row.key,
        source=said.source,
        status=said.status,
        reward=said.reward,
        detail=said.detail,
        model=row.model,
        patch=row.patch,
    )


def _claims_of_json(data: bytes, path: str) -> Iterator[Claim]:
    try:
        value = decode_all(data, path)
    except FormatError:
        rows = data.removeprefix(_BOM).strip()
        if b"\n" not in rows or not rows.startswith(b"{"):
            raise
        yield from claims_of_lines(data.removeprefix(_BOM), path)
        return
    yield from claims_of_document(value, path)


def claims_held(path: str) -> Claims:
    """The same, kept for the next trajectory; of a file that cannot be read, why."""
    try:
        return _kept.of(path, places.stamp(path))
    except OSError as error:
        return Claims(Index(), error=f"the file cannot be opened: {error.strerror or error}")


class _Kept:
    """The claims of the files that were asked for lately: as many as one walk needs, bounded by what they hold."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, tuple[str, Claims, int]] = OrderedDict()
        self._weight = 0

    def of(self, path: str, stamp: str) -> Claims:
        known = self._files.get(path)
        if known is not None and known[0] == stamp:
            self._files.move_to_end(path)
            return known[1]
        if known is not None:
            self._forget(path)
        claims, weight = _read(path)
        self._files[path] = stamp, claims, weight
        self._weight += weight
        while self._weight > MAX_HELD and len(self._files) > 1:
            self._forget(next(iter(self._files)))
        return claims

    def _forget(self, path: str) -> None:
        self._weight -= self._files.pop(path)[2]


_kept = _Kept()


def _read(path: str) -> tuple[Claims, int]:
    """The claims of a file, and about how many bytes of memory they take."""
    index, weight = Index(), WEIGHT
    try:
        for claim in claims_of(path):
            index.add(claim)
            weight += WEIGHT + len(claim.patch or "")
    except FormatError as error:
        return Claims(Index(), error=str(error)), WEIGHT
    return Claims(index), weight


def _patch_file(text: str, path: str) -> Claim:
    """`patch.diff` in the folder of an instance, or `ID.patch`."""
    name = PurePosixPath(path)
    key = name.parent.name if name.stem == "patch" else name.stem
    return Claim(key=key, source=path, patch=text, is_outcome=False)
