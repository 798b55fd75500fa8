"""Files, functions, parameters and nesting stay within the budget of CONTRIBUTING.md; every file says what it is for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from house_sources import CODE_FOLDERS, functions, modules, place

FILE_LINES = 400
FUNCTION_LINES = 60
PARAMETERS = 8
NESTING = 4

BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)
CASES = (ast.ExceptHandler, ast.match_case)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def nesting(node: ast.AST, depth: int = 0) -> int:
    """Deepest nesting of blocks inside one function; an `elif` is no deeper than its `if`.

    An inner function counts by itself.
    """
    deepest = depth
    for child in ast.iter_child_nodes(node):
        if isinstance(child, SCOPES):
            continue
        chained = isinstance(node, ast.If) and node.orelse == [child] and isinstance(child, ast.If)
        deeper = isinstance(child, BLOCKS) and not chained
        deepest = max(deepest, nesting(child, depth + deeper))
    return deepest


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = function.args
    named = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len([name for name in named if name not in ("self", "cls")])


def over_budget(path: Path, text: str) -> list[str]:
    """What of one file is over the budget, in words; more parameters may be allowed in place, with the reason beside it."""
    tree, lines = ast.parse(text), text.splitlines()
    found = [f"{place(path)}: {len(lines)} lines, at most {FILE_LINES}"] if len(lines) > FILE_LINES else []
    if not ast.get_docstring(tree):
        found.append(f"{place(path)}: no module docstring")
    for function in functions(tree):
        length = (function.end_lineno or function.lineno) - function.lineno + 1
        for what, value, limit in (
            ("lines", length, FUNCTION_LINES),
            ("parameters", 0 if "noqa: PLR0913" in lines[function.lineno - 1] else parameters(function), PARAMETERS),
            ("levels of nesting", nesting(function), NESTING),
        ):
            if value > limit:
                found.append(f"{place(path, function)}: {function.name} has {value} {what}, at most {limit}")
    return found


@pytest.mark.parametrize("folder", CODE_FOLDERS)
def test_every_file_is_within_the_budget(folder: str) -> None:
    found = [text for path in modules(folder) for text in over_budget(path, path.read_text(encoding="utf-8"))]
    if folder == "tests":  # fixtures are parameters, and a test's name is its claim
        found = [text for text in found if "parameters" not in text and "docstring" not in text]
    assert not found, "\n".join(found)


DEEP = """def f(a):
    for x in a:
        if x:
            while x:
                with x:
                    try:
                        pass
                    finally:
                        pass
"""
FLAT = """'''Said.'''
def f(a):
    if a == 1:
        pass
    elif a == 2:
        pass
    elif a == 3:
        pass
    elif a == 4:
        pass
    elif a == 5:
        pass
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DEEP, "5 levels of nesting"),
        ("def f(a, b, c, d, e, g, *, h, i, j): ...", "9 parameters"),
        ("def f():\n" + "    x = 1\n" * 60, "61 lines"),
        ("x = 1\n" * 401, "401 lines"),
        ("x = 1", "no module docstring"),
    ],
)
def test_what_is_over_the_budget_is_seen(text: str, words: str) -> None:
    found = over_budget(Path("f.py"), text)
    assert any(words in line for line in found)


def test_a_chain_of_elif_is_within_the_budget() -> None:
    assert over_budget(Path("f.py"), FLAT) == []
