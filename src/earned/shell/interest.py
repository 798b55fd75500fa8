"""A fast look at a command: could its facts matter as evidence? False only when parsing would show nothing of the kind."""

from __future__ import annotations

import re2

from earned.shell import programs
from earned.shell.options import names
from earned.shell.runners import TEST_PROGRAMS, TEST_SUBCOMMANDS

_OTHERS = names(
    "eval trap alias source xargs tmux screen script tee dd patch git docker podman at batch crontab hf"
    " for case select function coproc"
)
_TABLES = (
    *(programs.TOUCHERS, programs.COPIERS, programs.ARCHIVES, programs.DOWNLOADERS, programs.CONNECTORS, programs.PACKAGES),
    *(programs.SHELLS, programs.INTERPRETERS, programs.PREFIXES, programs.RUN_PREFIXES, programs.DETACHING),
    *(TEST_PROGRAMS, TEST_SUBCOMMANDS, _OTHERS),
)
_NAMES = sorted({name for table in _TABLES for name in table}, key=len, reverse=True)
_POSITION = r"(?:^|[\n;|&(){}`!]|\b(?:then|do|else|elif|if|while|until|in)[ \t]|\b\w+\+?=[^\s\"'$]*[ \t])[ \t]*"
"""Where a program's name stands: at the start, after an operator, a keyword or an assignment."""
_TRICKS = r"[\w./~+-]*[\"'\\$`{*?\[<]"
"""A name that quoting, a variable or a pattern makes up."""
_PATH = r"(?:\.[ \t]|[\w.~+-]*/)"
_PLACES = (
    r"://|\.git\b|/dev/(?:tcp|udp)|site-packages|dist-packages|node_modules|/tests?\b|hidden|reward|verifier|grader|solution|answer|expected|gold"
    r"|\.pyc\b|\.whl\b|\.cache\b|/proc/|LD_PRELOAD|PYTEST_|PYTHON(?:PATH|STARTUP)|NODE_OPTIONS|conftest|sitecustomize"
)
_OPTIONS = (
    r"-exec|-ok\b|-delete|-x[ \t]|-X[ \t]|--in-place"
    r"|(?:^|[^\w])g?sed[ \t](?s:.)*?(?:-[A-Za-z]*i|w[ \t])|(?:^|[^\w])sort[ \t](?s:.)*?(?:-\w*o|--output)"
)
_BACKGROUND = r"(?:^|[^&>|<\\])&(?:[^&>]|$)"
_MEMORY = 64 << 20
"""Bytes for the automaton: enough that it never has to give up on a text."""


def _automaton() -> re2.Set:
    """A set of one pattern: `Set.Match` tells only whether it is found, several times faster than `search`."""
    alternatives = "|".join(re2.escape(name) for name in _NAMES)
    patterns = [f"{_POSITION}(?:{alternatives})[0-9.]*(?:[^\\w.-]|$)", _POSITION + _TRICKS, _POSITION + _PATH]
    patterns += [">", _PLACES, _OPTIONS, _BACKGROUND, r"\w=[\"'$]", r"\\\r?\n"]
    options = re2.Options()
    options.max_mem = _MEMORY
    automaton = re2.Set.SearchSet(options)
    automaton.Add("|".join(f"(?:{pattern})" for pattern in patterns))
    automaton.Compile()
    return automaton


_INTERESTING = _automaton()


def interesting(command: str) -> bool:
    """Whether the facts of `command` could hold git, hosts, writes, runs, background, or reads of a place that matters.

    Needs no parsing. It looks at this text alone: a command that only changes the shell's state (`cd`, `export NAME=value`)
    is not interesting, yet whoever keeps a `Session` has to give it to `command_facts` too, and a name that the session
    defined (an alias, a function) is not known here.
    """
    return bool(_INTERESTING.Match(command.encode("utf-8", "replace")))
