"""Programs that run other programs or program text: shells, interpreters, `xargs`, `find`, multiplexers, containers."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from earned.records.fact import Write
from earned.shell import programs
from earned.shell.effects import Call, Effects, Stream, effects
from earned.shell.options import Split, split_options
from earned.shell.runners import TEST_MODULES, grader_path, program_runs, script_runs

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence as Row

    from earned.shell.frame import Frame
    from earned.shell.walk import Walk

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL | re.ASCII)
MAX_ARGUMENTS = 1_000
"""Words of known standard input that `xargs` appends."""


def shell(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`bash -lc text`, `bash script`, `bash <<EOF`, `curl … | sh`."""
    split = split_options(words[1:], {"-o", "-O", "--rcfile", "--init-file"}, stop=True)
    operands = split.operands or split.rest
    if any("c" in name[1:] and not name.startswith("--") for name, _ in split.options) and operands:
        inner = frame.inner(f"{program} -c")
        walk.subshells += 1
        cwd = walk.cwd
        out = walk.with_arguments(operands[2:], lambda: walk.text(operands[0], inner))
        walk.cwd = cwd
        walk.subshells -= 1
        return walk.composite(words, frame, out)
    if operands and not split.has("-s"):
        return walk.script(operands[0], [program, *operands], frame, "shell")
    found = Effects(
        runs="program", reads=(frame.stdin.source,) if frame.stdin.source and "://" not in frame.stdin.source else ()
    )
    walk.emit(program, words, frame, found)
    if frame.stdin.text is not None:
        walk.text(frame.stdin.text, frame.inner(program)._replace(stdin=Stream()))
    return Stream()


def interpreter(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`python -c text`, `python -m module`, `python script`, `python - <<EOF`, `node -e`, `perl -pi -e`."""
    language, code, valued = programs.INTERPRETERS[program]
    arguments = list(words[1:])
    if program == "deno" and arguments[:1] == ["eval"]:
        arguments[0] = "eval"
        return _code(
            walk, program, language, words, frame, Split(tuple(arguments[2:]), (("eval", "".join(arguments[1:2])),), ())
        )
    split = split_options(arguments, code | valued, stop=True)
    operands = split.operands or split.rest
    if split.has("-m") and language == "python":
        return _module(walk, program, words, frame, [split.value("-m"), *operands])
    if split.has(*code):
        return _code(walk, program, language, words, frame, split)
    if program in programs.PACKAGES and operands and not posixpath.splitext(operands[0])[1]:
        return walk.program(program, words, frame)
    if operands and operands[0] != "-":
        return _script(walk, program, language, words, frame, operands)
    walk.emit(program, words, frame, Effects(runs="program" if frame.stdin.text is not None or frame.stdin.piped else ""))
    if frame.stdin.text is not None:
        walk.inline(frame.stdin.text, language, frame.inner(f"{program} -")._replace(stdin=Stream()))
    return Stream()


def _code(walk: Walk, program: str, language: str, words: Row[str], frame: Frame, split: Split) -> Stream:
    names = programs.INTERPRETERS[program][1] | {"eval"}
    texts = [(name, text) for name, text in split.options if name in names]
    files = split.operands or split.rest
    found = Effects(runs="program")
    if language in {"perl", "ruby"} and split.has("-n", "-p", "-i"):
        text = "\n".join(text for _, text in texts)
        if split.has("-i"):
            found = found._replace(writes=tuple(Write(path=path, operation="replace", text=text) for path in files))
        else:
            found = found._replace(reads=tuple(files), out=Stream(None, frame.stdin.source))
    walk.emit(program, words, frame, found)
    for name, text in texts:
        walk.inline(text, language, frame.inner(f"{program} {name}")._replace(stdin=Stream()))
    return found.out


def _module(walk: Walk, program: str, words: Row[str], frame: Frame, rest: list[str]) -> Stream:
    """`python -m module …`: a program of that name, where one is known."""
    module = rest[0]
    if module in {"pip", "coverage", "uv", "pipx", "pytest"} and len(rest) > 1 and module != "pytest":
        inner = rest[rest.index("run") :][1:] if module == "coverage" and "run" in rest else rest
        inner = [program, *inner] if module == "coverage" and inner is not rest and inner else inner
        return (
            walk.call(inner, frame._replace(via=(*frame.via, f"{program} -m {module}"), depth=frame.depth + 1))
            if inner
            else Stream()
        )
    root = module.partition(".")[0]
    if module in TEST_MODULES or root in TEST_MODULES:
        runs = "grader" if any(map(grader_path, rest[1:])) else "tests"
        return walk.emit(program, words, frame, Effects(runs=runs))  # type: ignore[arg-type]
    if module in {"json.tool", "zipfile", "tarfile", "dis", "inspect", "ast", "tokenize", "pydoc"}:
        reads = tuple(word for word in rest[1:] if not word.startswith("-"))
        return walk.emit(program, words, frame, Effects(reads=reads, out=Stream(None, frame.stdin.source), runs="program"))
    return walk.emit(program, words, frame, Effects(runs=program_runs(module, rest[1:]) or "program"))


def _script(walk: Walk, program: str, language: str, words: Row[str], frame: Frame, operands: Row[str]) -> Stream:
    path = operands[0]
    runs = program_runs(posixpath.basename(path), operands[1:]) or (
        script_runs(path) if "." in path or "/" in path else "program"
    )
    if walk.known_script(path) is not None:
        return walk.script(path, [program, *operands], frame, language)
    found = effects(Call("", tuple(operands[1:]), walk.cwd, frame.stdin))
    return walk.emit(program, words, frame, found._replace(reads=(path,), runs=runs))


def xargs(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`xargs cmd`: the command runs with words of the input, appended where they are known."""
    split = split_options(words[1:], {"-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E", "-i"}, stop=True)
    command = list(split.operands or split.rest) or ["echo"]
    known = frame.stdin.text.split()[:MAX_ARGUMENTS] if frame.stdin.text is not None else []
    mark = split.value("-I") or ("{}" if split.has("-I") else "")
    if mark and len(known) == 1:
        command = [word.replace(mark, known[0]) for word in command]
    elif not mark:
        command += known
    return walk.call(command, frame._replace(via=(*frame.via, program), stdin=Stream(), depth=frame.depth + 1))


def find(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`find … -exec cmd {} +`, `-delete`; `fd -x cmd`."""
    roots = [word for word in words[1:2] if not word.startswith("-")]
    writes = tuple(Write(path=root, operation="delete") for root in roots or ["."]) if "-delete" in words else ()
    out = walk.emit(program, words, frame, Effects(writes=writes))
    position = 1
    while position < len(words):
        if words[position] in _EXEC:
            end = next((index for index in range(position + 1, len(words)) if words[index] in {";", "+"}), len(words))
            command = [
                word if word != "{}" else (roots[0] if roots and "." in posixpath.basename(roots[0]) else "{}")
                for word in words[position + 1 : end]
            ]
            if command:
                name = f"{program} {words[position]}"
                walk.call(command, frame.inner(name)._replace(stdin=Stream(), depth=frame.depth + 1))
            position = end
        position += 1
    return out


_EXEC = frozenset(["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"])


def multiplexer(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`tmux new -d 'cmd'`, `tmux send-keys 'cmd' Enter`, `screen -dm cmd`, `script -c cmd`."""
    walk.emit(program, words, frame, Effects())
    split = split_options(words[1:], {"-s", "-t", "-n", "-S", "-c", "-x", "-y"})
    if program == "screen":
        rest = split.operands
    elif program == "script":
        rest = split.values("-c")
    else:
        rest = tuple(word for word in split.operands[1:] if word not in {"Enter", "C-m", "C-c", "C-d"})
    text = " ".join(rest)
    if text:
        detached = program != "script"
        inner = frame.inner(program, shows=not detached)._replace(background=frame.background or detached, stdin=Stream())
        walk.text(text, inner)
    return Stream()


def container(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`docker exec NAME cmd`, `docker run IMAGE cmd`; other sub-commands are a program."""
    split = split_options(
        words[1:], programs.RUN_VALUED | {"-v", "-w", "-u", "--volume", "--workdir", "--user", "--name", "--network"}, stop=True
    )
    inner = split_options(
        split.operands[1:], {"-v", "-w", "-u", "-e", "--volume", "--workdir", "--user", "--name", "--network", "-p"}, stop=True
    )
    out = walk.program(program, words, frame)
    if split.operands[:1] in {("exec",), ("run",)} and len(inner.operands) > 1:
        walk.call(inner.operands[1:], frame.inner(f"{program} {split.operands[0]}")._replace(depth=frame.depth + 1))
    return out


def prefix(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`sudo`, `env`, `timeout 5` and the like: what follows is the command."""
    valued, skip = programs.PREFIXES[program]
    split = split_options(words[1:], valued, stop=True)
    rest = list(split.operands or split.rest)
    if program == "env":
        while rest and _ASSIGNMENT.fullmatch(rest[0]):
            rest.pop(0)
        rest = split.value("-S").split() + rest if split.has("-S") else rest
    rest = rest[skip:]
    if not rest or (program == "command" and split.has("-v", "-V")):
        return walk.emit(program, words, frame, Effects())
    background = frame.background or program in programs.DETACHING
    return walk.call(rest, frame._replace(via=(*frame.via, program), background=background))


LAUNCHERS: dict[str, Callable[[Walk, str, Row[str], Frame], Stream]] = {
    **dict.fromkeys(programs.PREFIXES, prefix),
    **dict.fromkeys(programs.SHELLS, shell),
    **dict.fromkeys(programs.INTERPRETERS, interpreter),
    "xargs": xargs,
    **dict.fromkeys(["find", "fd", "fdfind"], find),
    **dict.fromkeys(["tmux", "screen", "script"], multiplexer),
    **dict.fromkeys(["docker", "podman"], container),
}
