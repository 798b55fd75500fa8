from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from earned.content.rewrite import Replacement, replace_spans, unchanged
from earned.content.undecorate import undecorate

PIECES = [
    " ",
    "\t",
    "12:",
    "  13\t",
    "E   ",
    ">   ",
    "src/a.py:4:",
    "@@ -1 +1 @@",
    "+",
    "-",
    "x",
    "foo(bar)",
    "é",
    "\n",
    "\r",
    "\r\n",
]
MORE = [
    "\\n",
    "\\t",
    '\\"',
    "\\\\",
    "\\u00e9",
    '"',
    "'",
    "{",
    "}",
    "\x1b[31m",
    "\x1b",
    "\b",
    "```",
    "> ",
    "|",
    "1a2b3c4d (a 1) ",
]
DECODED = "\n\t\r\"'\\/é"


@given(st.lists(st.sampled_from(PIECES + MORE), max_size=40).map("".join), st.data())
def test_every_span_of_the_plain_text_leads_back_to_its_characters_in_order(text: str, data: st.DataObject) -> None:
    plain = undecorate(text)
    assert len(plain.signs) == plain.text.count("\n") + 1
    start = data.draw(st.integers(0, len(plain.text)))
    end = data.draw(st.integers(start, len(plain.text)))
    span = plain.span(start, end)
    assert 0 <= span.start <= span.end <= len(text)
    rest = iter(text[span.start : span.end])
    assert all(character in DECODED or character in rest for character in plain.text[start:end])


@given(st.text("ab\n", max_size=30), st.data())
def test_a_rewritten_text_maps_every_copied_character_to_itself(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    replacements = [
        Replacement(a, b, data.draw(st.sampled_from(["", "Z"]))) for a, b in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    rewrite = replace_spans(unchanged(text), replacements)
    for place, character in enumerate(rewrite.text):
        span = rewrite.span(place, place + 1)
        expected = text[span.start : span.end]
        assert character == expected or (character == "Z" and Replacement(*span, "Z") in replacements)


@given(st.text(st.characters(exclude_characters="\n\r\x1b\x08\\", codec="utf-8"), max_size=60))
def test_undecorating_twice_only_takes_off_more(text: str) -> None:
    once = undecorate(text).text
    assert once in text
    assert undecorate(once).text in once
