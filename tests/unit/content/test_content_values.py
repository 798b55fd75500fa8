from __future__ import annotations

import json

import pytest
from cost import check_text_in_proportion

from earned.content.value_hits import ValueKeys
from earned.content.values import distinctive_values, literals, number_key


def keys(text: str) -> list[str]:
    return [value.normal for value in distinctive_values(text)]


@pytest.mark.parametrize(
    "text",
    [
        "'abéc\"12'",
        '"abéc\\"12"',
        repr('abéc"12'),
        json.dumps('abéc"12'),
        '"ab\\xe9c\\x2212"',
        '`abéc"12`',
        "'ab\\u00e9c\\04212'",
    ],
)
def test_every_way_of_writing_a_string_has_one_key(text: str) -> None:
    assert keys(f"x = {text};") == ['abéc"12']


@pytest.mark.parametrize("text", ["48213", "48_213", "0xbc55", "0xBC55", "48213L", "48213u32", "48213.0", "'48213'", "048213"])
def test_every_way_of_writing_a_number_has_one_key(text: str) -> None:
    assert keys(f"f({text})") == ["48213"]


@pytest.mark.parametrize(
    "text",
    [
        "1000",
        "1024",
        "65535",
        "0xFF",
        "0xffff",
        "2024",
        "1999",
        "3.14159",
        "12000",
        "0.25",
        "1.2.3",
        "10.0.17134",
        "12th",
        "7777",
        "1e9",
        "'short'",
        "'utf-8'",
        "'------------'",
        "'abababab'",
        "'Hello, world!'",
        "f'{x}'",
        "a48213",
        "x_48213",
    ],
)
def test_common_values_are_not_distinctive(text: str) -> None:
    assert keys(f"x = {text}") == []


def test_a_value_stands_where_it_says() -> None:
    text = 'don\'t use 48213 or "night heron" at all'
    values = distinctive_values(text)
    assert [text[value.start : value.end] for value in values] == ["48213", '"night heron"']
    assert [(value.kind, value.text) for value in values] == [("number", "48213"), ("string", '"night heron"')]


def test_numbers_after_a_quote_that_does_not_close_are_found() -> None:
    assert keys("the parents' limit is 48213\n'next line'") == ["48213", "next line"]


def test_plain_literals_are_given_as_well_when_asked_for() -> None:
    assert [value.normal for value in literals("f(1, 'a', 2.50)")] == ["1", "a", "2.5"]


def test_what_is_no_number_has_no_number_key() -> None:
    assert [number_key(text) for text in ("", ".", "1.2.3", "abc", "1e5", "0x")] == ["", "", "", "", "1e5", ""]


def test_known_values_are_found_quoted_bare_and_escaped() -> None:
    values = ValueKeys(distinctive_values("a = 48213; b = 'night \"heron\"'"))
    text = 'AssertionError: 48213 != 3\n{"x": "night \\"heron\\""}\nnight "heron"'
    hits = values.hits(text)
    assert [hit.key for hit in hits] == ["48213", 'night "heron"', 'night "heron"']
    assert [text[hit.start : hit.end] for hit in hits] == ["48213", 'night \\"heron\\"', 'night "heron"']


@pytest.mark.parametrize("text", ["148213", "482137", "48213.5", "7.48213", "a48213", "48213_0", "night heron"])
def test_a_part_of_another_value_is_not_found(text: str) -> None:
    assert ValueKeys(distinctive_values("48213")).hits(f"x {text} y") == []


def test_each_of_many_texts_gets_its_own_value_hits() -> None:
    values = ValueKeys(distinctive_values("48213 'night heron'"))
    assert [[hit[1:] for hit in hits] for hits in values.hits_in(["é 48213", "", "the night heron."])] == [
        [(2, 7)],
        [],
        [(4, 15)],
    ]
    assert ValueKeys(()).hits("48213") == []


@pytest.mark.parametrize(
    "text", ["'" * 200_000, '\\"' * 200_000, '"\\"' * 100_000, "1" * 400_000, "1." * 200_000, '"' + "12345 " * 50_000]
)
def test_values_of_a_huge_line_take_time_in_proportion(text: str) -> None:
    check_text_in_proportion(distinctive_values, text)
