"""Edits of a trajectory, applied in order, become the files and the changes that were there at the end.

Where a file's text is known (the agent wrote it whole) the final text is kept; where an edit changes a file whose text is not,
the pair of old and new text is kept and shown as a hunk of a patch, which names what was added without its line numbers.
"""

from __future__ import annotations

import posixpath

from earned.content.patch import parse_patch
from earned.records import Edit, Submission, WrittenFile

MAX_TEXT = 16 * 1024 * 1024
"""Characters kept of one replayed file; an append loop cannot grow it without end."""


class Replay:
    """The state of the files that the agent changed."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._changes: dict[str, list[tuple[str, str]]] = {}
        self._patches: list[str] = []

    def apply(self, edit: Edit, *, cwd: str = "") -> None:
        """Apply one edit; a path is joined with the working directory."""
        path = posixpath.normpath(posixpath.join(cwd, edit.path)) if edit.path else ""
        if edit.operation == "patch":
            self._patch(edit, path)
        elif not path:
            return
        elif edit.operation == "write":
            self._put(path, edit.new)
        elif edit.operation == "append":
            self._append(path, edit.new)
        elif edit.operation == "delete":
            self.delete(path)
        elif edit.operation == "insert":
            self._insert(path, edit)
        else:
            self._replace(path, edit)

    def copy(self, source: str, path: str, *, cwd: str = "") -> None:
        """Put a known file's text, or changes of it, under another path."""
        source = posixpath.normpath(posixpath.join(cwd, source))
        path = posixpath.normpath(posixpath.join(cwd, path))
        if source in self._texts:
            self._put(path, self._texts[source])
        elif source in self._changes:
            self._changes[path] = list(self._changes[source])

    def delete(self, path: str, *, cwd: str = "") -> None:
        """Forget a file, or all files of a folder, that the agent removed."""
        path = posixpath.normpath(posixpath.join(cwd, path))
        for name in [name for name in (*self._texts, *self._changes) if name == path or name.startswith(f"{path}/")]:
            self._texts.pop(name, None)
            self._changes.pop(name, None)

    def submission(self) -> Submission:
        """What the edits leave behind; `none` when they leave nothing."""
        files = tuple(WrittenFile(path=path, text=text) for path, text in sorted(self._texts.items()))
        patch = "".join([*self._patches, *(_as_patch(path, pairs) for path, pairs in sorted(self._changes.items()))])
        if not files and not patch:
            return Submission()
        return Submission(patch=patch, files=files, recovered="edits_replayed", certainty="likely")

    def _put(self, path: str, text: str) -> None:
        self._texts[path] = text[:MAX_TEXT]
        self._changes.pop(path, None)

    def _append(self, path: str, text: str) -> None:
        if path in self._texts:
            self._put(path, self._texts[path] + text)
        else:
            self._changes.setdefault(path, []).append(("", text))

    def _insert(self, path: str, edit: Edit) -> None:
        if path not in self._texts or edit.line is None:
            self._changes.setdefault(path, []).append(("", edit.new))
            return
        lines = self._texts[path].split("\n")
        lines[edit.line : edit.line] = edit.new.removesuffix("\n").split("\n")
        self._put(path, "\n".join(lines))

    def _replace(self, path: str, edit: Edit) -> None:
        if path in self._texts:
            if edit.old and edit.old in self._texts[path]:
                self._put(path, self._texts[path].replace(edit.old, edit.new, 1))
            elif not edit.old:
                self._changes.setdefault(path, []).append(("", edit.new))
            return
        pairs = self._changes.setdefault(path, [])
        for number in range(len(pairs) - 1, -1, -1):
            before, after = pairs[number]
            if edit.old and edit.old in after:
                pairs[number] = (before, after.replace(edit.old, edit.new, 1))
                return
        pairs.append((edit.old, edit.new))

    def _patch(self, edit: Edit, path: str) -> None:
        if parse_patch(edit.new):
            self._patches.append(edit.new if edit.new.endswith("\n") else f"{edit.new}\n")
        elif path and "*** Update File:" in edit.new:
            body = edit.new.split("*** Update File:", 1)[1].split("\n")[1:]
            self._replace(path, Edit(path=path, operation="replace", old=_side(body, "-"), new=_side(body, "+")))


def _side(lines: list[str], sign: str) -> str:
    return "\n".join(line[1:] for line in lines if line.startswith((sign, " ")))


def _as_patch(path: str, pairs: list[tuple[str, str]]) -> str:
    """Changes of a file whose whole text is unknown, as hunks that count their lines and guess their places."""
    made = [f"--- a/{path.lstrip('/')}\n+++ b/{path.lstrip('/')}\n"]
    at = 1
    for old, new in pairs:
        before = old.split("\n") if old else []
        after = new.removesuffix("\n").split("\n") if new else []
        made.append(f"@@ -{at if before else at - 1},{len(before)} +{at if after else at - 1},{len(after)} @@\n")
        made += [f"-{line}\n" for line in before]
        made += [f"+{line}\n" for line in after]
        at += max(len(before), len(after), 1)
    return "".join(made)
