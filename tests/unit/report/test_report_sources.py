from __future__ import annotations

import msgspec
from made_passes import make_pass

from earned.report.wording import sources


def test_shares_by_channel_and_what_is_left_unexplained_are_said() -> None:
    traced = msgspec.structs.replace(make_pass("a/b"), shares={"git_objects": 0.75}, unexplained=0.25)
    assert sources(traced) == "75.00% first received through git_objects, 25.00% without explanation"


def test_nothing_is_said_of_a_pass_in_which_nothing_had_to_be_traced() -> None:
    assert sources(make_pass("a/b")) == ""
