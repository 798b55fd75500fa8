"""A notebook cell that does nothing but call one of a harness's own skills, as OpenHands writes them: the act of that skill.

`print(file_editor(**{'command': 'view', 'path': '/a'}))` is what its editor was until 0.20, `open_file('/a')` one of the skills
before it. Literals are taken from the parsed text; nothing is executed.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any, NamedTuple

MAX_CELL = 1024 * 1024
"""Characters of a cell that is parsed."""
_EDITOR = "file_editor"
_SKILLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "open_file": ("open_file", ("path", "line_number")),
    "create_file": ("create_file", ("path",)),
    "append_file": ("append_file", ("path", "content")),
    "edit_file_by_replace": ("str_replace", ("path", "old_str", "new_str")),
    "insert_content_at_line": ("insert", ("path", "line_number", "content")),
    "search_file": ("search_file", ("query", "path")),
    "search_dir": ("search_dir", ("query", "path")),
    **{f"parse_{kind}": ("read_file", ("path",)) for kind in ("pdf", "docx", "pptx", "latex", "txt")},
}
"""The tool that each is, with the names of its arguments in order."""
_NAMES = {
    **dict.fromkeys(["file_name", "file_path", "dir_path"], "path"),
    "to_replace": "old_str",
    "new_content": "new_str",
    "search_term": "query",
}
"""What the skills call arguments that have other names here."""
_BEGINS = re.compile(rf"\s*(?:print\()?\s*(?:agentskills\.)?(?:{'|'.join([_EDITOR, *_SKILLS])})\(")


class Skill(NamedTuple):
    """The call of a tool."""

    name: str
    arguments: dict[str, Any]


def skill_call(cell: str) -> Skill | None:
    """The skill that a cell calls with literals alone; None where it does anything else."""
    if len(cell) > MAX_CELL or _BEGINS.match(cell) is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (statement,) = ast.parse(cell).body
            call = _within_print(statement)
            return _skill(call) if call is not None else None
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None


def _within_print(statement: ast.stmt) -> ast.Call | None:
    value = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(value, ast.Call) and _name(value) == "print" and len(value.args) == 1 and not value.keywords:
        value = value.args[0]
    return value if isinstance(value, ast.Call) else None


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""


def _skill(call: ast.Call) -> Skill | None:
    """Raises what `ast.literal_eval` raises where an argument is no literal."""
    name = _name(call)
    tool, names = _SKILLS.get(name, (name, ()))
    if len(call.args) > len(names):
        return None
    given: dict[object, Any] = {name: ast.literal_eval(value) for name, value in zip(names, call.args, strict=False)}
    for keyword in call.keywords:
        value = ast.literal_eval(keyword.value)
        given |= {_NAMES.get(keyword.arg, keyword.arg): value} if keyword.arg is not None else value
    kept = {key: value for key, value in given.items() if isinstance(key, str) and _is_plain(value)}
    if isinstance(line := kept.get("line_number"), int) and tool == "insert":
        kept["insert_line"] = line - 1  # the skill names the line before which it inserts
    return Skill(tool, kept)


def _is_plain(value: object) -> bool:
    """Whether JSON could hold it as it stands."""
    if isinstance(value, int):
        return abs(value) < 1 << 53
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(item, int) and _is_plain(item) for item in value)
    )
