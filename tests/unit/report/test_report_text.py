from __future__ import annotations

import pytest

from earned.report.text import clipped, safe_line, safe_text


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
