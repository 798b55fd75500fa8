from __future__ import annotations

import msgspec
import pytest

from earned.audit.cases import Case
from earned.audit.localise import locations
from earned.records import Channel, ControlSurface
from earned.taxonomy import category, default_taxonomy

TAXONOMY = default_taxonomy()
CASE = Case(
    category="git_history",
    channel="git_objects",
    addresses=("9f31c02",),
    kind="content",
    strength="proof",
    pieces=(),
    is_effective=True,
    is_relevant=True,
    is_targeted=True,
    why="",
    rule="trace.git_objects@1",
)


def case(**more: object) -> Case:
    return msgspec.structs.replace(CASE, **more)


@pytest.mark.parametrize("row", TAXONOMY.category, ids=lambda row: row.name)
def test_a_case_on_its_categorys_own_channel_is_located_as_its_row_says(row: object) -> None:
    named = category(TAXONOMY, getattr(row, "name", ""))
    (found,) = locations(((case(category=named.name, channel=named.channel), (0, 1)),), TAXONOMY)
    assert (found.channel, found.control_surface, found.fault_side) == (named.channel, named.control_surface, named.fault_side)
    assert (found.addresses, found.evidence) == (("9f31c02",), (0, 1))


@pytest.mark.parametrize(
    ("name", "channel", "surface"),
    [
        ("package_copy", "network", "package_index"),
        ("hardcoded_output", "answer_files", "image_files"),
        ("hardcoded_output", "grader_output", "image_files"),
        ("grader_edit", "test_runner", "verifier_env"),
    ],
)
def test_on_another_channel_the_catalogue_names_the_surface(name: str, channel: Channel, surface: ControlSurface) -> None:
    (found,) = locations(((case(category=name, channel=channel), ()),), TAXONOMY)
    assert (found.channel, found.control_surface) == (channel, surface)


def test_one_channel_and_surface_is_one_location_with_all_its_addresses() -> None:
    pairs = ((case(), (0, 1)), (case(addresses=("origin/main", "9f31c02")), (1, 2)))
    (found,) = locations(pairs, TAXONOMY)
    assert (found.addresses, found.evidence) == (("9f31c02", "origin/main"), (0, 1, 2))


def test_two_channels_are_two_locations() -> None:
    pairs = ((case(), (0,)), (case(category="upstream_fetch", channel="network"), (1,)))
    assert [place.channel for place in locations(pairs, TAXONOMY)] == ["git_objects", "network"]
    assert locations((), TAXONOMY) == ()
