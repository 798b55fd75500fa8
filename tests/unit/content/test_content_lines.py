from __future__ import annotations

import json
import tracemalloc

import pytest
from cost import check_text_in_proportion

from earned.content.lines import Hit, LineKeys, key_hits, line_key

CODE = [
    'return self.compute_total(items, "net")',
    "    table[key] = first_value + \\",
    "    print('row\\n', table)",
    "été = collect(«entrée»)",
]
KEYS = frozenset(line_key(line) for line in CODE)
BODY = "\n".join(CODE) + "\n"


@pytest.mark.parametrize(
    "decorate",
    [
        "{line}",
        "{line}   \t",
        "{line}\r",
        "     {n}\t{line}",
        "{n}:{line}",
        "{n:>6}→{line}",
        "{n} | {line}",
        "+{line}",
        "-\t{line}",
        ">>> {line}",
        "src/some-pkg/core.py:{n}:{line}",
        "src/some-pkg/core.py-{n}-{line}",
        "core.py:{line}",
        "E       {line}",
        "E     +  {line}",
        "^1a2b3c4d src/x.py (A. U. Thor 2024-01-01 10:00:00 +0000 {n}) {line}",
        "{line}" + " " * 40,
    ],
)
def test_a_decorated_line_is_found_at_its_place(decorate: str) -> None:
    text = "".join(decorate.format(line=line, n=n + 7) + "\n" for n, line in enumerate(CODE))
    hits = key_hits("before\n" + text + "after\n", KEYS)
    assert [hit.key for hit in hits] == [line_key(line) for line in CODE]
    assert all(("before\n" + text)[hit.start : hit.end] == hit.key for hit in hits)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"output": BODY}),
        json.dumps([BODY], ensure_ascii=False),
        repr(BODY),
        json.dumps(BODY.replace("\n", "\r\n")),
        "x = " + repr(BODY + "'\""),
        json.dumps({"output": [BODY.removesuffix("\n")]}),
        f"run({BODY.removesuffix(chr(10))!r});",
    ],
)
def test_lines_written_as_escapes_in_one_line_are_found_where_they_stand(text: str) -> None:
    hits = key_hits(text, KEYS)
    assert [hit.key for hit in hits] == [line_key(line) for line in CODE]
    assert [text[hit.start : hit.end][:5] for hit in hits][:3] == ["retur", "table", "print"]


def test_lines_escaped_twice_are_found() -> None:
    hits = key_hits(json.dumps({"message": json.dumps({"output": BODY})}), KEYS)
    assert {line_key(CODE[0]), line_key(CODE[1])} <= {hit.key for hit in hits}


def test_lines_in_terminal_output_are_found_at_their_recorded_place() -> None:
    text = "".join(f"\x1b[32m+ {line[:9]}\x1b[1m{line[9:]}\x1b[0m\r\n" for line in CODE)
    hits = key_hits(text, KEYS)
    assert [hit.key for hit in hits] == [line_key(line) for line in CODE]
    assert text[hits[0].start : hits[0].end].startswith('return se\x1b[1mlf.compute_total(items, "net")')


def test_a_line_that_a_carriage_return_overwrote_is_found() -> None:
    hits = key_hits(f"10%\r{CODE[0]}\r100%\n", KEYS)
    assert [(hit.key, hit.start) for hit in hits] == [(CODE[0], 4)]


def test_a_line_that_goes_on_or_began_before_is_no_hit() -> None:
    assert key_hits(f"x = {CODE[0]}\n{CODE[0]} + 1\n{CODE[0][1:]}\n", KEYS) == []


def test_a_key_of_few_characters_is_found_too() -> None:
    assert key_hits("a\n  x = 1\nb", frozenset({"x = 1"})) == [Hit("x = 1", 4, 9)]


def test_nothing_is_found_without_keys_or_without_text() -> None:
    assert key_hits(BODY, frozenset()) == []
    assert key_hits("", KEYS) == []


def test_each_of_many_texts_gets_its_own_hits() -> None:
    texts = ["nothing", CODE[0], "", f"é\n{CODE[0]}\n\x1b[0m{CODE[3]}", f"1:{CODE[3]}\n2:{CODE[2]}"]
    keys = LineKeys(KEYS)
    assert keys.hits_in(texts) == [keys.hits(text) for text in texts]
    assert [len(hits) for hits in keys.hits_in(texts)] == [0, 1, 0, 2, 2]


@pytest.mark.parametrize(
    "text",
    [
        "x" * 2_000_000,
        "x" + " " * 2_000_000 + "y",
        " " * 2_000_000,
        "\\n" * 1_000_000,
        "\\" * 2_000_000 + "n",
        "x\\n" * 500_000,
        "\r" * 1_000_000,
        " \r" * 500_000,
        "\x1b[1m" * 300_000,
    ],
)
def test_a_huge_line_takes_time_in_proportion(text: str) -> None:
    keys = LineKeys(KEYS)
    assert keys.hits(text) == []
    check_text_in_proportion(keys.hits, text)


@pytest.mark.parametrize("unit", ["\r", "\n", "\r\n", "a\r", "\\n"])
def test_a_text_of_line_ends_takes_memory_in_proportion(unit: str) -> None:
    keys, text = LineKeys(KEYS), unit * (6_000_000 // len(unit))
    keys.hits(text[:1000])
    tracemalloc.start()
    assert keys.hits(text) == []
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * len(text)


@pytest.mark.parametrize("around", ["é" * 90 + "\n", '{"a": "' + "ü" * 90 + '\\n"}', "é\r" * 90, "é\\n" * 30])
def test_lines_of_a_text_of_many_pieces_are_found_at_their_places(around: str) -> None:
    text = around * (3_000_000 // len(around))
    places = [text.index(around, at) for at in (0, 1_000_000, 2_000_000)]
    line = "\\n" + CODE[0] + "\\n" if around.endswith("\\n") else "\n" + CODE[0] + "\n"
    for place in reversed(places):
        text = text[:place] + line + text[place:]
    hits = key_hits(text, KEYS)
    assert [text[hit.start : hit.end] for hit in hits] == [line_key(CODE[0])] * 3
