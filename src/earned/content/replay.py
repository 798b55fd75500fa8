"""Edits in the order in which they were made become the final text of each file where it can be known.

Where it cannot (the text that an edit changes was never shown), what is certain is kept: the lines that the edits added.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from earned.content.apply import apply_hunks
from earned.content.envelope import read_patch
from earned.content.patch import PatchedFile
from earned.records import Edit

MAX_TEXT = 4 << 20
"""Characters of one file beyond which its text is given up: repeated appends and replacements must not fill the memory."""


class ReplayedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file after all edits."""

    path: str
    text: str | None
    """None when it cannot be known, or when the file is deleted."""
    added: tuple[str, ...]
    """Lines that the edits added and that are still there; of a file whose first text is known, in the order of the file."""
    removed: tuple[str, ...] = ()
    """Lines that the edits took away; of a file whose first text is unknown, those that they name."""
    base: str | None = None
    """The text before any edit, where it was shown."""
    is_deleted: bool = False
    is_certain: bool = True
    """False when some edit did not fit the text (its old part is missing or stands more than once), or is not known."""


class _State:
    """One file between edits."""

    def __init__(self, text: str | None) -> None:
        self.first = self.text = text
        self.chunks: list[tuple[str, str]] = []
        """Of an unknown text: old and new part of each edit."""
        self.size = 0
        """Characters of the new parts, at most."""
        self.is_deleted = False
        self.is_certain = True

    def put(self, text: str) -> None:
        """The whole text becomes known."""
        self.chunks, self.size = [], 0
        self.is_deleted = False
        self.text = text
        if len(text) > MAX_TEXT:
            self.lose("", text[:MAX_TEXT])

    def lose(self, old: str, new: str) -> None:
        """The text is not known any more; what is known is that `new` stands in it where `old` stood."""
        if self.text is not None:
            self.chunks = [(self.first or "", self.text[:MAX_TEXT])] if self.text != self.first else []
            self.size = sum(len(chunk) for _, chunk in self.chunks)
        self.text = None
        self.is_deleted = False
        if self.size + len(new) <= MAX_TEXT:
            self.chunks.append((old, new))
            self.size += len(new)

    def finish(self, path: str) -> ReplayedFile:
        if self.is_deleted:
            return ReplayedFile(path=path, text=None, added=(), base=self.first, is_deleted=True, is_certain=self.is_certain)
        chunks = self.chunks if self.text is None else [(self.first or "", self.text)]
        added = tuple(line for old, new in chunks for line in _added(old, new))
        removed = tuple(line for old, new in chunks for line in _added(new, old))
        return ReplayedFile(
            path=path, text=self.text, added=added, removed=removed, base=self.first, is_certain=self.is_certain
        )


class FileReplay:
    """Files that are being edited; a file that is not among the initial ones has an unknown text until it is written whole."""

    def __init__(self, initial: Mapping[str, str] | None = None) -> None:
        self._files = {path: _State(text) for path, text in (initial or {}).items()}

    def apply(self, edit: Edit) -> None:
        """Carry out one edit. One that does not fit changes nothing that is known, and makes the file uncertain."""
        if edit.operation == "patch":
            self.patch(edit.new, path=edit.path)
        elif edit.operation == "write":
            self.write(edit.path, edit.new)
        elif edit.operation == "append":
            self.append(edit.path, edit.new)
        elif edit.operation == "insert":
            self.insert(edit.path, edit.new, line=edit.line)
        elif edit.operation == "delete":
            self.delete(edit.path)
        elif edit.line is not None and not edit.old:
            self._replace_lines(edit)
        else:
            self.replace(edit.path, edit.old, edit.new)

    def show(self, path: str, text: str) -> None:
        """The whole text of a file as it was shown; known from now on where nothing has touched the file before."""
        if path not in self._files and len(text) <= MAX_TEXT:
            self._files[path] = _State(text)

    def forget(self, path: str) -> None:
        """Something wrote the file of which nothing is known."""
        state = self._state(path)
        state.lose("", "")
        state.chunks, state.is_certain = [], False

    def revert(self, path: str) -> None:
        """The file is again as it was before any edit."""
        state = self._files.get(path)
        if state is not None:
            self._files[path] = _State(state.first)

    def revert_all(self) -> None:
        """So is every file but new ones; of a file that was only written, whether it was new is not known."""
        for path, state in list(self._files.items()):
            if state.first is None and state.text is not None:
                state.is_certain = False
            else:
                self.revert(path)

    def write(self, path: str, text: str) -> None:
        """The file has this text from now on."""
        self._state(path).put(text)

    def append(self, path: str, text: str) -> None:
        """The text stands at the end of the file, which may be new."""
        state = self._state(path)
        if state.is_deleted:
            state.put(text)
        elif state.text is None:
            state.lose("", text)
        else:
            state.put(state.text + text)

    def replace(self, path: str, old: str, new: str, *, every: bool = False) -> None:
        """`new` stands where `old` stood; in an unknown text that is believed. An empty `old` writes a new file."""
        state = self._state(path)
        if state.text is None:
            if state.is_deleted and not old:
                state.put(new)
            else:
                self._replace_unknown(state, old, new)
            return
        count = state.text.count(old) if old else 0
        state.is_certain &= count == 1 or (every and count > 0)
        if count and len(state.text) + count * len(new) <= MAX_TEXT:
            state.put(state.text.replace(old, new, -1 if every else 1))
        elif count:
            state.lose(old, new)
        elif not old and not state.text:
            state.put(new)

    def insert(self, path: str, text: str, *, line: int | None) -> None:
        """The text stands after line `line` (0: at the begin); without a number, somewhere."""
        state = self._state(path)
        lines = state.text.split("\n") if state.text is not None else []
        count = len(lines) - (not lines or lines[-1] == "")
        if state.text is None or line is None or not 0 <= line <= count:
            state.is_certain &= state.text is None
            state.lose("", text)
            return
        lines[line:line] = text.removesuffix("\n").split("\n")
        state.put("\n".join(lines))

    def delete(self, path: str) -> None:
        """The file is gone; a folder with every file in it that is known."""
        inside = [] if path in self._files else [name for name in self._files if name.startswith(f"{path}/")]
        for name in inside or [path]:
            state = self._state(name)
            state.text, state.chunks, state.is_deleted = None, [], True

    def copy(self, source: str, path: str) -> None:
        """What is known of one file is known of another one too; nothing happens when nothing is."""
        known = self._files.get(source)
        if known is None or known.is_deleted or source == path:
            return
        made = self._files[path] = _State(known.text)
        made.first, made.chunks, made.size = known.first, list(known.chunks), known.size
        made.is_certain = known.is_certain

    def is_known(self, path: str) -> bool:
        """Whether anything is known of the file."""
        return path in self._files

    def text(self, path: str) -> str | None:
        """The text of a file at this point; None when it is not known."""
        return self._files[path].text if path in self._files else None

    def patch(self, text: str, *, path: str = "", folder: str = "") -> None:
        """Apply a unified diff or a `*** Begin Patch` envelope.

        Args:
            text: The patch.
            path: The file of a patch of one file, where it is named beside the patch.
            folder: In which the files lie that the patch names.
        """
        files = read_patch(text)
        for file in files:
            if path and len(files) == 1:
                self._patch(file, path, _inside(folder, file.old_path))
            else:
                self._patch(file, _inside(folder, file.path), _inside(folder, file.old_path))

    def files(self) -> tuple[ReplayedFile, ...]:
        """Every file that was given or touched, by path."""
        return tuple(self._files[path].finish(path) for path in sorted(self._files))

    def _state(self, path: str) -> _State:
        return self._files.setdefault(path, _State(None))

    def _patch(self, file: PatchedFile, path: str, old_path: str) -> None:
        if file.is_deleted:
            self.delete(path)
            return
        if file.is_rename and old_path in self._files:
            self._files[path] = self._files.pop(old_path)
        state = self._state(path)
        if file.is_new:
            state.put(_whole(file))
        elif state.text is not None:
            patched = apply_hunks(state.text, file)
            state.is_certain &= patched is not None
            if patched is not None:
                state.put(patched)
            else:
                self._believe(state, file)
        else:
            self._believe(state, file)

    def _believe(self, state: _State, file: PatchedFile) -> None:
        for hunk in file.hunks:
            state.lose("\n".join(hunk.old), "\n".join(hunk.new))

    def _replace_lines(self, edit: Edit) -> None:
        """Lines from a number on are replaced; how many is not said, so that a known text becomes unknown."""
        state = self._state(edit.path)
        if state.text == "":
            state.put(edit.new)
            return
        state.is_certain &= state.text is None
        state.lose("", edit.new)

    def _replace_unknown(self, state: _State, old: str, new: str) -> None:
        """An edit of what an earlier edit put there changes that; any other stands for itself."""
        for number in range(len(state.chunks) - 1, -1, -1):
            before, after = state.chunks[number]
            if old and old in after:
                state.chunks[number] = before, after.replace(old, new, 1)
                state.size += max(0, len(new) - len(old))
                return
        state.lose(old, new)


def _inside(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path)) if folder and path else path


def _whole(file: PatchedFile) -> str:
    lines = [line for hunk in file.hunks for line in hunk.new]
    is_open = bool(file.hunks) and file.hunks[-1].new_ends_open
    return "\n".join(lines) + ("" if is_open or not lines else "\n")


def _added(old: str, new: str) -> Iterable[str]:
    """Lines of `new` beyond those that `old` has, counted."""
    left = Counter(old.split("\n"))
    for line in new.removesuffix("\n").split("\n") if new else ():
        if left[line] > 0:
            left[line] -= 1
        else:
            yield line
