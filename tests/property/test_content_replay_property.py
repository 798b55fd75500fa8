from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from earned.content.apply import apply_hunks
from earned.content.envelope import parse_envelope
from earned.content.patch import parse_patch
from earned.content.replay import FileReplay
from earned.content.runs import longest_run
from earned.content.tables import tables
from earned.content.values import distinctive_values

LINES = st.lists(st.sampled_from(["a", "b", "  c", "dd", ""]), max_size=14)
PIECES = [
    "*** Begin Patch",
    "*** Update File: ",
    "*** Add File: ",
    "*** Move to: ",
    "@@",
    "+x",
    "-x",
    " y",
    "\n",
    "\r\n",
    "f",
    "*** End Patch",
]


@given(old=LINES, new=LINES, context=st.integers(0, 4))
def test_applying_a_diff_gives_the_new_text(old: list[str], new: list[str], context: int) -> None:
    before, after = "".join(f"{line}\n" for line in old), "".join(f"{line}\n" for line in new)
    diff = "".join(f"{line}\n" for line in difflib.unified_diff(old, new, "a/f", "b/f", lineterm="", n=context))
    files = parse_patch(diff)
    assert (apply_hunks(before, files[0]) if files else before) == after


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), LINES)
def test_garbage_never_raises_in_an_envelope(text: str, lines: list[str]) -> None:
    replay = FileReplay({"f": "\n".join(lines)})
    replay.patch(text)
    assert all(file.path for file in parse_envelope(text))
    assert any(file.path == "f" for file in replay.files()) or "*** Move to: " in text


@given(st.text("abc", max_size=40), st.text("abcd", max_size=60))
def test_no_common_substring_is_longer_than_the_longest_run(needle: str, haystack: str) -> None:
    run = longest_run(needle, haystack)
    assert needle[slice(*run.needle)] == haystack[slice(*run.haystack)] == run.text
    length = len(run.text) + 1
    assert not any(needle[at : at + length] in haystack for at in range(len(needle) - length + 1))


@given(st.text("{}[]():,=>'\"\\ 1a-\n", max_size=60))
def test_tables_and_values_of_garbage_stand_in_it(text: str) -> None:
    assert all(text[value.start : value.end] == value.text for value in distinctive_values(text))
    assert all(0 <= table.start < table.end <= len(text) for table in tables(text))
