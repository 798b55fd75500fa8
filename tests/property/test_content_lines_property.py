from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from earned.content.lines import LineKeys, key_hits, line_key
from earned.content.terminal import clean_terminal, is_terminal_output

WORDS = st.text("abc xyz_(=\"'é+-0:>|\t", min_size=1, max_size=24)
TEXTS = st.lists(WORDS, max_size=8).map("\n".join)


@given(text=TEXTS, others=st.lists(WORDS, max_size=5), data=st.data())
def test_the_fast_path_finds_what_a_plain_look_at_each_line_finds(text: str, others: list[str], data: st.DataObject) -> None:
    lines = text.split("\n")
    keys = frozenset(filter(None, map(line_key, [*others, *data.draw(st.lists(st.sampled_from(lines)))])))
    found = {hit.key for hit in key_hits(text, keys)}
    assert {line_key(line) for line in lines} & keys <= found <= keys
    assert all(text[hit.start : hit.end] == hit.key for hit in key_hits(text, keys))


@given(st.lists(TEXTS, max_size=6), st.lists(WORDS, max_size=5))
def test_texts_searched_together_are_searched_as_if_alone(texts: list[str], lines: list[str]) -> None:
    keys = LineKeys(map(line_key, lines))
    assert keys.hits_in(texts) == [keys.hits(text) for text in texts]


@given(st.lists(st.from_regex(r"[a-z]{2,4}[a-z (=\"'\\é]{6,20}[a-z]", fullmatch=True), min_size=1, max_size=5))
def test_lines_survive_json(lines: list[str]) -> None:
    keys = frozenset(map(line_key, lines))
    assert {hit.key for hit in key_hits(json.dumps("\n".join(["begin", *lines])), keys)} == keys


@given(st.text("ab \n\r\x08\x1b[m0", max_size=30))
def test_cleaning_terminal_output_keeps_the_way_back(text: str) -> None:
    shown = clean_terminal(text)
    assert is_terminal_output(text) or shown.text == text
    assert "\x1b" not in shown.text
    assert "\x08" not in shown.text
    for place, character in enumerate(shown.text):
        start, end = shown.span(place, place + 1)
        assert text[start:end] == character or (character in " \n" and text[start:end].strip("\r\n") == "")
