"""The `*** Begin Patch` envelope that some agents' edit tools take, as the same records that a diff is read into.

Its hunks carry no line numbers: lines are found by their content. Never raises.
"""

from __future__ import annotations

from earned.content.patch import Hunk, PatchedFile, PatchLine, parse_patch

BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_ADD, _DELETE, _UPDATE, _MOVE = "*** Add File: ", "*** Delete File: ", "*** Update File: ", "*** Move to: "
_END_OF_FILE = "*** End of File"


def is_envelope(text: str) -> bool:
    """Whether a text is an envelope, and no diff that happens to add one."""
    return text.lstrip().startswith((BEGIN, _ADD, _DELETE, _UPDATE)) or f"\n{BEGIN}" in text.partition("\n@@ -")[0]


def read_patch(text: str) -> tuple[PatchedFile, ...]:
    """Read the files of a patch in either notation, in order. Never raises."""
    return parse_envelope(text) if is_envelope(text) else parse_patch(text)


def parse_envelope(text: str) -> tuple[PatchedFile, ...]:
    """Read the files of an envelope, in order; lines outside are passed over."""
    files: list[_Draft] = []
    for line in text.rstrip("\n").split("\n"):  # a piece that was cut out of an envelope has no end mark
        line = line.removesuffix("\r")  # noqa: PLW2901 -- the record of a line has no ending
        if line.startswith((_ADD, _DELETE, _UPDATE)):
            files.append(_Draft(line))
        elif line.startswith(_MOVE) and files:
            files[-1].moved = line.removeprefix(_MOVE).strip()
        elif line.startswith(_END):
            files.append(_Draft(""))
        elif files and not line.startswith((BEGIN, _END_OF_FILE)):
            files[-1].take(line)
    return tuple(draft.finish() for draft in files if draft.path)


class _Draft:
    """A file while its lines are being read; without a path it takes nothing."""

    def __init__(self, header: str) -> None:
        self.path = header.partition(": ")[2].strip()
        self.is_new, self.is_deleted = header.startswith(_ADD), header.startswith(_DELETE)
        self.moved = ""
        self.hunks: list[tuple[str, list[str], list[str]]] = []
        self.added: list[PatchLine] = []
        self.removed: list[PatchLine] = []
        self.context: list[PatchLine] = []

    def take(self, line: str) -> None:
        """Record one line of a hunk; a line without sign is context whose blank was lost."""
        if not self.path or self.is_deleted:
            return
        if line.startswith("@@") and not self.is_new:
            self.hunks.append((line.removeprefix("@@").strip(), [], []))
            return
        if not self.hunks:
            self.hunks.append(("", [], []))
        _, old, new = self.hunks[-1]
        sign, text = (line[0], line[1:]) if line[:1] in ("+", "-", " ") else (" ", line)
        if sign == "+":
            new.append(text)
            self.added.append(PatchLine(len(new) if self.is_new else 0, text))
        elif sign == "-":
            old.append(text)
            self.removed.append(PatchLine(0, text))
        elif not self.is_new:
            old.append(text)
            new.append(text)
            self.context.append(PatchLine(0, text))

    def finish(self) -> PatchedFile:
        hunks = [(section, old, new) for section, old, new in self.hunks if old or new]
        return PatchedFile(
            path=self.moved or self.path,
            old_path="" if self.is_new else self.path,
            hunks=tuple(
                Hunk(old_start=0, new_start=int(self.is_new), old=tuple(old), new=tuple(new), section=section)
                for section, old, new in hunks
            ),
            added=tuple(self.added),
            removed=tuple(self.removed),
            context=tuple(self.context),
            is_new=self.is_new,
            is_deleted=self.is_deleted,
            is_rename=bool(self.moved),
        )
