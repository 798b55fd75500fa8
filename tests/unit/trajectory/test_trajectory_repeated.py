"""A key that stands twice in one object, with two values, is named, and decides no outcome; the same value twice is nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made_files import only, trajectories, write_text
from made_inspect import HEADER, call, model, sample, tool

from earned.records import Trajectory
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.repeated import note_repeated

TALK = '[{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]'
ROW = '{"task_id": "t", "messages": TALK, "reward": 1MORE}'
EPISODE = '{"task_id": 1, "trial": 0, "info": {"task": {"instruction": "x"}}, "traj": TALK, "reward": 1MORE}'
SIMULATION = '{"task_id": "1", "trial": 0, "messages": TALK, "reward_info": {"reward": 1MORE}}'
RESULT = '{"task_name": "t", "trial_name": "t__a", "verifier_result": {"rewards": {"reward": 1MORE}}}'
RUN_INFO = '{"agent_info": {}, "user_info": {}, "environment_info": {}, "num_trials": 1}'
RUN = f'{{"info": {RUN_INFO}, "tasks": [], "simulations": [{SIMULATION}]}}'


def filled(text: str, more: str) -> str:
    return text.replace("TALK", TALK).replace("MORE", more)


def chat(folder: Path, more: str) -> Path:
    return write_text(folder / "row.json", filled(ROW, more))


def chat_lines(folder: Path, more: str) -> Path:
    row = filled(ROW, more)
    return write_text(folder / "rows.jsonl", f"{row}\n")


def tau(folder: Path, more: str) -> Path:
    return write_text(folder / "runs.json", f"[{filled(EPISODE, more)}]")


def tau2(folder: Path, more: str) -> Path:
    return write_text(folder / "results.json", filled(RUN, more))


def harbor(folder: Path, more: str) -> Path:
    write_text(folder / "t__a" / "result.json", filled(RESULT, more))
    steps = [{"step_id": 1, "source": "user", "message": "do"}, {"step_id": 2, "source": "agent", "message": "done"}]
    write_text(folder / "t__a" / "agent" / "trajectory.json", json.dumps({"schema_version": "ATIF-v1.4", "steps": steps}))
    return folder / "t__a"


def openhands(folder: Path, more: str) -> Path:
    act = {"id": 1, "source": "agent", "action": "run", "args": {"command": "ls"}, "message": ""}
    row = {"instance_id": "t", "instruction": "do", "history": [act], "test_result": {"git_patch": ""}}
    report = '{"resolved": true' + more.replace("reward", "resolved").replace("0", "false") + "}"
    return write_text(folder / "output.jsonl", json.dumps(row)[:-1] + f', "report": {report}}}\n')


def inspect(folder: Path, more: str) -> Path:
    made = {**sample(model("", call("a", command="ls")), tool("a")), "scores": {"tests": {"value": 1, "answer": "x"}}}
    text = json.dumps({**HEADER, "samples": [made]}).replace('"answer": "x"', '"answer": "x"' + more.replace("reward", "value"))
    return write_text(folder / "log.json", text)


Made = Callable[[Path, str], Path]


@pytest.mark.parametrize("make", [chat, chat_lines, tau, tau2, harbor, openhands, inspect])
def test_two_outcomes_under_one_key_are_conflicting(tmp_path: Path, make: Made) -> None:
    made = only(make(tmp_path, ', "reward": 0'))
    assert (made.outcome.status, made.scores) == ("conflicting", ())
    assert "stands more than once, with different values" in made.outcome.detail
    assert any("the key stands more than once" in oddity.what for oddity in made.oddities)


@pytest.mark.parametrize("make", [chat, chat_lines, tau, tau2, harbor, openhands, inspect])
def test_a_key_that_is_there_once_decides(tmp_path: Path, make: Made) -> None:
    made = only(make(tmp_path, ""))
    assert made.outcome.status == "passed"
    assert not any("more than once" in oddity.what for oddity in made.oddities)


@pytest.mark.parametrize("make", [chat, tau, tau2, inspect])
def test_the_same_value_twice_is_nothing(tmp_path: Path, make: Made) -> None:
    made = only(make(tmp_path, ', "reward": 1'))
    assert made.outcome.status == "passed"
    assert not any("more than once" in oddity.what for oddity in made.oddities)


def test_messages_that_stand_twice_are_a_gap_in_which_acts_may_be(tmp_path: Path) -> None:
    made = only(chat(tmp_path, ', "messages": [{"role": "assistant", "content": "b"}]'))
    assert made.outcome.status == "passed"
    assert made.completeness.grade != "full"
    assert any(reason.hides_acts for reason in made.completeness.reasons)
    assert "row.json#/messages" in made.oddities[0].place


def test_another_key_that_stands_twice_is_an_oddity_alone(tmp_path: Path) -> None:
    made = only(chat(tmp_path, ', "model": "a", "model": "b"'))
    assert (made.outcome.status, made.model) == ("passed", "b")
    assert [oddity.place.rpartition("/")[2] for oddity in made.oddities] == ["model"]


def test_only_the_row_that_repeats_is_conflicting(tmp_path: Path) -> None:
    rows = [filled(ROW, ', "reward": 0'), filled(ROW, "").replace('"t"', '"u"')]
    found: list[Trajectory] = trajectories(write_text(tmp_path / "rows.jsonl", "\n".join(rows)))
    assert [made.outcome.status for made in found] == ["conflicting", "passed"]


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        (b'{"a": 1, "a": 2, "a": 3}', ["#/a"]),
        (b'{"info": {"x": {"y": 1, "y": 2}}}', ["#/info/x/y"]),
        (b'{"plain": {"x": 1, "x": 2}}', []),
        (b'{"scores": {"a": {"value": 1}, "a": {"value": 0}}}', ["#/scores/a"]),
        (b'{"a": 1, "a": 2, broken', ["#/a"]),
        (b'{"a": 1, "\\u0061": 2}', ["#/a"]),
        (b'[{"a": 1, "a": 2}]', []),
        (b"", []),
    ],
)
def test_what_is_looked_at(text: bytes, pointers: list[str]) -> None:
    oddities = Oddities()
    note_repeated(text, oddities, "")
    assert [oddity.place for oddity in oddities.records()] == pointers


@pytest.mark.parametrize("reward", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_reward_that_is_no_finite_number_is_unknown_whatever_stands_beside_it(tmp_path: Path, reward: str) -> None:
    row = filled(ROW, ', "passed": true').replace('"reward": 1', f'"reward": {reward}')
    made = only(write_text(tmp_path / "row.json", row))
    assert (made.outcome.status, made.outcome.detail) == ("unknown", "the reward is not a finite number")
    nested = filled('{"task_id": "t", "messages": TALK, "info": {"passed": true, "reward": MORE}}', reward)
    assert only(write_text(tmp_path / "nested.json", nested)).outcome.status == "conflicting"


@pytest.mark.parametrize(
    ("calls", "grade"),
    [
        ('"tool_calls": [CALL], "tool_calls": [OTHER]', "partial"),
        ('"tool_calls": [CALL], "tool_calls": [CALL]', "full"),
        ('"tool_calls": null, "tool_calls": [CALL]', "partial"),
        ('"tool_calls": [CALL]', "full"),
        ('"content": "a \\"tool_calls\\": and \\"tool_calls\\":", "tool_calls": [CALL]', "full"),
    ],
)
def test_two_lists_of_calls_in_one_message_are_a_gap(tmp_path: Path, calls: str, grade: str) -> None:
    call = '{"id": "c1", "type": "function", "function": {"name": "bash", "arguments": "{\\"command\\": \\"WHAT\\"}"}}'
    told = calls.replace("CALL", call.replace("WHAT", "ls")).replace("OTHER", call.replace("WHAT", "cat /solution"))
    turns = f'{{"role": "assistant", {told}}}, {{"role": "tool", "tool_call_id": "c1", "content": "a.py"}}'
    text = f'{{"task_id": "t", "messages": [{{"role": "user", "content": "q"}}, {turns}], "reward": 1}}'
    assert only(write_text(tmp_path / "row.json", text)).completeness.grade == grade
