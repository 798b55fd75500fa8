"""Reads what git prints: commits of a log with parents and decorations, hashes of blame, fsck, commit and others.

Shapes follow git's own formats (`git help log`, PRETTY FORMATS; `git help fsck`). Linear in the text; what is not of a known
shape gives nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_TEXT = 1_000_000
"""Characters of one output that are read."""
_ANSI = re.compile(r"\x1b\[[0-9;?]{0,16}[A-Za-z]")
_GRAPH = r"[*|/\\ _.<>-]{0,120}?"
_ENTRY = re.compile(
    rf"^{_GRAPH}(?P<word>commit )?[<>^=-]?(?P<hexes>[0-9a-f]{{7,64}}(?: [0-9a-f]{{7,64}})*)"
    r"(?:[ \t]+\((?P<names>[^()\n]{1,2000})\))?(?=[\s|,;:\"']|$)",
    re.MULTILINE,
)
_PARENT = re.compile(
    rf"^{_GRAPH}(?:parent (?P<parent>[0-9a-f]{{7,64}})|Merge: (?P<merge>[0-9a-f]{{4,64}}(?: [0-9a-f]{{4,64}})+))\s*$",
    re.MULTILINE,
)
_STASH_SUBJECT = re.compile(r"(?:WIP|index|On|untracked files) on [^\n:]{1,200}: |refs/stash")
_BLAME = re.compile(r"^\^?([0-9a-f]{7,64}) ", re.MULTILINE)
_LOOSE = re.compile(r"(?:dangling|unreachable|missing) (commit|blob|tree|tag) ([0-9a-f]{7,64})")
_COMMITTED = re.compile(r"^\[(?:(\S+)|detached HEAD)(?: \(root-commit\)| detached HEAD)? ([0-9a-f]{7,64})\]", re.MULTILINE)
_DROPPED = re.compile(r"Dropped \S+ \(([0-9a-f]{7,64})\)")
_LINE_HEX = re.compile(r"^([0-9a-f]{7,64})$", re.MULTILINE)
_ON_BRANCH = re.compile(r"^(?:# )?On branch (\S+)", re.MULTILINE)
_DETACHED = re.compile(r"HEAD (?:detached at|is now at|detached from) ([0-9a-f]{7,64})")
_TRACKING = re.compile(r"Your branch is (behind|ahead of|up to date with|up-to-date with) '([^'\n]{1,200})'")
_BRANCH_LINE = re.compile(
    r"^(?P<current>[*+ ]) (?:\((?:HEAD )?detached (?:at|from) (?P<detached>[^)\s]+)\)|(?P<name>[^\s(]+))"
    r"(?:\s+(?P<hex>[0-9a-f]{7,64}) )?",
    re.MULTILINE,
)
_DESCRIBED = re.compile(r"^(\S+?)(?:-\d+-g([0-9a-f]{4,64}))?(?:-dirty)?\s*$")


class Entry(NamedTuple):
    """One commit of a log; `names` are its decorations, `HEAD` among them when it stands there."""

    hex: str
    parents: tuple[str, ...]
    names: tuple[str, ...]
    stash: bool = False
    """Part of a stash entry, by its message."""


def log_entries(text: str, *, parents: bool) -> list[Entry]:
    """Commits in the order shown. `parents`: the format puts parents after the hash (`--parents`, `%P`)."""
    text = _ANSI.sub("", text[:MAX_TEXT])
    more = [(found.start(), (found["parent"] or found["merge"]).split()) for found in _PARENT.finditer(text)]
    entries: list[Entry] = []
    position = 0
    matches = list(_ENTRY.finditer(text))
    long = any(match["word"] for match in matches)
    matches = [match for match in matches if match["word"] or not long]
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        hexes = match["hexes"].split()
        extra = hexes[1:] if parents else []
        while position < len(more) and more[position][0] < end:
            extra += more[position][1] if more[position][0] >= match.start() else []
            position += 1
        stash = _STASH_SUBJECT.search(text, match.start(), min(end, match.end() + 1_000)) is not None
        entries.append(Entry(hexes[0], tuple(extra), decorations(match["names"] or ""), stash))
    return entries


def decorations(text: str) -> tuple[str, ...]:
    """Names in `(HEAD -> main, tag: v1, origin/main)`; both sides of the arrow."""
    parts = (part.strip().removeprefix("tag: ") for item in text.split(",") for part in item.split("->"))
    return tuple(part for part in parts if part)


def blamed(text: str) -> list[str]:
    """Commits in front of the lines of `git blame`."""
    return list(dict.fromkeys(_BLAME.findall(text[:MAX_TEXT])))


def loose_objects(text: str) -> list[str]:
    """Objects that `git fsck` calls dangling or unreachable."""
    return [found[1] for found in _LOOSE.findall(text[:MAX_TEXT])]


def committed(text: str) -> list[tuple[str, str]]:
    """(branch, hash) of `[main abc1234] message`; the branch is empty on a detached HEAD."""
    found = _COMMITTED.findall(text[:MAX_TEXT])
    return [("" if branch == "detached" else branch, commit) for branch, commit in found]


def dropped(text: str) -> list[str]:
    """Hashes of stash entries that a `pop` or `drop` names."""
    return _DROPPED.findall(text[:MAX_TEXT])


def bare_hashes(text: str) -> list[str]:
    """Lines that are a hash and nothing else (`rev-parse`, `merge-base`)."""
    return _LINE_HEX.findall(text[:MAX_TEXT])


class Status(NamedTuple):
    """What `git status` and messages of `checkout` and `reset` say of HEAD."""

    branch: str
    head: str
    tracking: tuple[tuple[str, str], ...]


def status(text: str) -> Status:
    """Current branch, commit of a detached HEAD, and how the branch stands to what it tracks."""
    text = text[:MAX_TEXT]
    branch, head = _ON_BRANCH.search(text), _DETACHED.search(text)
    return Status(branch[1] if branch else "", head[1] if head else "", tuple(_TRACKING.findall(text)))


class Branch(NamedTuple):
    """One line of `git branch`."""

    name: str
    hex: str
    current: bool


def branches(text: str) -> list[Branch]:
    """Lines of `git branch -v`, `-a`; a detached HEAD is a current branch without a name."""
    out = []
    for found in _BRANCH_LINE.finditer(text[:MAX_TEXT]):
        name = (found["name"] or "").removeprefix("remotes/")
        commit = found["hex"] or found["detached"] or ""
        out.append(Branch(name, commit if re.fullmatch(r"[0-9a-f]{4,64}", commit) else "", found["current"] == "*"))
    return out


def described(text: str) -> str:
    """The tag in the answer of `git describe`; empty when it is a bare hash."""
    found = _DESCRIBED.match(text.strip())
    return found[1] if found and not re.fullmatch(r"[0-9a-f]{7,64}", found[1]) else ""
