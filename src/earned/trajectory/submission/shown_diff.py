"""Whether a command shows the whole diff of a working tree, and which lines of its result are that diff.

What a command is is told by its parsed form: words of a comment, of `echo` or of a file's name are no diff. A diff counts where
nothing else of the command prints what may hold one.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from earned.records import Fact

_INNER = re.compile(r"\bgit\b(?: +-[^\s;&|]{1,200}(?: +[^\s;&|-][^\s;&|]{0,200})?){0,4} +(?:diff|show)\b[^;&|\n<>'\")]{0,500}")
"""A diff within the text that a shell within the shell reads: the parser gives the span of the whole command."""
_OWN_REVISIONS = frozenset({"HEAD", "--cached", "--staged", "--no-color", "--no-pager", "--", "-U3", "--patch", "-p", "."})
_TRAILERS = re.compile(
    r"\[(?:The command|Command finished|Current working directory|Python Interpreter)|</?(?:output|returncode)"
)
_PIPE = re.compile(r"\s{0,20}(?:2>&1|2>>? ?[^\s|;&]{1,200})?\s{0,20}\|&?\s{0,20}([A-Za-z_][\w./-]{0,100})([^|;&\n<>]{0,500})")
_WHOLE = frozenset({"cat", "tee", "less", "more"})
"""Programs that hand on all they get."""
_ENDS = re.compile(r"^ *(?:-n *|--lines[= ]|-)(\d{1,9}) *$")
_PRINTS_NONE = frozenset(
    (
        *("cd", "pushd", "popd", "pwd", "ls", "tree", "true", "false", ":", "[", "test", "export", "set", "unset", "alias"),
        *("mkdir", "rmdir", "rm", "mv", "cp", "ln", "touch", "chmod", "chown", "sleep", "date", "wait", "exit", "clear"),
        *("which", "type", "command", "source", "wc", "du", "df", "stat", "pip", "basename", "dirname", "realpath"),
    )
)
"""Programs whose output is no text of a file."""
_FILTERS = frozenset(
    {*_WHOLE, "head", "tail", "grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "cut", "sort", "uniq", "nl", "tac", "tr"}
)
"""Programs that print what comes out of a pipe where they name no file."""
_GIT_PRINTS_NONE = frozenset(
    (
        *(
            "add",
            "branch",
            "checkout",
            "switch",
            "restore",
            "reset",
            "rm",
            "mv",
            "config",
            "rev-parse",
            "init",
            "tag",
            "remote",
        ),
        *("fetch", "pull", "push", "clean", "ls-files", "merge", "rebase", "cherry-pick", "apply", "rev-list", "merge-base"),
    )
)
_GIT_UNLESS = {
    "status": frozenset({"-v", "-vv", "--verbose"}),
    "commit": frozenset({"-v", "-vv", "--verbose"}),
    "log": frozenset({"-p", "-u", "-c", "--cc", "--patch", "--patch-with-stat", "-L"}),
    "stash": frozenset({"-p", "-u", "--patch", "--patch-with-stat"}),
}
"""Uses of git that print a diff with one of these options only."""
_PATCHES = frozenset({"-p", "-u", "--patch", "--patch-with-stat"})
_SUMMARIES = frozenset(
    {"--stat", "--numstat", "--shortstat", "--name-only", "--name-status", "--summary", "--quiet", "--check"}
)
_READERS = frozenset(
    (*_FILTERS, *("echo", "printf", "bat", "batcat", "zcat", "xxd", "od", "strings", "diff", "colordiff", "git", "perl"))
)
"""Programs that print the text of a file, or what they are told."""
_INLINE = frozenset({"-c", "-e", "-"})
"""Options behind which a program stands in the command, or on its input."""
_UNSAID = re.compile(r"[$`\n]|@@|diff --git")
"""What must not stand in the words of an `echo` for its output to be no part of a diff."""
_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_HEADER = re.compile(
    r"diff --git |index |(?:old|new|deleted file|new file) mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) "
    r"|--- |\+\+\+ |Binary files |GIT binary patch|(?:literal|delta) \d|\\ "
)
_BINARY = re.compile(r"[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{1,66}$")


class Shown(NamedTuple):
    """The diff that a command showed."""

    patch: str
    is_alone: bool
    """Whether nothing else of the command printed what may hold a diff; else programs were run of which it is not known."""


def shown_diff(
    command: str, facts: Sequence[Fact], result: str, *, is_own_head: bool, beside: Sequence[Fact] = ()
) -> Shown | None:
    """The diff that a command showed of all that was changed; None where it shows none, or not surely that and all of it.

    Args:
        command: As it was given to a shell.
        facts: What of it was carried out.
        result: What it printed.
        is_own_head: Whether the agent made HEAD, so that `git show` shows its work.
        beside: What other commands do that printed into the same result.
    """
    if "diff --git " not in result:
        return None
    lines = result.count("\n") + 1
    is_whole = False
    kept: set[str] = set()
    others = [fact for fact in beside if fact.shows]
    passed = -1
    for fact in facts:
        if _is_own_work(fact, is_own_head=is_own_head):
            is_whole = is_whole or (fact.shows and _is_all(command, fact, lines))
            kept.update(_place(fact, write.path) for write in fact.writes)
            passed = fact.end
        elif fact.program == "cat" and fact.reads and kept.issuperset(_place(fact, path) for path in fact.reads):
            is_whole = is_whole or _is_all(command, fact, lines)
        elif fact.shows and not _prints_none(command, fact) and command[passed : fact.start].strip() != "||":
            others.append(fact)
    if not is_whole or not all(_is_run(command, fact) for fact in others):
        return None
    return Shown(_cut_out(result), is_alone=not others)


def _place(fact: Fact, path: str) -> str:
    return posixpath.normpath(posixpath.join(fact.cwd, path))


def _is_own_work(fact: Fact, *, is_own_head: bool) -> bool:
    """Whether a diff compares the working tree or index with HEAD, whole; `git show` only of a HEAD that the agent made."""
    operation = fact.git.operation if fact.git is not None else ""
    if operation not in ("diff", "show") or operation not in fact.argv:
        return False
    words = fact.argv[fact.argv.index(operation) + 1 :]
    if operation == "show":
        return is_own_head and words in ((), ("HEAD",))
    return all(word in _OWN_REVISIONS for word in words)


def _is_all(command: str, fact: Fact, lines: int) -> bool:
    """Whether all that a command prints reaches the result, which has that many lines."""
    if not fact.shows:
        return False
    inner = list(_INNER.finditer(command, fact.start, fact.end)) if fact.via else []
    return all(_is_handed_on(command, end, lines) for end in (fact.end, *(found.end() for found in inner)))


def _is_handed_on(command: str, end: int, lines: int) -> bool:
    """Whether the pipes behind a place of the command hand on all, to a result of that many lines."""
    while (pipe := _PIPE.match(command, end)) is not None:
        program = pipe.group(1).rpartition("/")[2]
        most = _ENDS.match(pipe.group(2)) if program in {"head", "tail"} else None
        if program not in _WHOLE and (most is None or lines >= int(most.group(1))):
            return False
        end = pipe.end()
    return True


def _prints_none(command: str, fact: Fact) -> bool:
    """Whether a command is known to print nothing that may be taken for a diff."""
    if fact.git is not None:
        return _prints_no_diff(fact.git.operation.partition(" ")[0], fact.argv)
    if fact.program in ("echo", "printf"):
        return not any(_UNSAID.search(word) for word in fact.argv)
    return fact.program in _PRINTS_NONE or (
        fact.program in _FILTERS and not fact.reads and "<" not in command[fact.start : fact.end]
    )


def _prints_no_diff(operation: str, argv: Sequence[str]) -> bool:
    if operation in ("diff", "show"):
        return not _SUMMARIES.isdisjoint(argv) and _PATCHES.isdisjoint(argv)
    unless = _GIT_UNLESS.get(operation)
    if unless is not None:
        return unless.isdisjoint(argv) and not any(word.startswith("-L") for word in argv)
    return operation in _GIT_PRINTS_NONE


def _is_run(command: str, fact: Fact) -> bool:
    """Whether a command runs a program, of which it is not known what it prints, and no text of a file or of the command."""
    if fact.program in _READERS or "<" in command[fact.start : fact.end] or not _INLINE.isdisjoint(fact.argv):
        return False
    return bool(fact.runs) or not fact.reads


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
