"""docs/reference/records.md: every record with its fields, from the source of `earned.records`."""

from __future__ import annotations

import ast
from pathlib import Path

from earned import records

INTRODUCTION = """# Records

Rooms pass these records to one another and nothing else. They are frozen and hold no behaviour; what is written to disk
carries the version `SCHEMA`. This page is made from `src/earned/records/`.
"""


def records_page() -> str:
    """The page as Markdown."""
    parts = [INTRODUCTION]
    for path in sorted(Path(records.__file__).parent.glob("*.py")):
        if path.name == "__init__.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        parts.append(f"## {path.stem}\n\n{ast.get_docstring(tree) or ''}\n")
        parts.append(_vocabularies(tree))
        parts.extend(_record(node) for node in tree.body if isinstance(node, ast.ClassDef))
    return "\n".join(part for part in parts if part)


def field_meanings() -> dict[str, dict[str, str]]:
    """For each record, what it says of its fields."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(Path(records.__file__).parent.glob("*.py"))]
    nodes = [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    return {
        node.name: {
            ast.unparse(field.target): _meaning(following)
            for field, following in zip(node.body, [*node.body[1:], None], strict=True)
            if isinstance(field, ast.AnnAssign)
        }
        for node in nodes
    }


def _vocabularies(tree: ast.Module) -> str:
    """The closed lists (`Name = Literal[…]`) of one module, as a list."""
    lines = []
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Subscript)
            and ast.unparse(node.value.value) == "Literal"
        ):
            values = node.value.slice.elts if isinstance(node.value.slice, ast.Tuple) else [node.value.slice]
            shown = ", ".join(f"`{ast.literal_eval(value)}`" if ast.literal_eval(value) else "(empty)" for value in values)
            lines.append(f"- `{ast.unparse(node.targets[0])}`: {shown}")
    return "\n".join(lines) + "\n" if lines else ""


def _record(node: ast.ClassDef) -> str:
    """One record: its docstring, then a table of fields with type, default and meaning."""
    lines = [
        f"### {node.name}",
        "",
        ast.get_docstring(node) or "",
        "",
        "| field | type | default | meaning |",
        "|---|---|---|---|",
    ]
    for index, field in enumerate(node.body):
        if isinstance(field, ast.AnnAssign):
            following = node.body[index + 1] if index + 1 < len(node.body) else None
            default = f"`{_cell(ast.unparse(field.value))}`" if field.value else ""
            kind = _cell(ast.unparse(field.annotation))
            lines.append(f"| `{ast.unparse(field.target)}` | `{kind}` | {default} | {_cell(_meaning(following))} |")
    return "\n".join(lines) + "\n"


def _meaning(node: ast.stmt | None) -> str:
    """The docstring that follows a field, if the next statement is one."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split())
    return ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
