"""What is asked of a graph, and how the answers for several revisions become one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from earned.records.fact import Ancestor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from earned.records.fact import GitUse

REACHING = ("--all", "--branches", "--remotes", "--tags", "-g", "--walk-reflogs", "--reflog", "--glob", "--batch-all-objects")
"""Options that reach beyond HEAD; `GitUse.refs` keeps them as written."""
_BEYOND = frozenset(["objects", "fsck", "reflog", "fetch", "clone", "ls-remote", "pull", "verify-pack", "unpack-objects"])
"""Operations whose objects no revision names."""
_SUFFIX = re.compile(r"(?:\^\{[^}]*\}|\^!|\^@|[~^]\d*)+$")
MAX_REF = 500
"""Characters; a longer revision is taken as a name that nothing shows."""
HEX = re.compile(r"[0-9a-f]{4,64}")


_LOGS = frozenset(["log", "show", "whatchanged", "rev-list", "reflog", "blame", "annotate", "rev-parse", "fsck", "merge-base"])
_LISTINGS = frozenset(["branch", "tag", "describe", "for-each-ref", "show-ref", "cherry", "ls-remote", "cat-file", "name-rev"])
_OTHERS = frozenset(
    ["fetch", "pull", "merge", "objects", "show-branch", "format-patch", "stash list", "stash show", "worktree list"]
)
_PRINT_COMMITS = _LOGS | _LISTINGS | _OTHERS


class Ancestry(msgspec.Struct, frozen=True, kw_only=True):
    """Whether what a use of git reads is an ancestor of the base commit, and what showed it."""

    ancestor: Ancestor
    why: str


def prints_commits(use: GitUse) -> bool:
    """Whether the output of a use may hold hashes of commits, so that another command's output beside it is not told apart."""
    return use.operation in _PRINT_COMMITS


def split_ref(ref: str) -> tuple[str, str]:
    """`name` and its suffix: `main~2` is (`main`, `~2`); the prefixes of full names are removed."""
    found = _SUFFIX.search(ref) if len(ref) <= MAX_REF else None
    name, suffix = (ref[: found.start()], found[0]) if found else (ref, "")
    for prefix in ("refs/heads/", "refs/remotes/", "refs/tags/", "heads/", "remotes/", "tags/", "refs/"):
        if name.startswith(prefix) and len(name) > len(prefix):
            return name[len(prefix) :], suffix
    return name or "HEAD", suffix


def named_revisions(use: GitUse) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Revisions that a use names, and its options that reach beyond HEAD."""
    reaching = tuple(ref for ref in use.refs if ref.startswith("-"))
    return tuple(ref for ref in use.refs if not ref.startswith("-")), reaching


def beyond(use: GitUse) -> str:
    """Why a use reaches objects that no named revision bounds; empty when it does not."""
    _, reaching = named_revisions(use)
    if reaching:
        return f"reaches beyond HEAD with {' '.join(reaching)}"
    return f"git {use.operation} is not bound to a revision" if use.operation in _BEYOND else ""


def combined(answers: Iterable[Ancestry]) -> Ancestry:
    """`no` if one is, else `unknown` if one is, else `yes`: what is read is the difference or the sum of all."""
    given = list(answers)
    for wanted in ("no", "unknown"):
        for answer in given:
            if answer.ancestor == wanted:
                return answer
    why = "; ".join(dict.fromkeys(answer.why for answer in given))
    return Ancestry(ancestor="yes", why=why or "no other revision is named")


def unknown(why: str) -> Ancestry:
    """An open answer."""
    return Ancestry(ancestor="unknown", why=why)


def yes(why: str) -> Ancestry:
    """An ancestor."""
    return Ancestry(ancestor="yes", why=why)
