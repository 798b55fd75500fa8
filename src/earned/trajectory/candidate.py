"""What discovery hands to reading: one file or folder that looks like trajectories, and the files that go with it.

A candidate holds names only, so that it can cross a process border; nothing of its content is kept.
"""

from __future__ import annotations

import posixpath
from pathlib import Path, PurePosixPath

import msgspec


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to read. All paths are as the user gave them, joined with what was found below."""

    path: str
    """The file, or the folder of a trial; in an archive its place there, such as `runs.zip/job/trial`."""
    format: str
    """Name in the table of formats."""
    files: tuple[str, ...] = ()
    """Files that may make the trajectory; a reader opens no other file for it."""
    outcome_files: tuple[str, ...] = ()
    """Files that hold the verifier's word: never part of the trajectory's id."""
    contested: tuple[tuple[str, int], ...] = ()
    """What the outcome files say that fits further attempts: its place, and how well the one fits that has it (-1: no one)."""
    archive: str = ""
    """The archive that it lies in; empty for what lies on disk."""
    size: int = 0
    """Sum of the sizes of `files`, in bytes."""
    recognised: str = ""
    """Why it was taken for this format."""

    @property
    def given(self) -> str:
        """The path that rows name: of the archive where it lies in one."""
        return self.archive or self.path

    @property
    def name(self) -> str:
        """What the file or folder is called; of `.` what the folder is called that it stands for."""
        return PurePosixPath(self.path).name or Path(self.path).resolve().name

    @property
    def member(self) -> str:
        """The name in the archive; empty for what lies on disk."""
        return self.path[len(self.archive) + 1 :] if self.archive else ""

    def inner(self, path: str, sample: str = "") -> str:
        """What rows name as member: the place of a file or folder in the archive, with the sample in a file of several."""
        name = path[len(self.archive) + 1 :] if self.archive and path.startswith(f"{self.archive}/") else ""
        return f"{name}:{sample}" if name and sample else name or sample


def place_in(candidate: Candidate, path: str) -> str:
    """The path of a file as steps name it: below the trajectory's folder, or from the folder in which its file stands."""
    start = posixpath.dirname(candidate.path) if candidate.path in candidate.files else candidate.path
    return posixpath.relpath(path, start or ".")


def path_below(folder: str, path: str) -> str:
    """The path of a file as its attempt's folder names it; with `../` before it where it lies outside."""
    if path.startswith(folder) and path[len(folder) : len(folder) + 1] == "/":
        return path[len(folder) + 1 :]
    if folder == ".":
        return path if not path.startswith(("/", "..")) else f"../{path}"
    return f"../{path}"
