"""Reads shell text that does not nest: words, quotes, pipes, lists, redirections, here-docs.

Most recorded commands are of this kind and need no grammar. The same reader, told to be tolerant, takes whatever is too
large or too broken for the grammar: nesting is then ignored, quotes that never close are ordinary characters. Linear.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from earned.shell.decode import ansi_text, double_quoted
from earned.shell.options import names
from earned.shell.syntax import (
    BRACES,
    Assignment,
    Background,
    Piece,
    Pipeline,
    Redirect,
    Sequence,
    Simple,
    Statement,
    Variable,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\r\f\v]|\\\r?\n)+)
    |(?P<redirect>(?:[0-9]{1,3}|&)?(?:>>|>\||>&|<<<|<<-?|<&|<>|>|<)(?!\())
    |(?P<newline>\n[\s]*)
    |(?P<operator>&&|\|\||\|&|;;|;|&|\|)
    |(?P<run>[^\s'"\\$`|&;<>()\#]+)
    |(?P<single>'[^']*')
    |(?P<double>"[^"\\]*(?:\\[\s\S][^"\\]*)*")
    |(?P<ansi>\$'[^'\\]*(?:\\[\s\S][^'\\]*)*')
    |(?P<escape>(?:\\[^\n])+)
    |(?P<variable>\$(?:[A-Za-z_]\w*|[0-9@*\#?$!-]|\{[A-Za-z_]\w*\}))
    |(?P<hash>\#[^\n]*)
    |(?P<other>[\s\S])""",
    re.VERBOSE | re.ASCII,
)
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]\n]*\])?\+?=", re.ASCII)
_ENDS = frozenset(["", " ", "\t", "\n", ";", "|", "&"])
_LETTERS = ("\\", "$", "`")
KEYWORDS = names("if then else elif fi for while until do done case esac select function coproc in { } [[ ]]")
_REDIRECTS = {">": "write", ">|": "write", ">&": "write", ">>": "append", "<": "read", "<&": "read", "<>": "read"}


class Nested(Exception):  # noqa: N818 - a signal between two readers, not an error
    """The text needs the grammar."""


def read_flat(text: str, *, tolerant: bool = False, offset: int = 0) -> Statement:
    """The statements of `text`. Raises Nested when it nests and `tolerant` is false; `offset` is added to every position."""
    if _PLAIN.fullmatch(text) and text.count("&") == 2 * text.count("&&"):
        plain = _read_plain(text, offset)
        if plain is not None:
            return plain
    return _Reader(text, tolerant, offset).read()


_PLAIN = re.compile(r"[\w./:@%+,~^\]\[*? \t|;&\n-]*", re.ASCII)
_PLAIN_PART = re.compile(r"[ \t]*([^|;&\n]*)(\|\||\||&&|[;\n]|\Z)")


def _read_plain(text: str, offset: int) -> Statement | None:
    """Text without quotes, variables and redirections: words are what blanks separate. None where the tokens have to tell."""
    statements: list[Statement] = []
    items: list[Statement] = []
    for found in _PLAIN_PART.finditer(text):
        part, operator = found.groups()
        words = part.split()
        if words:
            if words[0] in KEYWORDS:
                return None
            start = found.start(1) + offset
            items.append(Simple(tuple(words), (), (), start, start + len(part.rstrip())))
        if operator != "|" and items:
            statements.append(items[0] if len(items) == 1 else Pipeline(tuple(items)))
            items = []
    return statements[0] if len(statements) == 1 else Sequence(tuple(statements))


class _Reader:
    def __init__(self, text: str, tolerant: bool, offset: int) -> None:
        self.text = text
        self.tolerant = tolerant
        self.offset = offset
        self.pieces: list[Piece] | None = None
        self.words: list[Word] = []
        self.assignments: list[Assignment] = []
        self.assigned = ""
        self.redirects: list[Redirect] = []
        self.pending: tuple[str, int] | None = None
        self.resume = -1
        self.literal = False
        self.start = -1
        self.last = 0
        self.items: list[Statement] = []
        self.statements: list[Statement] = []

    def read(self) -> Statement:
        text, match, position, size = self.text, _TOKEN.match, 0, len(self.text)
        while position < size:
            found = match(text, position)
            if found is None:  # the last alternative takes any character
                break
            kind, lexeme, end = found.lastgroup or "other", found.group(), found.end()
            if kind == "hash" and self.pieces is not None:
                kind, lexeme, end = "other", text[position], position + 1
            if self.pieces is None and self._whole_word(kind, lexeme, position, end):
                position = end
            else:
                position = self._take(kind, lexeme, position, end)
        self._end_pipeline(size)
        return self.statements[0] if len(self.statements) == 1 else Sequence(tuple(self.statements))

    def _whole_word(self, kind: str, lexeme: str, start: int, end: int) -> bool:
        """Takes a word that is one token, or blanks between words: the common case, without the steps that it does not need."""
        if kind == "space":
            return True
        if self.pending is not None or self.text[end : end + 1] not in _ENDS:
            return False
        if kind == "run":
            if "{" in lexeme or ("=" in lexeme and not self.words):
                return False
        elif kind == "single" or (kind == "double" and not any(letter in lexeme for letter in _LETTERS)):
            lexeme = lexeme[1:-1]
        else:
            return False
        if self.start < 0:
            self.start = start
        self.words.append(lexeme)
        self.last = end
        return True

    def _take(self, kind: str, lexeme: str, start: int, end: int) -> int:
        if kind == "run":
            self._add(lexeme.translate(BRACES) if "{" in lexeme and lexeme != "{" else lexeme, start, end)
        elif kind == "space":
            if " " in lexeme or "\t" in lexeme or lexeme[0] != "\\":  # a bare continuation joins the parts of a word
                self._end_word()
        elif kind in _QUOTED:
            self._quoted(kind, lexeme, start, end)
        elif kind == "operator":
            self._operator(lexeme, start)
        elif kind == "newline":
            self._end_pipeline(start)
            end, self.resume = (end if self.resume < 0 else self.resume), -1
        elif kind == "redirect":
            self._redirect(lexeme, start, end)
        elif kind == "variable":
            self._add(variable_piece(lexeme, quoted=False), start, end)
        elif kind == "other":
            self._other(lexeme, start, end)
        return end

    def _add(self, piece: Piece, start: int, end: int) -> None:
        if self.pieces is None:
            self.pieces = []
            if self.start < 0:
                self.start = start
            if not self.words and self.pending is None and type(piece) is str and "=" in piece:
                piece = self._assignment(piece)
        self.pieces.append(piece)
        self.last = end

    def _assignment(self, piece: str) -> str:
        found = _ASSIGNMENT.match(piece)
        if found is None:
            return piece
        self.assigned = found[1]
        return piece[found.end() :]

    def _quoted(self, kind: str, lexeme: str, start: int, end: int) -> None:
        self.literal = True
        if kind == "single":
            self._add(lexeme[1:-1], start, end)
        elif kind == "ansi":
            self._add(ansi_text(lexeme[2:-1]), start, end)
        elif kind == "escape":
            self._add(lexeme[1::2], start, end)
        elif not any(letter in lexeme for letter in _LETTERS):
            self._add(lexeme[1:-1], start, end)
        else:
            for piece in double_pieces(lexeme[1:-1], self._nested):
                self._add(piece, start, end)
            self._add("", start, end)

    def _nested(self) -> None:
        if not self.tolerant:
            raise Nested

    def _operator(self, lexeme: str, start: int) -> None:
        if lexeme in {"|", "|&"}:
            self._end_command(start)
        elif lexeme == "&":
            self._end_pipeline(start, background=True)
        else:
            self._end_pipeline(start)

    def _other(self, lexeme: str, start: int, end: int) -> None:
        if lexeme == "$" and self.text[end : end + 1] in {"{", "(", "["}:
            self._nested()
        if lexeme in "$#" or (self.tolerant and lexeme in "'\""):
            self._add(lexeme, start, end)
        elif lexeme.isspace() or lexeme == "\\":
            self._end_word()
        else:
            self._nested()
            self._end_pipeline(start)

    def _redirect(self, lexeme: str, start: int, end: int) -> None:
        self._end_word()
        self._start(start)
        operator = lexeme.lstrip("0123456789")
        digits = lexeme[: len(lexeme) - len(operator)]
        if operator.startswith("&"):
            operator, digits = operator[1:], "-1"
        self.pending = (operator, int(digits) if digits else int(operator[0] == ">"))
        self.last = end

    def _start(self, start: int) -> None:
        if self.start < 0:
            self.start = start

    def _end_word(self) -> None:
        pieces = self.pieces
        if pieces is None:
            return
        self.pieces = None
        word: Word = pieces[0] if len(pieces) == 1 and type(pieces[0]) is str else join_pieces(pieces)
        if self.pending is not None:
            self._end_redirect(word)
        elif self.assigned:
            self.assignments.append(Assignment(self.assigned, (word,)))
            self.assigned = ""
        else:
            self.words.append(word)
        self.literal = False

    def _end_redirect(self, word: Word) -> None:
        operator, fd = self.pending or ("", 0)
        self.pending = None
        if operator == "<<<":
            self.redirects.append(Redirect("document", 0, join_pieces([*pieces_of(word), "\n"])))
        elif operator.startswith("<<"):
            self._document(operator, word)
        elif operator in {">&", "<&"} and type(word) is str and (word == "-" or word.isdigit()):
            if fd == 1 and operator == ">&" and word == "2":
                return
            self.redirects.append(Redirect("write", fd if fd != 1 else 1, f"&{word}"))
        else:
            kind = _REDIRECTS[operator]
            fd = -1 if operator == ">&" else fd
            self.redirects.append(Redirect(kind, fd, word))  # type: ignore[arg-type]

    def _document(self, operator: str, word: Word) -> None:
        """Reads the body at once: it begins on the next line, after the body of an earlier one on this line."""
        if self.resume < 0:
            newline = self.text.find("\n", self.last)
            self.resume = newline + 1 if newline >= 0 else len(self.text)
        delimiter = word if isinstance(word, str) else "".join(map(written_piece, word))
        body, self.resume = document_body(self.text, self.resume, delimiter, dashed=operator == "<<-")
        content: Word = body
        if not self.literal and any(letter in body for letter in _LETTERS):
            content = join_pieces(double_pieces(body, self._nested))
        self.redirects.append(Redirect("document", 0, content))

    def _end_command(self, position: int) -> None:
        self._end_word()
        if self.pending is not None:
            self.pending = None
        if self.assigned:
            self.assignments.append(Assignment(self.assigned, ("",)))
            self.assigned = ""
        if self.words or self.assignments or self.redirects:
            self._close(position)
        self.words, self.assignments, self.redirects, self.start = [], [], [], -1

    def _close(self, position: int) -> None:
        words = self.words
        if words and type(words[0]) is str and (words[0] in KEYWORDS or words[0] == "!"):
            words = self._keyword(words)
        end = min(self.last, position) + self.offset
        self.items.append(Simple(tuple(words), tuple(self.assignments), tuple(self.redirects), self.start + self.offset, end))

    def _keyword(self, words: list[Word]) -> list[Word]:
        if words[0] != "!":
            self._nested()
        for number, word in enumerate(words):
            if type(word) is not str or (word not in KEYWORDS and word != "!"):
                return words[number:]
            if word in {"for", "case", "select", "function", "[["}:
                break
        return []

    def _end_pipeline(self, position: int, *, background: bool = False) -> None:
        self._end_command(position)
        if not self.items:
            return
        statement: Statement = self.items[0] if len(self.items) == 1 else Pipeline(tuple(self.items))
        self.statements.append(Background(statement) if background else statement)
        self.items = []


_QUOTED = frozenset(["single", "double", "ansi", "escape"])
_INSIDE = re.compile(
    r"(?P<text>(?:[^$`\\]+|\\[\s\S])+)|(?P<variable>\$(?:[A-Za-z_]\w*|[0-9@*#?$!-]|\{[A-Za-z_]\w*\}))|(?P<nested>\$[({]|`)|[$\\]",
    re.ASCII,
)


def double_pieces(body: str, nested: Callable[[], None]) -> list[Piece]:
    """Pieces of the inside of double quotes or of an unquoted here-document; calls `nested` where one needs the grammar."""
    pieces: list[Piece] = []
    for found in _INSIDE.finditer(body):
        kind, text = found.lastgroup, found.group()
        if kind == "nested":
            nested()
        if kind == "variable":
            pieces.append(variable_piece(text, quoted=True))
        else:
            pieces.append(double_quoted(text) if kind == "text" and "\\" in text else text)
    return pieces


def written_piece(piece: Piece) -> str:
    """A piece as it stands in the text."""
    return piece if isinstance(piece, str) else piece.raw


def variable_piece(raw: str, *, quoted: bool) -> Variable:
    """`$name` or `${name}` as written."""
    return Variable(raw[1:].strip("{}"), raw, quoted)


def document_body(text: str, position: int, delimiter: str, *, dashed: bool) -> tuple[str, int]:
    """Text of a here-document that starts at `position`, and where the text after its closing line begins."""
    start, size = position, len(text)
    while True:
        found = text.find(delimiter, position) if delimiter else text.find("\n\n", position) + 1 or -1
        if found < 0:
            return _undashed(text[start:], dashed), size
        end = found + len(delimiter)
        newline = text.find("\n", end, end + 64)
        newline = newline if newline >= 0 else min(size, end + 64)
        begin = found
        while dashed and begin > start and text[begin - 1] == "\t" and found - begin < 64:
            begin -= 1
        if (begin == start or text[begin - 1] == "\n") and not text[end:newline].strip(" \t\r"):
            return _undashed(text[start:begin], dashed), min(newline + 1, size)
        position = end + (not delimiter)


def _undashed(body: str, dashed: bool) -> str:
    return re.sub(r"^\t+", "", body, flags=re.MULTILINE) if dashed else body


def join_pieces(pieces: list[Piece]) -> Word:
    """One word of these pieces; literal neighbours become one text."""
    out: list[Piece] = []
    for piece in pieces:
        if type(piece) is str and out and type(out[-1]) is str:
            out[-1] += piece
        else:
            out.append(piece)
    if not out:
        return ""
    return out[0] if len(out) == 1 and type(out[0]) is str else tuple(out)


def pieces_of(word: Word) -> list[Piece]:
    """The pieces of a word, literal or not."""
    return [word] if isinstance(word, str) else list(word)
