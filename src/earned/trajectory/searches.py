"""Whether a search by a tool shows lines of the files that it goes through, as `grep` does, or only names them."""

from __future__ import annotations

from typing import Any

import msgspec

from earned.records import Action
from earned.trajectory.tools import plain_name

MAX_ARGUMENTS = 64 * 1024
"""Characters of arguments in which the mode of a search is looked for."""
LINE_SEARCHES = frozenset({"grep", "search_file", "search_dir", "grep_search", "search_file_content", "codebase_search"})
"""Tools that show the lines that they find."""
_NAMES_FILES = "Grep"
"""Claude Code's, which names files unless it is asked for their content."""


class _Mode(msgspec.Struct):
    output_mode: Any = None


def shows_lines(action: Action) -> bool:
    """Whether lines of the files that a search names come back."""
    if plain_name(action.tool) not in LINE_SEARCHES:
        return False
    mode = _mode(action.arguments)
    return mode == "content" if mode or action.tool == _NAMES_FILES else True


def _mode(arguments: str) -> Any:
    if "output_mode" not in arguments or len(arguments) > MAX_ARGUMENTS:
        return None
    try:
        return msgspec.json.decode(arguments, type=_Mode).output_mode
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
