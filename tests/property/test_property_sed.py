"""Whatever `edited_in_place` says that sed leaves, sed leaves; and of what agents write, it says most."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from cost import check_in_proportion
from hypothesis import given, settings
from hypothesis import strategies as st

from earned.trajectory.submission.sed import edited_in_place

SED = shutil.which("sed")
TEXT = "def f(a, b):\n    return a + b\n\nclass X:\n    name = 'x.y'  # [1]\n    def f(self):\n        return f(1, 2)\n"
KNOWN = [
    "s/a/b/",
    "s/a/b/g",
    "s/return/yield/;s/f/g/;2d",
    "s|a + b|(a) \\& b|",
    "s/\\(a\\), \\(b\\)/\\2, \\1/",
    "s/'x\\.y'/\"z\"/",
    "s/f(a, b)/f(*args)/",
    "s/^    //",
    "s/$/ # end/",
    "s/^$/empty/",
    "s/[[:space:]]*$//",
    "s/[^a-z]/_/g",
    "s/[]x]/_/g",
    "s/\\[1\\]/[2]/",
    "s#/#//#g",
    "s/A/z/Ig",
    "s/a\\+/<&>/g",
    "s/.*/[&]/",
    "s/a\\|b/c/g",
    "s/return .*/return None/",
    "2d",
    "$d",
    "2,4d",
    "/class/,$d",
    "/class/,/self/d",
    "/^$/d",
    "/name/!d",
    "2!d",
    "3,1d",
    "/class/,+1d",
    "1i import os",
    "1i\\\nimport os",
    "$a # end",
    "2a\\    pass",
    "/class/c class Y:",
    "3c\\\nnew",
    "y/ab/xy/",
    "2,3s/a/z/g",
    "2,3 s/a/z/",
    "1s/^/#!x\\n/",
    "s/,/,\\n    /",
    "s/a*b/x/",
    "s/*/x/",
    "s/^*/x/",
    "s/a^b/x/;s/a$b/y/",
    "s/{1}/x/;s/a?/y/;s/(a/z/",
]
EXTENDED = ["s/(a|b)+/<\\1>/g", "s/f\\((.*)\\)/g(\\1)/", "s/a{1,2}/x/", "/^(def|class) /d", "s/[0-9]+/N/g"]
REFUSED = [
    "s/x*/-/g",
    "s/a/b/2",
    "s/a/b/w out",
    "s/a/b/e",
    "s/a/\\U&/",
    "s//b/",
    "s/\\(a\\)\\1/b/",
    "s/\\<a/b/",
    "N;s/a\\nb/c/",
    "1~2d",
    "0,/a/d",
    "2,3c new",
    "/a/{s/a/b/;d}",
    ":x;s/aa/a/;tx",
    "s/a/b",
    "h;G",
    "p",
    "s/,/\\n/;s/f.*b/x/",
    "r other",
]


def by_sed(text: str, script: str, *, is_extended: bool = False) -> str | None:
    """What sed makes of it; None when it refuses."""
    assert SED is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "f"
        file.write_bytes(text.encode())
        done = subprocess.run(
            [SED, *(["-E"] if is_extended else []), "-i", "-e", script, "f"], cwd=folder, capture_output=True, check=False
        )
        return file.read_bytes().decode() if done.returncode == 0 else None


@pytest.mark.skipif(SED is None, reason="there is no sed here")
@pytest.mark.parametrize("script", KNOWN)
def test_a_script_as_agents_write_it_leaves_what_sed_leaves(script: str) -> None:
    for text in (TEXT, "a\n", "\n"):
        assert edited_in_place(text, [script]) == by_sed(text, script)


@pytest.mark.skipif(SED is None, reason="there is no sed here")
@pytest.mark.parametrize("script", EXTENDED)
def test_an_extended_expression_leaves_what_sed_leaves(script: str) -> None:
    assert edited_in_place(TEXT, [script], is_extended=True) == by_sed(TEXT, script, is_extended=True)


@pytest.mark.parametrize("script", REFUSED)
def test_what_is_not_known_exactly_is_not_carried_out(script: str) -> None:
    assert edited_in_place(TEXT, [script]) is None


PIECES = st.text(alphabet="ab.*[]^$\\\\(){}|+?/&1 ", max_size=6)
LINES = st.lists(st.text(alphabet="ab.*[](){}|+?/&1 ", max_size=8), max_size=5).map("\n".join)
ADDRESSES = st.sampled_from(["", "1", "2", "$", "1,2", "2,$", "/a/", "/a/,/b/", "/b/,+1", "2,1", "1!", "/a/!"])
SCRIPTS = st.one_of(
    st.tuples(ADDRESSES, PIECES, PIECES, st.sampled_from(["", "g", "I"])).map(
        lambda made: f"{made[0]}s/{made[1]}/{made[2]}/{made[3]}"
    ),
    st.tuples(ADDRESSES, st.sampled_from(["d", "i x", "a y", "c z"])).map("".join),
)


@pytest.mark.skipif(SED is None, reason="there is no sed here")
@settings(max_examples=60, deadline=None)
@given(LINES, st.booleans(), SCRIPTS, st.booleans())
def test_what_is_carried_out_is_what_sed_does(text: str, is_ended: bool, script: str, is_extended: bool) -> None:  # drawn
    whole = text + ("\n" if is_ended else "")
    made = edited_in_place(whole, [script], is_extended=is_extended)
    left = by_sed(whole, script, is_extended=is_extended) if made is not None else None
    assert left is None or made == left  # a script that sed refuses says so in its result


@pytest.mark.parametrize("script", ["s/\\(a*\\)*b/x/g", "s/a*a*a*a*c/x/", "s/a/" + "b" * 5000 + "/g"])
def test_a_hostile_script_takes_time_in_proportion_to_the_text(script: str) -> None:
    check_in_proportion(lambda size: edited_in_place("a" * size + "\n", [script]), 200_000)


@pytest.mark.parametrize("piece", ["[", ";", "s/a/b/;"])
def test_a_long_script_takes_time_in_proportion_to_itself(piece: str) -> None:
    text = "a" * 200_000 + "\n"
    check_in_proportion(lambda size: edited_in_place(text, ["s/" * (piece == "[") + piece * (size // len(piece))]), 19_000)
