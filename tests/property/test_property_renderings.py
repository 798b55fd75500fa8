"""Every format, rendered and read back: whole, cut, with flipped bytes, with wrong types, deep, repeated keys, surrogates.

Over `made_attempt.RENDERINGS`. Files of a format that hold JSON or JSON lines are also damaged within their structure.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from damaged import check_read, found_at, paths_in, replaced
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_attempt import RENDERINGS, Attempt, Call, Turn, holds_instruction, made_calls, read_calls, rendering

from earned.records import Skip, Trajectory

FORMATS = sorted(RENDERINGS)
WHOLE = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
DAMAGED = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)
SAYS_LESS = re.compile(
    r"(?i)truncat|omit|elid|clip|too l|only showing|old |remov|hidden|drop|delet|trim|prun|skip|left out|not shown|cut|ed\b"
)
"""Words of which the phrases that tell a gap are made: hypothesis draws texts of our own source, too."""
LINES = TEXT.filter(lambda text: bool(text.strip()) and SAYS_LESS.search(text) is None)
WORDS = st.lists(LINES, min_size=1, max_size=3).map(lambda parts: "\n".join(parts).strip()).filter(bool)
ODD: list[Any] = [None, True, -1, 10**30, 0.5, "", "x" * 50, "\u202e\u2028", [], [[]], {}, {"a": [1]}, [None, "x"]]


def calls_of(name: str) -> st.SearchStrategy[Call]:
    _, tools = rendering(name)
    made = st.builds(Call, kind=st.just("bash"), command=WORDS, result=WORDS)
    if "write" in tools:
        made |= st.builds(Call, kind=st.just("write"), path=st.just("/app/a.py"), new=WORDS, result=WORDS)
    if "edit" in tools:
        made |= st.builds(Call, kind=st.just("edit"), path=st.just("/app/a.py"), old=WORDS, new=WORDS, result=WORDS)
    return made


@st.composite
def attempts(draw: st.DrawFn, name: str) -> Attempt:
    turns = st.builds(Turn, text=WORDS, calls=st.lists(calls_of(name), min_size=1, max_size=3).map(tuple))
    return Attempt(
        turns=tuple(draw(st.lists(turns, min_size=1, max_size=4))),
        instruction=draw(WORDS),
        passed=draw(st.booleans()),
    )


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_rendered_is_read_back(name: str) -> None:
    render, _ = rendering(name)

    @WHOLE
    @given(attempt=attempts(name))
    def holds(attempt: Attempt) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (made,) = [item for item in found_at(render(attempt, Path(folder))) if isinstance(item, Trajectory)]
        assert read_calls(made) == made_calls(attempt)
        assert made.instruction == (attempt.instruction if holds_instruction(name) else "")
        assert made.outcome.status == ("passed" if attempt.passed else "failed")
        assert made.completeness.grade == "full", made.completeness

    holds()


SAMPLE = Attempt(
    turns=(
        Turn("I look.", (Call("bash", command="ls -a", result="a.py\nb.py"), Call("bash", command="cat a.py", result="x = 1"))),
        Turn("I write.", (Call("bash", command="echo hi > b.py", result="done"),)),
    ),
    patch="diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x\n+hi\n",
)


def rendered(name: str, folder: Path) -> tuple[Path, list[Path]]:
    """The sample in a format, and its files."""
    render, _ = rendering(name)
    place = render(SAMPLE, folder)
    return place, sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_cut_anywhere_is_a_row_or_a_reading(name: str) -> None:
    @DAMAGED
    @given(data=st.data())
    def holds(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory() as folder:
            place, files = rendered(name, Path(folder))
            file = data.draw(st.sampled_from(files))
            whole = file.read_bytes()
            file.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
            check_read(found_at(place))

    holds()


@pytest.mark.parametrize("name", FORMATS)
def test_flipped_bytes_are_survived(name: str) -> None:
    @DAMAGED
    @given(data=st.data())
    def holds(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory() as folder:
            place, files = rendered(name, Path(folder))
            file = data.draw(st.sampled_from(files))
            damaged = bytearray(file.read_bytes())
            for at in data.draw(st.lists(st.integers(0, max(len(damaged) - 1, 0)), min_size=1, max_size=4)):
                if damaged:
                    damaged[at] ^= 1 << data.draw(st.integers(0, 7))
            file.write_bytes(damaged)
            check_read(found_at(place))

    holds()


@pytest.mark.parametrize("name", FORMATS)
def test_any_value_at_any_key_is_survived(name: str) -> None:
    @settings(DAMAGED, max_examples=60)
    @given(data=st.data())
    def holds(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory() as folder:
            place, files = rendered(name, Path(folder))
            documents = [file for file in files if structured(file)]
            if not documents:
                return
            file = data.draw(st.sampled_from(documents))
            lines = structured(file)
            number = data.draw(st.integers(0, len(lines) - 1))
            value = lines[number]
            paths = paths_in(value)
            if paths:
                value = replaced(value, data.draw(st.sampled_from(paths)), data.draw(st.sampled_from(ODD)))
            written = [json.dumps(value if at == number else line) for at, line in enumerate(lines)]
            file.write_text("\n".join(written) + "\n", encoding="utf-8")
            check_read(found_at(place))

    holds()


DAMAGES = {
    "deep": lambda text: text.replace(":", ":" + "[" * 2000 + "]" * 2000 + ',"deep":', 1),
    "repeated keys": lambda text: text.replace("{", '{"type":"other","role":"other","id":1,', 1),
    "lone surrogate": lambda text: text.replace("ls -a", "ls \\ud800"),
    "NaN": lambda text: text.replace(":", ':NaN,"nan":', 1),
    "NUL": lambda text: text.replace("ls -a", "ls \\u0000"),
    "raw control": lambda text: text.replace("ls -a", "ls \x00\x1b[31m"),
    "no line end": lambda text: text.replace("\n", ""),
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "said twice": lambda text: text + text,
}


@pytest.mark.parametrize("damage", sorted(DAMAGES))
@pytest.mark.parametrize("name", FORMATS)
def test_a_damage_of_a_known_kind_is_survived(name: str, damage: str, tmp_path: Path) -> None:
    _, files = rendered(name, tmp_path / "whole")
    for number in range(len(files)):
        place, again = rendered(name, tmp_path / str(number))
        file = again[number]
        if b"\0" in file.read_bytes()[:1024]:
            continue  # no text: cuts and flipped bytes are its damages
        file.write_text(DAMAGES[damage](file.read_text(encoding="utf-8")), encoding="utf-8", newline="")
        check_read(found_at(place))


def acts_in(found: list[Trajectory | Skip]) -> int:
    steps = [step for item in found if isinstance(item, Trajectory) for step in item.steps]
    return sum(len(step.actions) for step in steps if step.actor in {"agent", "subagent"} and not step.copied)


def records_in(value: Any, *, is_line: bool) -> Iterator[tuple[Any, ...]]:
    """Places of the objects that are entries of lists; a line of several is one itself."""
    if is_line:
        yield ()
    for path in paths_in(value):
        inner = value
        for key in path:
            inner = inner[key]
        if isinstance(path[-1], int) and isinstance(inner, dict):
            yield path


@pytest.mark.parametrize("entry", [None, 5])
@pytest.mark.parametrize("name", FORMATS)
def test_a_trace_that_lost_an_act_to_an_entry_that_is_no_record_is_not_full(name: str, entry: Any, tmp_path: Path) -> None:
    place, files = rendered(name, tmp_path)
    whole = acts_in(found_at(place))
    for file in files:
        data, lines = file.read_bytes(), structured(file)
        for number, line in enumerate(lines):
            for path in records_in(line, is_line=len(lines) > 1):
                damaged = replaced(line, path, entry) if path else entry
                written = [json.dumps(damaged if at == number else other) for at, other in enumerate(lines)]
                file.write_text("\n".join(written) + "\n", encoding="utf-8")
                found = found_at(place)
                grades = {item.completeness.grade for item in found if isinstance(item, Trajectory)}
                assert acts_in(found) >= whole or "full" not in grades, (file.name, number, path)
        file.write_bytes(data)


def structured(file: Path) -> list[Any]:
    """The documents of a JSON file, one for each line where it holds lines; none where it holds something else."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    for parts in ([text], [line for line in text.split("\n") if line.strip()]):
        try:
            return [json.loads(part) for part in parts]
        except json.JSONDecodeError:
            continue
    return []
