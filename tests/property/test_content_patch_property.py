from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from earned.content.patch import parse_patch

LINES = st.lists(st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=6), max_size=12)
PIECES = [
    "--- ",
    "+++ ",
    "@@ -1,2 +1 @@",
    "@@@ -1 -1 +1 @@@",
    "diff --git ",
    '"',
    "a/x",
    "\\",
    "+",
    "-",
    " ",
    "\n",
    "\r",
    "x",
    "rename to ",
]


@given(old=LINES, new=LINES)
def test_reading_a_diff_gives_back_both_sides(old: list[str], new: list[str]) -> None:
    lines = difflib.unified_diff(old, new, "a/f", "b/f", lineterm="", n=1000)
    files = parse_patch("\n".join(lines) + "\n")
    if old == new:
        assert files == ()
    else:
        assert [list(files[0].hunks[0].old), list(files[0].hunks[0].new)] == [old, new]
        assert all(new[line.number - 1] == line.text for line in files[0].added)
        assert all(old[line.number - 1] == line.text for line in files[0].removed)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_garbage_never_raises(text: str) -> None:
    assert all(file.path for file in parse_patch(text))
