"""What one program call does, from the tables: reads, writes, hosts, runs. The walk adds redirections and nesting."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from earned.records.fact import GitUse, Runs, Write
from earned.shell import programs
from earned.shell.decode import ansi_text
from earned.shell.git import git_result
from earned.shell.network import bare_host, host_of, hosts_of, urls_in
from earned.shell.options import Split, split_options
from earned.shell.runners import program_runs, script_runs

if TYPE_CHECKING:
    from collections.abc import Callable


class Stream(NamedTuple):
    """What flows through a pipe: its text where the command itself holds it, and the path, revision or URL it comes from."""

    text: str | None = None
    source: str = ""
    piped: bool = False


class Call(NamedTuple):
    """A program call: `arguments` without the program, `stdin` as far as it is known."""

    program: str
    arguments: tuple[str, ...]
    cwd: str
    stdin: Stream


class Effects(NamedTuple):
    """What a call does. `out` is its standard output."""

    reads: tuple[str, ...] = ()
    writes: tuple[Write, ...] = ()
    urls: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    git: GitUse | None = None
    runs: Runs = ""
    out: Stream = Stream()


def effects(call: Call) -> Effects:
    """Applies the row for the program; a program without one does nothing that is known, but its URLs are kept."""
    handler = _HANDLERS.get(call.program)
    if handler is not None:
        return handler(call)
    runs = program_runs(call.program, call.arguments)
    urls = tuple(url for argument in call.arguments for url in urls_in(argument))
    return Effects(urls=urls, hosts=hosts_of(urls), runs=runs)


def passes(program: str) -> bool:
    """What is piped into the program stays visible in what it prints."""
    row = programs.READERS.get(program)
    return row.passes if row is not None else program in {"xargs", "json.tool", "parallel"}


def _read(call: Call) -> Effects:
    row = programs.READERS[call.program]
    split = split_options(call.arguments, row.valued)
    if call.program in {"sed", "gsed"} and any(name == "-i" or name.startswith("--in-place") for name, _ in split.options):
        return _in_place(split, row)
    skip = 0 if row.unless and split.has(*row.unless) else row.skip
    files = (*split.operands[skip:], *split.rest) if split.operands or not skip else split.rest[skip:]
    more = tuple(value for value in split.values("-f", "--file", "--from-file") if row.skip)
    reads = tuple(path for path in (*files, *more) if path != "-")
    out = Stream(
        call.stdin.text if not files and call.program in {"cat", "tee"} else None,
        reads[0] if reads else call.stdin.source,
        piped=True,
    )
    writes: tuple[Write, ...] = ()
    if call.program == "tee":
        reads = ()
        writes = _teed(call, split)
        out = call.stdin
    elif call.program == "sort" and split.value("-o", "--output"):
        writes = (Write(path=split.value("-o", "--output"), operation="write", source=out.source),)
    elif call.program in {"sed", "gsed", "awk", "gawk"}:
        writes = _script_writes(call)
    return Effects(reads=reads, writes=writes, git=object_use(reads, call.cwd), out=out if passes(call.program) else Stream())


_SCRIPT_WRITE = re.compile(r"print[^>|\n]{0,200}>>?\s*\"([^\"\n]{1,200})\"|(?:^|[/;{\s])w\s+([\w./-]{1,200})\s*(?:$|[;}\n])")


def _script_writes(call: Call) -> tuple[Write, ...]:
    """`sed -n 'w file'` and `awk '{print > "file"}'`."""
    found = (match for argument in call.arguments[:8] if len(argument) < 5_000 for match in _SCRIPT_WRITE.finditer(argument))
    wanted = 1 if "awk" in call.program else 2
    return tuple(Write(path=match[wanted], operation="write") for match in found if match[wanted])


def _teed(call: Call, split: Split) -> tuple[Write, ...]:
    operation = "append" if split.has("-a", "--append") else "write"
    return tuple(
        written(path, operation, call.stdin) for path in (*split.operands, *split.rest) if not path.startswith("/dev/")
    )


def written(path: str, operation: str, stream: Stream) -> Write:
    """One file that a stream goes into."""
    if operation == "write" and stream.text is None and stream.source:
        operation = "download" if host_of(stream.source) else "copy"
    return Write(path=path, operation=operation, text=stream.text, source=stream.source)  # type: ignore[arg-type]


def _in_place(split: Split, row: programs.Reads) -> Effects:
    skip = 0 if split.has(*row.unless) else row.skip
    scripts = (*split.values("-e", "--expression"), *split.operands[:skip])
    files = (*split.operands[skip:], *split.rest)
    return Effects(writes=tuple(Write(path=path, operation="replace", text="\n".join(scripts)) for path in files))


def object_use(reads: tuple[str, ...], cwd: str) -> GitUse | None:
    """Reading below `.git` without git."""
    paths = tuple(path for path in reads if "/.git/" in f"/{path}/" or "/.git/" in f"/{cwd}/")
    if not paths:
        return None
    content = any("objects" in f"{cwd}/{path}" or "/stash" in path for path in paths)
    return GitUse(operation="objects", paths=paths, repository=cwd, reads_content=content)


def _copy(call: Call) -> Effects:
    split = split_options(call.arguments, programs.COPIERS[call.program])
    operands = (*split.operands, *split.rest)
    target = split.value("-t", "--target-directory")
    sources, destination = (operands, target) if target else (operands[:-1], operands[-1] if operands else "")
    if call.program == "ln" and len(operands) == 1:
        sources, destination = operands, posixpath.basename(operands[0])
    if call.program == "install" and split.has("-d", "--directory"):
        return Effects()
    remote = [path for path in operands if host_of(path)] if call.program in {"scp", "rsync"} else []
    writes = [
        Write(path=destination, operation="download" if path in remote else "copy", source=path)
        for path in sources
        if destination not in remote
    ]
    if call.program == "mv":
        writes += [Write(path=path, operation="delete") for path in sources]
    local = tuple(path for path in sources if path not in remote)
    return Effects(
        reads=local, writes=tuple(writes), urls=tuple(remote), hosts=hosts_of(remote), git=object_use(local, call.cwd)
    )


def _touch(call: Call) -> Effects:
    operation, skip, valued = programs.TOUCHERS[call.program]
    split = split_options(call.arguments, valued)
    paths = (*split.operands[skip:], *split.rest)
    text = call.stdin.text if call.program == "sponge" else None
    return Effects(writes=tuple(Write(path=path, operation=operation, text=text) for path in paths))  # type: ignore[arg-type]


def _dd(call: Call) -> Effects:
    pairs = dict(argument.split("=", 1) for argument in call.arguments if "=" in argument)
    source, target = pairs.get("if", ""), pairs.get("of", "")
    stream = Stream(None, source) if source else call.stdin
    return Effects(
        reads=(source,) if source else (),
        writes=(written(target, "write", stream),) if target and not target.startswith("/dev/") else (),
        out=Stream() if target else stream,
    )


def _patch(call: Call) -> Effects:
    split = split_options(call.arguments, {"-i", "-p", "-d", "-o", "-F", "-r", "--input", "--directory"})
    source = split.value("-i", "--input") or call.stdin.source
    target = split.value("-o") or next(iter(split.operands), split.value("-d", "--directory") or ".")
    return Effects(
        reads=(source,) if source and not host_of(source) else (),
        writes=(Write(path=target, operation="patch", text=call.stdin.text, source=source),),
    )


def _apply_patch(call: Call) -> Effects:
    """The tool of some agents, called from a shell: the envelope is its argument or its standard input."""
    text = next((word for word in call.arguments if "*** Begin Patch" in word), call.stdin.text)
    return Effects(writes=(Write(path=".", operation="patch", text=text, source=call.stdin.source),))


def _archive(call: Call) -> Effects:
    arguments = call.arguments
    if call.program in {"tar", "bsdtar"} and arguments and not arguments[0].startswith("-"):
        arguments = (f"-{arguments[0]}", *arguments[1:])
    split = split_options(arguments, programs.ARCHIVES[call.program])
    if call.program in {"tar", "bsdtar"}:
        return _tar(call, split)
    archive = next(iter(split.operands), split.value("-F", "-I")) or call.stdin.source
    reads = (archive,) if archive and not host_of(archive) else ()
    if split.has("-p", "-l", "-Z", "-t") or (call.program == "7z" and archive == "l"):
        return Effects(reads=reads, out=Stream(None, archive, piped=True))
    return Effects(reads=reads, writes=(Write(path=split.value("-d", "-D") or ".", operation="copy", source=archive),))


def _tar(call: Call, split: Split) -> Effects:
    archive = split.value("-f", "--file")
    archive = call.stdin.source if archive in {"", "-"} else archive
    if split.has("-c", "--create", "-r", "-u"):
        target = split.value("-f", "--file")
        out = Stream(None, next(iter(split.operands), ""))
        return Effects(
            reads=split.operands,
            writes=(Write(path=target, operation="copy", source=out.source),) if target not in {"", "-"} else (),
            out=out,
        )
    reads = (archive,) if archive and not host_of(archive) else ()
    if split.has("-t", "--list"):
        return Effects(reads=reads)
    if split.has("-O", "--to-stdout"):
        return Effects(reads=reads, out=Stream(None, archive, piped=True))
    return Effects(reads=reads, writes=(Write(path=split.value("-C", "--directory") or ".", operation="copy", source=archive),))


def _download(call: Call) -> Effects:
    split = split_options(call.arguments, programs.DOWNLOADERS[call.program])
    operands = (*split.operands, *split.rest, *split.values("--url"))
    urls = [operand for operand in operands if host_of(operand) or bare_host(operand)]
    hosts = tuple(dict.fromkeys(host_of(url) or bare_host(url) for url in urls))
    if call.program in {"hf", "huggingface-cli", "kaggle"}:
        hosts = ("kaggle.com",) if call.program == "kaggle" else ("huggingface.co",)
    writes = _downloads(call.program, split, urls)
    sent = tuple(value[1:] for value in split.values("-d", "--data", "--data-binary", "-F", "-T") if value.startswith("@"))
    source = urls[0] if urls else ""
    return Effects(
        reads=sent,
        writes=writes,
        urls=tuple(urls),
        hosts=hosts,
        out=Stream(None, source, piped=True) if not writes else Stream(),
    )


def _downloads(program: str, split: Split, urls: list[str]) -> tuple[Write, ...]:
    named = split.values("-o", "--output", *(("-O", "--output-document") if program == "wget" else ()), "--out")
    named = split.values("-O", "--output-document") if program == "wget" else named
    if any(name in {"-", "/dev/stdout", "/dev/null"} for name in named) or (program == "wget" and split.has("--spider")):
        return ()
    directory = (
        split.value(*programs.DIRECTORY_OPTIONS)
        if program in {"wget", "aria2c"}
        else split.value("--output-dir", "--local-dir")
    )
    source = urls[0] if urls else ""
    if named:
        pairs = zip(named, urls or [""], strict=False)
        return tuple(Write(path=posixpath.join(directory, name), operation="download", source=url) for name, url in pairs)
    if program in {"wget", "aria2c", "axel"} or (
        program == "curl" and split.has("-O", "--remote-name", "--remote-name-all", "-J")
    ):
        return tuple(Write(path=posixpath.join(directory, url_name(url)), operation="download", source=url) for url in urls)
    return (Write(path=directory, operation="download", source=source),) if directory else ()


def url_name(url: str) -> str:
    """File name that a download gets from its URL."""
    return posixpath.basename(url.partition("?")[0].rstrip("/")) if "/" in url.partition("://")[2] else "index.html"


def _connect(call: Call) -> Effects:
    split = split_options(call.arguments, programs.CONNECTORS[call.program])
    target = split.value("-connect") or next((operand for operand in split.operands if operand != "s_client"), "")
    plain = target.rpartition("@")[2]
    host = (
        host_of(target)
        or bare_host(plain)
        or (plain.lower() if re.fullmatch(r"[\w.-]+", plain) and call.program != "openssl" else "")
    )
    return Effects(urls=(target,) if "://" in target else (), hosts=(host,) if host else ())


def _package(call: Call) -> Effects:
    wanted, registry = programs.PACKAGES[call.program]
    split = split_options(
        call.arguments,
        {"-r", "-i", "-f", "-d", "-t", "--index-url", "--registry", "--dest", "-C", "--extra-index-url", "--target"},
    )
    runs = program_runs(call.program, call.arguments)
    sub = next((operand for operand in split.operands[:3] if operand in wanted), "")
    urls = tuple(url for argument in call.arguments for url in urls_in(argument))
    if not sub:
        return Effects(urls=urls, hosts=hosts_of(urls), runs=runs)
    names = [operand for operand in split.operands[split.operands.index(sub) + 1 :] if not operand.startswith("git+")]
    local = [name for name in names if name.startswith((".", "/")) or name.endswith((".whl", ".tar.gz", ".zip"))]
    outside = bool(names and len(local) < len(names)) or bool(split.value("-r")) or not names
    hosts = hosts_of(urls) or ((registry,) if registry and outside and not split.has("--no-index", "--offline") else ())
    writes: tuple[Write, ...] = ()
    if sub in {"download", "pack", "fetch", "unpack", "clone"} and names:
        writes = (Write(path=split.value("-d", "--dest") or ".", operation="download", source=names[-1]),)
    reads = tuple(split.values("-r")) + tuple(name for name in local if name.startswith((".", "/")))
    return Effects(reads=reads, writes=writes, urls=urls, hosts=hosts, runs=runs)


def _git(call: Call) -> Effects:
    found = git_result(call.arguments, call.cwd, stdin=call.stdin.text, piped=call.stdin.source)
    return Effects(found.reads, found.writes, found.urls, found.hosts, found.use, out=Stream(None, found.source, piped=True))


_SLOT = re.compile(r"%[sb]|%%")
MAX_PRINTED = 1_000_000
"""Characters of a `printf` template, repeats included, that are filled in."""


def _echo(call: Call) -> Effects:
    words = list(call.arguments)
    newline, escapes = "\n", False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        flags = words.pop(0)
        newline = "" if "n" in flags else newline
        escapes = "e" in flags
    text = " ".join(words)
    return Effects(out=Stream((decoded(text) if escapes else text) + newline))


def decoded(text: str) -> str:
    """Escapes as `printf` and `echo -e` read them."""
    return ansi_text(text) if "\\" in text else text


def _printf(call: Call) -> Effects:
    arguments = call.arguments[1:] if call.arguments[:1] == ("--",) else call.arguments
    if not arguments:
        return Effects()
    template, values = decoded(arguments[0]), arguments[1:]
    if "%" not in template.replace("%%", ""):
        return Effects(out=Stream(template.replace("%%", "%")))
    slots = template.count("%s") + template.count("%b")
    if not slots or slots != template.replace("%%", "").count("%"):
        return Effects()
    rounds = max(1, -(-len(values) // slots))
    if len(template) * rounds > MAX_PRINTED:
        return Effects()
    filled = iter([*values, *[""] * slots])
    return Effects(out=Stream(_SLOT.sub(lambda found: "%" if found[0] == "%%" else next(filled), template * rounds)))


_HANDLERS: dict[str, Callable[[Call], Effects]] = {
    **dict.fromkeys(programs.READERS, _read),
    **dict.fromkeys(programs.COPIERS, _copy),
    **dict.fromkeys(programs.TOUCHERS, _touch),
    **dict.fromkeys(programs.ARCHIVES, _archive),
    **dict.fromkeys(programs.DOWNLOADERS, _download),
    **dict.fromkeys(programs.CONNECTORS, _connect),
    **dict.fromkeys(programs.PACKAGES, _package),
    "dd": _dd,
    "patch": _patch,
    "apply_patch": _apply_patch,
    "applypatch": _apply_patch,
    "git": _git,
    "echo": _echo,
    "printf": _printf,
}


def run_script(path: str) -> Effects:
    """A script or program that is run by its path."""
    return Effects(reads=(path,), runs=script_runs(path))
