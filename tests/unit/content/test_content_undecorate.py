from __future__ import annotations

import json

import pytest
from cost import check_text_in_proportion

from earned.content.undecorate import Plain, undecorate

CODE = ["def fold(angle):", "    if angle > 4.5:", "", '        return "far", angle']
BARE = [line.strip() for line in CODE]


def lines(plain: Plain) -> list[str]:
    return plain.text.removesuffix("\n").split("\n")


@pytest.mark.parametrize(
    "decorate",
    [
        "{line}",
        "\t\t{line}",
        "{line}  \r",
        "{n:>6}\t{line}",
        "{n:>6}  {line}",
        "{n}:{line}",
        "{n:>6}→{line}",
        "{n:>4} | {line}",
        "src/a-b/fold.py:{n}:{line}",
        "src/a-b/fold.py-{n}-{line}",
        "src/a-b/fold.py:{line}",
        "^1a2b3c4d src/x.py (A. U. Thor 2024-01-01 10:00:00 +0000 {n}) {line}",
        "E       {line}",
        ">       {line}",
        "> {line}",
        "\x1b[1m{line}\x1b[0m",
        "\x1b[32m{n:>6}\t{line}\x1b[m\r",
    ],
)
def test_what_tools_put_around_lines_is_taken_off(decorate: str) -> None:
    text = "\n".join(decorate.format(line=line, n=n + 9) for n, line in enumerate(CODE))
    plain = undecorate(text)
    assert lines(plain) == BARE
    for line in filter(None, BARE):
        start = plain.text.index(line)
        span = plain.span(start, start + len(line))
        assert text[span.start : span.end] == line


def test_signs_of_a_diff_are_kept_aside() -> None:
    plain = undecorate(
        "+ set -x\n@@ -1,2 +1,2 @@ def f\n kept\n-old\n+new\n\\ No newline at end of file\ndiff --git a/x b/x\n- item\n"
    )
    assert lines(plain)[2:5] == ["kept", "old", "new"]
    assert plain.signs == ("", "", " ", "-", "+", "", "", "", "")
    assert lines(plain)[0] == "+ set -x"


def test_signs_of_a_numbered_diff_are_kept_aside() -> None:
    plain = undecorate("     1\t@@ -1 +1 @@\n     2\t-old\n     3\t+  new\n")
    assert (lines(plain)[1:], plain.signs) == (["old", "new"], ("", "-", "+", ""))


def test_an_assertion_difference_has_signs_too() -> None:
    plain = undecorate("E       AssertionError: assert x\nE         - expected text\nE         + found text\n")
    assert lines(plain) == ["AssertionError: assert x", "expected text", "found text"]
    assert plain.signs == ("", "-", "+", "")


@pytest.mark.parametrize(
    "quote",
    [
        json.dumps,
        repr,
        lambda text: json.dumps({"output": text}),
        lambda text: json.dumps([json.dumps(text)]),
        lambda text: f"b{text!r}",
    ],
)
def test_lines_in_an_escaped_text_stand_as_lines(quote: object) -> None:
    assert callable(quote)
    text = quote("first\n" + "\n".join(CODE) + "\n")
    plain = undecorate(text)
    assert lines(plain)[1:5] == BARE
    start = plain.text.index("if angle")
    assert text[slice(*plain.span(start, start + 8))] == "if angle"


def test_code_with_an_escaped_line_break_stays_one_line() -> None:
    text = 'print("sum\\n", total)\nx = 1'
    assert undecorate(text).text == text


def test_characters_beyond_the_basic_plane_survive_escapes() -> None:
    assert undecorate(json.dumps("a\n\U0001f600 é\n")).text == '"a\n\U0001f600 é\n"'


def test_a_name_with_a_number_in_it_is_no_listing() -> None:
    assert undecorate("sha-256-digest of x").text == "sha-256-digest of x"


def test_fences_are_no_text() -> None:
    assert lines(undecorate("```python\nx = compute()\n```\n")) == ["", "x = compute()", ""]


def test_a_shell_wrap_is_joined_and_a_rewritten_line_stays_two() -> None:
    assert undecorate("x" * 79 + " \ry\n").text == "x" * 79 + "y\n"
    assert undecorate("10%\r100%\n").text == "10%\n100%\n"


def test_backspaces_take_back_at_most_their_line() -> None:
    assert undecorate("ab\nN\bNA\bA \b\b\b\b\b\bmes\n").text == "ab\nmes\n"


def test_an_empty_text_is_plain() -> None:
    plain = undecorate("")
    assert (plain.text, plain.signs, plain.span(0, 0)) == ("", ("",), (0, 0))


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        " " * 200_000,
        ("./" * 300 + "\n") * 200,
        "a-1-" * 50_000,
        "a/" * 100_000,
        "\\n" * 25_000,
        "\x08" * 75_000,
        "ab\x08" * 25_000,
        "1:" * 75_000,
        "\x1b[" * 25_000,
        "\n" * 25_000,
        "\x1b]" * 25_000,
        '"\\n' * 25_000,
        "\\" * 125_000,
    ],
)
def test_undecorating_takes_time_in_proportion(text: str) -> None:
    assert len(undecorate(text).text) <= len(text)
    check_text_in_proportion(undecorate, text)
