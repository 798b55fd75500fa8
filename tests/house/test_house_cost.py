"""The check of time in proportion lets a linear call pass and catches a quadratic one."""

from __future__ import annotations

import pytest
from cost import check_in_proportion, check_text_in_proportion


def quadratic(size: int) -> int:
    return sum(number ^ other for number in range(size) for other in range(size))


def test_a_linear_call_passes() -> None:
    check_in_proportion(lambda size: sum(number ^ 7 for number in range(size)), 400_000)
    check_text_in_proportion(str.upper, "a" * 1_000_000)


def test_a_quadratic_call_is_caught() -> None:
    with pytest.raises(AssertionError):
        check_in_proportion(quadratic, 3_200)
