from __future__ import annotations

import pytest
from made_trajectories import changed, trajectory

from earned.audit.targets import LONG, SHORT, submission_targets


def test_the_added_lines_of_a_patch_are_targets_with_their_place() -> None:
    made = trajectory(
        patch=changed("a.py", "kept = first_value\nold = second_value\n", "kept = first_value\nnew = third_value\n")
    )
    found = submission_targets(made.submission)
    assert [(line.path, line.number, line.text) for line in found.lines] == [("a.py", 2, "new = third_value")]
    assert (found.paths, found.removed) == (("a.py",), {"a.py": ("old = second_value",)})
    assert len(found.base) == 2
    assert found.new_files == found.deleted == frozenset()


def test_new_and_deleted_files_are_told() -> None:
    patch = changed("new.py", "", "value = compute_it()\n") + changed("gone.py", "value = compute_it()\n", "")
    found = submission_targets(trajectory(patch=patch).submission)
    assert (found.new_files, found.deleted) == (frozenset({"new.py"}), frozenset({"gone.py"}))


def test_files_and_an_answer_are_targets_where_there_is_no_patch() -> None:
    found = submission_targets(
        trajectory(files={"a.py": "value = compute_it()\n"}, answer="The answer is forty-two").submission
    )
    assert [(line.path, line.number) for line in found.lines] == [("a.py", 1), ("", 1)]


def test_a_file_that_the_patch_holds_counts_once() -> None:
    text = "value = compute_it()\n"
    found = submission_targets(trajectory(patch=changed("a.py", "", text), files={"a.py": text}).submission)
    assert len(found.lines) == 1


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("", 0.0),
        ("    pass", 0.0),
        ("import os", 0.0),
        ("}", 0.0),
        ("key_ab = 1", 0.25),
        ("total = price * count", 0.5),
        ("total = price * count_of_things + rest", 1.0),
    ],
)
def test_a_line_weighs_by_what_its_reappearance_would_say(text: str, weight: float) -> None:
    assert SHORT < LONG
    (line,) = submission_targets(trajectory(answer=text or "\n").submission).lines
    assert line.weight == weight


def test_the_weights_add_up_and_trivial_keys_are_left_out() -> None:
    found = submission_targets(trajectory(answer="import os\ntotal = price * count_of_things + rest\n").submission)
    assert (found.weight, len(found.keys)) == (1.0, 1)


def test_no_submission_has_no_targets() -> None:
    found = submission_targets(trajectory().submission)
    assert (found.lines, found.paths, found.weight) == ((), (), 0)
