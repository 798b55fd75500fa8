"""What a Python expression gives where it is literal: names, f-strings, concatenation, paths. Folded, never executed."""

from __future__ import annotations

import ast
import posixpath

MAX_FOLD = 12
"""Levels of an expression that are folded to a literal."""
MAX_VALUE = 2_000_000
"""Characters of a folded value."""


class Values:
    """Names that hold literals and imported names, as far as a program has been read."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.imports: dict[str, str] = {}

    def partly(self, node: ast.expr) -> str:
        """Text of an f-string or concatenation with unknown parts as `$_`."""
        if isinstance(node, ast.JoinedStr):
            return "".join(self.fold(part) or "$_" for part in node.values)
        if isinstance(node, ast.BinOp):
            return "".join(self.fold(part) or "$_" for part in _operands(node))
        return ""

    def arguments(self, node: ast.Call) -> tuple[str, ...]:
        """The leading literal arguments, with unknown ones as `$_`."""
        return tuple(self.fold(argument) or self.partly(argument) or "$_" for argument in node.args[:4])

    def named(self, node: ast.expr) -> str:
        """The literal, or the dotted name."""
        return self.fold(node) or self.dotted(node)

    def dotted(self, node: ast.expr) -> str:
        """`a.b.c` with imported names resolved; empty when the root is no name."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute) and len(parts) < MAX_FOLD:
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Call):
            return (
                self.dotted(node.func) + "." + ".".join(reversed(parts))
                if parts and len(parts) < MAX_FOLD - 1 and isinstance(node.func, ast.Name)
                else ""
            )
        if not isinstance(node, ast.Name):
            return ""
        return ".".join([self.imports.get(node.id, node.id), *reversed(parts)])

    def fold(self, node: ast.expr, level: int = 0) -> str | None:
        """The text that an expression gives, where it is literal."""
        if level > MAX_FOLD:
            return None
        if isinstance(node, ast.Constant):
            return _constant(node.value)
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.JoinedStr):
            return self.joined("", list(node.values), level)
        if isinstance(node, ast.FormattedValue):
            return self.fold(node.value, level + 1)
        if isinstance(node, ast.BinOp):
            return self.operation(node, level)
        if isinstance(node, ast.Call):
            return self.folded_call(node, level)
        if isinstance(node, ast.Attribute) and node.attr == "parent":
            inner = self.fold(node.value, level + 1)
            return posixpath.dirname(inner) if inner is not None else None
        return None

    def joined(self, between: str, nodes: list[ast.expr], level: int) -> str | None:
        """Several expressions put together, where all are literal."""
        parts = [self.fold(node, level + 1) for node in nodes]
        known = [part for part in parts if part is not None]
        return between.join(known) if len(known) == len(parts) and sum(map(len, known)) <= MAX_VALUE else None

    def operation(self, node: ast.BinOp, level: int) -> str | None:
        """`a + b`, `path / part`, `text % value`."""
        if isinstance(node.op, ast.Add):
            return self.joined("", _operands(node), level)
        left, right = self.fold(node.left, level + 1), self.fold(node.right, level + 1)
        if left is None:
            return None
        if isinstance(node.op, ast.Div):
            return posixpath.join(left, right) if right is not None else None
        if isinstance(node.op, ast.Mod) and right is not None and left.count("%s") == 1:
            return left.replace("%s", right)
        return None

    def folded_call(self, node: ast.Call, level: int) -> str | None:
        """Calls that give a path or a text: `Path(…)`, `os.path.join(…)`, `.strip()`."""
        name = self.dotted(node.func)
        if name in {
            "pathlib.Path",
            "Path",
            "str",
            "pathlib.PurePath",
            "os.path.join",
            "os.path.abspath",
            "os.path.expanduser",
            "bytes",
            "textwrap.dedent",
            "os.fspath",
        }:
            parts = [self.fold(argument, level + 1) for argument in node.args]
            known = [part for part in parts if part is not None]
            if not known or len(known) != len(parts):
                return None
            return posixpath.join(*known) if len(known) > 1 and "bytes" not in name and name != "str" else known[0]
        if isinstance(node.func, ast.Attribute) and node.func.attr in {
            "encode",
            "strip",
            "resolve",
            "absolute",
            "decode",
            "expanduser",
            "lstrip",
            "joinpath",
        }:
            inner = self.fold(node.func.value, level + 1)
            if node.func.attr == "joinpath" and inner is not None:
                more = self.joined("/", node.args, level)
                return posixpath.join(inner, more) if more is not None else None
            return inner
        return None


def _constant(content: object) -> str | None:
    if isinstance(content, str):
        return content
    if isinstance(content, bytes):
        return content.decode("utf-8", "replace")
    return str(content) if isinstance(content, int) and not isinstance(content, bool) and abs(content) < 10**18 else None


def _operands(node: ast.BinOp) -> list[ast.expr]:
    """Operands of a chain of `+`, left to right, without recursion."""
    parts: list[ast.expr] = []
    current: ast.expr = node
    while isinstance(current, ast.BinOp) and isinstance(current.op, ast.Add):
        parts.append(current.right)
        current = current.left
    return [current, *reversed(parts)]
