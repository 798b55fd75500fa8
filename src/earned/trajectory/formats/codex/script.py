"""Calls of tools that stand as literals in the JavaScript of Codex's code mode: `tools.exec_command({cmd: "ls"})`, and
`codex.tool("exec_command", {…})` of its `js_repl`.

The program's text is what the agent wrote; the session often does not record which commands it ran. Only literals are taken: a
command that the program puts together at run time stays in the program's text and nowhere else.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from earned.records import Action
from earned.trajectory.tools import action_of

MAX_SCRIPT = 256 * 1024
"""Characters of a program that are searched."""
MAX_CALLS = 200
"""Calls taken from one program."""
_CALL = re.compile(
    r"""\btools\.([A-Za-z_]\w{0,80})\s{0,20}\(\s{0,20}|\bcodex\.tool\(\s{0,20}["'`]([A-Za-z_][\w.]{0,80})["'`]\s{0,20},\s{0,20}"""
)
_TOKEN = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|([A-Za-z_$][\w$]*)|([{}()\[\]])|([:,])""", re.DOTALL
)
_ENDS = re.compile(r"\s{0,200}(?:[,:)}\]]|$)")
"""What follows a literal that is a whole value, or a key."""
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_OPENING = "{(["


def actions_in(script: str, call: Action) -> list[Action]:
    """The calls that the text of a program names; `call` is the call that ran it, whose place and id they share.

    One call that is the only one takes the id, so that the result of the program is its result.
    """
    found: list[Action] = []
    text = script[:MAX_SCRIPT]
    calls = end = 0
    while calls < MAX_CALLS and (match := _CALL.search(text, end)):
        calls += 1
        arguments, end = _arguments(text, match.end())
        made = _action(match.group(1) or match.group(2), arguments, call)
        if made is not None:
            found.append(made)
    if len(found) == calls == 1:
        return [replace(found[0], call_id=call.call_id, arguments=script)]
    return found


def _action(name: str, arguments: str | dict[str, str], call: Action) -> Action | None:
    """The action of one call; None where its arguments are no literals."""
    if not arguments:
        return None
    made = action_of(name, arguments)
    if made.kind == "shell" and not made.command:
        return None
    return replace(made, cwd=made.cwd or call.cwd)


def _arguments(text: str, start: int) -> tuple[str | dict[str, str], int]:
    """A literal text, or the literal texts of an object by key, from the begin of a call's arguments on; and where they end."""
    found: dict[str, str] = {}
    depth = 0
    key, is_value = "", False
    for token in _TOKEN.finditer(text, start):
        literal, name, bracket, mark = token.groups()
        if literal is not None:
            value = literal_text(literal) if _ENDS.match(text, token.end()) else None
            if depth == 0:
                return value or "", token.end()
            if depth == 1 and is_value and value is not None:
                found.setdefault(key, value)
            key, is_value = literal[1:-1], False
        elif bracket is not None:
            depth += 1 if bracket in _OPENING else -1
            key, is_value = "", False
            if depth <= 0:
                return found, token.end()
        else:
            key, is_value = name or key, mark == ":"
    return found, len(text)


def literal_text(literal: str) -> str | None:
    """The value of a JavaScript text literal with its quotes; None for a template with a part that is computed."""
    inner = literal[1:-1]
    if literal[0] == "`" and "${" in inner:
        return None
    if "\\" not in inner:
        return inner
    text = _ESCAPE.sub(_unescaped, inner)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] in "ux" and len(code) > 1:
        number = int(code[1:].strip("{}"), 16)
        return chr(number) if number <= 0x10FFFF else "\ufffd"
    return _PLAIN.get(code, code)
