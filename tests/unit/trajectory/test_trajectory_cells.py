"""A notebook cell that only calls a skill of the harness is the act of that skill; any other cell is a program."""

from __future__ import annotations

import pytest

from earned.trajectory.cells import skill_call
from earned.trajectory.tools import action_of


@pytest.mark.parametrize(
    ("cell", "path"),
    [
        ("print(file_editor(**{'command': 'view', 'path': '/tests/a.py'}))", "/tests/a.py"),
        ("print(file_editor(**{'command': 'view', 'path': '/a', 'view_range': [1, 5]}))\n", "/a"),
        ("open_file('/a.py')", "/a.py"),
        ('open_file("/a.py", line_number=30)', "/a.py"),
        ("agentskills.open_file(path='/a.py')", "/a.py"),
        ("print(parse_pdf('/a.pdf'))", "/a.pdf"),
    ],
)
def test_a_cell_that_shows_a_file_reads_it(cell: str, path: str) -> None:
    made = action_of("execute_ipython_cell", {"code": cell}, "c1")
    assert (made.kind, made.paths, made.call_id) == ("read", (path,), "c1")


@pytest.mark.parametrize(
    ("cell", "operation", "old", "new", "line"),
    [
        (
            "print(file_editor(**{'command': 'str_replace', 'path': '/a', 'old_str': 'x\\n', 'new_str': '\"y\"\\n'}))",
            *("replace", "x\n", '"y"\n', None),
        ),
        ("print(file_editor(**{'command': 'create', 'path': '/a', 'file_text': 'x'}))", "write", "", "x", None),
        ("edit_file_by_replace('/a', to_replace='''x''', new_content='''y''')", "replace", "x", "y", None),
        ("insert_content_at_line('/a', 3, 'x')", "insert", "", "x", 2),
        ("append_file(file_name='/a', content='x')", "append", "", "x", None),
    ],
)
def test_a_cell_that_edits_a_file_is_an_edit(cell: str, operation: str, old: str, new: str, line: int | None) -> None:
    (edit,) = action_of("execute_ipython_cell", {"code": cell}).edits
    assert (edit.path, edit.operation, edit.old, edit.new, edit.line) == ("/a", operation, old, new, line)


@pytest.mark.parametrize(
    "cell",
    [
        "print(open('/a').read())",
        "x = open_file('/a')",
        "open_file(name)",
        "open_file('/a')\nopen_file('/b')",
        "open_file('/a'",
        "print(file_editor('/a'))",
        "print(file_editor(**{[]: 1}))",
        "print(file_editor(**[1]))",
        "file_editor(**" + "{" * 300,
    ],
)
def test_any_other_cell_is_a_program(cell: str) -> None:
    made = action_of("execute_ipython_cell", {"code": cell})
    assert (made.kind, made.command, skill_call(cell)) == ("code", cell, None)


def test_what_no_tool_takes_is_left_out() -> None:
    skill = skill_call(
        "file_editor(**{'command': 'view', 'path': '/a', 3: 4, 'b': {5}, 'c': b'd', 'e': 1j, 'f': 1" + "0" * 400 + "})"
    )
    assert skill is not None
    assert skill.arguments == {"command": "view", "path": "/a"}
