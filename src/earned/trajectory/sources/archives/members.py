"""What an archive holds, by name: which names are read, and why others are not. Nothing is ever written under such a name."""

from __future__ import annotations

import re
from typing import NamedTuple

from earned.records import SkipReason
from earned.trajectory.sources.limits import MAX_DEPTH, MAX_NAME

_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Member(NamedTuple):
    """One file in an archive that can be read."""

    name: str
    """Below the archive, with `/` between folders."""
    at: int
    """Where it lies in the archive: the offset of its bytes for a tar, of its local header for a ZIP."""
    size: int
    """In bytes, as declared."""
    packed: int = -1
    """Bytes that it takes in a ZIP."""
    method: int = 0
    """How it is packed there."""
    checksum: int | None = None


class Refused(NamedTuple):
    """Something in an archive that is not read, or the archive itself (no name)."""

    name: str
    reason: SkipReason
    detail: str


def clean_name(name: str) -> str:
    """A name without `.` and empty parts: `./runs//a` is `runs/a`."""
    if name[:1] not in {"/", "."} and "//" not in name and "/." not in name and not name.endswith("/"):
        return name  # nearly every one
    return "/".join(part for part in name.split("/") if part not in {"", "."})


def name_fault(name: str) -> str:
    """Why a name of an archive is not taken; empty when it is."""
    if not clean_name(name):
        return "its name is empty"
    if _CONTROL.search(name):
        return "its name holds control characters"
    if "\\" in name:
        return "its name holds backslashes"
    if name.startswith("/") or _DRIVE.match(name):
        return "its name is an absolute path"
    if ".." in name.split("/"):
        return "its name leads out of the archive"
    if "\ufffd" in name:
        return "its name is not UTF-8"
    if len(name.encode("utf-8", "replace")) > MAX_NAME:
        return f"its name is longer than {MAX_NAME} bytes"
    return f"it lies below more than {MAX_DEPTH} folders" if clean_name(name).count("/") > MAX_DEPTH else ""
