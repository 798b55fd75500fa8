from __future__ import annotations

import pytest

from earned.content.rarity import FREQUENT_IN_BASE, Rarity
from earned.content.trivial import is_trivial


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "}",
        "  });",
        "else:",
        "} else {",
        "pass",
        "import os",
        "+from a.b import c, d",
        "  return result",
        "return None;",
        "# ----------------------",
        "/* ********** */",
        "self.name = name",
        "this.count = count;",
        "if __name__ == '__main__':",
        "for i in range(n):",
        "except Exception as error:",
        "if err != nil {",
        "return nil, err",
        "12:  def f(self):",
        "#include <stdio.h>",
        "const fs = require('fs');",
        "@property",
        "    @staticmethod",
        "x += 1",
        "raise ValueError",
        "while True:",
        "use std::io;",
    ],
)
def test_lines_that_anybody_writes_are_trivial(line: str) -> None:
    assert is_trivial(line)


@pytest.mark.parametrize(
    "line",
    [
        "return self.compute(a, b) + offset_table[3]",
        "total_weight += 0.25 * sample",
        "# the offset is negative after a leap second",
        "if cursor.position > self._limit:",
        'raise ValueError(f"bad tilt {angle}")',
        "def fold_quarter_turns(angle, limit):",
        "self.limit = compute_limit(parts)",
        "for part in fold(angle, limit):",
    ],
)
def test_lines_that_say_something_are_not_trivial(line: str) -> None:
    assert not is_trivial(line)


RARE = "total_weight += 0.25 * sample"
OTHER = "if cursor.position > self._limit:"


def test_a_line_that_nobody_else_has_weighs_one() -> None:
    assert Rarity([RARE]).weight("+    " + RARE) == 1


def test_a_line_that_the_base_has_weighs_less_and_a_common_one_nothing() -> None:
    rarity = Rarity([RARE, OTHER], base=[f"{RARE}\n", f"{OTHER}\n" * FREQUENT_IN_BASE])
    assert rarity.weight(RARE) == 0.5
    assert rarity.weight(OTHER) == 0


def test_a_line_that_is_shown_in_many_texts_weighs_less_once_for_each() -> None:
    rarity = Rarity([RARE], trajectory=[f"1:{RARE}\n2:{RARE}\n", "x", f"E   {RARE}", RARE, RARE])
    assert rarity.weight(RARE) == 0.5


def test_trivial_and_unknown_lines_weigh_nothing() -> None:
    rarity = Rarity([RARE, "else:"])
    assert (rarity.weight("else:"), rarity.weight(OTHER)) == (0, 0)
