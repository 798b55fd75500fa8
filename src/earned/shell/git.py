"""One `git` command line as a record: operation, revisions, paths, and whether content is read or delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from earned.records.fact import GitUse, Write
from earned.shell.git_options import GLOBAL_VALUED, NAMES_ONLY, PATCH, REACHING, REACHING_MORE, TWO_WORDS, VALUED
from earned.shell.network import host_of, urls_in
from earned.shell.options import Split, split_options
from earned.shell.revisions import is_ref, path_of, range_ends

if TYPE_CHECKING:
    from collections.abc import Sequence


class GitResult(NamedTuple):
    """What a git command line gives: the record, what it writes, where it goes."""

    use: GitUse
    writes: tuple[Write, ...] = ()
    urls: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    source: str = ""
    """Revision (and path) whose content goes to standard output; empty when none does."""
    reads: tuple[str, ...] = ()


def git_result(arguments: Sequence[str], cwd: str, *, stdin: str | None = None, piped: str = "") -> GitResult:
    """Reads the arguments after `git`; `stdin` is what is piped in, where known, `piped` names where it comes from."""
    before = split_options(arguments, GLOBAL_VALUED, stop=True)
    repository = before.value("--git-dir") or before.value("-C") or cwd
    if not before.operands:
        return GitResult(GitUse(operation="", repository=repository))
    operation, rest = before.operands[0], before.operands[1:]
    split = split_options(rest, VALUED.get(operation, ()))
    subcommand = next(iter(split.operands), "")
    if operation in TWO_WORDS and subcommand:
        operation = f"{operation} {subcommand}"
        split = split._replace(operands=split.operands[1:])
    use = _Use(operation, split, repository, stdin, piped)
    return _HANDLERS.get(operation, _other)(use)


class _Use(NamedTuple):
    operation: str
    split: Split
    repository: str
    stdin: str | None
    piped: str

    def record(
        self, refs: Sequence[str] = (), paths: Sequence[str] = (), *, reads: bool = False, delivers: bool = False
    ) -> GitUse:
        names = tuple(dict.fromkeys(end for ref in refs for end in range_ends(ref)))
        return GitUse(
            operation=self.operation,
            refs=names + self.reaching(),
            paths=tuple(dict.fromkeys(paths)),
            repository=self.repository,
            reads_content=reads,
            delivers=delivers,
        )

    def reaching(self) -> tuple[str, ...]:
        found = (
            name if not value else f"{name}={value}" for name, value in self.split.options if name in REACHING | REACHING_MORE
        )
        return tuple(dict.fromkeys(found))


def _sorted_operands(use: _Use, *, default: bool = True, branches: bool = False) -> tuple[list[str], list[str]]:
    """Revisions and paths among the operands: what follows `--` is a path, the first path ends the revisions."""
    refs: list[str] = []
    paths = list(use.split.rest)
    for operand in use.split.operands:
        if len(paths) == len(use.split.rest) and is_ref(operand, default=default, branches=branches):
            refs.append(operand)
        else:
            paths.append(operand)
    return refs, [path for path in map(path_of, refs) if path] + paths


def _source(refs: Sequence[str], paths: Sequence[str]) -> str:
    ref = refs[-1] if refs else "HEAD"
    return ref if ":" in ref or not paths else f"{ref}:{paths[0]}"


def _show(use: _Use) -> GitResult:
    refs, paths = _sorted_operands(use)
    reads = not use.split.has(*NAMES_ONLY) or use.split.has("-p", "--patch")
    written = _output(use, _source(refs, paths))
    return GitResult(use.record(refs or ["HEAD"], paths, reads=reads), written, source=_source(refs, paths) if reads else "")


def _diff(use: _Use) -> GitResult:
    refs, paths = _sorted_operands(use, default=not use.split.rest or bool(use.split.operands))
    reads = not use.split.has(*NAMES_ONLY)
    if use.split.has("--no-index"):
        return GitResult(use.record((), (*refs, *paths)), reads=(*refs, *paths))
    return GitResult(
        use.record(refs, paths, reads=reads),
        _output(use, _source(refs, paths)),
        source=_source(refs, ()) if reads and refs else "",
    )


def _log(use: _Use) -> GitResult:
    refs, paths = _sorted_operands(use)
    lines = [value.rpartition(":")[2] for value in use.split.values("-L") if ":" in value]
    reads = use.split.has(*PATCH) and not use.split.has("--no-patch")
    return GitResult(use.record(refs, paths + lines, reads=reads), source=_source(refs, paths) if reads else "")


def _blame(use: _Use) -> GitResult:
    refs, paths = list(use.split.operands), list(use.split.rest)
    if not paths and refs:
        paths = [refs.pop()]
        if refs and not is_ref(refs[0], default=True):
            paths, refs = [refs[0]], [paths[0]]
    return GitResult(use.record(refs or ["HEAD"], paths, reads=True), source=_source(refs, paths))


def _grep(use: _Use) -> GitResult:
    operands = use.split.operands if use.split.has("-e", "-f") else use.split.operands[1:]
    refs, paths = _sorted_operands(use._replace(split=use.split._replace(operands=tuple(operands))))
    return GitResult(
        use.record(refs, paths, reads=bool(refs)), reads=() if refs else tuple(paths), source=_source(refs, ()) if refs else ""
    )


def _checkout(use: _Use) -> GitResult:
    split = use.split
    new = split.value("-b", "-B", "-c", "-C", "--create", "--orphan")
    refs, paths = _sorted_operands(use, branches=True)
    if split.rest or split.has("--pathspec-from-file"):
        refs, paths = list(split.operands), list(split.rest)
    elif not paths and len(refs) > 1 and not new:
        refs, paths = refs[:1], refs[1:]
    if use.operation == "switch":
        refs, paths = list(split.operands[:1]), []
    if split.has("--ours", "--theirs", "-p", "--patch") and not refs:
        paths = list(split.operands)
    if not refs and not paths:
        return GitResult(use.record())
    if paths:
        writes = tuple(
            Write(path=path, operation="copy", source=f"{refs[0] if refs else ':'}:{path}".replace("::", ":")) for path in paths
        )
    else:
        writes = (Write(path=".", operation="copy", source=refs[0]),)
    return GitResult(use.record(refs[:1], paths, reads=True, delivers=True), writes)


def _restore(use: _Use) -> GitResult:
    source = use.split.value("-s", "--source")
    paths = [*use.split.operands, *use.split.rest]
    if use.split.has("--staged") and not use.split.has("--worktree", "-W"):
        return GitResult(use.record([source] if source else [], paths))
    writes = tuple(Write(path=path, operation="copy", source=f"{source}:{path}") for path in paths)
    return GitResult(use.record([source] if source else [], paths, reads=True, delivers=True), writes)


def _move_head(use: _Use) -> GitResult:
    """`cherry-pick`, `merge`, `rebase`, `revert`: content of the named revisions goes into the working tree."""
    refs = [*use.split.operands, *use.split.values("--onto")]
    if use.split.has("--abort", "--continue", "--quit", "--skip") or not refs:
        return GitResult(use.record(refs))
    return GitResult(use.record(refs, reads=True, delivers=True), (Write(path=".", operation="copy", source=refs[0]),))


def _reset(use: _Use) -> GitResult:
    refs, paths = _sorted_operands(use)
    hard = use.split.has("--hard", "--merge", "--keep")
    writes = (Write(path=".", operation="copy", source=(refs or ["HEAD"])[0]),) if hard else ()
    return GitResult(use.record(refs or ["HEAD"], paths, reads=hard, delivers=hard), writes)


def _stash_show(use: _Use) -> GitResult:
    reads = use.split.has("-p", "--patch", "-u", "--include-untracked") and not use.split.has("--stat", "--name-only")
    refs = [_stash(operand) for operand in use.split.operands] or ["stash@{0}"]
    return GitResult(use.record(refs, reads=reads), source=refs[0] if reads else "")


def _stash_apply(use: _Use) -> GitResult:
    refs = [_stash(operand) for operand in use.split.operands] or ["stash@{0}"]
    return GitResult(use.record(refs, reads=True, delivers=True), (Write(path=".", operation="copy", source=refs[0]),))


def _stash(operand: str) -> str:
    return f"stash@{{{operand}}}" if operand.isdigit() else operand


def _apply(use: _Use) -> GitResult:
    files = tuple(file for file in (*use.split.operands, *use.split.rest) if file != "-")
    if use.split.has("--check", "--stat", "--numstat", "--summary"):
        return GitResult(use.record((), files), reads=files)
    write = Write(
        path=use.split.value("--directory") or ".",
        operation="patch",
        text=None if files else use.stdin,
        source=next(iter(files), use.piped),
    )
    return GitResult(use.record((), files, delivers=True), (write,), reads=files)


def _cat_file(use: _Use) -> GitResult:
    kinds = {"blob", "commit", "tree", "tag"}
    operands = [operand for operand in use.split.operands if operand not in kinds]
    content = use.split.has("-p", "--batch", "--textconv", "--filters", "--batch-command") or len(operands) < len(
        use.split.operands
    )
    if use.split.has("--batch", "--batch-check") and not operands:
        operands = (use.stdin or "").split()[:64]
    paths = [path for path in map(path_of, operands) if path]
    return GitResult(use.record(operands, paths, reads=content), source=_source(operands, ()) if content and operands else "")


def _archive(use: _Use) -> GitResult:
    refs, paths = list(use.split.operands[:1]), [*use.split.operands[1:], *use.split.rest]
    remote = use.split.value("--remote")
    urls = (remote,) if host_of(remote) else ()
    hosts = tuple(filter(None, [host_of(remote)]))
    return GitResult(
        use.record(refs, paths, reads=True, delivers=True),
        _output(use, _source(refs, ())),
        urls,
        hosts,
        source=_source(refs, ()),
    )


def _output(use: _Use, source: str) -> tuple[Write, ...]:
    path = use.split.value("--output") or (use.split.value("-o") if use.operation == "archive" else "")
    return (Write(path=path, operation="copy", source=source),) if path else ()


def _worktree_add(use: _Use) -> GitResult:
    path, *refs = [*use.split.operands, *use.split.rest] or [""]
    return GitResult(
        use.record(refs or ["HEAD"], [path], reads=True, delivers=True),
        (Write(path=path, operation="copy", source=(refs or ["HEAD"])[0]),),
    )


def _format_patch(use: _Use) -> GitResult:
    refs, paths = _sorted_operands(use)
    out = (
        ()
        if use.split.has("--stdout")
        else (Write(path=use.split.value("-o") or ".", operation="copy", source=(refs or ["HEAD"])[0]),)
    )
    return GitResult(use.record(refs, paths, reads=True, delivers=bool(out)), out, source=_source(refs, ()))


def _clone(use: _Use) -> GitResult:
    url, *directory = [*use.split.operands, *use.split.rest] or [""]
    hosts = tuple(filter(None, [host_of(url)]))
    path = directory[0] if directory else url.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    write = Write(path=path, operation="download" if hosts else "copy", source=url)
    refs = use.split.values("-b", "--branch")
    record = use.record(refs, (), reads=True, delivers=True)
    return GitResult(record, (write,) if url else (), (url,) if hosts else (), hosts)


def _remote(use: _Use) -> GitResult:
    """`fetch`, `pull`, `ls-remote`, `push`, `remote add|set-url`, `submodule`: a URL is an address, a name a path."""
    operands = use.split.operands
    urls = [operand for operand in operands if host_of(operand)]
    names = [operand for operand in operands if operand not in urls]
    pull = use.operation == "pull"
    refs = (
        [name.partition(":")[0].lstrip("+") for name in (names if urls else names[1:])]
        if not use.operation.startswith("remote")
        else []
    )
    writes = (Write(path=".", operation="copy", source=(refs or names or urls or ["FETCH_HEAD"])[0]),) if pull else ()
    record = use.record(refs, names[:1] if not urls else (), reads=pull, delivers=pull)
    return GitResult(record, writes, tuple(urls), tuple(filter(None, map(host_of, urls))))


def _commit(use: _Use) -> GitResult:
    return GitResult(use.record((), [*use.split.operands, *use.split.rest]))


def _paths_only(use: _Use) -> GitResult:
    paths = [*use.split.operands, *use.split.rest]
    writes: tuple[Write, ...] = ()
    if use.operation == "rm" and not use.split.has("--cached"):
        writes = tuple(Write(path=path, operation="delete") for path in paths)
    elif use.operation == "mv" and len(paths) > 1:
        writes = (Write(path=paths[-1], operation="copy", source=paths[0]), Write(path=paths[0], operation="delete"))
    elif use.operation == "clean" and use.split.has("-f", "--force"):
        writes = (Write(path=next(iter(paths), "."), operation="delete"),)
    return GitResult(use.record((), paths), writes)


def _bundle(use: _Use) -> GitResult:
    path, *refs = use.split.operands or ("",)
    writes = (Write(path=path, operation="copy", source=next(iter(refs), "HEAD")),) if use.operation == "bundle create" else ()
    return GitResult(use.record(refs, [path]), writes)


def _names(use: _Use) -> GitResult:
    """Shows names, hashes or messages only: `reflog`, `fsck`, `rev-parse`, `branch`, `tag`, `for-each-ref`."""
    refs = [*use.split.operands, *use.split.values("--contains", "--merged", "--no-merged", "--points-at")]
    options = {"-a": "--all", "-r": "--remotes", "--all": "--all", "--remotes": "--remotes"}
    extra = [options[name] for name, _ in use.split.options if name in options] if use.operation == "branch" else []
    record = use.record(refs, use.split.rest)
    return GitResult(_with_refs(record, tuple(dict.fromkeys([*record.refs, *extra]))))


def _with_refs(record: GitUse, refs: tuple[str, ...]) -> GitUse:
    return GitUse(operation=record.operation, refs=refs, paths=record.paths, repository=record.repository)


def _config(use: _Use) -> GitResult:
    return GitResult(use.record((), use.split.operands))


def _other(use: _Use) -> GitResult:
    refs, paths = _sorted_operands(use, default=False)
    urls = tuple(url for operand in use.split.operands for url in urls_in(operand))
    return GitResult(use.record(refs, paths), urls=urls, hosts=tuple(filter(None, map(host_of, urls))))


_HANDLERS = {
    "show": _show,
    **dict.fromkeys(["diff", "difftool", "diff-tree", "diff-index", "diff-files", "range-diff"], _diff),
    **dict.fromkeys(["log", "whatchanged", "shortlog", "rev-list"], _log),
    **dict.fromkeys(["blame", "annotate"], _blame),
    "grep": _grep,
    **dict.fromkeys(["checkout", "switch"], _checkout),
    "restore": _restore,
    **dict.fromkeys(["cherry-pick", "merge", "rebase", "revert", "read-tree", "checkout-index"], _move_head),
    "reset": _reset,
    "stash show": _stash_show,
    **dict.fromkeys(["stash pop", "stash apply", "stash branch"], _stash_apply),
    **dict.fromkeys(["apply", "am"], _apply),
    "cat-file": _cat_file,
    "archive": _archive,
    "worktree add": _worktree_add,
    "format-patch": _format_patch,
    "clone": _clone,
    **dict.fromkeys(
        [
            "fetch",
            "pull",
            "ls-remote",
            "push",
            "remote add",
            "remote set-url",
            "submodule add",
            "submodule update",
            "remote update",
        ],
        _remote,
    ),
    "commit": _commit,
    **dict.fromkeys(["add", "rm", "mv", "clean", "ls-files", "status"], _paths_only),
    **dict.fromkeys(["bundle create", "bundle unbundle", "bundle verify", "bundle list-heads"], _bundle),
    **dict.fromkeys(
        [
            "reflog",
            "fsck",
            "rev-parse",
            "branch",
            "tag",
            "for-each-ref",
            "show-ref",
            "name-rev",
            "describe",
            "merge-base",
            "ls-tree",
        ],
        _names,
    ),
    **dict.fromkeys(
        ["stash list", "cherry", "show-branch", "verify-pack", "count-objects", "unpack-objects", "symbolic-ref", "update-ref"],
        _names,
    ),
    **dict.fromkeys(["bisect start", "bisect good", "bisect bad"], _names),
    "config": _config,
}
