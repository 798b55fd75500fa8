"""What commands that only show things reveal about ancestry, one function for each kind of command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from earned.gitgraph import outputs
from earned.gitgraph.ancestry import HEX, Ancestry, named_revisions, split_ref

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from earned.gitgraph.seen import SeenGraph
    from earned.records.fact import Ancestor, GitUse

_FILTERS = re.compile(
    r"-S.*|-G.*|-L.*|--grep.*|--author.*|--committer.*|--since.*|--after.*|--until.*|--before.*|--skip.*|--merges|--no-merges|--first-parent"
    r"|--diff-filter.*|--follow|--min-parents.*|--max-parents.*|--simplify.*|-i|--no-walk.*|--cherry.*|-g|--walk-reflogs"
)
MAX_LOGS = 20
MAX_ENTRIES = 10_000
"""Logs of other refs, and commits of each, that are kept to be compared with later logs of HEAD."""
_TOPOLOGICAL = frozenset(["--graph", "--topo-order", "--author-date-order"])
_LIMITS = re.compile(r"-\d+|-n\d*|--max-count.*")


def _log(graph: SeenGraph, use: GitUse, argv: tuple[str, ...], text: str, whole: bool) -> None:
    parents = any(word == "--parents" or "%P" in word or "%p" in word for word in argv)
    entries = outputs.log_entries(text, parents=parents)
    if "--reverse" in argv:
        entries.reverse()
    refs, reaching = named_revisions(use)
    limits = [word for word in argv if ".." in word and not word.startswith("-")]
    excluded = [word[1:] for word in argv if re.fullmatch(r"\^[\w/.~@^-]+", word)]
    if limits or excluded or "--not" in argv:
        _ranged(graph, entries, limits, excluded, argv)
    elif not reaching and all(graph.of(ref).ancestor == "yes" for ref in refs) and not graph.moved:
        _plain(graph, use, argv, entries, whole)
    else:
        graph.mixed = [*graph.mixed[-MAX_LOGS:], (entries[:MAX_ENTRIES], bool(_TOPOLOGICAL & set(argv)))]
        _above_head(graph, entries)
    graph.place(entries)
    _between(graph)


def _plain(graph: SeenGraph, use: GitUse, argv: tuple[str, ...], entries: list[outputs.Entry], whole: bool) -> None:
    """Everything that HEAD reaches is an ancestor; an unfiltered log of HEAD is kept to compare others with."""
    at_head = all(graph.is_head(ref) for ref in named_revisions(use)[0])
    words = ["HEAD"] if at_head else list(named_revisions(use)[0])
    for entry in entries:
        graph.memory.add(entry.hex, "yes", f"shown by a log of {words[0]}", override=True)
    filtered = bool(use.paths) or any(_FILTERS.fullmatch(word) for word in argv)
    if at_head and not filtered and entries:
        graph.set_head(entries[0].hex)
        complete = whole and not any(_LIMITS.fullmatch(word) for word in argv)
        graph.plain.update({graph.memory.key(entry.hex): 1 + complete for entry in entries})


def _ranged(
    graph: SeenGraph, entries: list[outputs.Entry], limits: list[str], excluded: list[str], argv: tuple[str, ...]
) -> None:
    """`HEAD..REF`, `REF ^HEAD` and `REF --not HEAD` show what HEAD does not reach; `REF..HEAD` what it does."""
    left, right = "", ""
    if limits and "..." not in limits[0]:
        left, _, right = limits[0].partition("..")
    elif excluded:
        left, right = excluded[0], "?"
    elif "--not" in argv:
        left, right = argv[-1], "?"
    else:
        return
    if graph.moved:
        return
    if graph.is_head(left or "HEAD") and right and not graph.is_head(right) and not graph.lowered:
        shown = limits[0] if limits else f"^{left}"
        for entry in entries:
            graph.memory.add(entry.hex, "no", f"shown by a log of {shown}: not reachable from HEAD")
        if entries:
            _name_tip(graph, right, entries[0].hex)
    elif graph.of(right or "HEAD").ancestor == "yes" and right != "?":
        for entry in entries:
            graph.memory.add(entry.hex, "yes", f"shown by a log up to {right or 'HEAD'}", override=True)


def _name_tip(graph: SeenGraph, ref: str, commit: str) -> None:
    """`HEAD..REF` showed something: then REF itself is not reachable from HEAD, whatever the log left out."""
    name, suffix = split_ref(ref)
    if HEX.fullmatch(name) and not suffix:
        graph.memory.add(name, "no", f"HEAD..{ref} is not empty")
    elif not suffix and ref != "?":
        graph.memory.names.setdefault(name, graph.memory.key(commit))


def _above_head(graph: SeenGraph, entries: list[outputs.Entry]) -> None:
    """In a log of several refs, what stands above HEAD is no ancestor of it: children come before parents."""
    if graph.moved or graph.lowered or graph.hidden:
        return
    for position, entry in enumerate(entries):
        if "HEAD" in entry.names or (graph.head and graph.memory.key(entry.hex) == graph.head):
            for newer in entries[:position]:
                if newer.stash and graph.stashed:
                    continue
                graph.memory.add(newer.hex, "no", f"stands above HEAD ({entry.hex[:12]}) in a log of other refs")
            return


def _between(graph: SeenGraph) -> None:
    """A commit of another log that an unfiltered log of HEAD leaves out, although that log goes on below it, is no ancestor."""
    if not graph.plain or graph.moved or graph.lowered or graph.hidden:
        return
    complete = 2 in graph.plain.values()
    for entries, topological in graph.mixed:
        keys = [graph.memory.key(entry.hex) for entry in entries]
        last = max((index for index, key in enumerate(keys) if key in graph.plain), default=-1)
        for index, key in enumerate(keys):
            if (
                key not in graph.plain
                and not (entries[index].stash and graph.stashed)
                and (complete or (index < last and not topological))
            ):
                graph.memory.add(key, "no", "a log of HEAD was shown that leaves it out")


def _show(graph: SeenGraph, use: GitUse, _argv: tuple[str, ...], text: str, _whole: bool) -> None:
    entries = outputs.log_entries(text, parents=False) if "commit " in text else []
    refs, _ = named_revisions(use)
    if len(refs) == 1 and len(entries) == 1 and graph.of(refs[0]).ancestor == "yes":
        graph.memory.add(entries[0].hex, "yes", f"shown by git show {refs[0]}")
        if graph.is_head(refs[0]):
            graph.set_head(entries[0].hex)
    graph.place(entries)


def _blame(graph: SeenGraph, use: GitUse, _argv: tuple[str, ...], text: str, _whole: bool) -> None:
    if graph.ancestry(use).ancestor == "yes":
        for commit in outputs.blamed(text):
            if set(commit) != {"0"}:
                graph.memory.add(commit, "yes", "shown by git blame of an ancestor")


def _rev_parse(graph: SeenGraph, use: GitUse, _argv: tuple[str, ...], text: str, _whole: bool) -> None:
    refs, _ = named_revisions(use)
    commits = outputs.bare_hashes(text)
    for ref, commit in zip(refs, commits, strict=False) if len(refs) == len(commits) else ():
        answer = graph.of(ref)
        if answer.ancestor != "unknown":
            graph.memory.add(commit, answer.ancestor, f"git rev-parse {ref}: {answer.why}")
        if graph.is_head(ref):
            graph.set_head(commit)
        elif not HEX.fullmatch(ref) and split_ref(ref)[1] == "":
            graph.memory.names[split_ref(ref)[0]] = graph.memory.key(commit)


def _merge_base(graph: SeenGraph, use: GitUse, argv: tuple[str, ...], text: str, _whole: bool) -> None:
    refs, _ = named_revisions(use)
    if "--is-ancestor" not in argv and any(graph.of(ref).ancestor == "yes" for ref in refs):
        for commit in outputs.bare_hashes(text):
            graph.memory.add(commit, "yes", f"merge base of {' and '.join(refs)}")


def _fsck(graph: SeenGraph, _use: GitUse, _argv: tuple[str, ...], text: str, _whole: bool) -> None:
    for commit in outputs.loose_objects(text):
        if not (graph.hidden or graph.stashed or graph.reset):
            graph.memory.add(commit, "no", "git fsck shows it as reachable from nothing, and the agent did not make it")


def _status(graph: SeenGraph, _use: GitUse, _argv: tuple[str, ...], text: str, _whole: bool) -> None:
    current_branch(graph, text)


def current_branch(graph: SeenGraph, text: str) -> None:
    """Takes what `status`, `checkout` and `reset` say of HEAD."""
    found = outputs.status(text)
    if graph.moved:
        return
    graph.branch = found.branch or graph.branch
    if found.head:
        graph.set_head(found.head)
    for relation, name in found.tracking:
        ancestor: Ancestor = "no" if relation == "behind" else "yes"
        graph.memory.names[name] = name
        graph.memory.verdicts[name] = Ancestry(ancestor=ancestor, why=f"git status: the branch is {relation} {name}")


def _branch(graph: SeenGraph, use: GitUse, argv: tuple[str, ...], text: str, _whole: bool) -> None:
    shown = outputs.branches(text)
    current = next((branch for branch in shown if branch.current), None)
    merged, unmerged = "--merged" in argv, "--no-merged" in argv
    if current is not None and not graph.moved:
        graph.branch = current.name or graph.branch
        if current.hex:
            graph.set_head(current.hex)
        if "--contains" in argv:
            for ref in use.refs:
                if HEX.fullmatch(ref):
                    graph.memory.add(ref, "yes", f"git branch --contains shows {current.name or 'HEAD'}")
    for branch in shown:
        if branch.hex:
            graph.memory.names[branch.name] = graph.memory.key(branch.hex)
        if (merged or unmerged) and branch.name and not graph.moved and not use.refs:
            graph.memory.names.setdefault(branch.name, branch.name)
            graph.memory.verdicts[graph.memory.names[branch.name]] = _merged(merged)
    if not shown and use.refs and not text.strip() and not any(word.startswith("-") for word in argv):
        _created(graph, use.refs)


def _merged(merged: bool) -> Ancestry:
    return Ancestry(ancestor="yes" if merged else "no", why=f"git branch --{'' if merged else 'no-'}merged shows it")


def _created(graph: SeenGraph, refs: Sequence[str]) -> None:
    """`git branch NEW [START]`."""
    start = graph.of(refs[1]) if len(refs) > 1 else graph.head_answer("HEAD")
    graph.memory.names[refs[0]] = refs[0]
    graph.memory.verdicts[refs[0]] = Ancestry(
        ancestor=start.ancestor, why=f"created by the agent at {refs[1] if len(refs) > 1 else 'HEAD'}"
    )


def _describe(graph: SeenGraph, use: GitUse, _argv: tuple[str, ...], text: str, _whole: bool) -> None:
    tag = outputs.described(text)
    if tag and not graph.moved and all(graph.of(ref).ancestor == "yes" for ref in named_revisions(use)[0]):
        graph.memory.names.setdefault(tag, tag)
        graph.memory.verdicts.setdefault(
            graph.memory.names[tag], Ancestry(ancestor="yes", why="git describe reaches it from HEAD")
        )


READERS: dict[str, Callable[[SeenGraph, GitUse, tuple[str, ...], str, bool], None]] = {
    **dict.fromkeys(["log", "whatchanged", "rev-list"], _log),
    "show": _show,
    **dict.fromkeys(["blame", "annotate"], _blame),
    "rev-parse": _rev_parse,
    "merge-base": _merge_base,
    "fsck": _fsck,
    "status": _status,
    "branch": _branch,
    "describe": _describe,
}
