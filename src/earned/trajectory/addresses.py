"""Which address a call reads: one that it names, the page that a step in a browser opens, a place in a repository of GitHub."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MAX_GOTO = 100_000
"""Characters of a program of browser steps in which the page that it opens is looked for."""
_KEYS = ("url", "uri", "href", "link")
_PROGRAMS = ("browser_actions", "code", "function", "script")
"""Arguments that are a program of browser steps."""
_GOTO = re.compile(r"""\bgoto\(\s{0,20}["'`]([^"'`]{1,4000})["'`]""")
_GITHUB_READS = ("get_", "list_", "search_", "pull_request_read", "issue_read")
"""How the tools of GitHub's server begin that show what a repository holds."""


def named_address(arguments: Mapping[str, Any]) -> str:
    """The address that arguments name, of whatever form; empty when they name none."""
    return next((value for key in _KEYS if isinstance(value := arguments.get(key), str)), "")


def read_address(plain: str, arguments: Mapping[str, Any]) -> str:
    """The address that a call reads of a tool which is in no table; `plain` is its name without name spaces."""
    named = named_address(arguments)
    if named.startswith(("http://", "https://")):
        return named
    if "brows" in plain:
        program = next((value for key in _PROGRAMS if isinstance(value := arguments.get(key), str)), "")
        opened = _GOTO.search(program[:MAX_GOTO])
        return opened.group(1) if opened is not None else ""
    if "repo" in arguments and plain.removeprefix("github_").startswith(_GITHUB_READS):
        return _on_github(arguments)
    return ""


def _on_github(arguments: Mapping[str, Any]) -> str:
    owner, repository, path = (arguments.get(key) for key in ("owner", "repo", "path"))
    if not (isinstance(owner, str) and isinstance(repository, str) and owner and repository):
        return ""
    inner = path.strip("/") if isinstance(path, str) else ""
    return f"https://github.com/{owner}/{repository}/{inner}".rstrip("/")
