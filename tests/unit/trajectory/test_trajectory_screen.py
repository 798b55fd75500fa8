from __future__ import annotations

import pytest
from cost import seconds

from earned.trajectory.terminal.screen import Screen


def shown(text: str, *, width: int = 160, height: int = 40) -> list[str]:
    screen = Screen(width, height)
    screen.feed(text)
    return [line.rstrip() for line in screen.lines().texts]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one\r\ntwo\r\n", ["one", "two"]),
        ("one\ntwo\n", ["one", "two"]),
        ("\x1b[1;32mgreen\x1b[0m text\r\n", ["green text"]),
        ("\x1b]0;a title\x07text\r\n", ["text"]),
        ("\x1bP1$r0m\x1b\\text\r\n", ["text"]),
        ("\x1b(Btext\x0f\r\n", ["text"]),
        ("⠋ Waiting\r\x1b[2K⠙ Waiting\r\x1b[2Kdone\r\n", ["done"]),
        ("  5%\r 50%\r100%\r\n", ["100%"]),
        ("Working     \rDone\r\n", ["Doneing"]),
        ("ab\b \bc\r\n", ["ac"]),
        ("a\tb\r\n", ["a       b"]),
        ("one\r\ntwo\r\n\x1b[2A\x1b[2Knew\r\n", ["new", "two"]),
        ("one\x1b[10Gtwo\r\n", ["one      two"]),
        ("abcdef\x1b[3D\x1b[P\r\n", ["abcef"]),
        ("abc\x1b[2D\x1b[@X\r\n", ["aXbc"]),
        ("abcdef\r\x1b[3X\r\n", ["   def"]),
        ("a\x1b[3b\r\n", ["aaaa"]),
        ("abc\x1b7def\x1b8X\r\n", ["abcXef"]),
        ("left\x1b[Kright\r\n", ["leftright"]),
        ("日本語\x1b[2Dx\r\n", ["日本x"]),
    ],
)
def test_a_screen_shows_what_a_terminal_shows_at_last(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


def test_a_line_that_the_right_edge_broke_is_one_line() -> None:
    long = "".join(f"{number:04d}" for number in range(100))
    assert shown(f"{long}\r\nnext\r\n") == [long, "next"]
    assert shown(f"{long}\r\nnext\r\n", width=7, height=3) == [long, "next"]


def test_a_line_editor_that_wraps_by_a_blank_and_a_return_makes_one_line() -> None:
    assert shown(f"{'x' * 20} \r{'y' * 5}\r\n", width=20) == ["x" * 20 + "y" * 5]


def test_what_was_cleared_stays_in_front_of_what_came_after() -> None:
    assert shown("secret\r\n\x1b[H\x1b[J\x1b[3Jnew\r\n") == ["secret", "new"]
    assert shown("secret\r\n\x1b[2J\x1b[Hnew\r\n") == ["secret", "new"]


def test_the_alternate_screen_stays_as_text_before_what_followed_it() -> None:
    text = "$ less f\r\n\x1b[?1049h\x1b[1;1Hcontent of f\x1b[40;1H:\x1b[?1049l$ \r\n"
    assert shown(text) == ["$ less f", "content of f", ":", "$"]


def test_rows_that_scroll_off_are_kept_in_order() -> None:
    assert shown("".join(f"{number}\r\n" for number in range(200)), height=5) == [str(number) for number in range(200)]


def test_rows_that_leave_a_scroll_region_are_kept() -> None:
    region = "\x1b[1;3r\x1b[1;1H" + "".join(f"{number}\r\n" for number in range(20))
    assert [line for line in shown(f"{region}\x1b[5;1Hstatus", height=5) if line] == [*map(str, range(20)), "status"]
    inner = "top\r\n\x1b[2;3r\x1b[2;1H" + "".join(f"{number}\r\n" for number in range(20))
    assert set(shown(inner, height=5)) >= {"top", *map(str, range(20))}


def test_deleted_and_inserted_lines_move_the_rest() -> None:
    assert shown("a\r\nb\r\nc\r\n\x1b[3A\x1b[M") == ["b", "c"]
    assert shown("a\r\nb\r\n\x1b[2A\x1b[Lnew") == ["new", "a", "b"]


def test_lines_know_where_they_stand_in_the_record_and_whether_they_were_typed() -> None:
    screen = Screen()
    screen.feed("\x1b[?2004hroot@c:/app# ls\r\n\x1b[?2004l\ra.py\r\n\r\nend\r\n")
    made = screen.lines()
    assert list(zip(made.texts, made.numbers, made.typed, strict=True)) == [
        ("root@c:/app# ls", 1, 1),
        ("a.py", 2, 0),
        ("", 3, 0),
        ("end", 4, 0),
    ]


def test_a_sequence_cut_between_two_pieces_is_one_sequence() -> None:
    text = "a\x1b[1;31mred\x1b]0;title\x07\x1b[2Gb\r\nnext\r\n"
    whole = shown(text)
    for cut in range(1, len(text)):
        screen = Screen()
        screen.feed(text[:cut])
        screen.feed(text[cut:])
        assert screen.lines().texts == whole, cut


def test_a_sequence_without_an_end_hides_nothing() -> None:
    assert "hidden" in shown("\x1b]0;hidden")[0]
    assert "hidden" in "".join(shown(f"\x1b]0;{'x' * 10000}hidden\r\n"))


def test_numbers_that_no_terminal_has_are_brought_into_range() -> None:
    screen = Screen(10**9, -5)
    screen.feed("\x1b[999999999999C\x1b[999999999;99999999Hx\x1b[99999999@\x1b[99999999b\x1b[99999999S\x1b[9999999999L\r\n")
    assert sum(map(len, screen.lines().texts)) < 2500


@pytest.mark.parametrize(
    "unit",
    [
        "\n",
        "x\x1b[2J",
        "\x1b[40;160Hx\x1b[2J",
        "a\x1b[99999b",
        "\x1b[300S",
        "\x1b[2;39r\x1b[39;1H\n",
        "\x1b[40L",
        "\x1b]0;",
        "\x1b",
    ],
)
def test_a_few_bytes_never_make_a_page_and_the_time_grows_with_the_size(unit: str) -> None:
    def run(times: int) -> Screen:
        screen = Screen()
        screen.feed(unit * times)
        return screen

    assert sum(map(len, run(6000).lines().texts)) <= (1 << 20) + 6 * len(unit) * 6000
    small, large = seconds(run, 1500), seconds(run, 6000)
    assert large < 12 * small + 0.05, (small, large)
