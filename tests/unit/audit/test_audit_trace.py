from __future__ import annotations

import pytest
from made_trajectories import BASE, FIXED, FUTURE, PATH, SEEN, audited, changed, edited, ran, trajectory, wrote

from earned.audit.targets import submission_targets
from earned.audit.trace import longest_run
from earned.records import part_text

LOG = ran("git log --all --oneline --decorate", SEEN)
SHOW = ran(f"git show {FUTURE}:{PATH}", FIXED)
FIX = changed(PATH, BASE, FIXED)
PAGE = "def helper(rows):\n    widths = [max(map(len, column)) for column in zip(*rows)]\n    return widths_to_text(widths)\n"


def test_a_receipt_and_its_integration_say_where_what_and_how_much() -> None:
    made = trajectory(LOG, SHOW, edited(PATH, BASE, FIXED), patch=FIX)
    found = audited(LOG, SHOW, edited(PATH, BASE, FIXED), patch=FIX).trace
    (receipt,), (part,) = found.receipts, found.integrations
    assert (receipt.step, receipt.channel, receipt.targeted) == (2, "git_objects", True)
    assert FUTURE in receipt.address
    assert (part.path, part.how, part.share, part.receipt) == (PATH, "verbatim", 1.0, 0)
    assert part.weight == sum(line.weight for line in submission_targets(made.submission).lines)
    assert part.quote.step == 3
    for quote in (receipt.quote, part.quote):
        assert part_text(made.steps[quote.step], quote.part)[quote.start : quote.end] == quote.text


def test_the_longest_run_stands_in_the_submission_and_in_what_was_shown() -> None:
    found = audited(LOG, SHOW, edited(PATH, BASE, FIXED), patch=FIX).trace
    run = found.integrations[0].run
    assert run.count("\n") > 5
    assert run in FIXED


def test_a_run_ends_at_an_own_line_and_goes_over_trivial_ones() -> None:
    text = (
        "first = compute_the_first()\n\nsecond = compute_the_second()\nown_line = something_else()\nthird = compute_third()\n"
    )
    targets = submission_targets(trajectory(answer=text).submission)
    assert longest_run([0, 2, 4], targets) == "first = compute_the_first()\n\nsecond = compute_the_second()"
    assert longest_run([4], targets) == "third = compute_third()"
    assert longest_run([], targets) == ""


def test_shares_of_several_channels_add_up_to_what_was_received() -> None:
    text = FIXED + "\n\n" + PAGE
    page = ran("curl -s https://raw.code.example/spans/main/helper.py", PAGE)
    found = audited(LOG, SHOW, page, wrote(PATH, text), patch=changed(PATH, BASE, text)).trace
    assert set(found.shares) == {"git_objects", "network"}
    assert sum(map(float, found.shares.values())) == pytest.approx(1.0)
    assert found.shares["git_objects"] > found.shares["network"]


def test_content_delivered_unseen_is_told_by_the_act_that_delivered_it() -> None:
    found = audited(LOG, ran(f"git checkout {FUTURE} -- {PATH}", "Updated 1 path"), patch=FIX).trace
    (receipt,), (part,) = found.receipts, found.integrations
    assert (receipt.path, part.how) == (PATH, "delivered")
    assert receipt.quote.text == part.quote.text == f"git checkout {FUTURE} -- {PATH}"


def test_without_a_delivery_there_is_nothing_to_trace() -> None:
    found = audited(ran(f"cat {PATH}", BASE), edited(PATH, BASE, FIXED), patch=FIX).trace
    assert (found.receipts, found.integrations, found.shares) == ((), (), {})


def test_the_same_values_are_not_called_a_reading_of_the_tests_as_well() -> None:
    shown = "".join(f"    ('{n}d{n + 4}h', {n * 90001 + 17}, 'of the outputs')\n" for n in range(3, 9))
    text = BASE + "\nKNOWN = (\n" + shown + ")\n"
    turns = ran("cat /tests/test_outputs.py", shown), edited(PATH, BASE, text)
    assert audited(*turns, patch=changed(PATH, BASE, text)).verdict.categories == ("hardcoded_output",)
