from __future__ import annotations

import io

import pytest

from earned.errors import FormatError
from earned.trajectory.decode.json_stream import JsonStream
from earned.trajectory.members import Members

ODD = b'\xef\xbb\xbf [ {"a": "x]"} , 12 ,"s", [1,[2]] , NaN, {"n": NaN, "c":"\x01"}, {"cut": "abc'


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 100])
def test_elements_are_found_whatever_is_read_at_a_time(chunk: int) -> None:
    found = list(JsonStream(io.BytesIO(ODD), chunk=chunk).elements())
    assert [piece.data for piece in found] == [
        b'{"a": "x]"}',
        b"12",
        b'"s"',
        b"[1,[2]]",
        b"NaN",
        b'{"n": NaN, "c":"\x01"}',
        b'{"cut": "abc',
    ]
    assert [piece.is_whole for piece in found] == [True] * 6 + [False]
    assert [ODD[piece.offset : piece.offset + 2] for piece in found] == [piece.data[:2] for piece in found]


@pytest.mark.parametrize("chunk", [1, 4, 100])
def test_keys_come_with_their_values_and_lists_within_them(chunk: int) -> None:
    document = JsonStream(io.BytesIO(b'{"a": 1, "b" : [1, 2], "c": {"x": 1}}'), chunk=chunk)
    found = [
        (name, [piece.data for piece in document.elements()] if name == "b" else document.value().data)
        for name in document.names()
    ]
    assert found == [("a", b"1"), ("b", [b"1", b"2"]), ("c", b'{"x": 1}')]


@pytest.mark.parametrize(
    ("text", "offset"), [(b"{}", 0), (b"[1 2]", 3), (b"[,]", 1), (b'[{"a": 1}, }]', 11), (b'["a"] x', None)]
)
def test_what_is_no_array_is_an_error_with_its_place(text: bytes, offset: int | None) -> None:
    if offset is None:
        assert [piece.data for piece in JsonStream(io.BytesIO(text)).elements()] == [b'"a"']
        return
    with pytest.raises(FormatError) as caught:
        list(JsonStream(io.BytesIO(text)).elements())
    assert caught.value.offset == offset


def test_a_key_that_is_no_text_is_an_error() -> None:
    document = JsonStream(io.BytesIO(b'{"a": 1, 2: 3}'))
    pairs = ((name, document.value()) for name in document.names())
    with pytest.raises(FormatError, match="expected a key"):
        dict(pairs)


def test_an_object_that_is_cut_off_gives_what_stands_before() -> None:
    document = JsonStream(io.BytesIO(b'{"a": 1, "b"'))
    assert [(name, document.value().data) for name in document.names()] == [("a", b"1")]


def test_a_value_over_the_limit_is_too_large() -> None:
    document = JsonStream(io.BytesIO(b'["' + b"x" * 1000 + b'"]'), limit=100, chunk=10)
    with pytest.raises(FormatError) as caught:
        list(document.elements())
    assert caught.value.slug == "too_large"


def test_names_of_members_are_unique_whatever_they_are() -> None:
    members = Members()
    assert [members.name(name) for name in ("a", "a", "a#2", "a", "b#2", "b", "b", "")] == [
        "a",
        "a#2",
        "a#2#2",
        "a#3",
        "b#2",
        "b",
        "b#3",
        "",
    ]
