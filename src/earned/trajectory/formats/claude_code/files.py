"""Which files are Claude Code sessions, and which of them belong together.

A subagent has a file of its own: `agent-<id>.jsonl` beside the session (to version 2.0), or `<session>/subagents/…` below it,
with an `agent-<id>.meta.json` that names the call. What belongs to a session is read with it, as one attempt; a subagent's file
without its session is read as what it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

from earned.trajectory.format import Family
from earned.trajectory.peek import Head, look
from earned.trajectory.sources import places

MAX_SIDE_FILES = 10_000
"""Files of subagents that are taken for one session."""
MAX_DEPTH = 4
"""Folders below `subagents` that are gone through: workflows have one of their own."""
_SPOKEN = frozenset({"user", "assistant", "system", "progress", "attachment"})
_BOOKKEEPING = frozenset(
    {"summary", "file-history-snapshot", "file-history-delta", "queue-operation", "custom-title", "ai-title", "agent-name"}
    | {"mode", "permission-mode", "last-prompt", "tag", "pr-link", "bridge-session", "worktree-state", "cost-state"}
    | {"atis-latch"}
)
"""Kinds of line without a message that a session can begin with."""
_LINK = re.compile(r'"(?:parentUuid|isSidechain)"\s*:')
_MESSAGE = re.compile(r'"message"\s*:\s*\{')
_SESSION = re.compile(r'"sessionId"\s*:\s*"([^"\\]{1,200})"')
_SIDECHAIN = re.compile(r'"isSidechain"\s*:\s*(true|false)')


def recognise(head: Head) -> str:
    """Why a file is a session; empty when it is not."""
    if head.shape not in {"lines", "object"}:
        return ""
    kind = head.value("/type")
    if kind in _SPOKEN or not kind:
        linked = head.has("/parentUuid") or head.has("/isSidechain")
        if linked and (head.has("/sessionId") or head.has("/uuid")):
            return f"a line of type {kind or 'unknown'} with parentUuid and sessionId"
        if kind in {"user", "assistant"} and head.has("/uuid", "/message/role") and not head.has("/session_id"):
            return f"a line of type {kind} with uuid and message"
    if kind in _BOOKKEEPING and (_LINK.search(head.text) or (head.has("/leafUuid") and _MESSAGE.search(head.text))):
        return f"a line of type {kind}, then lines of a session"
    return ""


def _session_of(head: Head) -> str:
    found = _SESSION.search(head.text)
    return found.group(1) if found else ""


def is_side(head: Head) -> bool:
    """Whether a session file is a subagent's, as far as its beginning shows."""
    said = set(_SIDECHAIN.findall(head.text))
    return said == {"true"}


def family(path: Path, head: Head, names: Sequence[str]) -> Family:
    """The session that a subagent's file belongs to, or the subagents' files of a session. `names`: sorted, of its folder."""
    if is_side(head) and path.name != f"{_session_of(head)}.jsonl":
        return Family(main=_main_above(path) or _main_beside(path), kind="subagent")
    parts = [*_sides_beside(path, names), *islice(_sides_below(path), MAX_SIDE_FILES)]
    return Family(parts=tuple(parts))


def _sides_below(path: Path) -> Iterator[Path]:
    """Subagents' files in the folder of a session, and what is noted of each."""
    name = places.bare_name(path.name)
    stem = name.removesuffix(".jsonl")
    if stem == name:
        return
    waiting = [(path.with_name(stem) / "subagents", 0)]
    while waiting:
        folder, depth = waiting.pop()
        entries = _entries(folder)
        yield from (folder / entry.name for entry in entries if entry.kind == "file" and is_side_name(entry.name))
        if depth < MAX_DEPTH:
            waiting += [(folder / entry.name, depth + 1) for entry in reversed(entries) if entry.kind == "folder"]


def _entries(folder: Path) -> list[places.Entry]:
    try:
        return places.listing(str(folder))
    except OSError:
        return []


def is_side_name(name: str) -> bool:
    """Whether Claude Code gives this name to a subagent's file, or to the note about it."""
    return name.startswith("agent-") and name.endswith((".jsonl", ".meta.json"))


def _main_above(path: Path) -> Path | None:
    """The session in whose folder a subagent's file lies."""
    for above in path.parents:
        if above.name == "subagents":
            names = [f"{above.parent.name}.jsonl{suffix}" for suffix in ("", *places.COMPRESSED)]
            found = (above.parent.parent / name for name in names) if above.parent.name else ()
            return next((main for main in found if _is_main(main)), None)
    return None


def _is_main(path: Path) -> bool:
    try:
        head = look(path)
    except OSError:
        return False
    return bool(recognise(head)) and not is_side(head)


def _main_beside(path: Path) -> Path | None:
    found = _beside(path).main_of.get(path.name)
    return path.with_name(found) if found else None


def _sides_beside(path: Path, names: Sequence[str]) -> list[Path]:
    first = bisect_left(names, "agent-")
    if first == len(names) or not names[first].startswith("agent-"):
        return []
    return [path.with_name(name) for name in _beside(path).sides_of.get(path.name, ())]


class _Beside:
    """Of one folder, which subagents' file belongs to which session: both name the session's id."""

    def __init__(self, folder: str) -> None:
        self.main_of: dict[str, str] = {}
        self.sides_of: dict[str, list[str]] = {}
        names = [entry.name for entry in _entries(Path(folder)) if entry.kind == "file"]
        known = set(names)
        mains: dict[str, str] | None = None
        for name in names:
            session = _look(folder, name, side=True) if name.startswith("agent-") and name.endswith(".jsonl") else ""
            if not session:
                continue
            main = f"{session}.jsonl"
            if main not in known:
                mains = _mains(folder, names) if mains is None else mains
                main = mains.get(session, "")
            if main:
                self.main_of[name] = main
                self.sides_of.setdefault(main, []).append(name)


def _beside(path: Path) -> _Beside:
    folder = str(path.parent)
    try:
        stamp = places.stamp(places.archive_of(folder) or folder)
    except OSError:
        stamp = ""
    return _kept(folder, stamp)


@lru_cache(maxsize=64)
def _kept(folder: str, _stamp: str) -> _Beside:
    return _Beside(folder)


def _mains(folder: str, names: Sequence[str]) -> dict[str, str]:
    """Session id to the first file by name that is the session's own."""
    found: dict[str, str] = {}
    for name in names:
        if name.endswith(".jsonl") and not name.startswith("agent-") and (session := _look(folder, name, side=False)):
            found.setdefault(session, name)
    return found


def _look(folder: str, name: str, *, side: bool) -> str:
    """The session's id that a file names first; empty when it is no session file, or not of that kind."""
    try:
        head = look(Path(folder, name))
    except OSError:
        return ""
    return _session_of(head) if recognise(head) and is_side(head) is side else ""
