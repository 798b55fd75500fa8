"""Turns shell text that nests into statements, by the `tree-sitter-bash` grammar.

What the grammar cannot read goes to the tolerant flat reader: text over `MAX_TEXT`, chains over `MAX_OPERATORS`, nesting over
`MAX_DEPTH`, and every stretch that the parser itself marks as an error. Nothing raises, nothing is super-linear.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import tree_sitter
import tree_sitter_bash

from earned.shell.decode import ansi_text, double_quoted
from earned.shell.flat import Nested, join_pieces, read_flat, variable_piece
from earned.shell.syntax import (
    BRACES,
    EMPTY,
    UNBRACE,
    Assignment,
    Background,
    Function,
    Loop,
    Piece,
    Pipeline,
    Redirect,
    Scoped,
    Sequence,
    Simple,
    Statement,
    Substitution,
    Variable,
    Word,
)

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_TEXT = 1_000_000
"""Characters; larger text is written by programs, not by hand, and is one flat list in practice."""
MAX_OPERATORS = 20_000
MAX_DEPTH = 60
"""Levels of the syntax tree below which the rest is read flat (a `$( )` inside quotes takes four)."""
_WHOLES = frozenset(["compound_statement", "if_statement", "while_statement", "case_statement"])
"""Bodies to which a redirection applies as a whole."""
_WIDE = re.compile(r"[^\x01-\x7f]")
_DEFAULT = re.compile(r"\$\{([A-Za-z_]\w*)(?::?[-=]([^$`{}]*))?\}", re.ASCII)
_ELEMENT = re.compile(r"\$\{([A-Za-z_]\w*\[(?:[@*]|\d{1,4})\])\}", re.ASCII)


def read_script(text: str) -> Statement:
    """The statements of `text`, by the flat reader where it nests nowhere, else by the grammar. Never raises."""
    try:
        return read_flat(text)
    except Nested:
        pass
    if len(text) > MAX_TEXT or sum(map(text.count, "|&;({`")) > MAX_OPERATORS:
        return read_flat(text, tolerant=True)
    return read_tree(text)


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def read_tree(text: str) -> Statement:
    """The statements of `text` by the grammar; tolerantly flat when most of it is an error. Never raises."""
    # one byte for each character, so that the parser's offsets are ours
    root = _parser().parse(_WIDE.sub("x", text).encode("ascii")).root_node
    if root.type == "ERROR" or _broken(root) * 2 > len(text):
        return read_flat(text, tolerant=True)
    return _Converter(text).statements(root.children, 0)


def _broken(root: Node) -> int:
    """Characters that stand in error nodes at the top."""
    return sum(child.end_byte - child.start_byte for child in root.children if child.type == "ERROR") if root.has_error else 0


class _Converter:
    def __init__(self, text: str) -> None:
        self.text = text

    def raw(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte]

    def statements(self, children: list[Node], depth: int) -> Statement:
        """A sequence; a `&` after a statement puts it in the background."""
        out: list[Statement] = []
        for child in children:
            if child.type == "&" and out:
                out[-1] = Background(out[-1])
            elif child.is_named or child.type == "ERROR":
                out.append(self.statement(child, depth + 1))
        return out[0] if len(out) == 1 else Sequence(tuple(out))

    def statement(self, node: Node, depth: int) -> Statement:
        if depth > MAX_DEPTH or node.type == "ERROR":
            return read_flat(self.raw(node), tolerant=True, offset=node.start_byte)
        kind = node.type
        if kind == "command":
            return self.command(node, depth)
        if kind == "redirected_statement":
            return self.redirected(node, depth)
        if kind == "list":
            return self.list_of(node, depth)
        if kind == "pipeline":
            return Pipeline(tuple(self.statement(child, depth + 1) for child in node.named_children))
        if kind in {"variable_assignment", "variable_assignments"}:
            nodes = [node] if kind == "variable_assignment" else node.named_children
            return Simple((), tuple(self.assignment(child, depth) for child in nodes), (), node.start_byte, node.end_byte)
        if kind in {"declaration_command", "unset_command"}:
            return self.declaration(node, depth)
        return self.compound(node, kind, depth)

    def compound(self, node: Node, kind: str, depth: int) -> Statement:
        if kind == "subshell":
            return Scoped(self.statements(node.children, depth), (), subshell=True)
        if kind == "for_statement":
            return self.loop(node, depth)
        if kind == "function_definition":
            return self.function(node, depth)
        if kind in {"comment", "heredoc_body", "word", "string", "raw_string", "number", "variable_name"}:
            return EMPTY
        if kind in {"test_command", "case_item", "c_style_for_statement"} or kind.endswith("expression"):
            return self.inside(node, depth)
        body = self.statements(node.children, depth)
        return Scoped(body, (), subshell=False) if kind in _WHOLES else body

    def inside(self, node: Node, depth: int) -> Statement:
        """Statements of a part that is not itself a list of commands: a test, a case pattern, arithmetic."""
        out: list[Statement] = []
        for child in node.named_children:
            if child.type in {"command_substitution", "process_substitution"}:
                out.append(self.statements(child.children, depth + 1))
            elif child.child_count:
                out.append(self.statement(child, depth + 1))
        return Sequence(tuple(out))

    def list_of(self, node: Node, depth: int) -> Statement:
        """`a && b || c` leans to the left in the tree; unrolled here without recursion."""
        parts: list[Node] = []
        current = node
        while current.type == "list":
            children = current.named_children
            parts.extend(reversed(children[1:]))
            if not children:
                break
            current = children[0]
        return Sequence(tuple(self.statement(part, depth + 1) for part in (current, *reversed(parts))))

    def loop(self, node: Node, depth: int) -> Statement:
        name = node.child_by_field_name("variable")
        body = node.child_by_field_name("body")
        words = tuple(self.word(child, depth) for child in node.children_by_field_name("value"))
        inner = self.statement(body, depth + 1) if body is not None else EMPTY
        return Loop(self.raw(name) if name is not None else "", words, inner)

    def function(self, node: Node, depth: int) -> Statement:
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        if name is None or body is None:
            return EMPTY
        return Function(self.raw(name), self.statement(body, depth + 1))

    def declaration(self, node: Node, depth: int) -> Statement:
        words: list[Word] = [self.raw(node.children[0])]
        assignments = []
        for child in node.named_children:
            if child.type == "variable_assignment":
                assignments.append(self.assignment(child, depth))
            else:
                words.append(self.word(child, depth))
        return Simple(tuple(words), tuple(assignments), (), node.start_byte, node.end_byte)

    def assignment(self, node: Node, depth: int) -> Assignment:
        name = node.child_by_field_name("name")
        content = node.child_by_field_name("value")
        known = self.raw(name).partition("[")[0] if name is not None else ""
        if content is None:
            return Assignment(known, ("",))
        if content.type == "array":
            return Assignment(known, tuple(self.word(child, depth) for child in content.named_children))
        return Assignment(known, (self.word(content, depth),))

    def command(self, node: Node, depth: int) -> Statement:
        words: list[Word] = []
        assignments: list[Assignment] = []
        redirects: list[Redirect] = []
        tails: list[Statement] = []
        for child in node.children:
            kind = child.type
            if kind == "command_name":
                words.append(self.word(child.children[0], depth) if child.child_count else self.raw(child))
            elif kind == "variable_assignment":
                assignments.append(self.assignment(child, depth))
            elif kind.endswith("_redirect"):
                tails += self.redirect(child, redirects, words, depth)
            elif child.is_named and kind not in {"comment", "ERROR"}:
                words.append(self.word(child, depth))
            elif kind == "ERROR":
                tails.append(self.statement(child, depth + 1))
        simple = Simple(tuple(words), tuple(assignments), tuple(redirects), node.start_byte, node.end_byte)
        return _joined(simple, tails)

    def redirected(self, node: Node, depth: int) -> Statement:
        redirects: list[Redirect] = []
        more: list[Word] = []
        tails: list[Statement] = []
        body: Statement = Simple((), (), (), node.start_byte, node.end_byte)
        for child in node.named_children:
            if child.type.endswith("_redirect"):
                tails += self.redirect(child, redirects, more, depth)
            else:
                body = self.statement(child, depth + 1)
        return _joined(_attach(body, tuple(redirects), tuple(more)), tails)

    def redirect(self, node: Node, redirects: list[Redirect], words: list[Word], depth: int) -> list[Statement]:
        """Adds a redirection; gives the statements that the grammar puts inside a here-document (`cat <<X | sh`)."""
        if node.type == "heredoc_redirect":
            return self.document(node, redirects, words, depth)
        children = node.children
        if node.type == "herestring_redirect":
            redirects.append(Redirect("document", 0, join_pieces([*self.pieces(children[-1], depth, quoted=True), "\n"])))
            return []
        operator = next((child.type for child in children if not child.is_named), ">")
        descriptor = next((self.raw(child) for child in children if child.type == "file_descriptor"), "")
        targets = node.children_by_field_name("destination")
        if targets:
            self.file_redirect(operator, descriptor, self.word(targets[0], depth), redirects)
            words.extend(self.word(target, depth) for target in targets[1:])  # the grammar takes later words for targets
        return []

    def file_redirect(self, operator: str, descriptor: str, target: Word, redirects: list[Redirect]) -> None:
        fd = int(descriptor) if descriptor.isdigit() and len(descriptor) < 4 else int(operator[0] != "<")
        if operator in {">&", "<&"} and type(target) is str and target.rstrip("-").isdigit():
            if operator == ">&" and fd == 1 and target == "2":
                return
            target = f"&{target}"
        elif operator.startswith("&") or (operator == ">&" and not descriptor):
            fd = -1
        kind = "append" if ">>" in operator else "read" if operator.startswith("<") else "write"
        redirects.append(Redirect(kind, fd, target))  # type: ignore[arg-type]

    def document(self, node: Node, redirects: list[Redirect], words: list[Word], depth: int) -> list[Statement]:
        tails: list[Statement] = []
        content: Word = ""
        quoted = False
        for child in node.named_children:
            kind = child.type
            if kind == "heredoc_start":
                quoted = any(letter in self.raw(child) for letter in "'\"\\")
            elif kind == "heredoc_body":
                content = self.raw(child) if quoted else join_pieces(self.parts(child, depth, quoted=True))
            elif kind == "heredoc_end":
                continue
            elif kind.endswith("_redirect"):
                tails += self.redirect(child, redirects, words, depth)
            elif kind in {"pipeline", "list"} or "command" in kind or "statement" in kind or kind == "subshell":
                statement = self.statement(child, depth + 1)
                tails.append(Pipeline(statement.items) if kind == "pipeline" and isinstance(statement, Pipeline) else statement)
            else:
                words.append(self.word(child, depth))
        redirects.append(Redirect("document", 0, _undash(content) if node.children[0].type == "<<-" else content))
        return tails

    def word(self, node: Node, depth: int) -> Word:
        kind = node.type
        if kind == "word":
            return _settled(unescaped(self.raw(node)))
        if kind == "raw_string":
            return self.raw(node)[1:-1]
        return _settled(join_pieces(self.pieces(node, depth, quoted=False)))

    def pieces(self, node: Node, depth: int, *, quoted: bool) -> list[Piece]:
        kind, raw = node.type, self.raw(node)
        if depth > MAX_DEPTH:
            return [Substitution("$()", read_flat(raw, tolerant=True, offset=node.start_byte), raw)]
        if kind in {"word", "number", "extglob_pattern", "regex", "test_operator", "special_character"}:
            return [unescaped(raw)]
        if kind == "raw_string":
            return [raw[1:-1]]
        if kind == "ansi_c_string":
            return [ansi_text(raw[2:-1])]
        if kind in {"string", "translated_string"}:
            return self.parts(node, depth, quoted=True) or [""]
        if kind == "simple_expansion":
            return [variable_piece(raw, quoted=quoted)]
        if kind == "expansion":
            return self.expansion(node, raw, depth, quoted=quoted)
        if kind in {"command_substitution", "process_substitution"}:
            return [self.substitution(node, raw, depth)]
        if kind == "brace_expression":
            return [raw.translate(BRACES)]
        if kind in {"concatenation", "command_name", "arithmetic_expansion"}:
            return self.parts(node, depth, quoted=False)
        return [raw]

    def parts(self, node: Node, depth: int, *, quoted: bool) -> list[Piece]:
        """Pieces of the children and of the text between them (the grammar leaves blanks and some escapes out)."""
        out: list[Piece] = []
        position, end = node.start_byte, node.end_byte
        if node.type in {"string", "translated_string"}:
            position, end = position + 1 + (node.type == "translated_string"), end - 1
        for child in node.named_children:
            if child.type in {"string_content", "heredoc_content", "comment"} or child.start_byte < position:
                continue
            out.append(self.between(position, child.start_byte, quoted))
            out.extend(self.pieces(child, depth + 1, quoted=quoted))
            position = child.end_byte
        out.append(self.between(position, end, quoted))
        return [piece for piece in out if piece != ""]

    def between(self, start: int, end: int, quoted: bool) -> str:
        if start >= end:
            return ""
        text = self.text[start:end]
        return double_quoted(text) if quoted else unescaped(text)

    def expansion(self, node: Node, raw: str, depth: int, *, quoted: bool) -> list[Piece]:
        found = _DEFAULT.fullmatch(raw)
        if found:
            return [Variable(found[1], raw, quoted, found[2] or "")]
        element = _ELEMENT.fullmatch(raw)
        if element:
            return [Variable(element[1], raw, quoted)]
        out: list[Piece] = [Variable(raw, raw, quoted)]
        for child in node.named_children:
            if child.type == "command_substitution":
                out.append(self.substitution(child, "", depth))
            elif child.child_count:
                out += [piece for piece in self.pieces(child, depth + 1, quoted=quoted) if isinstance(piece, Substitution)]
        return out

    def substitution(self, node: Node, raw: str, depth: int) -> Substitution:
        opening = node.children[0].type if node.child_count else "$("
        kind = "<()" if opening == "<(" else ">()" if opening == ">(" else "$()"
        return Substitution(kind, self.statements(node.children, depth + 1), raw)  # type: ignore[arg-type]


def unescaped(raw: str) -> str:
    """An unquoted word: backslashes removed, braces marked."""
    if "\\" in raw:
        raw = re.sub(r"\\([\s\S])", lambda found: "" if found[1] == "\n" else found[1], raw)
    return raw.translate(BRACES) if "{" in raw or "}" in raw or "," in raw else raw


def _settled(word: Word) -> Word:
    """A word without an opening brace needs no marks."""
    if type(word) is str:
        return word if "\ue000" in word else word.translate(UNBRACE)
    if any(type(piece) is str and "\ue000" in piece for piece in word):
        return word
    return tuple(piece.translate(UNBRACE) if type(piece) is str else piece for piece in word)


def _undash(content: Word) -> Word:
    if type(content) is str:
        return re.sub(r"^\t+", "", content, flags=re.MULTILINE)
    return content


def _joined(first: Statement, tails: list[Statement]) -> Statement:
    """`first`, then what the grammar put inside its here-document: a pipeline goes on from it, a list follows it."""
    if not tails:
        return first
    if isinstance(tails[0], Pipeline):
        return Sequence((Pipeline((first, *tails[0].items)), *tails[1:]))
    return Sequence((first, *tails))


def _attach(body: Statement, redirects: tuple[Redirect, ...], words: tuple[Word, ...]) -> Statement:
    """Redirections belong to the last command of a list or pipeline, and to the whole of any other body."""
    if isinstance(body, Simple):
        return body._replace(words=(*body.words, *words), redirects=(*body.redirects, *redirects))
    if isinstance(body, Pipeline | Sequence) and body.items:
        return type(body)((*body.items[:-1], _attach(body.items[-1], redirects, words)))
    if isinstance(body, Scoped) and not body.redirects:
        return body._replace(redirects=redirects)
    return Scoped(body, redirects, subshell=False)
