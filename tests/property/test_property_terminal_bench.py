"""Terminal-Bench 1 runs, rendered through a terminal and read back: whole, cut, with flipped bytes, with any bytes as a log.

A terminal wraps at words and keeps no tabs and no blanks at line ends, so that what comes back is compared by words.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from damaged import check_read, found_at
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_attempt import Attempt, Call, Turn
from made_terminal import acts
from render_terminal_bench import render

from earned.records import Trajectory
from earned.trajectory.terminal.keys import keys_of
from earned.trajectory.terminal.screen import Screen

SLOW = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"], exclude_characters="`"), max_size=30)
WORDS = st.lists(TEXT.filter(lambda text: bool(text.split())), min_size=1, max_size=3).map("\n".join)
LONG = st.lists(
    st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="`'\"<\\"), min_size=1), min_size=1
)
CALLS = st.builds(Call, kind=st.just("bash"), command=WORDS | LONG.map(" ".join), result=WORDS | LONG.map(" ".join))
SAMPLE = Attempt(
    turns=(Turn("I look.", (Call("bash", command="ls", result="a\n"), Call("bash", command="pwd", result="/app\n"))),)
)


@SLOW
@given(calls=st.lists(CALLS, min_size=1, max_size=4), passed=st.booleans())
def test_commands_and_results_come_back_word_by_word(calls: list[Call], passed: bool) -> None:
    attempt = replace(SAMPLE, turns=tuple(Turn("Next.", (call,)) for call in calls), passed=passed)
    with tempfile.TemporaryDirectory() as folder:
        (made,) = [item for item in found_at(render(attempt, Path(folder))) if isinstance(item, Trajectory)]
    assert [command.split() for command, _ in acts(made)] == [call.command.split() for call in calls]
    shown = [text.partition("<output>")[2].rpartition("</output>")[0] for _, text in acts(made)]
    assert [text.split() for text in shown] == [(call.result or "").split() for call in calls]
    assert made.outcome.status == ("passed" if passed else "failed")
    assert made.completeness.grade == "terminal_text"


@SLOW
@given(data=st.data())
def test_a_damaged_file_is_a_row_or_a_reading(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = render(SAMPLE, Path(folder))
        file = data.draw(st.sampled_from(sorted(path for path in place.rglob("*") if path.is_file())))
        whole = bytearray(file.read_bytes())
        if data.draw(st.booleans()):
            del whole[data.draw(st.integers(0, len(whole))) :]
        else:
            for _ in range(data.draw(st.integers(1, 8))):
                whole[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        file.write_bytes(bytes(whole))
        check_read(found_at(place))


ESCAPES = st.sampled_from(
    ["\x1b[", "\x1b]0;", "\x1b", ";", "?", "2004h", "2004l", "1049h", "\r", "\n", "\r\n", "\b", "\t", "999999999"]
)
FINALS = st.sampled_from(list("ABCDEFGHJKLMPSTXZ@bdfhlmrsu"))
PROMPTS = st.sampled_from(
    ["root@c:/app# ", "$ ", "> ", "mini-swe-agent (step 1, $0.01):", "User:", "```bash", "```", '{"type":']
)
NOISE = st.lists(ESCAPES | FINALS | PROMPTS | TEXT | st.integers(0, 999).map(str), max_size=60).map("".join)


@SLOW
@given(log=NOISE, keys=st.lists(NOISE, max_size=4))
def test_any_text_is_a_terminals_log(log: str, keys: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = render(SAMPLE, Path(folder), log=log)
        commands = next(place.rglob("commands.txt"))
        commands.write_text("\n".join([*keys, *map(repr, keys)]), encoding="utf-8")
        found = found_at(place)
    check_read(found)
    assert len(found) == 1


@settings(max_examples=60)
@given(log=NOISE, cuts=st.lists(st.integers(0, 400), max_size=5))
def test_a_screen_shows_the_same_whatever_pieces_it_is_fed(log: str, cuts: list[int]) -> None:
    whole, pieces = Screen(20, 5), Screen(20, 5)
    whole.feed(log)
    places = sorted({min(cut, len(log)) for cut in cuts})
    for start, end in zip([0, *places], [*places, len(log)], strict=True):
        pieces.feed(log[start:end])
    assert whole.lines().texts == pieces.lines().texts


@given(keys=st.lists(st.text(st.characters(codec="utf-8")), max_size=5))
def test_keys_in_pythons_notation_are_read_without_evaluating_them(keys: list[str]) -> None:
    assert keys_of(repr(keys)) == keys
