"""The tests keep their own rules: every test asserts, every skip says why, no two files share a name."""

from __future__ import annotations

import ast
from collections import Counter

from house_sources import functions, modules, parsed, place

ASSERTING = ("check_", "assert_", "compare")
SKIPPING = ("pytest.skip", "pytest.mark.skip", "pytest.mark.skipif", "pytest.mark.xfail", "pytest.importorskip")


def asserts(function: ast.AST) -> bool:
    """Whether a test asserts: by `assert`, by `pytest.raises` or `warns`, or by calling a helper named for it."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in ("pytest.raises", "pytest.warns", "pytest.fail") or name.split(".")[-1].startswith(ASSERTING):
                return True
    return False


def silent_skips(tree: ast.AST) -> list[ast.Call | ast.Attribute]:
    """Skips and expected failures that give no reason."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    found: list[ast.Call | ast.Attribute] = []
    for call in calls:
        name, words = ast.unparse(call.func), {keyword.arg for keyword in call.keywords}
        if name in SKIPPING and "reason" not in words and not (name == "pytest.skip" and call.args):
            found.append(call)
    called = {id(call.func) for call in calls}
    bare = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and id(node) not in called]
    return found + [node for node in bare if ast.unparse(node) in ("pytest.mark.skip", "pytest.mark.xfail")]


def test_every_test_asserts() -> None:
    silent = [
        f"{place(path, function)} {function.name}"
        for path in modules("tests")
        for function in functions(parsed(path))
        if function.name.startswith("test_") and path.name.startswith("test_") and not asserts(function)
    ]
    assert not silent, "\n".join(silent)


def test_every_skip_says_why() -> None:
    assert [place(path, node) for path in modules("tests") for node in silent_skips(parsed(path))] == []


def test_no_two_test_files_share_a_name() -> None:
    names = Counter(path.name for path in modules("tests"))
    assert [name for name, count in names.items() if count > 1 and name != "conftest.py"] == []


def test_a_silent_test_and_a_silent_skip_are_seen() -> None:
    assert not asserts(ast.parse("def test_x():\n    run()"))
    assert asserts(ast.parse("def test_x():\n    check_format(reader)"))
    assert (
        len(silent_skips(ast.parse("pytest.skip()\n@pytest.mark.skip\ndef test_x(): ...\npytest.importorskip('duckdb')"))) == 3
    )
    assert silent_skips(ast.parse("pytest.skip('no git')\npytest.importorskip('duckdb', reason='not installed')")) == []
