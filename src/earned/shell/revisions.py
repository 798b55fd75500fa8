"""Which words of a git command line are revisions and which are paths, as far as their form tells."""

from __future__ import annotations

import re

MAX_OPERAND = 500
"""Characters; nobody names a revision at greater length."""
_REF = re.compile(
    r"(?:HEAD|@|[A-Z]+_HEAD|stash|main|master|trunk|develop|dev|upstream|origin|[0-9a-f]{4,64}|v?\d+(?:\.\d+)+[\w.-]*)(?:[~^@].*)?"
    r"|(?:origin|upstream|refs|remotes|heads|tags)/.+|.*@\{.*\}.*|.+[~^]\d*"
)
_BRANCH = re.compile(r"[\w-]+/[\w/-]*[\w-]")
_PATHLIKE = re.compile(r"\.{0,2}/.*|.*/|\.|\.\.|.*\*.*|:[/!(^].*|(?:.*/)?[^/]*\.[A-Za-z]\w{0,7}|.+/.+|Makefile|README|LICENSE")


def range_ends(ref: str) -> tuple[str, ...]:
    """Both ends of `A..B` and `A...B`, the revision of `REF:path` and of `^REF`; an empty end is HEAD."""
    if ".." in ref and "/../" not in ref:
        left, _, right = ref.partition("...") if "..." in ref else ref.partition("..")
        return (left or "HEAD", right or "HEAD")
    name = ref.partition(":")[0] if ":" in ref and "@{" not in ref and not ref.startswith(":/") else ref
    return (name.removeprefix("^"),) if name.removeprefix("^") else ()


def path_of(ref: str) -> str:
    """The path of `REF:path`."""
    return ref.partition(":")[2] if ":" in ref and "@{" not in ref and not ref.startswith(":/") and "://" not in ref else ""


def is_ref(operand: str, *, default: bool, branches: bool = False) -> bool:
    """Whether an operand is a revision; `default` decides what has neither form, `branches` takes `a/b` for one."""
    if len(operand) > MAX_OPERAND:
        return False
    if branches and _BRANCH.fullmatch(operand):
        return True
    if ".." in operand and not operand.startswith(("../", "..")) and "/../" not in operand:
        return True
    if ":" in operand.lstrip(":") and not operand.startswith((":(", ":!", ":/", "./", "/")):
        return True
    if _REF.fullmatch(operand):
        return True
    return default and not _PATHLIKE.fullmatch(operand)
