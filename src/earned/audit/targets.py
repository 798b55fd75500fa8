"""What is traced: the added lines of the submission, each with a key, a place and a weight."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from earned.content import is_trivial, line_key, parse_patch
from earned.records import Submission

SHORT, LONG = 12, 24
"""Characters of a line's key below which it is common coin (weight 0.25), and from which it is telling (weight 1)."""


class TargetLine(msgspec.Struct, frozen=True):
    """One added line of the submission."""

    path: str
    """Empty for the answer."""
    number: int
    text: str
    key: str
    weight: float
    """0 for a trivial line, else 0.25 to 1 by length: what its reappearance is worth as evidence, in lines."""


class Targets(msgspec.Struct, frozen=True):
    """The submission as the tracing looks at it."""

    lines: tuple[TargetLine, ...]
    paths: tuple[str, ...]
    """Every file that the submission touches."""
    base: frozenset[str]
    """Keys of lines that the patch itself shows to have stood in the base (context and removed lines)."""
    removed: dict[str, tuple[str, ...]]
    """Lines that the patch removes, by path."""
    new_files: frozenset[str]
    deleted: frozenset[str]

    @property
    def keys(self) -> frozenset[str]:
        """Keys of the lines that carry weight."""
        return frozenset(line.key for line in self.lines if line.weight)

    @property
    def weight(self) -> float:
        """Of all lines together."""
        return sum(line.weight for line in self.lines)


def submission_targets(submission: Submission) -> Targets:
    """The added lines of patch, files and answer, in order."""
    files = parse_patch(submission.patch)
    lines = [_line(file.path, line.number, line.text) for file in files for line in file.added]
    patched = {file.path for file in files}
    whole = [written for written in submission.files if written.path.lstrip("/") not in patched]
    for written in whole:
        lines += _numbered(written.path, written.text)
    lines += _numbered("", submission.answer)
    base = {line_key(line.text) for file in files for line in (*file.context, *file.removed) if not is_trivial(line.text)}
    return Targets(
        lines=tuple(lines),
        paths=tuple(dict.fromkeys([*(file.path for file in files), *(written.path for written in whole)])),
        base=frozenset(base),
        removed={file.path: tuple(line.text for line in file.removed) for file in files if file.removed},
        new_files=frozenset(file.path for file in files if file.is_new),
        deleted=frozenset(file.path for file in files if file.is_deleted),
    )


def _numbered(path: str, text: str) -> Iterator[TargetLine]:
    return (_line(path, number, line) for number, line in enumerate(text.splitlines(), 1))


def _line(path: str, number: int, text: str) -> TargetLine:
    key = line_key(text)
    weight = 0.0
    if not is_trivial(text):
        weight = 0.25 if len(key) < SHORT else 1.0 if len(key) >= LONG else 0.5
    return TargetLine(path, number, text, key, weight)
