from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earned.records import AuditedPass, AuditRow, Channel, Finding, Skip
from earned.store import open_folder
from earned.store.columns import Flattener
from earned.store.merge import Run, merged

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def records(kind: type[Any]) -> st.SearchStrategy[Any]:
    return st.from_type(kind)


st.register_type_strategy(str, texts)
st.register_type_strategy(int, st.integers(-(2**63), 2**63 - 1))
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
shares = st.dictionaries(st.sampled_from(get_args(Channel)), st.floats(0, 1))
audited_passes = st.builds(AuditedPass, shares=shares)  # hypothesis takes the default's factory for its value


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(records(AuditRow))
def test_any_row_comes_back_from_its_columns(row: AuditRow) -> None:
    table = Flattener(AuditRow)
    assert table.restore(table.flat(row)) == row


@settings(max_examples=60)
@given(records(Finding))
def test_any_finding_comes_back_from_its_columns(finding: Finding) -> None:
    table = Flattener(Finding)
    assert table.restore(table.flat(finding)) == finding


def unnumbered(audited: AuditedPass) -> bytes:
    """The pass without its number among those of its task, which the folder gives."""
    return msgspec.json.encode(msgspec.structs.replace(audited, row=msgspec.structs.replace(audited.row, attempt_index=0)))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(audited_passes, max_size=3), st.lists(records(Skip), max_size=3))
def test_any_passes_and_skips_come_back_from_the_folder(passes: list[AuditedPass], skips: list[Skip]) -> None:
    with tempfile.TemporaryDirectory() as scratch, open_folder(Path(scratch), {}) as folder:
        for number, audited in enumerate(passes):
            folder.commit(f"shard-{number}", [audited], [], [])
        folder.commit("skips", [], skips, [])
        assert sorted(map(unnumbered, folder.passes())) == sorted(map(unnumbered, passes))
        assert sorted(map(msgspec.json.encode, folder.skips())) == sorted(map(msgspec.json.encode, skips))


LISTS = st.lists(st.lists(st.integers(0, 30), min_size=1).map(sorted), max_size=12)


@given(LISTS, st.integers(1, 12))
def test_merging_gives_what_sorting_gives_however_many_are_open_at_once(lists: list[list[int]], at_once: int) -> None:
    keyed = [[number * 100 + item for item in items] for number, items in enumerate(lists)]
    runs = [Run(items[0] % 100, str(number), lambda items=items: iter(items)) for number, items in enumerate(keyed, 10)]  # type: ignore[misc]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("earned.store.merge.AT_ONCE", at_once)
        found = list(merged(runs, lambda item: item % 100, int))
    assert found == sorted((item for items in keyed for item in items), key=lambda item: (item % 100, item))


def test_merging_opens_a_run_only_when_its_first_key_is_reached() -> None:
    opened: list[str] = []

    def items(name: str, *numbers: int) -> Iterator[int]:
        opened.append(name)
        return iter(numbers)

    runs = [Run(5, "late", lambda: items("late", 5, 6)), Run(1, "early", lambda: items("early", 1, 2))]
    stream = merged(runs, lambda item: item, int)
    assert next(stream) == 1
    assert opened == ["early"]
