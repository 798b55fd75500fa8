from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_trajectories import ran, said, trajectory

from earned.audit.quotes import QUOTE_LIMIT, action_quote, find_quote, line_quote, span_quote
from earned.records import Fact, Quote, Step, part_text

PARTS = ("text", "reasoning", "action:0", "observation:0")
TEXTS = st.text(st.sampled_from("ab \n\t\r\u2028é\U0001f600\x00"), max_size=80)


def step(text: str) -> Step:
    """A step with the text in every part."""
    turn = ran(text, text)._replace(text=text, reasoning=text)
    return trajectory(turn).steps[1]


def check_stands(quote: Quote, of: Step) -> None:
    """The quote's text is what stands at its position."""
    assert quote.step == of.index
    assert part_text(of, quote.part)[quote.start : quote.end] == quote.text
    assert len(quote.text) <= QUOTE_LIMIT


@given(text=TEXTS, part=st.sampled_from(PARTS), start=st.integers(-5, 100), end=st.integers(-5, 100))
def test_a_quote_is_the_text_at_its_position_whatever_is_asked(text: str, part: str, start: int, end: int) -> None:
    of = step(text)
    check_stands(span_quote(of, part, start, end), of)
    check_stands(line_quote(of, part, max(0, min(start, len(text))), max(0, min(end, len(text)))), of)
    check_stands(action_quote(of, Fact(program="x", start=start, end=end, step=1, action=0)), of)


@given(text=TEXTS, needle=st.text(st.sampled_from("ab \n"), max_size=4))
def test_a_needle_is_quoted_where_it_stands_or_not_at_all(text: str, needle: str) -> None:
    found = find_quote(step(text), "text", needle)
    assert (found is not None) is (bool(needle) and needle in text)
    if found is not None:
        check_stands(found, step(text))
        assert found.text == needle


def test_a_long_span_is_cut_at_its_end() -> None:
    found = span_quote(step("x" * 5000), "text", 10, 5000)
    assert (found.start, found.end, len(found.text)) == (10, 10 + QUOTE_LIMIT, QUOTE_LIMIT)


@pytest.mark.parametrize(
    ("text", "start", "end", "quote"),
    [
        ("one\n  two words  \nthree", 7, 9, "two words"),
        ("one\n  two words  \nthree", 1, 9, "one\n  two words"),
        ("one", 0, 3, "one"),
        ("  \n", 0, 1, ""),
    ],
)
def test_a_line_quote_is_the_whole_lines_without_blanks_at_their_ends(text: str, start: int, end: int, quote: str) -> None:
    assert line_quote(step(text), "text", start, end).text == quote


def test_a_fact_is_quoted_by_its_own_command_and_without_a_span_by_the_whole_action() -> None:
    of = trajectory(ran("cd /app && git show abc1234 | head")).steps[1]
    assert action_quote(of, Fact(program="git", start=11, end=27, step=1, action=0)).text == "git show abc1234"
    assert action_quote(of, Fact(program="git", step=1, action=0)).text == "cd /app && git show abc1234 | head"
    assert said("x").text == "x"
