"""Decodes shell quoting and expands words whose variables are known. Values nobody knows stay as they are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from earned.shell.syntax import SPLIT, UNBRACE, Simple, Substitution, Variable, Word

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BRACES = 64
"""Words that one brace expansion may give; more stay unexpanded."""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b", "\n": ""}
_ANSI = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|([\s\S]))")
_DOUBLE = re.compile(r"\\([$`\"\\\n])")
_GROUP = re.compile("\ue000([^\ue000\ue002]*)\ue002")
_RANGE = re.compile(r"(-?\d{1,6})\.\.(-?\d{1,6})|([A-Za-z])\.\.([A-Za-z])")
_INDEX = re.compile(r"(\w+)\[([@*]|\d{1,4})\]")
_TRIM = re.compile(r"\$\{(\w+)(##?|%%?)([^{}$`]*)\}")


def ansi_text(body: str) -> str:
    """The inside of `$'…'`, also what `printf` and `echo -e` make of their escapes."""
    return _ANSI.sub(lambda found: _ansi_character(*found.groups()), body)


def _ansi_character(two: str | None, four: str | None, eight: str | None, octal: str | None, letter: str | None) -> str:
    if letter is not None:
        return _ESCAPES.get(letter, letter if letter in "\\'\"?" else "\\" + letter)
    code = int(two or four or eight or "0", 16) if octal is None else int(octal, 8)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def double_quoted(body: str) -> str:
    """Literal text inside double quotes, or in a here-document whose delimiter is not quoted."""
    return _DOUBLE.sub(lambda found: "" if found[1] == "\n" else found[1], body)


def expand(words: tuple[Word, ...], variables: Mapping[str, str]) -> list[str]:
    """The arguments that `words` give: variables put in, split where unquoted, braces multiplied out."""
    out: list[str] = []
    for word in words:
        text = word if type(word) is str else "".join(_piece(piece, variables) for piece in word)
        if "\ue000" in text:
            out.extend(part.translate(UNBRACE) for item in _braces(text) for part in _split(item))
        elif SPLIT in text:
            out.extend(_split(text))
        else:
            out.append(text)
    return out


def value(word: Word, variables: Mapping[str, str]) -> str:
    """The one text that a word gives where the shell does not split it (an assignment, a redirection, a here-document)."""
    text = word if type(word) is str else "".join(_piece(piece, variables) for piece in word)
    return text.replace(SPLIT, " ").translate(UNBRACE) if "\ue000" in text or SPLIT in text else text


def _split(text: str) -> list[str]:
    return [part for part in text.split(SPLIT) if part] if SPLIT in text else [text]


def _piece(piece: str | Variable | Substitution, variables: Mapping[str, str]) -> str:
    if type(piece) is str:
        return piece
    if isinstance(piece, Substitution):
        known = known_output(piece, variables)
        return piece.raw if known is None else known
    return _variable(piece, variables)  # type: ignore[arg-type]


def known_output(piece: Substitution, variables: Mapping[str, str]) -> str | None:
    """What `$(…)` gives where that is plain: `echo text`, `cat <<EOF`, and `git rev-parse REF`, which names the same commit."""
    body = piece.body
    if piece.kind != "$()" or not isinstance(body, Simple):
        return None
    words = [word for word in body.words if isinstance(word, str)]
    if len(words) < len(body.words) or not words:
        return None
    if words == ["cat"] and len(body.redirects) == 1 and body.redirects[0].kind == "document":
        return value(body.redirects[0].target, variables).rstrip("\n")
    if words[0] == "echo" and not body.redirects and not any(word.startswith("-") for word in words):
        return " ".join(words[1:])
    if words[0] == "git" and "rev-parse" in words[1:4] and not words[-1].startswith("-"):
        return words[-1]
    return None


def _variable(piece: Variable, variables: Mapping[str, str]) -> str:
    known = variables.get(piece.name)
    if known is not None:
        if SPLIT in known:  # an array named without an index is its first element
            known = known.split(SPLIT)[0]
        return known if piece.quoted else SPLIT.join(known.split()) if " " in known or "\n" in known else known
    if "[" in piece.name:
        return _element(piece, variables)
    if piece.raw.startswith("${") and ("%" in piece.raw or "#" in piece.raw):
        return _trimmed(piece.raw, variables)
    return piece.default or piece.raw


def _element(piece: Variable, variables: Mapping[str, str]) -> str:
    found = _INDEX.fullmatch(piece.name)
    known = variables.get(found[1]) if found else None
    if found is None or known is None:
        return piece.raw
    if found[2] in {"@", "*"}:
        return known
    parts = known.split(SPLIT)
    return parts[int(found[2])] if int(found[2]) < len(parts) else ""


def _trimmed(raw: str, variables: Mapping[str, str]) -> str:
    """`${name%suffix}` and `${name##prefix}` for patterns that are literal or `*X` / `X*`."""
    found = _TRIM.fullmatch(raw)
    known = variables.get(found[1]) if found else None
    if found is None or known is None:
        return raw
    operator, pattern = found[2], found[3]
    if "*" not in pattern:
        return known.removesuffix(pattern) if operator[0] == "%" else known.removeprefix(pattern)
    mark = pattern.strip("*")
    if not mark or "*" in mark or mark not in known:
        return known
    if operator[0] == "%":
        return (known.rpartition(mark) if operator == "%" else known.partition(mark))[0]
    return (known.partition(mark) if operator == "#" else known.rpartition(mark))[2]


def _braces(text: str) -> list[str]:
    """Multiplies out marked braces, innermost first; a group that is no list or range gets its braces back."""
    done: list[str] = []
    waiting = [text]
    while waiting and len(done) + len(waiting) <= MAX_BRACES:
        item = waiting.pop(0)
        found = _GROUP.search(item)
        if found is None:
            done.append(item)
            continue
        before, after = item[: found.start()], item[found.end() :]
        waiting[:0] = [before + choice + after for choice in _choices(found[1])]
    return done + waiting


def _choices(inside: str) -> list[str]:
    if "\ue001" in inside:
        return inside.split("\ue001")
    found = _RANGE.fullmatch(inside)
    if found is None:
        return ["{" + inside + "}"]
    first, last = (int(found[1]), int(found[2])) if found[1] else (ord(found[3]), ord(found[4]))
    numbers = range(first, last + 1) if first <= last else range(first, last - 1, -1)
    if len(numbers) > MAX_BRACES:
        return ["{" + inside + "}"]
    return [str(number) if found[1] else chr(number) for number in numbers]
