"""Whether a command shows the whole diff of a working tree, and which lines of its result are that diff."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DIFF = re.compile(r"\bgit\b(?: +-[^\s;&|]{1,200}(?: +[^\s;&|-][^\s;&|]{0,200})?){0,4} +(diff|show)\b([^;&|\n<>]{0,500})")
_OWN_REVISIONS = frozenset({"HEAD", "--cached", "--staged", "--no-color", "--no-pager", "--", "-U3", "--patch", "-p", "."})
_TRAILERS = re.compile(
    r"\[(?:The command|Command finished|Current working directory|Python Interpreter)|</?(?:output|returncode)"
)
_PIPE = re.compile(r"\s{0,20}(?:2>&1|2>>? ?[^\s|;&]{1,200})?\s{0,20}\|&?\s{0,20}([A-Za-z_][\w./-]{0,100})([^|;&\n<>]{0,500})")
_TO_FILE = re.compile(r"\s{0,20}(?:2>&1|2>>? ?[^\s|;&]{1,200})?\s{0,20}>")
_WHOLE = frozenset({"cat", "tee", "less", "more"})
"""Programs that hand on all they get."""
_ENDS = re.compile(r"^ *(?:-n *|--lines[= ]|-)(\d{1,9}) *$")
_CUTS = re.compile(r"\b(?:head|tail|[ef]?grep|rg|sed|g?awk|cut)\b")
_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_HEADER = re.compile(
    r"diff --git |index |(?:old|new|deleted file|new file) mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) "
    r"|--- |\+\+\+ |Binary files |GIT binary patch|(?:literal|delta) \d|\\ "
)
_BINARY = re.compile(r"[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{1,66}$")


def shown_diff(command: str, result: str, *, is_own_head: bool) -> str:
    """The diff that a command showed of all that was changed; empty where it shows none, or not surely all of it.

    Args:
        command: As it was given to a shell.
        result: What it printed.
        is_own_head: Whether the agent made HEAD, so that `git show` shows its work.
    """
    if "diff --git " not in result:
        return ""
    lines = result.count("\n") + 1
    whole = (
        _is_own_work(found, is_own_head=is_own_head) and _is_all(command, found.end(), lines)
        for found in _DIFF.finditer(command)
    )
    return _cut_out(result) if any(whole) else ""


def _is_own_work(match: re.Match[str], *, is_own_head: bool) -> bool:
    """Whether a diff compares the working tree or index with HEAD, whole; `git show` only of a HEAD that the agent made."""
    words = match.group(2).split()
    if words and words[-1] == "2":
        words.pop()  # of `2>&1`
    if match.group(1) == "show":
        return is_own_head and words in ([], ["HEAD"])
    return all(word in _OWN_REVISIONS for word in words)


def _is_all(command: str, end: int, lines: int) -> bool:
    """Whether all of a diff that ends at a place of the command reaches the result, which has that many lines."""
    end -= command[end - 2 : end] == " 2"
    if _TO_FILE.match(command, end):
        return _CUTS.search(command, end) is None
    while (pipe := _PIPE.match(command, end)) is not None:
        program = pipe.group(1).rpartition("/")[2]
        most = _ENDS.match(pipe.group(2)) if program in {"head", "tail"} else None
        if program not in _WHOLE and (most is None or lines >= int(most.group(1))):
            return False
        end = pipe.end()
    return True


def _cut_out(text: str) -> str:
    """The diff within a result, without what stands around it."""
    lines = text[text.index("diff --git ") :].split("\n")
    end = next((number for number, line in enumerate(lines) if _TRAILERS.match(line)), len(lines))
    kept = list(_of_diff(lines[:end]))
    return "\n".join(lines[:end] if None in kept else (line for line in kept if line is not None)).rstrip("\n") + "\n"


def _of_diff(lines: list[str]) -> Iterator[str | None]:
    """The lines that are part of a diff; None behind a hunk that has other lines than it says: its end is not known."""
    old = new = 0
    is_within = is_binary = False
    for line in lines:
        if old > 0 or new > 0:
            mark = line[:1]
            if mark not in " +-\\":
                yield None
                return
            old -= mark in " -" and mark != "\\"
            new -= mark in " +" and mark != "\\"
            yield line
            continue
        hunk = _HUNK.match(line)
        is_within = line.startswith("diff --git ") or (is_within and (hunk is not None or _is_part(line, is_binary=is_binary)))
        if not is_within:
            is_binary = False
            continue
        if hunk is not None:
            old, new = (1 if number is None else int(number) for number in hunk.groups())
        is_binary = (is_binary or line == "GIT binary patch") and not line.startswith("diff --git ")
        yield line
    if old > 0 or new > 0:
        yield None


def _is_part(line: str, *, is_binary: bool) -> bool:
    return _HEADER.match(line) is not None or (is_binary and (not line or _BINARY.match(line) is not None))
