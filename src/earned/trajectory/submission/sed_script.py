"""Reads a script of sed into commands; what it does not know for certain it refuses."""

from __future__ import annotations

import re
from typing import NamedTuple

import re2

MAX_SCRIPT = 20_000
"""Characters of a script."""
MAX_COMMANDS = 100
_NUMBER = re.compile(r"\d{1,9}")
_FLAGS = re.compile(r"[gI]{0,2}")
_GROUP = re.compile(r"\\g<(\d)>")
_TEXT = re.compile(r"[ \t]*(?:\\[ \t]*\n|\\)?")


class UnknownScriptError(Exception):
    """What the script does is not known exactly."""


class Address(NamedTuple):
    """A line: by number, the last one, or every one that an expression fits."""

    number: int = 0
    is_last: bool = False
    is_relative: bool = False
    """Counted from the begin of the range."""
    pattern: re2._Regexp | None = None


class Command(NamedTuple):
    """One command and the lines that it concerns."""

    first: Address | None
    last: Address | None
    is_negated: bool
    name: str
    new: str = ""
    """Text or replacement; of `y` the characters, then those in their places."""
    pattern: re2._Regexp | None = None
    is_global: bool = False


def parsed(script: str, *, is_extended: bool) -> list[Command]:
    """The commands of a script. Raises UnknownScriptError."""
    if len(script) > MAX_SCRIPT:
        raise UnknownScriptError
    reader = _Reader(script, is_extended=is_extended)
    commands: list[Command] = []
    while reader.is_at_command():
        commands.append(reader.command())
        if len(commands) > MAX_COMMANDS:
            raise UnknownScriptError
    return commands


class _Reader:
    """Reads a script from left to right."""

    def __init__(self, script: str, *, is_extended: bool) -> None:
        self.script = script
        self.at = 0
        self.is_extended = is_extended

    def is_at_command(self) -> bool:
        self._skip(" \t\n;")
        return self.at < len(self.script)

    def command(self) -> Command:
        first = self._address()
        last = self._end_of_range() if first is not None and self._take(",") else None
        is_negated = self._take("!")
        self._skip(" \t")
        name = self._next()
        if name == "s":
            return self._substitution(first, last, is_negated=is_negated)
        if name == "y":
            old, new = self._delimited(self._next())
            if len(old) != len(new) or "\\" in old + new:
                raise UnknownScriptError
            return Command(first, last, is_negated, name, new=old + new)
        if name in "iac":
            return Command(first, last, is_negated, name, new=self._text())
        if name == "d":
            self._end_of_command()
            return Command(first, last, is_negated, name)
        raise UnknownScriptError

    def _skip(self, marks: str) -> None:
        while self.at < len(self.script) and self.script[self.at] in marks:
            self.at += 1

    def _next(self) -> str:
        if self.at >= len(self.script):
            raise UnknownScriptError
        self.at += 1
        return self.script[self.at - 1]

    def _take(self, mark: str) -> bool:
        self._skip(" \t")
        is_there = self.script[self.at : self.at + 1] == mark
        self.at += is_there
        return is_there

    def _end_of_command(self) -> None:
        self._skip(" \t")
        if self.script[self.at : self.at + 1] not in ("", "\n", ";"):
            raise UnknownScriptError

    def _number(self) -> int | None:
        found = _NUMBER.match(self.script, self.at)
        if found is None:
            return None
        self.at = found.end()
        return int(found.group())

    def _address(self) -> Address | None:
        number = self._number()
        if number is not None:
            if number == 0 or self.script[self.at : self.at + 1] == "~":
                raise UnknownScriptError
            return Address(number)
        mark = self.script[self.at : self.at + 1]
        if mark == "$":
            self.at += 1
            return Address(is_last=True)
        if mark not in ("/", "\\"):
            return None
        self.at += 1
        return Address(pattern=self._pattern(self._until(mark if mark == "/" else self._next(), in_expression=True)))

    def _end_of_range(self) -> Address:
        self._skip(" \t")
        if self._take("+"):
            number = self._number()
            if number is None:
                raise UnknownScriptError
            return Address(number, is_relative=True)
        found = self._address()
        if found is None:
            raise UnknownScriptError
        return found

    def _delimited(self, mark: str) -> tuple[str, str]:
        """The two texts between three delimiters."""
        if mark in "\n\\":
            raise UnknownScriptError
        return self._until(mark, in_expression=True), self._until(mark, in_expression=False)

    def _until(self, mark: str, *, in_expression: bool) -> str:
        """Text up to a delimiter that no backslash stands before, and that is in no bracket of an expression."""
        start = self.at
        while self.at < len(self.script):
            character = self.script[self.at]
            if character == mark:
                self.at += 1
                return self.script[start : self.at - 1].replace(f"\\{mark}", mark)
            if character == "[" and in_expression:
                self.at = _past_bracket(self.script, self.at)
            else:
                self.at += 2 if character == "\\" else 1
        raise UnknownScriptError

    def _substitution(self, first: Address | None, last: Address | None, *, is_negated: bool) -> Command:
        old, new = self._delimited(self._next())
        found = _FLAGS.match(self.script, self.at)
        flags = found.group() if found else ""
        self.at += len(flags)
        self._end_of_command()
        pattern = self._pattern(old, is_case_sensitive="I" not in flags)
        if "g" in flags and pattern.search("") is not None:
            raise UnknownScriptError  # where nothing matches again and again, RE2 counts otherwise
        text = _replacement(new)
        if any(int(group) > pattern.groups for group in _GROUP.findall(text)):
            raise UnknownScriptError
        return Command(first, last, is_negated, "s", new=text, pattern=pattern, is_global="g" in flags)

    def _pattern(self, text: str, *, is_case_sensitive: bool = True) -> re2._Regexp:
        if not text or "\n" in text:
            raise UnknownScriptError  # empty: the last expression again
        options = re2.Options()
        options.longest_match = True
        options.case_sensitive = is_case_sensitive
        options.log_errors = False
        return re2.compile(_expression(text, is_extended=self.is_extended), options)

    def _text(self) -> str:
        """Text of `i`, `a`, `c`: behind a backslash and a line end, or on the same line as GNU allows it."""
        found = _TEXT.match(self.script, self.at)
        self.at = found.end() if found else self.at
        end = self.script.find("\n", self.at)
        text = self.script[self.at : end if end >= 0 else len(self.script)]
        self.at += len(text)
        if not text or "\\" in text:
            raise UnknownScriptError
        return text


def _past_bracket(text: str, at: int) -> int:
    """The position behind a bracket expression that begins at `at`. Raises UnknownScriptError when it has no end."""
    start = at + 1 + (text[at + 1 : at + 2] == "^")
    end = text.find("]", start + 1)
    while end >= 0 and (inner := text.rfind("[", start, end)) >= 0 and text[inner + 1 : inner + 2] in (":", ".", "="):
        if text[end - 1] == text[inner + 1] and inner + 2 < end:
            start, end = end, text.find("]", end + 1)
        else:
            break
    if end < 0:
        raise UnknownScriptError
    return end + 1


def _expression(text: str, *, is_extended: bool) -> str:
    """An expression of sed in the notation of RE2."""
    made: list[str] = []
    at = 0
    while at < len(text):
        character, following = text[at], text[at + 1 : at + 2]
        if character == "[":
            end = _past_bracket(text, at)
            made.append(text[at:end].replace("\\", "\\\\").replace("\\\\n", "\\n").replace("\\\\t", "\\t"))
            at = end
            continue
        if character == "\\" and following:
            made.append(_escaped(following, is_extended=is_extended))
            at += 2
            continue
        made.append(character if is_extended else _basic(character, made, text[at + 1 :]))
        at += 1
    return "".join(made)


def _escaped(character: str, *, is_extended: bool) -> str:
    if character in "(){}|+?" and not is_extended:
        return character
    if (character.isalnum() and character not in "ntswSWb") or character in "<>'`":
        raise UnknownScriptError  # references to groups, and what RE2 means otherwise
    return f"\\{character}"


def _basic(character: str, made: list[str], rest: str) -> str:
    """One character of a basic expression, in which fewer characters are special, and some only at their place."""
    is_begin = not made or made[-1] in ("(", "|")
    is_special = {
        "*": not is_begin and made[-1] != "^",
        "^": is_begin,
        "$": not rest or rest.startswith(("\\)", "\\|")),
        ".": True,
    }
    return character if is_special.get(character, character not in "(){}|+?*^$") else f"\\{character}"


def _replacement(text: str) -> str:
    """A replacement of sed in the notation of RE2."""
    made: list[str] = []
    at = 0
    while at < len(text):
        character, following = text[at], text[at + 1 : at + 2]
        if character == "&":
            made.append(r"\g<0>")
        elif character != "\\":
            made.append(character)
        elif following.isdigit():
            made.append(rf"\g<{following}>")
        elif following in ("n", "t"):
            made.append("\n" if following == "n" else "\t")
        elif following.isalnum() or not following:
            raise UnknownScriptError  # \U, \L, \E, …
        else:
            made.append("\\\\" if following == "\\" else following)
        at += 2 if character == "\\" else 1
    return "".join(made)
