from __future__ import annotations

import json

import pytest

from earned.report.text import clipped, safe_json, safe_line, safe_text


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("\x1b[31m", "[U+001B][31m"),
        ("\x00", "[U+0000]"),
        ("\x7f", "[U+007F]"),
        ("\x9b31m", "[U+009B]31m"),
        ("\u202e", "[U+202E]"),
        ("\u2066", "[U+2066]"),
        ("\u200b", "[U+200B]"),
        ("\ufeff", "[U+FEFF]"),
        ("\u2028", "[U+2028]"),
        ("\U000e0041", "[U+E0041]"),
        ("\ud800", "[U+D800]"),
        ("\r", "[U+000D]"),
    ],
)
def test_unseen_characters_are_shown_as_their_code_point(hidden: str, shown: str) -> None:
    assert safe_text(f"a{hidden}b") == f"a{shown}b"


@pytest.mark.parametrize("text", ["plain", "naïve façade", "日本語", "a\tb\nc", "🙂", "½ “quoted”"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert safe_text(text) == text


def test_windows_line_ends_are_line_ends() -> None:
    assert safe_text("a\r\nb") == "a\nb"


def test_on_one_line_breaks_and_tabs_are_shown_too() -> None:
    assert safe_line("a\r\n\tb") == "a[U+000D][U+000A][U+0009]b"


def test_a_text_that_is_cut_says_how_much_is_missing() -> None:
    assert clipped("abcdef", 4) == "abcd… (2 more characters)"
    assert clipped("abcde", 4) == "abcd… (1 more character)"


def test_a_text_that_fits_is_not_cut() -> None:
    assert clipped("abcd", 4) == "abcd"


@pytest.mark.parametrize("hidden", ["\x7f", "\x9b", "\u200b", "\u202e", "\u2028", "\ufeff", "\U000e0041", "\\\u202e"])
def test_json_has_what_is_unseen_as_escapes_of_the_same_value(hidden: str) -> None:
    made = safe_json(json.dumps({hidden: hidden}, ensure_ascii=False, indent=1))
    assert (json.loads(made), made.isascii(), made.replace("\n", "").isprintable()) == ({hidden: hidden}, True, True)


def test_json_keeps_what_is_seen() -> None:
    text = json.dumps({"name": "caf\u00e9 \u4e2d \U0001f600\n\t\\"}, ensure_ascii=False, indent=1)
    assert safe_json(text) == text
