"""A patch as files with numbered lines: every line that a diff adds, removes or shows has a place, and no text makes it raise.

Reads unified and git diffs as people, tools and models write them: renames, modes, binary files, CRLF, missing prefixes,
wrong hunk counts, several diffs one after the other, prose around them, combined diffs of merges.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from earned.content.patch_paths import git_paths, header_path, is_absent, strip_prefixes, unquote


class PatchLine(NamedTuple):
    """One line of a patched file, without its sign and line ending."""

    number: int
    """From 1; of the new file for added and context lines, of the old file for removed ones; 0 where the hunk does not say."""
    text: str


class Hunk(msgspec.Struct, frozen=True, kw_only=True):
    """One change: the lines `old` at `old_start` become the lines `new`."""

    old_start: int
    """Line of the old file at which `old` begins, from 1; 0 when unknown, or when the old side is empty."""
    new_start: int
    old: tuple[str, ...]
    """Context and removed lines, in order."""
    new: tuple[str, ...]
    """Context and added lines, in order."""
    section: str = ""
    """Text after the second `@@`."""
    new_ends_open: bool = False
    r"""The new side's last line is marked `\ No newline at end of file`."""


class PatchedFile(msgspec.Struct, frozen=True, kw_only=True):
    """What a patch does to one file."""

    path: str
    """On the new side; the old path when the file is deleted."""
    old_path: str
    """On the old side; empty when the file is new."""
    hunks: tuple[Hunk, ...] = ()
    added: tuple[PatchLine, ...] = ()
    removed: tuple[PatchLine, ...] = ()
    context: tuple[PatchLine, ...] = ()
    is_new: bool = False
    is_deleted: bool = False
    is_binary: bool = False
    is_rename: bool = False


_HUNK = re.compile(r"@@ +-([0-9]{1,18})(?:,([0-9]{1,18}))? +\+([0-9]{1,18})(?:,([0-9]{1,18}))? +@@ ?(.*)")
_COMBINED = re.compile(r"(@{3,})((?: +-[0-9]{1,18}(?:,[0-9]{1,18})?)+) +\+([0-9]{1,18})(?:,([0-9]{1,18}))? +@{3,}")
_MAIL_SIGNATURE = "-- "
_UNCOUNTED = -1


class _HunkDraft:
    """A hunk while its lines are being read."""

    def __init__(self, *, old: int, old_count: int, new: int, new_count: int, section: str) -> None:
        self.old_start, self.new_start, self.section = old, new, section
        self.old_number, self.new_number = old, new
        self.old_left, self.new_left = old_count, new_count
        self.is_counted = old_count != _UNCOUNTED
        self.is_merge = False
        self.old: list[str] = []
        self.new: list[str] = []
        self.new_ends_open = False
        self.last_sign = " "

    @property
    def is_full(self) -> bool:
        """Every line that the header announced was read; a hunk without counts is full at any line."""
        return self.old_left <= 0 and self.new_left <= 0

    def finish(self) -> Hunk:
        return Hunk(
            old_start=self.old_start,
            new_start=self.new_start,
            old=tuple(self.old),
            new=tuple(self.new),
            section=self.section,
            new_ends_open=self.new_ends_open,
        )


class _FileDraft:
    """A file while its part of the patch is being read."""

    def __init__(self, old_path: str = "", path: str = "") -> None:
        self.old_path, self.path = old_path, path
        self.hunks: list[Hunk] = []
        self.added: list[PatchLine] = []
        self.removed: list[PatchLine] = []
        self.context: list[PatchLine] = []
        self.is_new = self.is_deleted = self.is_binary = self.is_rename = False

    def take(self, hunk: _HunkDraft, sign: str, text: str) -> None:
        """Record one line of a hunk."""
        if sign != "+":
            if sign == "-":
                self.removed.append(PatchLine(hunk.old_number if hunk.is_counted and not hunk.is_merge else 0, text))
            hunk.old.append(text)
            hunk.old_number += 1
            hunk.old_left -= 1
        if sign != "-":
            (self.added if sign == "+" else self.context).append(PatchLine(hunk.new_number if hunk.is_counted else 0, text))
            hunk.new.append(text)
            hunk.new_number += 1
            hunk.new_left -= 1
        hunk.last_sign = sign

    def finish(self) -> PatchedFile:
        return PatchedFile(
            path=self.path or self.old_path,
            old_path="" if self.is_new else self.old_path or self.path,
            hunks=tuple(self.hunks),
            added=tuple(self.added),
            removed=tuple(self.removed),
            context=tuple(self.context),
            is_new=self.is_new,
            is_deleted=self.is_deleted,
            is_binary=self.is_binary,
            is_rename=self.is_rename,
        )


def parse_patch(text: str) -> tuple[PatchedFile, ...]:
    """Read all files of all diffs in a text, in order; prose and garbage between them are passed over. Never raises."""
    return _Reader(text).read()


class _Reader:
    """Goes through the lines of a patch once."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.at = 0
        self.file: _FileDraft | None = None
        self.files: list[PatchedFile] = []

    def read(self) -> tuple[PatchedFile, ...]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith(("diff ", "--- ", "+++ ", "@@")):
                self._structure(line)
            else:
                if self.file is not None:
                    _extended_header(self.file, line)
                self.at += 1
        self._close()
        return tuple(self.files)

    def _structure(self, line: str) -> None:
        if line.startswith("diff "):
            self._diff_line(line)
        elif line.startswith("@@"):
            self._hunk(line)
        elif _is_header(self.lines, self.at):
            self._names()
        else:
            self._lone_name(line)

    def _diff_line(self, line: str) -> None:
        self._close()
        self.at += 1
        line = line.removesuffix("\r")
        if line.startswith("diff --git "):
            self.file = _FileDraft(*git_paths(line.removeprefix("diff --git ")))
        elif line.startswith(("diff --cc ", "diff --combined ")):
            path = unquote(line.split(" ", 2)[2])
            self.file = _FileDraft(path, path)

    def _names(self) -> None:
        """The pair `--- old`, `+++ new`: completes the file of a `diff` line, or begins one."""
        old, new = header_path(self.lines[self.at]), header_path(self.lines[self.at + 1])
        if self.file is None or self.file.hunks:
            self._close()
            self.file = _FileDraft()
        file = self.file
        file.is_new |= is_absent(self.lines[self.at])
        file.is_deleted |= is_absent(self.lines[self.at + 1])
        old, new = strip_prefixes(old, new)
        file.old_path = "" if file.is_new else old
        file.path = old if file.is_deleted else new
        self.at += 2

    def _lone_name(self, line: str) -> None:
        """A `+++ new` whose `--- old` is missing, right before a hunk; anything else is prose."""
        self.at += 1
        after = self.lines[self.at] if self.at < len(self.lines) else ""
        if line.startswith("+++ ") and after.startswith("@@"):
            _, path = strip_prefixes("/dev/null", header_path(line))
            if self.file is None or self.file.hunks:
                self._close()
                self.file = _FileDraft(path, path)
            self.file.path = self.file.path or path

    def _hunk(self, line: str) -> None:
        self.at += 1
        if self.file is None:
            return
        combined = _COMBINED.match(line)
        if combined:
            self._combined(self.file, combined)
            return
        hunk = _open_hunk(line.removesuffix("\r"))
        while self.at < len(self.lines) and self._hunk_line(self.file, hunk, self.lines[self.at]):
            self.at += 1
        self.file.hunks.append(hunk.finish())

    def _hunk_line(self, file: _FileDraft, hunk: _HunkDraft, line: str) -> bool:
        """Take one line into the hunk; False when it does not belong to it."""
        sign = line[:1]
        if sign == "\\":
            hunk.new_ends_open |= hunk.last_sign != "-"
            return True
        if sign in ("", "\r"):
            if hunk.is_full and (hunk.is_counted or not _goes_on(self.lines, self.at + 1)):
                return False
            sign = " "
        elif sign not in "+- " or _ends_hunk(self.lines, self.at, hunk):
            return False
        file.take(hunk, sign, line[1:].removesuffix("\r"))
        return True

    def _combined(self, file: _FileDraft, header: re.Match[str]) -> None:
        """A hunk of a merge's diff: one sign column for each parent. A line any parent lacks counts as added."""
        columns = len(header[1]) - 1
        start = int(header[3])
        hunk = _HunkDraft(old=0, old_count=0, new=start, new_count=int(header[4] or 1), section="")
        hunk.is_merge = True
        while self.at < len(self.lines):
            line = self.lines[self.at]
            signs = line[:columns]
            if not signs or signs.strip("+- ") or _is_header(self.lines, self.at):
                break
            file.take(hunk, "-" if "-" in signs else "+" if "+" in signs else " ", line[columns:].removesuffix("\r"))
            self.at += 1
        file.hunks.append(hunk.finish())

    def _close(self) -> None:
        if self.file is not None and (self.file.path or self.file.old_path):
            self.files.append(self.file.finish())
        self.file = None


def _open_hunk(line: str) -> _HunkDraft:
    found = _HUNK.match(line)
    if found is None:
        return _HunkDraft(old=0, old_count=_UNCOUNTED, new=0, new_count=_UNCOUNTED, section="")
    old_count = int(found[2]) if found[2] else 1
    new_count = int(found[4]) if found[4] else 1
    return _HunkDraft(old=int(found[1]), old_count=old_count, new=int(found[3]), new_count=new_count, section=found[5])


def _is_header(lines: list[str], at: int) -> bool:
    return lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")


def _goes_on(lines: list[str], at: int) -> bool:
    return at < len(lines) and lines[at][:1] in ("+", "-", " ") and not _is_header(lines, at)


def _ends_hunk(lines: list[str], at: int, hunk: _HunkDraft) -> bool:
    """Whether a signed line is no longer of the hunk, although the hunk's counts may say otherwise."""
    line = lines[at]
    if hunk.is_full and line.rstrip("\r") == _MAIL_SIGNATURE:
        return True
    if not _is_header(lines, at):
        return False
    if hunk.is_full:
        return True
    # A removed "-- x" and an added "++ y" look like a header too: they are lines where the counts ask for exactly them.
    followed = at + 2 < len(lines) and lines[at + 2].startswith("@@")
    return followed and (hunk.old_left, hunk.new_left) != (1, 1)


def _extended_header(file: _FileDraft, line: str) -> None:
    """One of git's lines between `diff --git` and the first hunk."""
    line = line.removesuffix("\r")
    if file.hunks:
        return
    if line.startswith("new file mode"):
        file.is_new = True
    elif line.startswith("deleted file mode"):
        file.is_deleted = True
    elif line.startswith(("Binary files ", "GIT binary patch")):
        file.is_binary = True
    elif line.startswith(("rename from ", "copy from ")):
        file.is_rename |= line.startswith("rename")
        file.old_path = unquote(line.split(" ", 2)[2])
    elif line.startswith(("rename to ", "copy to ")):
        file.path = unquote(line.split(" ", 2)[2])
