"""What a room exports is exactly what its `__init__` lists, and every name listed is there."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest
from house_sources import PACKAGE, parsed

DOORS = sorted(PACKAGE.rglob("__init__.py"))


def module_name(path: Path) -> str:
    return ".".join(("earned", *path.parent.relative_to(PACKAGE).parts))


def listed(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def bound(tree: ast.Module) -> set[str]:
    """Public names that the top of a module binds, imports from `__future__` and of the standard library aside."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("earned"):
            names |= {alias.asname or alias.name for alias in node.names}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("path", DOORS, ids=module_name)
def test_a_room_lists_exactly_what_its_door_binds(path: Path) -> None:
    names = listed(parsed(path))
    assert len(names) == len(set(names))
    assert bound(parsed(path)) <= set(names), f"{module_name(path)} binds names that __all__ does not list"
    module = import_module(module_name(path))
    assert [name for name in names if not hasattr(module, name)] == []


def test_an_unlisted_name_is_seen() -> None:
    assert bound(ast.parse("from earned.stats import wilson\n__all__ = ['rates']\nLIMIT = 3\n")) == {"wilson", "LIMIT"}
    assert listed(ast.parse("__all__ = ['rates']")) == ["rates"]
