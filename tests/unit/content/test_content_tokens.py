from __future__ import annotations

import pytest
from cost import check_text_in_proportion

from earned.content.fingerprints import overlap
from earned.content.lexer import NAME, NUMBER, OPERATOR, STRING, WORD, comment_family, lex
from earned.content.tokens import MIN_TOKENS, token_fingerprint, token_matches

CODE = """def fold(angle, limit=4.5):
    # keep it within one turn
    parts = []
    for step in range(7):
        if angle > limit * step:
            parts.append("far" + str(angle - limit))
        else:
            parts.append(helper.near(angle, step))
    return parts
"""
RENAMED = """
import os
def zusammen(winkel, grenze=9.25):

    teile = [] # sammeln
    for schritt in range(12):
        if winkel > grenze * schritt: teile.append('weit' + str(winkel - grenze))
        else:  # nah
            teile.append(hilfe.nahe(winkel, schritt))
    return teile
"""


def test_a_renamed_and_reformatted_copy_matches_consistently() -> None:
    (match,) = token_matches(lex(CODE, "hash"), lex(RENAMED, "hash"))
    assert match.consistency == 1.0
    assert match.verbatim < 0.5
    assert match.renamed["angle"] == "winkel"
    assert match.renamed["helper"] == "hilfe"
    assert RENAMED[slice(*match.other_span)].startswith("def zusammen")
    assert CODE[slice(*match.span)].endswith("return parts")


def test_an_inconsistent_renaming_is_told_apart() -> None:
    other = RENAMED.replace("winkel > grenze", "teile > schritt").replace("(winkel - grenze)", "(grenze - teile)")
    (match,) = token_matches(lex(CODE, "hash"), lex(other, "hash"))
    assert match.consistency < 0.95


def test_a_verbatim_copy_is_verbatim() -> None:
    (match,) = token_matches(lex(CODE), lex("x = 1\n" + CODE))
    assert (match.verbatim, match.consistency, match.renamed) == (1.0, 1.0, {})


def test_a_short_idiom_is_no_match() -> None:
    idiom = "for item in items:\n    print(item.name, item.value)\n"
    assert len(lex(idiom).codes) < MIN_TOKENS
    assert token_matches(lex(idiom), lex(idiom)) == ()
    assert len(token_matches(lex(idiom), lex(idiom), least=10)) == 1


def test_other_code_of_the_same_kind_is_no_match() -> None:
    other = (
        "class Ledger(dict):\n    def post(self, entry):\n        self[entry.key] = self.get(entry.key, 0) + entry.amount\n" * 3
    )
    assert token_matches(lex(CODE, "hash"), lex(other, "hash")) == ()
    assert overlap(token_fingerprint(lex(CODE, "hash")), token_fingerprint(lex(other, "hash"))).shared == 0


def test_token_fingerprints_of_a_renamed_copy_overlap() -> None:
    assert overlap(token_fingerprint(lex(CODE, "hash")), token_fingerprint(lex(RENAMED, "hash"))).share > 0.6


@pytest.mark.parametrize(
    ("path", "text", "tokens"),
    [
        ("a.py", "x = 1 # note", ["x", "=", "1"]),
        ("a.py", "x = a // b", ["x", "=", "a", "/", "/", "b"]),
        ("a.js", "x = 1 // note\n/* more\n */ y", ["x", "=", "1", "y"]),
        ("a.c", "#define X 1", ["#", "define", "X", "1"]),
        ("a.sql", "select 1 -- note", ["select", "1"]),
        ("Makefile", "x = 1 # note", ["x", "=", "1"]),
        ("a.go", "x := a /* open", ["x", ":", "=", "a"]),
    ],
)
def test_comments_are_dropped_as_the_language_writes_them(path: str, text: str, tokens: list[str]) -> None:
    assert list(lex(text, comment_family(path)).texts) == tokens


def test_tokens_have_kinds_and_places() -> None:
    tokens = lex("if x1 >= 2.5:\n  s = 'a # b'")
    assert list(tokens.texts) == ["if", "x1", ">=", "2.5", ":", "s", "=", "'a # b'"]
    assert list(tokens.kinds) == [WORD, NAME, OPERATOR, NUMBER, OPERATOR, NAME, OPERATOR, STRING]
    assert (int(tokens.starts[3]), int(tokens.ends[3])) == (9, 12)


def test_a_string_that_does_not_close_ends_with_its_line() -> None:
    assert list(lex("it's late\nx").texts) == ["it", "'s late", "x"]


def test_an_empty_text_has_no_tokens() -> None:
    assert lex("").texts == ()
    assert token_matches(lex(""), lex(CODE)) == ()


@pytest.mark.parametrize(
    "text", ["/*" * 40_000, '"' * 80_000, "(" * 80_000, "/* *" * 20_000, "/*" + "*" * 80_000, '\\"' * 40_000]
)
def test_lexing_takes_time_in_proportion(text: str) -> None:
    assert len(lex(text).texts) <= len(text)
    check_text_in_proportion(lex, text)
