"""Calls of tools that stand as literals in the JavaScript of Codex's code mode: `tools.exec_command({cmd: "ls"})`, and
`codex.tool("exec_command", {…})` of its `js_repl`.

The program's text is what the agent wrote; the session often does not record which commands it ran. Only literals are taken,
names of constants that hold one, and names that stand for each text of a list (`.map(cmd => …)`, `for (const cmd of […])`).
What the program puts together at run time stays in its text and nowhere else, and is missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from earned.records import Action
from earned.trajectory.tools import action_of

MAX_SCRIPT = 256 * 1024
"""Characters of a program that are searched."""
MAX_REPEATED = 4096
"""Characters of arguments that are read again for each text of a list."""
MAX_LISTS = 8
"""Lists before a call of which a name in it may stand for each text."""
MAX_CALLS = 200
"""Calls taken from one program."""
_TEXT = r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
_LIST = rf"\[\s{{0,200}}(?:{_TEXT}\s{{0,200}}(?:,\s{{0,200}}{_TEXT}\s{{0,200}}){{0,200}}(?:,\s{{0,200}})?)?\]"
_EACH = re.compile(
    rf"({_LIST})\s{{0,20}}\.(?:map|forEach|flatMap)\(\s{{0,20}}(?:async\s{{1,20}})?\(?\s{{0,20}}([A-Za-z_$][\w$]*)\s{{0,20}}\)?\s{{0,20}}=>"
    rf"|\bfor\s{{0,20}}\(\s{{0,20}}(?:const|let)\s{{1,20}}([A-Za-z_$][\w$]*)\s{{1,20}}of\s{{1,20}}({_LIST})",
    re.DOTALL,
)
"""A name that stands for each text of a list."""
_NEXT = re.compile(
    rf"\bconst\s{{1,20}}([A-Za-z_$][\w$]*)\s{{0,20}}=\s{{0,20}}({_TEXT})\s{{0,20}}(?:[;,\n]|$)"
    r"|\btools\.([A-Za-z_]\w{0,80})\s{0,20}(\(\s{0,20})?"
    r"""|\bcodex\.tool\(\s{0,20}["'`]([A-Za-z_][\w.]{0,80})["'`]\s{0,20},\s{0,20}"""
    r"|\b(?:tools\s{0,20}\[|codex\.tool\()|\}\s{0,20}=\s{0,20}tools\b",
    re.DOTALL,
)
"""A constant that holds a text, a call or a name of a tool, or a tool that the program computes."""
_WORDS = re.compile(_LIST, re.DOTALL)
_LITERAL = re.compile(_TEXT, re.DOTALL)
_TOKEN = re.compile(rf"({_TEXT})|([A-Za-z_$][\w$]*)|([{{}}()\[\]])|([:,])", re.DOTALL)
_IS_SHORT = re.compile(r"\s{0,200}[,}]")
_HOLE = re.compile(r"\$\{\s{0,20}([A-Za-z_$][\w$]*)\s{0,20}\}")
_PLAIN_WORDS = frozenset({"true", "false", "null", "undefined"})
_TELLING = frozenset(
    {"", "cmd", "command", "chars", "input", "patch", "code", "script", "url", "path", "file_path", "query", "content"}
)
"""Arguments that say what a call does; the empty one is all of them."""
_ENDS = re.compile(r"\s{0,200}(?:[,:)}\]]|$)")
"""What follows a literal that is a whole value, or a key."""
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_OPENING = "{(["
_CLOSING = ("}", ")", "]")


class Calls(NamedTuple):
    """The calls that a program's text names."""

    actions: list[Action]
    is_whole: bool
    """Every call that may do something is among them."""


def actions_in(script: str, call: Action) -> Calls:
    """The calls that the text of a program names; `call` is the call that ran it, whose place and id they share.

    One call that is the only one takes the id, so that the result of the program is its result.
    """
    found: list[Action] = []
    constants: dict[str, str] = {}
    text = script[:MAX_SCRIPT]
    each = _each(text)
    calls = end = 0
    is_whole = len(script) <= MAX_SCRIPT
    while match := _NEXT.search(text, end):
        end = match.end()
        constant, literal, name, bracket, named = match.groups()
        if constant:
            _keep(constants, constant, literal)
            continue
        name = named or name or ""
        if not name or not (named or bracket):
            is_whole = is_whole and bool(name) and not _acts(name)
            continue
        several, end = _read(text, end, constants, each)
        calls += len(several)
        if calls > MAX_CALLS:
            return Calls(found, is_whole=False)
        is_whole = is_whole and not (_acts(name) and any(arguments.is_open for arguments in several))
        found += [made for arguments in several for made in _action(name, arguments, call)]
    if len(found) == calls == 1:
        found = [replace(found[0], call_id=call.call_id, arguments=script)]
    return Calls(found, is_whole)


class _Each(NamedTuple):
    """A name that stands for each text of a list."""

    at: int
    name: str
    literals: list[str]


def _each(text: str) -> list[_Each]:
    if "=>" not in text and " of " not in text:
        return []
    found = []
    for match in _EACH.finditer(text):
        mapped, name, looped, listed = match.groups()
        found.append(_Each(match.end(), name or looped, _LITERAL.findall(mapped or listed)))
    return found


def _read(text: str, start: int, constants: Mapping[str, str], each: Sequence[_Each]) -> tuple[list[_Arguments], int]:
    """The arguments of one call, once for each text of the list that a name in them stands for; and where they end."""
    arguments = _Arguments(constants)
    end = arguments.read(text, start)
    if not arguments.is_open or end - start > MAX_REPEATED:
        return [arguments], end
    for one in reversed([one for one in each if one.at <= start][-MAX_LISTS:]):
        if re.search(rf"(?:^|[^\w$]){re.escape(one.name)}(?:[^\w$]|$)", text[start:end]) is None:
            continue
        values = [literal_text(literal, constants) for literal in one.literals]
        several = [_Arguments({**constants, one.name: value}) for value in values if value is not None]
        for given in several:
            given.read(text, start)
        return (several if several and len(several) == len(values) else [arguments]), end
    return [arguments], end


def _keep(constants: dict[str, str], name: str, literal: str) -> None:
    value = literal_text(literal, constants)
    if value is None or constants.get(name, value) != value:
        constants.pop(name, None)  # of several scopes
    else:
        constants[name] = value


def _acts(name: str) -> bool:
    """Whether a tool may do something: a plan, a message and what only JavaScript does to the object of the tools do not."""
    return action_of(name, {"path": "x"}).kind not in {"message", "submit", "other"} or "__" in name


def _action(name: str, arguments: _Arguments, call: Action) -> list[Action]:
    """The action of one call; none where what it does is no literal."""
    if not arguments.given:
        return []
    made = action_of(name, arguments.given)
    if (made.kind == "shell" and not made.command) or (arguments.is_open and made.kind != "shell"):
        return []
    return [replace(made, cwd=made.cwd or call.cwd)]


class _Arguments:
    """What stands between the brackets of a call: a literal text, or the literal texts of an object by key."""

    def __init__(self, constants: Mapping[str, str]) -> None:
        self.given: str | dict[str, str | list[str]] = {}
        self._constants = constants
        self._texts: dict[str, str | list[str]] = {}
        self._computed: set[str] = set()

    @property
    def is_open(self) -> bool:
        """Whether something that says what the call does is put together at run time."""
        return not self._computed.isdisjoint(_TELLING)

    def read(self, text: str, start: int) -> int:
        """Take the arguments that begin there; gives back where they end."""
        first = _TOKEN.search(text, start)
        if first is None or first.group() == ")":
            return len(text) if first is None else first.end()
        if first.group() == "{":
            self.given = self._texts
            return self._object(text, first.end())
        value = self._value(text, first)
        if isinstance(value, str):
            self.given = value
        else:
            self._computed.add("")
        return first.end()

    def _object(self, text: str, start: int) -> int:
        depth = 1
        key, is_value = "", False
        for token in _TOKEN.finditer(text, start):
            _, _, bracket, mark = token.groups()
            if depth == 1 and is_value and mark is None and bracket not in _CLOSING:
                self._keep(key, token.group(), self._value(text, token))
                is_value = False
            elif depth == 1 and mark is None and bracket is None:
                key = self._key(text, token)
            elif mark is not None:
                key, is_value = (key, True) if mark == ":" else ("", False)
            if bracket is not None:
                depth += 1 if bracket in _OPENING else -1
                if depth <= 0:
                    return token.end()
        return len(text)

    def _key(self, text: str, token: re.Match[str]) -> str:
        """A key, or a name that is both key and value: `{cmd}`."""
        name = token.group(2)
        if name is None:
            return token.group()[1:-1]
        if text.endswith("...", 0, token.start()):
            self._computed.add("")
        elif _IS_SHORT.match(text, token.end()):
            self._keep(name, name, self._constants.get(name))
        return name

    def _keep(self, key: str, written: str, value: str | list[str] | None) -> None:
        if value is not None:
            self._texts.setdefault(key, value)
        elif written != "{" and written not in _PLAIN_WORDS:
            self._computed.add(key)

    def _value(self, text: str, token: re.Match[str]) -> str | list[str] | None:
        """The text or the words that stand at a token; None where they are no literal."""
        if token.group() == "[":
            words = _WORDS.match(text, token.start())
            values = [literal_text(item, self._constants) for item in _LITERAL.findall(words.group())] if words else [None]
            kept = [value for value in values if value is not None]
            return kept if len(kept) == len(values) else None
        if not _ENDS.match(text, token.end()):
            return None
        if token.group(1) is not None:
            return literal_text(token.group(1), self._constants)
        return self._constants.get(token.group())


def literal_text(literal: str, constants: Mapping[str, str]) -> str | None:
    """The value of a JavaScript text literal with its quotes; None for a template with a part that is no known constant."""
    inner = literal[1:-1]
    if literal[0] == "`" and "${" in inner:
        return _filled(inner, constants)
    return _unquoted(inner)


def _filled(template: str, constants: Mapping[str, str]) -> str | None:
    names = _HOLE.findall(template)
    if len(names) != template.count("${") or "\\$" in template or not all(name in constants for name in names):
        return None
    parts = _HOLE.split(template)
    texts = [constants[part] if number % 2 else _unquoted(part) for number, part in enumerate(parts)]
    return "".join(texts) if sum(map(len, texts)) <= MAX_SCRIPT else None


def _unquoted(inner: str) -> str:
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
