"""What an agent's edits and commands leave behind, as a submission.

Where a file's text is known at the end it is kept whole; where it was shown before the first edit, or is not known, the lines
that the edits added and took away are shown as hunks of a patch that names no certain place.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence

from earned.content import FileReplay, ReplayedFile
from earned.records import Edit, Fact, Submission, Write, WrittenFile
from earned.records.trajectory import EditOperation
from earned.trajectory.submission.sed import edited_in_place
from earned.trajectory.submission.worktree import SCRATCH

_EDITS: dict[str, EditOperation] = {"write": "write", "append": "append"}
_UNDONE = frozenset({"-R", "--reverse", "--dry-run", "--check"})
"""Options with which a patch puts nothing into the tree."""
_IN_FOLDER = ("-d", "--directory")
_EXTENDED = frozenset({"-E", "-r", "--regexp-extended", "-Ei", "-ri"})
_QUIET = frozenset({"-n", "--quiet", "--silent", "-ni", "-in", "-s", "-z"})
UNKNOWN_SOURCE = "?"
"""Of a file that a program writes from what it made itself."""
_KEEPS = frozenset({"-e", "-X"})
"""Options with which `git clean` leaves files that are not tracked."""
_PUTS_BACK = frozenset({"checkout", "restore", "reset"})
_HEAD = frozenset({"HEAD", "@", "--"})


class Replay:
    """The files that the agent changed, by the path at which they lie as far as the record says it."""

    def __init__(self) -> None:
        self._files = FileReplay()
        self._is_certain = True
        self._back: set[str] = set()
        """What git put back as it was since the last write."""
        self._inexact: set[str] = set()
        """Files whose text is not surely known: a shell put values into it, or may not have written it."""

    def is_known(self, path: str, *, cwd: str = "") -> bool:
        """Whether anything is known of a file: then to see it again says nothing of what it held before."""
        return self._files.is_known(_at(cwd, path))

    def show(self, path: str, text: str, *, cwd: str = "") -> None:
        """A file was shown whole: what is edited afterwards is edited in this text."""
        self._files.show(_at(cwd, path), text)

    def apply(self, edit: Edit, *, cwd: str = "", every: bool = False) -> None:
        """Carry out an edit that a tool made; `every`: in all places in which the old text stands."""
        self._back.clear()
        if edit.operation == "patch":
            self._files.patch(edit.new, folder=cwd)
        elif edit.path and edit.operation == "replace" and every:
            self._files.replace(_at(cwd, edit.path), edit.old, edit.new, every=True)
        elif edit.path:
            if edit.operation == "write":
                self._inexact.discard(_at(cwd, edit.path))
            placed = Edit(path=_at(cwd, edit.path), operation=edit.operation, new=edit.new, old=edit.old, line=edit.line)
            self._files.apply(placed)

    def carry_out(
        self,
        fact: Fact,
        *,
        has_failed: Callable[[Write], bool] = lambda _write: False,
        is_filled_in: Callable[[str], bool] = lambda _text: False,
        is_doubtful: bool = False,
    ) -> None:
        """Carry out what a command writes, as far as the command or an earlier one holds it.

        Args:
            fact: What the command does.
            has_failed: Whether a write did not take place.
            is_filled_in: Whether a text that is written holds values that only the shell knew.
            is_doubtful: Whether it is not known that it took place.
        """
        for write in fact.writes:
            if not has_failed(write):
                if fact.git is None or fact.git.operation not in _PUTS_BACK:
                    self._back.clear()
                self._write(write, fact)
                is_inexact = is_doubtful or (write.text is not None and is_filled_in(write.text))
                self._tell_exact(write, fact, is_filled_in=is_inexact)
        self._revert(fact)

    def clean(self, fact: Fact, removed: Sequence[str]) -> None:
        """What git took away of what it does not track: as it says itself, else it is not known which of the files."""
        for path in removed:
            self._files.delete(_at(fact.cwd, path.rstrip("/")))
        if any(write.path == "." for write in fact.writes) and _KEEPS.isdisjoint(fact.argv):
            self._put_back(fact, "untracked")
        if fact.writes and not removed and any(not file.is_deleted for file in self._files.files()):
            self._is_certain = False

    def _put_back(self, fact: Fact, which: str) -> None:
        """Where git put back what it tracks and took away what it does not, nothing of the agent's is left in its folder."""
        self._back.add(which)
        if len(self._back) > 1:
            for file in self._files.files():
                if file.path.startswith(f"{fact.cwd}/") if fact.cwd else not file.path.startswith("/"):
                    self._files.delete(file.path)

    def _tell_exact(self, write: Write, fact: Fact, *, is_filled_in: bool) -> None:
        """Keep which files hold a text that is not known letter by letter; one that is written anew holds it no more."""
        path, source = _at(fact.cwd, write.path), _at(fact.cwd, write.source)
        if write.operation == "patch":
            self._is_certain = self._is_certain and not is_filled_in and source not in self._inexact
        elif is_filled_in or (write.operation == "copy" and source in self._inexact):
            self._inexact.add(path)
        elif write.operation in ("write", "delete", "copy"):
            self._inexact.discard(path)

    def _write(self, write: Write, fact: Fact) -> None:
        path, source = _at(fact.cwd, write.path), _at(fact.cwd, write.source)
        if write.operation == "delete":
            self._files.delete(path)
        elif write.operation == "patch":
            self._patch(write, fact)
        elif write.operation in _EDITS and write.text is not None:
            self._files.apply(Edit(path=path, operation=_EDITS[write.operation], new=write.text))
        elif write.operation == "replace" and write.removed and write.text is not None:
            self._replace(path, write.removed, write.text)
        elif write.operation == "replace":
            self._edit_in_place(path, write, fact)
        elif write.operation == "copy" and self._files.is_known(source):
            self._files.copy(source, path)
        else:
            self._lose(path, is_telling=write.source == UNKNOWN_SOURCE)

    def _lose(self, path: str, *, is_telling: bool) -> None:
        """Something was written that is not known. Of a file of which nothing was known that tells only where it was edited."""
        if self._files.is_known(path):
            self._files.forget(path)
        elif is_telling and not path.startswith(SCRATCH):
            self._is_certain = False

    def _replace(self, path: str, old: str, new: str) -> None:
        """A program's own replacement of a text: whether and how often it stood in a file that is not known nobody says."""
        if self._files.text(path) is not None or not path.startswith(SCRATCH):
            self._is_certain = self._is_certain and self._files.text(path) is not None
            self._files.replace(path, old, new)

    def _edit_in_place(self, path: str, write: Write, fact: Fact) -> None:
        """`sed -i`, where the text is known and the script too; else the file is not known any more."""
        text = self._files.text(path) if fact.program in ("sed", "gsed") else None
        made = None
        if text is not None and write.text is not None and _QUIET.isdisjoint(fact.argv):
            made = edited_in_place(text, [write.text], is_extended=not _EXTENDED.isdisjoint(fact.argv))
        if made is not None:
            self._files.write(path, made)
        else:
            self._lose(path, is_telling=True)

    def _patch(self, write: Write, fact: Fact) -> None:
        """The patch that a here-document holds, or a file that was written before."""
        text = write.text if write.text is not None else self._files.text(_at(fact.cwd, write.source))
        if text is None or not _UNDONE.isdisjoint(fact.argv):
            return
        is_folder = write.path == "." or any(word.startswith(_IN_FOLDER) for word in fact.argv)
        path = _at(fact.cwd, write.path)
        self._files.patch(text, path="" if is_folder else path, folder=path if is_folder and path != "." else fact.cwd)

    def _revert(self, fact: Fact) -> None:
        """What git puts back as it was."""
        use = fact.git
        if use is None or not set(use.refs) <= _HEAD:
            return
        operation = use.operation.partition(" ")[0]
        if operation in ("checkout", "restore") and "--staged" not in fact.argv:
            for path in use.paths:
                if path in (".", "*", ":/"):
                    self._revert_all(fact)
                else:
                    self._files.revert(_at(fact.cwd, path))
        elif operation == "reset" and "--hard" in fact.argv:
            self._revert_all(fact)
        elif operation == "stash":
            self._is_certain = False

    def _revert_all(self, fact: Fact) -> None:
        self._files.revert_all()
        self._put_back(fact, "tracked")

    def submission(self, is_wanted: Callable[[str], bool] = lambda _path: True) -> Submission:
        """What is left of the files asked for; `none` when nothing is.

        It is weak where an edit did not fit, or a command's effect is not known.
        """
        kept = [file for file in self._files.files() if not file.is_deleted and is_wanted(file.path)]
        left = [file for file in kept if file.base is None or file.base != file.text]
        files = tuple(WrittenFile(path=file.path, text=file.text) for file in left if file.text is not None)
        hunks = [file for file in left if (file.text is None or file.base is not None) and (file.added or file.removed)]
        patch = "".join(map(_as_patch, hunks))
        if not files and not patch:
            return Submission()
        is_certain = self._is_certain and all(file.is_certain and file.path not in self._inexact for file in left)
        return Submission(patch=patch, files=files, recovered="edits_replayed", certainty="likely" if is_certain else "weak")


def _at(folder: str, path: str) -> str:
    """A path within a folder; empty when there is no path."""
    return posixpath.normpath(posixpath.join(folder, path)) if path else ""


def _as_patch(file: ReplayedFile) -> str:
    """Changes of a file as one hunk that counts its lines and guesses its place."""
    name = file.path.lstrip("/")
    before, after = len(file.removed), len(file.added)
    head = f"--- a/{name}\n+++ b/{name}\n@@ -{min(before, 1)},{before} +{min(after, 1)},{after} @@\n"
    return head + "".join(f"-{line}\n" for line in file.removed) + "".join(f"+{line}\n" for line in file.added)
