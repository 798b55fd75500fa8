from __future__ import annotations

from pathlib import Path
from typing import Any

from made_chat import BASH, USER, acts, call, result, says
from made_files import only, write_json

from earned.records import Trajectory

LOOKS = says(call("bash", '{"command": "cat /solution/solve.py"}'))
DONE = {"role": "assistant", "content": "done"}


def _row(tmp_path: Path, **lists: Any) -> Trajectory:
    return only(write_json(tmp_path / "row.json", {"task_id": "t", "reward": 1, **lists}))


def test_messages_beside_prompt_and_completion_are_acts_of_the_agent(tmp_path: Path) -> None:
    made = _row(tmp_path, messages=[USER, LOOKS, result("x"), DONE], prompt=[USER], completion=[DONE])
    assert acts(made) == [("cat /solution/solve.py", "x")]
    assert made.completeness.grade == "full"


def test_acts_within_a_prompt_are_a_demonstration(tmp_path: Path) -> None:
    made = _row(tmp_path, prompt=[USER, LOOKS, result("x"), USER], completion=[BASH, result("a.py")])
    assert [(step.actions[0].command, step.copied) for step in made.steps if step.actions] == [
        ("cat /solution/solve.py", True),
        ("ls", False),
    ]


def test_messages_that_do_not_hold_the_completion_are_its_prompt(tmp_path: Path) -> None:
    made = _row(tmp_path, messages=[USER, LOOKS, result("x"), USER], completion=[BASH, result("a.py")])
    assert [step.copied for step in made.steps if step.actions] == [True, False]
    assert made.steps[1].source.endswith("/messages/1")


def test_the_list_that_tells_most_is_read_and_what_others_tell_is_a_gap(tmp_path: Path) -> None:
    history = [USER, BASH, result("a.py"), LOOKS, result("x")]
    other = [USER, says(call("bash", '{"command": "rm -rf /tests"}')), result("")]
    made = _row(tmp_path, messages=[USER, BASH, result("a.py")], history=history, trajectory=other)
    assert [command for command, _ in acts(made)] == ["ls", "cat /solution/solve.py"]
    assert made.completeness.grade == "partial"
    assert "`trajectory` tells an act that `history` does not tell" in made.completeness.reasons[0].what


def test_two_lists_that_tell_the_same_leave_no_gap(tmp_path: Path) -> None:
    talk = [USER, BASH, result("a.py")]
    made = _row(tmp_path, messages=talk, history=talk)
    assert made.completeness.grade == "full"
    assert made.steps[1].source.endswith("/messages/1")
