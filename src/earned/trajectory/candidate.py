"""What discovery hands to reading: one file or folder that looks like trajectories, and the files that go with it.

A candidate holds names only, so that it can cross a process border; nothing of its content is kept.
"""

from __future__ import annotations

import posixpath

import msgspec


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to read. All paths are as the user gave them, joined with what was found below."""

    path: str
    """The file, or the folder of a trial."""
    format: str
    """Name in the table of formats."""
    files: tuple[str, ...] = ()
    """Files that may make the trajectory; a reader opens no other file for it."""
    outcome_files: tuple[str, ...] = ()
    """Files that hold the verifier's word: never part of the trajectory's id."""
    member: str = ""
    """Inside an archive; empty otherwise."""
    size: int = 0
    """Sum of the sizes of `files`, in bytes."""
    recognised: str = ""
    """Why it was taken for this format."""


def place_in(candidate: Candidate, path: str) -> str:
    """The path of a file as steps name it: below the trajectory's folder, or from the folder in which its file stands."""
    start = posixpath.dirname(candidate.path) if candidate.path in candidate.files else candidate.path
    return posixpath.relpath(path, start or ".")
