"""Every slug and every skip reason of the package has an entry in docs/reference/messages.md, and no entry lacks its error."""

from __future__ import annotations

import ast
import re
from typing import get_args

import pytest
from house_sources import ROOT, functions, modules, parsed

from earned.records.trajectory import SkipReason

HEADING = re.compile(r"^### ([a-z_-]+)$", re.MULTILINE)


def constants(tree: ast.Module) -> dict[str, str]:
    """Names that a module binds to a text."""
    return {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


def slugs(tree: ast.Module) -> set[str]:
    """Slugs that one module raises with. Raises KeyError for a slug that is no text, constant, parameter or attribute."""
    known = constants(tree)
    found: set[str] = set()
    for function in functions(tree):
        arguments = function.args
        defaults = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        found |= {str(node.value) for name, node in defaults if name.arg == "slug" and isinstance(node, ast.Constant)}
    handed_on = {name.arg for function in functions(tree) for name in (*function.args.args, *function.args.kwonlyargs)}
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "slug":
            found |= _values(node.value, known, handed_on)
    return found


def _values(node: ast.expr, known: dict[str, str], handed_on: set[str]) -> set[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return _values(node.body, known, handed_on) | _values(node.orelse, known, handed_on)
    if isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and node.id in handed_on):
        return set()
    return {known[ast.unparse(node)]}


def test_every_slug_and_reason_has_an_entry_and_every_entry_its_slug() -> None:
    raised = set().union(*(slugs(parsed(path)) for path in modules("src")))
    entries = HEADING.findall((ROOT / "docs" / "reference" / "messages.md").read_text(encoding="utf-8"))
    assert len(entries) == len(set(entries))
    assert raised | set(get_args(SkipReason)) == set(entries)


def test_slugs_are_found_as_text_constant_default_and_choice() -> None:
    text = """
_SLUG = "a-constant"
def fail(*, slug="a-default"):
    raise E("…", slug=slug)
raise E("…", slug=_SLUG)
raise E("…", slug="a-text")
raise E("…", slug="one" if x else "other")
raise E("…", slug=error.slug)
"""
    assert slugs(ast.parse(text)) == {"a-constant", "a-default", "a-text", "one", "other"}


def test_a_slug_that_cannot_be_known_is_refused() -> None:
    with pytest.raises(KeyError):
        slugs(ast.parse("raise E('…', slug=made_up())"))
