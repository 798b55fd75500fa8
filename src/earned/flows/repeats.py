"""Attempts that are met again in one call, by what they hold (`earned.trajectory.identity`), whatever they stand in."""

from __future__ import annotations

import os
import tempfile
from types import TracebackType
from typing import Self

from earned.flows.place import Place
from earned.records import Skip, Trajectory

_SIZE = 8
Repeated = tuple[tuple[bytes, str], ...]
"""Digest and place of attempts that were met elsewhere."""


class Attempts:
    """The attempts that were met. Of each a digest and a number are held; its place waits on a temporary file."""

    def __init__(self) -> None:
        self._first: dict[bytes, int] = {}
        self._places = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the attempts

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._places.close()

    def twin_of(self, digest: bytes, place: str) -> str:
        """Place of an attempt met earlier that is the same one; empty when there is none, and this one then is the first."""
        if not digest:
            return ""
        at = self._first.get(digest)
        if at is not None:
            return self._place(at)
        self._first[digest] = self._places.seek(0, os.SEEK_END)
        data = place.encode("utf-8", "surrogateescape")
        self._places.write(len(data).to_bytes(_SIZE, "little") + data)
        return ""

    def _place(self, at: int) -> str:
        self._places.seek(at)
        length = int.from_bytes(self._places.read(_SIZE), "little")
        return self._places.read(length).decode("utf-8", "surrogateescape")


def repeated(trajectory: Trajectory, place: Place, twin: str) -> Skip:
    """The row of an attempt that is the one at `twin`."""
    return Skip(
        path=place.path,
        member=place.member,
        reason="duplicate",
        detail=f"the same attempt as {twin}",
        trajectory_id=trajectory.id,
        task=trajectory.task,
    )
