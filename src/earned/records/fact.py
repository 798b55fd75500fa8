"""What a command or an inline program does, as parsing shows it: no judgement, no ancestry yet."""

from __future__ import annotations

from typing import Literal

import msgspec

Ancestor = Literal["yes", "no", "unknown"]
Runs = Literal["", "tests", "grader", "program"]
WriteOperation = Literal["write", "append", "replace", "delete", "copy", "download", "patch"]


class Write(msgspec.Struct, frozen=True, kw_only=True):
    """One path that a command writes."""

    path: str
    operation: WriteOperation
    text: str | None = None
    """What is written, where the command itself holds it (here-doc, echo, printf, open().write); else None."""
    removed: str = ""
    """What a patch or the replacement of a literal takes away; its `text` is what it puts there."""
    source: str = ""
    """Path or URL whose content is put there (`cp`, `mv`, `curl -o`, `git checkout REF -- path`); empty when there is none."""


class GitUse(msgspec.Struct, frozen=True, kw_only=True):
    """One use of git."""

    operation: str
    """Sub-command: `show`, `log`, `checkout`, …; `objects` when the object store is read without git."""
    refs: tuple[str, ...] = ()
    """Revisions named, as written, without their `:path`; options that reach beyond HEAD (`--all`) stand as written."""
    paths: tuple[str, ...] = ()
    repository: str = ""
    """From `-C`, `--git-dir` or the working directory, as written."""
    reads_content: bool = False
    """Shows or delivers file content (`show`, `diff`, `log -p`, `checkout REF -- f`, …), as against names and messages only."""
    delivers: bool = False
    """Puts content into the working tree without showing it (`checkout REF -- f`, `cherry-pick`, `stash pop`, …)."""
    ancestor: Ancestor | None = None
    """Whether what is read is an ancestor of the base; None before it was decided or when no object is read."""
    why: str = ""
    """What decided `ancestor`."""


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One simple command, or one call in an inline program."""

    program: str
    """Base name of the program, or dotted name of the call (`requests.get`)."""
    argv: tuple[str, ...] = ()
    cwd: str = ""
    """Working directory within the command text (`cd` before it); empty when the text does not say."""
    reads: tuple[str, ...] = ()
    writes: tuple[Write, ...] = ()
    hosts: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    git: GitUse | None = None
    runs: Runs = ""
    background: bool = False
    via: tuple[str, ...] = ()
    """How it is reached from the text, outermost first: `bash -c`, `xargs`, `$()`, `python -c`, `alias g`."""
    start: int = 0
    end: int = 0
    """Span of it in the action's text (of the outermost command when it is nested)."""
    shows: bool = True
    """Its standard output reaches the observation (not redirected to a file, nor fed into a pipe or a variable)."""
    step: int = -1
    action: int = -1
    """Step and action that it belongs to; set by the prescan."""
