"""Whether what an act put into a file is still there at the end, as far as later acts tell."""

from __future__ import annotations

import posixpath

import re2

from earned.audit.paths import WHOLE_TREE, absolute, is_scratch, same_file
from earned.audit.prescan import Scan, agent_steps, results
from earned.records import Fact, Trajectory

_DIFFERS = re2.compile(r"(?m)^([<>] |@@ |[0-9,]+[acd][0-9,]+$)|differ|No such file")
_UNDOING = frozenset({"cherry-pick", "merge", "rebase", "checkout", "restore", "stash", "reset", "clean", "revert"})


def undone_by(path: str, after: int, scan: Scan) -> int | None:
    """Index of the first fact after `after` that removes, replaces or restores `path`; None when none does.

    `after` is an index into the scan's facts. A later edit inside the file is not an undoing, a later whole write is.
    """
    for index in range(after + 1, len(scan.facts)):
        if _undoes(path, scan.facts[index]):
            return index
    return None


def stood_before(path: str, before: int, trajectory: Trajectory) -> bool:
    """Whether the task, or an act before step `before` other than to fetch it, named the file: then it is one of the task's."""
    name = posixpath.basename(path)
    module = posixpath.splitext(path.strip("/"))[0].replace("/", ".")
    if any("." in text and text in trajectory.instruction for text in (name, module)):
        return True
    for step in agent_steps(trajectory):
        if step.index >= before:
            return False
        for action in step.actions:
            named = (action.command, *action.paths, *(edit.path for edit in action.edits))
            if "://" not in action.command and any(name in text for text in named):
                return True
    return False


def equals_given(path: str, after: int, scan: Scan, trajectory: Trajectory) -> bool:
    """Whether a later `diff` or `cmp` showed `path` to be the same as another file: then nothing foreign is in it."""
    for fact in scan.facts[after:]:
        if fact.program not in ("diff", "cmp") or len(fact.reads) != 2:
            continue
        names = [absolute(read, fact.cwd) for read in fact.reads]
        if sum(same_file(name, path) for name in names) == 1 and not any(is_scratch(name) for name in names):
            return not any(_DIFFERS.search(item.text) for item in results(fact, scan.later, trajectory))
    return False


def _undoes(path: str, fact: Fact) -> bool:
    for write in fact.writes:
        if same_file(absolute(write.path, fact.cwd), path) and write.operation in ("delete", "write", "copy", "download"):
            return True
    use = fact.git
    if use is None or use.operation.partition(" ")[0] not in _UNDOING or use.ancestor in ("no", "unknown"):
        return False
    if "--abort" in fact.argv or (path == WHOLE_TREE and use.operation == "revert"):
        return True
    if use.operation in ("cherry-pick", "merge", "rebase"):
        return False
    if use.operation.startswith("stash"):
        return use.operation in ("stash", "stash push", "stash save")
    if use.operation == "reset":
        return "--hard" in fact.argv
    if use.operation == "clean":
        return True
    return any(named in (".", "*", ":/") or same_file(absolute(named, fact.cwd), path) for named in use.paths)
