from __future__ import annotations

import pytest

from earned.report.markdown import markdown_quote, markdown_text


@pytest.mark.parametrize(
    ("text", "inert"),
    [
        ("<b>&", "&lt;b&gt;&amp;"),
        ("a|b", "a\\|b"),
        ("`x` *y* ~z~", "\\`x\\` \\*y\\* \\~z\\~"),
        ("[x](javascript:1)", "\\[x\\]&#40;javascript:1)"),
        ("_em_ __strong__", "\\_em\\_ \\_\\_strong\\_\\_"),
        ("http://host www.host", "http&#58;//host www&#46;host"),
        ("@somebody", "&#64;somebody"),
        ("# heading", "\\# heading"),
        ("- item", "\\- item"),
        ("1. item", "1\\. item"),
        ("$x$ \\", "\\$x\\$ \\\\"),
    ],
)
def test_what_would_be_markup_is_escaped(text: str, inert: str) -> None:
    assert markdown_text(text) == inert


@pytest.mark.parametrize("text", ["django__django-13128", "a-b c_d", "terminal-bench@2.0", "runs/a/trajectory.json", "24.49%"])
def test_ordinary_names_stay_readable(text: str) -> None:
    assert markdown_text(text) == text


def test_a_quote_keeps_its_lines_and_its_indentation() -> None:
    assert list(markdown_quote("def f():\n\treturn 1")) == ["> def f():  ", "> &nbsp;&nbsp;&nbsp;&nbsp;return 1  "]
