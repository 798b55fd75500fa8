"""What one place in a file says of one attempt: that it passed or not, or what was submitted."""

from __future__ import annotations

import msgspec

from earned.records.trajectory import Status

MAX_REPORT = 64 * 1024 * 1024
"""Bytes of the largest file of outcomes or predictions that is read."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What one place says of one attempt."""

    key: str
    """Native id, member, file stem or task."""
    source: str
    """File and key."""
    status: Status = "unknown"
    reward: float | None = None
    detail: str = ""
    task: str = ""
    model: str = ""
    """Model or run that the place names."""
    bare: float | None = None
    """A number without a stated maximum that it rests on: a reward of 1 only where no other of its file is larger."""
    otherwise: Status = "unknown"
    """What it says without that number."""
    patch: str | None = None
    """What was submitted, where it is said."""
    is_outcome: bool = True
    """False for predictions: they say what was submitted, and nothing of how it went."""

    @property
    def passed(self) -> bool | None:
        """Whether it got full credit; None when nothing is said."""
        return None if self.status in ("unknown", "conflicting") else self.status == "passed"
