"""Where an agent's work lies, so that the diff of another repository is not taken for it."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence

from earned.records import Action
from earned.shell import command_facts

SCRATCH = ("/tmp/", "/dev/", "/var/", "/proc/")  # noqa: S108 - places that a diff of the work never names
_SHOWS = frozenset({"diff", "show"})
_DEEPEST = 64
"""Folders above a file that are looked at."""


class Worktree:
    """The files that the agent changed, by path."""

    def __init__(self, changed: Callable[[], Iterable[str]]) -> None:
        """`changed` gives the paths; it is asked once, when a diff tells its folder."""
        self._changed = changed
        self._paths: frozenset[str] | None = None
        self._folders: frozenset[str] = frozenset()
        self._is_scratch = False
        self._anywhere: frozenset[str] = frozenset()
        """Paths of which the record does not say from where they go."""

    def holds(self, action: Action, named: Sequence[str]) -> bool:
        """Whether the diff that a command shows can be one of the work: `named` are the files in it."""
        facts = command_facts(action.command, cwd=action.cwd)
        told = [fact.git.repository for fact in facts if fact.git is not None and fact.git.operation in _SHOWS]
        return all(self._is_work(posixpath.normpath(folder), named) for folder in told if folder.startswith("/"))

    def _is_work(self, folder: str, named: Sequence[str]) -> bool:
        paths = self._known()
        if not paths or folder in self._folders or not self._anywhere.isdisjoint(named):
            return True
        if self._is_scratch and not f"{folder}/".startswith(SCRATCH):
            return True
        return any(posixpath.join(above, name) in paths for above in _above(f"{folder}/.") for name in named)

    def _known(self) -> frozenset[str]:
        if self._paths is None:
            paths = frozenset(self._changed())
            self._anywhere = frozenset(path for path in paths if not path.startswith("/"))
            rooted = paths - self._anywhere
            kept = frozenset(path for path in rooted if not path.startswith(SCRATCH))
            self._paths, self._is_scratch = kept or rooted, not kept
            self._folders = frozenset(folder for path in self._paths for folder in _above(path))
        return self._paths


def _above(path: str) -> Iterator[str]:
    """The folders above a path, nearest first."""
    for _ in range(_DEEPEST):
        path = posixpath.dirname(path)
        yield path
        if path in ("", "/"):
            return
