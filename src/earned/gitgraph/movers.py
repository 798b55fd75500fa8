"""What commands that change HEAD, branches or the stash mean for ancestry, one function for each kind of command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from earned.gitgraph import outputs
from earned.gitgraph.ancestry import HEX, named_revisions
from earned.gitgraph.readers import current_branch

if TYPE_CHECKING:
    from collections.abc import Callable

    from earned.gitgraph.seen import SeenGraph
    from earned.records.fact import GitUse

FAILED = re.compile(
    r"^(?:fatal: |error: (?:pathspec|Your local|cannot|could not|The following|failed|unable|invalid|unknown|no ))|^usage: git",
    re.MULTILINE,
)
MOVING = frozenset(["checkout", "switch", "merge", "cherry-pick", "rebase", "revert", "pull", "reset", "commit", "stash", "am"])
STASH = re.compile(r"(?:stash|refs/stash)(?:@\{(\d{1,6})\})?")
_NOTHING = re.compile(r"nothing to commit|nothing added to commit|no changes added to commit")
_UNCHANGED = re.compile(r"Already up[ -]to[ -]date|Current branch \S+ is up to date", re.IGNORECASE)


def _commit(graph: SeenGraph, _use: GitUse, _argv: tuple[str, ...], text: str) -> None:
    made = outputs.committed(text)
    graph.hidden = graph.hidden or (not made and not _NOTHING.search(text))
    for branch, commit in made:
        graph.memory.add(commit, "yes", "committed by the agent", override=True)
        if not graph.moved:
            graph.head = graph.memory.key(commit)
        graph.branch = branch or graph.branch


def _stash_push(graph: SeenGraph, _use: GitUse, _argv: tuple[str, ...], text: str) -> None:
    if "No local changes" not in text:
        graph.stashes += 1
        graph.stashed = True


def _stash_drop(graph: SeenGraph, use: GitUse, _argv: tuple[str, ...], text: str) -> None:
    found = STASH.fullmatch((use.refs or ("stash",))[0])
    own = int(found[1] or 0) < graph.stashes if found else False
    if own:
        graph.stashes -= 1
        for commit in outputs.dropped(text):
            graph.memory.add(commit, "yes", "stashed by the agent")


def _checkout(graph: SeenGraph, use: GitUse, argv: tuple[str, ...], text: str) -> None:
    if use.paths:
        return
    new = next((argv[index + 1] for index, word in enumerate(argv[:-1]) if word in {"-b", "-B", "-c", "-C", "--create"}), "")
    refs = named_revisions(use)[0]
    if "-" in use.refs:
        graph.before, graph.moved = graph.moved, graph.before
        return
    if graph.moved and graph.left and refs == (graph.left,):
        graph.moved, graph.branch = "", graph.left
        return
    stood = not graph.moved
    if refs:
        graph.move(refs, use.operation)
    if graph.moved and stood:
        graph.left = graph.branch
    if new:
        graph.branch = new
    elif refs:
        returned = not graph.moved and not HEX.fullmatch(refs[0])
        graph.branch = refs[0] if returned and f"Switched to branch '{refs[0]}'" in text else graph.branch
    current_branch(graph, text)


def _moving(graph: SeenGraph, use: GitUse, _argv: tuple[str, ...], text: str) -> None:
    """`merge`, `cherry-pick`, `rebase`, `pull`: HEAD takes in what is named."""
    if _UNCHANGED.search(text):
        return
    refs = named_revisions(use)[0] or (("FETCH_HEAD",) if use.operation == "pull" else ())
    graph.reset = True
    if refs or use.operation == "pull":
        graph.move(refs, use.operation)
    if use.operation == "pull":
        _fetch(graph, use, _argv, text)


def _reset(graph: SeenGraph, use: GitUse, _argv: tuple[str, ...], text: str) -> None:
    if use.paths:
        return
    graph.reset = True
    graph.move(named_revisions(use)[0] or ("HEAD",), use.operation)
    current_branch(graph, text)


def _fetch(graph: SeenGraph, _use: GitUse, _argv: tuple[str, ...], _text: str) -> None:
    """Remote names may stand elsewhere now."""
    for name in [name for name in graph.memory.names if "/" in name]:
        del graph.memory.names[name]


MOVERS: dict[str, Callable[[SeenGraph, GitUse, tuple[str, ...], str], None]] = {
    "commit": _commit,
    **dict.fromkeys(["stash", "stash push", "stash save"], _stash_push),
    **dict.fromkeys(["stash pop", "stash drop"], _stash_drop),
    **dict.fromkeys(["checkout", "switch"], _checkout),
    **dict.fromkeys(["merge", "cherry-pick", "rebase", "pull", "am"], _moving),
    "reset": _reset,
    "fetch": _fetch,
}
