"""SWE-agent's text commands as actions: the editor's and the viewer's own commands, all else as shell.

The 0.x line edits with `edit FROM:TO`, a text and `end_of_edit` in the open file; the 1.x line writes tool calls out as a
command line with long options (`str_replace_editor create /f --file_text '…'`).
"""

from __future__ import annotations

import re
import shlex
from typing import Any

from earned.records import Action, Edit
from earned.trajectory.tools import MAX_SHLEX, action_of

_EDIT = re.compile(r"edit (\d{1,9}):(\d{1,9})[^\S\n]*\n(.*)", re.DOTALL)
_END = "end_of_edit"
_EDITOR = "str_replace_editor"


def action_of_text(text: str, *, open_file: str = "", cwd: str = "") -> Action:
    """The action of one command as SWE-agent records it. Never raises."""
    stripped = text.strip()
    verb, _, rest = stripped.partition(" ")
    name = verb.split("\n", 1)[0]
    made = None
    if name == "edit":
        made = _edit(stripped, open_file, cwd)
    elif name == _EDITOR:
        made = _editor(stripped, cwd)
    elif name == "create" and rest:
        made = Action(kind="write", tool=name, edits=(Edit(path=rest.strip(), operation="write"),), arguments=text, cwd=cwd)
    elif name in {"open", "goto", "scroll_down", "scroll_up"}:
        path = rest.split(" ")[0].strip("\"'") if name == "open" else open_file
        made = Action(kind="read", tool=name, paths=(path,) if path else (), arguments=text, cwd=cwd)
    elif name in {"find_file", "search_dir", "search_file"}:
        made = Action(kind="search", tool=name, query=rest, arguments=text, cwd=cwd)
    elif stripped == "submit" or name in {"submit_final", "exit_forfeit"}:
        made = Action(kind="submit", tool=name, arguments=text, cwd=cwd)
    return made or Action(kind="shell", tool="bash", command=text, cwd=cwd)


def _edit(text: str, open_file: str, cwd: str) -> Action | None:
    found = _EDIT.match(text)
    if found is None:
        return None
    body = found.group(3)
    cut = body.rfind(f"\n{_END}")
    new = body[:cut] if cut >= 0 else body.removesuffix(_END)
    edit = Edit(path=open_file, operation="replace", new=new, line=int(found.group(1)))
    return Action(kind="edit", tool="edit", edits=(edit,), arguments=text, cwd=cwd)


def _editor(text: str, cwd: str) -> Action | None:
    if len(text) > MAX_SHLEX:
        return None
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    if len(words) < 3:
        return None
    arguments: dict[str, Any] = {"command": words[1], "path": words[2]}
    for option, value in zip(words[3::2], words[4::2], strict=False):
        arguments[option.lstrip("-")] = int(value) if option == "--insert_line" and value.isdecimal() else value
    made = action_of(_EDITOR, arguments)
    return Action(kind=made.kind, tool=made.tool, edits=made.edits, paths=made.paths, arguments=text, cwd=cwd)
