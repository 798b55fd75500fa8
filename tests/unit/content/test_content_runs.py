from __future__ import annotations

from cost import check_in_proportion

from earned.content.runs import FIRST_LENGTH, MIN_BLOCK, covered_lines, longest_run

SHARED = "def fold_quarter_turns(angle, limit):\n    return angle % limit\n"


def test_the_run_stands_where_it_says_in_both_texts() -> None:
    needle, haystack = f"abc {SHARED} xyz", f"{'-' * 300}{SHARED}{'+' * 300}"
    run = longest_run(needle, haystack)
    assert run.text == SHARED
    assert needle[slice(*run.needle)] == haystack[slice(*run.haystack)] == SHARED


def test_a_run_shorter_than_the_first_length_is_found_too() -> None:
    shared = "z" * (FIRST_LENGTH - 5)
    assert longest_run("a" * 50 + shared, "b" * 50 + shared + "c" * 50).text == shared


def test_texts_without_a_common_character_share_nothing() -> None:
    assert longest_run("abc", "xyz") == ("", (0, 0), (0, 0))
    assert longest_run("", "xyz").text == longest_run("abc", "").text == ""


def test_a_run_across_the_blocks_of_a_huge_text_is_found() -> None:
    haystack = "." * (MIN_BLOCK - 20) + SHARED + "." * 1000
    assert longest_run(SHARED, haystack).haystack.start == MIN_BLOCK - 20


def test_repetition_takes_time_in_proportion() -> None:
    assert len(longest_run("a" * 8_000, "a" * 200_000).text) == 8_000
    check_in_proportion(lambda count: longest_run("a" * count, "a" * 25 * count), 8_000)


def test_lines_are_covered_whatever_their_white_space_and_decoration() -> None:
    source = ["  12:total  =  first+second", "+\treturn total"]
    assert covered_lines(["total = first + second", "other = 1", "", "        return total  "], source) == (0, 3)
    assert covered_lines(["", "  "], ["", "   "]) == ()
