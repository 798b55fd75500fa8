"""What a tool of an MCP server does, where its name and arguments leave no doubt; all else is a call of kind `other`.

Servers of MCP-Atlas are put before their tools with an underscore: `filesystem_read_text_file`, `ddg-search_fetch_content`.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from earned.records import Action, Edit
from earned.trajectory.tools import action_of

_WORDS = re.compile(r"[a-z0-9]+")
_FETCHES = frozenset({"fetch", "scrape", "scraper", "crawl", "crawling", "navigate", "browse", "extract", "download"})
_SEARCHES = frozenset({"search", "query", "find", "list", "lookup", "geocode", "grep"})
_READS = frozenset({"read", "tree", "view", "cat"})
_EVIDENT = frozenset({"shell", "code", "read", "search", "fetch", "write", "edit"})
_URLS = ("url", "uri", "link", "urls")
_QUERIES = ("query", "q", "search_query", "searchQuery", "pattern", "term", "keyword", "title", "domain", "path")
_PATHS = ("path", "paths", "file_path", "filePath", "filename")


def mcp_action(name: str, arguments: Any, call_id: str = "") -> Action:
    """The action of a tool of an MCP server, called with decoded arguments. Never raises."""
    given = arguments if isinstance(arguments, dict) else {}
    tool = name.partition("_")[2] or name
    edits = _edits(tool, given)
    if edits:
        return Action(kind="edit", tool=name, call_id=call_id, edits=edits)
    action = action_of(tool, arguments, call_id)
    if action.kind in _EVIDENT and _says_what(action):
        return msgspec.structs.replace(action, tool=name)
    whole = action_of("", arguments, call_id)
    words = set(_WORDS.findall(name.lower()))
    if words & _FETCHES and _first(given, _URLS):
        return msgspec.structs.replace(whole, kind="fetch", tool=name, url=_first(given, _URLS))
    if words & _SEARCHES and _first(given, _QUERIES):
        return msgspec.structs.replace(whole, kind="search", tool=name, query=_first(given, _QUERIES))
    if words & _READS and _first(given, _PATHS):
        return msgspec.structs.replace(whole, kind="read", tool=name)
    return msgspec.structs.replace(whole, tool=name)


def _says_what(action: Action) -> bool:
    """Whether the arguments hold what an action of this kind is about: `get_notes` is no read of a file."""
    return bool(action.command or action.url or action.query or action.paths or (action.edits and action.edits[0].path))


def _edits(tool: str, given: dict[str, Any]) -> tuple[Edit, ...]:
    """The edits of the filesystem server: `{path, edits: [{oldText, newText}]}`."""
    path, listed = given.get("path"), given.get("edits")
    if tool != "edit_file" or not isinstance(path, str) or not isinstance(listed, list):
        return ()
    found = [item for item in listed if isinstance(item, dict)]
    return tuple(
        Edit(path=path, operation="replace", old=_first(item, ("oldText",)), new=_first(item, ("newText",))) for item in found
    )


def _first(given: dict[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = given.get(name)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str):
            return value
    return ""
