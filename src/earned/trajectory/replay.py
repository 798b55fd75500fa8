"""What an agent's edits and commands leave behind, as a submission.

Where a file's text is known at the end it is kept whole; where an edit changed a file whose text is not, the lines that it
added and took away are shown as hunks of a patch that names no certain place.
"""

from __future__ import annotations

import posixpath

from earned.content import FileReplay, ReplayedFile
from earned.records import Edit, Fact, Submission, Write, WrittenFile
from earned.records.trajectory import EditOperation

_EDITS: dict[str, EditOperation] = {"write": "write", "append": "append"}
_UNDONE = frozenset({"-R", "--reverse", "--dry-run", "--check"})
"""Options with which a patch puts nothing into the tree."""
_IN_FOLDER = ("-d", "--directory")


class Replay:
    """The files that the agent changed, by the path at which they lie as far as the record says it."""

    def __init__(self) -> None:
        self._files = FileReplay()

    def apply(self, edit: Edit, *, cwd: str = "") -> None:
        """Carry out an edit that a tool made."""
        if edit.operation == "patch":
            self._files.patch(edit.new, folder=cwd)
        elif edit.path:
            placed = Edit(path=_at(cwd, edit.path), operation=edit.operation, new=edit.new, old=edit.old, line=edit.line)
            self._files.apply(placed)

    def carry_out(self, fact: Fact, *, patches: bool = True) -> None:
        """Carry out what a command writes, as far as the command or an earlier one holds it; `patches`: those fitted."""
        for write in fact.writes:
            path, source = _at(fact.cwd, write.path), _at(fact.cwd, write.source)
            if write.operation == "delete":
                self._files.delete(path)
            elif write.operation == "copy" and source:
                self._files.copy(source, path)
                if fact.program == "mv":
                    self._files.delete(source)
            elif write.operation == "patch" and patches:
                self._patch(write, fact)
            elif write.operation in _EDITS and write.text is not None:
                self._files.apply(Edit(path=path, operation=_EDITS[write.operation], new=write.text))

    def _patch(self, write: Write, fact: Fact) -> None:
        """The patch that a here-document holds, or a file that was written before."""
        text = write.text if write.text is not None else self._files.text(_at(fact.cwd, write.source))
        if text is None or not _UNDONE.isdisjoint(fact.argv):
            return
        is_folder = write.path == "." or any(word.startswith(_IN_FOLDER) for word in fact.argv)
        path = _at(fact.cwd, write.path)
        self._files.patch(text, path="" if is_folder else path, folder=path if is_folder and path != "." else fact.cwd)

    def submission(self) -> Submission:
        """What is left; `none` when nothing is."""
        left = [file for file in self._files.files() if not file.is_deleted]
        files = tuple(WrittenFile(path=file.path, text=file.text) for file in left if file.text is not None)
        patch = "".join(_as_patch(file) for file in left if file.text is None and (file.added or file.removed))
        if not files and not patch:
            return Submission()
        return Submission(patch=patch, files=files, recovered="edits_replayed", certainty="likely")


def _at(folder: str, path: str) -> str:
    """A path within a folder; empty when there is no path."""
    return posixpath.normpath(posixpath.join(folder, path)) if path else ""


def _as_patch(file: ReplayedFile) -> str:
    """Changes of a file whose whole text is unknown, as one hunk that counts its lines and guesses its place."""
    name = file.path.lstrip("/")
    before, after = len(file.removed), len(file.added)
    head = f"--- a/{name}\n+++ b/{name}\n@@ -{min(before, 1)},{before} +{min(after, 1)},{after} @@\n"
    return head + "".join(f"-{line}\n" for line in file.removed) + "".join(f"+{line}\n" for line in file.added)
