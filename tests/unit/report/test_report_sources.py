from __future__ import annotations

import msgspec
from made_passes import STAMP, make_pass

from earned.report import integrity_card
from earned.report.wording import sources


def test_shares_by_channel_and_what_is_left_unexplained_are_said() -> None:
    traced = msgspec.structs.replace(make_pass("a/b"), shares={"git_objects": 0.75}, unexplained=0.25)
    assert sources(traced) == "75.00% first received through git_objects, 25.00% without explanation"


def test_nothing_is_said_of_a_pass_in_which_nothing_had_to_be_traced() -> None:
    assert sources(make_pass("a/b")) == ""


def test_a_share_without_explanation_is_said_only_where_there_is_one() -> None:
    traced = msgspec.structs.replace(make_pass("a/b"), shares={}, unexplained=0.0)
    assert sources(traced) == ""
    assert sources(msgspec.structs.replace(traced, unexplained=0.4)) == "40.00% without explanation"


def test_the_card_keeps_the_first_and_the_last_day_of_a_cohort() -> None:
    days = [("2026-03-02", "2026-03-02"), ("unknown", "unknown"), ("2026-03-01", "2026-03-05"), ("2026-03-04", "2026-03-04")]
    made = [
        msgspec.structs.replace(make_pass(f"t/{n}"), conditions={"started": started, "finished": finished})
        for n, (started, finished) in enumerate(days)
    ]
    card = integrity_card(made, attempts=[], skipped={}, stamp=STAMP, task_selection="all")
    assert card.cohorts[0].conditions == {"finished": ("2026-03-05",), "started": ("2026-03-01",)}


def test_a_day_that_no_attempt_records_stays_unknown() -> None:
    made = [msgspec.structs.replace(make_pass(f"t/{n}"), conditions={"started": "unknown"}) for n in range(2)]
    card = integrity_card(made, attempts=[], skipped={}, stamp=STAMP, task_selection="all")
    assert card.cohorts[0].conditions == {"started": ("unknown",)}
