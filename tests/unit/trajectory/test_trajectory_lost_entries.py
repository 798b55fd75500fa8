"""Entries of lists of records that are none, in a document that is read leniently: the trace may lack acts."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from earned.trajectory.decode.lenient import coerce
from earned.trajectory.decode.oddities import Oddities


class _Act(msgspec.Struct):
    name: str = ""


class _Note(msgspec.Struct):
    holds_acts: ClassVar[bool] = False
    text: str = ""


class _Log(msgspec.Struct):
    acts: list[_Act] = []
    tags: list[str] = []
    notes: list[_Note] = []
    more: list[_Act] | None = None


def test_an_entry_of_a_list_of_records_that_is_none_hides_acts() -> None:
    oddities = Oddities()
    assert coerce({"acts": [None, {"name": "a"}, 5]}, _Log, "log#", oddities).acts == [_Act("a")]
    (reason,) = oddities.reasons()
    assert reason.hides_acts
    assert reason.what == "2 entries that cannot be read are left out: the first #/acts/0"


def test_a_list_of_records_that_is_no_list_hides_acts() -> None:
    oddities = Oddities()
    coerce({"acts": "none"}, _Log, "log#", oddities)
    assert [reason.what for reason in oddities.reasons()] == ["an entry that cannot be read is left out: #/acts"]


def test_a_tag_that_is_no_text_and_a_list_that_is_not_there_hide_nothing() -> None:
    oddities = Oddities()
    coerce({"acts": None, "tags": [None, 5], "notes": [5], "more": None}, _Log, "log#", oddities)
    assert oddities.records()
    assert oddities.reasons() == ()
