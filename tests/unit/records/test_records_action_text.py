from __future__ import annotations

import pytest

from earned.records import Action, Edit


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Action(kind="shell", command="ls", arguments="{}"), "ls"),
        (Action(kind="edit", edits=(Edit(path="a.py", operation="replace", old="x", new="y"),)), "y"),
        (Action(kind="edit", edits=(Edit(path="a.py", operation="replace", old="x = 1\n", new=""),)), "x = 1\n"),
        (Action(kind="edit", edits=(Edit(path="a.py", operation="delete"),)), "a.py"),
        (Action(kind="edit", edits=(Edit(path="a", operation="write", new="1"), Edit(path="b", operation="delete"))), "1\n"),
        (Action(kind="fetch", url="https://a.example", query="x"), "https://a.example"),
        (Action(kind="search", query="x"), "x"),
        (Action(kind="other", arguments="{}"), "{}"),
        (Action(kind="read", paths=("a", "b")), "a\nb"),
        (Action(kind="other"), ""),
    ],
)
def test_the_text_of_an_action_is_what_a_quote_of_it_can_show(action: Action, text: str) -> None:
    assert action.text == text
