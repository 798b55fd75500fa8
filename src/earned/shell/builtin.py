"""Commands that change the state of the shell itself: directory, variables, aliases, and text that is run as commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from earned.shell.decode import ansi_text
from earned.shell.effects import Effects, Stream, run_script
from earned.shell.session import located

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence as Row

    from earned.shell.frame import Frame
    from earned.shell.walk import Walk

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=(.*)", re.DOTALL | re.ASCII)


def change_directory(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`cd`, `pushd`, `popd`: an unknown target is kept as written."""
    operands = [word for word in words[1:] if word == "-" or not word.startswith(("-", "+"))]
    target = operands[0] if operands else ("-" if program == "popd" else "~")
    out = walk.emit(program, words, frame, Effects())
    if target == "-":
        walk.cwd, walk.previous = walk.previous, walk.cwd
    else:
        walk.cwd, walk.previous = located(target, walk.cwd), walk.cwd
    walk.change(("cwd", "", walk.cwd))
    return out


def declare(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`export NAME=value` and its kin."""
    for word in words[1:]:
        found = _ASSIGNMENT.fullmatch(word)
        if found:
            walk.set(found[1], found[2])
    return walk.emit(program, words, frame, Effects())


def unset(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`unset NAME`."""
    for word in words[1:]:
        walk.variables.pop(word, None)
        walk.functions.pop(word, None)
    return walk.emit(program, words, frame, Effects())


def alias(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`alias name=text`."""
    for word in words[1:]:
        name, equals, text = word.partition("=")
        if equals and name and len(text) <= 10_000:
            walk.aliases[name] = text
            walk.change(("aliases", name, text))
    return walk.emit(program, words, frame, Effects())


def unalias(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`unalias name`."""
    for word in words[1:]:
        walk.aliases.pop(word, None)
    return walk.emit(program, words, frame, Effects())


def evaluate(walk: Walk, _program: str, words: Row[str], frame: Frame) -> Stream:
    """`eval text`: runs in this shell."""
    out = walk.text(" ".join(words[1:]), frame.inner("eval"))
    return walk.composite(words, frame, out)


def trap(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`trap 'text' SIGNAL`: the text runs later."""
    out = walk.emit(program, words, frame, Effects())
    if len(words) > 2 and words[1] not in {"-", ""} and not words[1].startswith("-"):
        walk.text(words[1], frame.inner("trap"))
    return out


def source(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`source file`: runs in this shell."""
    if len(words) < 2:
        return Stream()
    walk.emit(program, words, frame, run_script(words[1])._replace(runs=""))
    text = walk.known_script(words[1])
    if text is not None:
        walk.text(text, frame.inner(f"source {words[1]}"))
    return Stream()


def read_variable(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`read NAME`, `mapfile NAME`: the variable is no longer literal, unless its input is."""
    names = [word for word in words[1:] if not word.startswith("-")]
    for name in names:
        walk.variables.pop(name, None)
    if len(names) == 1 and frame.stdin.text is not None:
        walk.set(names[0], frame.stdin.text.partition("\n")[0])
    return walk.emit(program, words, frame, Effects())


def test(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`[ … ]`, `test`, `true`, `:`: does nothing that is seen."""
    return walk.emit(program, words, frame, Effects())


def print_variable(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`printf -v NAME text`; any other `printf` is a program."""
    if len(words) == 4 and words[1] == "-v" and "%" not in words[3]:
        walk.set(words[2], ansi_text(words[3]))
        return walk.emit(program, words, frame, Effects())
    return walk.program(program, words, frame)


def schedule(walk: Walk, program: str, words: Row[str], frame: Frame) -> Stream:
    """`at`, `batch`, `crontab -`: the text that is piped in runs later."""
    walk.emit(program, words, frame, Effects())
    text = frame.stdin.text
    if text is not None and program == "crontab":
        text = "\n".join(_CRON.sub("", line) for line in text.splitlines())
    if text is not None:
        walk.text(text, frame.inner(program, shows=False)._replace(background=True, stdin=Stream()))
    return Stream()


_CRON = re.compile(r"^\s*(?:@\w+|(?:[\d*/,A-Za-z-]+\s+){5})\s*")
BUILTINS: dict[str, Callable[[Walk, str, Row[str], Frame], Stream]] = {
    **dict.fromkeys(["cd", "pushd", "popd", "chdir"], change_directory),
    **dict.fromkeys(["export", "declare", "local", "readonly", "typeset"], declare),
    "unset": unset,
    "alias": alias,
    "unalias": unalias,
    "eval": evaluate,
    "trap": trap,
    **dict.fromkeys(["source", "."], source),
    **dict.fromkeys(["read", "mapfile", "readarray"], read_variable),
    **dict.fromkeys(["[", "[[", "test", "true", "false", ":", "wait", "sleep", "exit", "return", "set", "shopt"], test),
    "printf": print_variable,
    **dict.fromkeys(["at", "batch", "crontab"], schedule),
}
