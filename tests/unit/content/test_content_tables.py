from __future__ import annotations

import pytest
from cost import check_text_in_proportion

from earned.content.tables import tables


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("mapping", 'ANSWERS = {3: "night heron", 5: "salt marsh", -7: "green book"}'),
        ("mapping", '{"3": "night heron",\n "5": "salt marsh", "7": "green book"}'),
        ("mapping", "%h = (3 => 'night heron', 5 => 'salt marsh', 7 => 'green book');"),
        ("mapping", "t = {(1, 2): [48213, 4], (2, 3): [48219, 5], (3, 4): [48221, 6]}"),
        ("pairs", "CASES = [(3, 'night heron'), (5, 'salt marsh'), (7, 'green book')]"),
        ("pairs", "int c[][2] = {{3, 48213}, {5, 48219}, {7, 48221}};"),
        ("chain", "if n == 3:\n    return 48213\nelif n == 5:\n    return 48219\nelif n == 7:\n    return 48221\n"),
        (
            "chain",
            "if (n === 3) { return 'night heron'; } else if (n === 5) return 'salt marsh'; if (7 === n) return 'green book';",
        ),
        ("chain", "match n:\n  case 3:\n    return 48213\n  case 5:\n    return 48219\n  case 7:\n    return 48221\n"),
        ("chain", "switch (n) { case 3: r = 48213; break; case 5: r = 48219; break; case 7: r = 48221; break; }"),
        ("chain", "t[3] = 48213\nt[5] = 48219\nt[7] = 48221\n"),
    ],
)
def test_literals_keyed_by_literals_are_a_table(kind: str, text: str) -> None:
    (table,) = tables(text)
    assert (table.kind, len(table.pairs), table.distinctive) == (kind, 3, 3)
    assert all(text[pair.start : pair.end].startswith(pair.key[:1]) for pair in table.pairs)
    assert table.start == table.pairs[0].start


@pytest.mark.parametrize(
    "text",
    [
        "x = {1: 'a', 2: 'b'}",
        "f(1, 2); f(3, 4); f(5, 6)",
        "x = [1, 2, 3, 4, 5, 6]",
        "if n == 3: return 1",
        "d = {name: value, other: thing, third: fourth}",
        "assert f(3) == 48213\nassert f(5) == 48219\nassert f(7) == 48221\n",
        "a[1:2]; b[3:4]",
        "t = {3: 48213, 3: 48219, 3: 48221}",
        "",
    ],
)
def test_other_literals_are_no_table(text: str) -> None:
    assert tables(text) == ()


def test_keys_and_values_are_given_as_written() -> None:
    (table,) = tables("{-3: 'ab',\n 4.5: [1,\n  2], 'k': None}")
    assert [(pair.key, pair.value) for pair in table.pairs] == [("-3", "'ab'"), ("4.5", "[1, 2]"), ("'k'", "None")]
    assert [pair.normal for pair in table.pairs] == [("ab",), ("1", "2"), ()]
    assert table.distinctive == 0


@pytest.mark.parametrize(
    "text", ["(" * 60_000, "((1)" * 20_000, "[1," * 20_000 + "]" * 20_000, "{1:2," * 12_000, "x == 1 " * 10_000]
)
def test_hostile_brackets_take_time_in_proportion(text: str) -> None:
    check_text_in_proportion(tables, text)
