from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_chat import BASH, PLAIN, USER, acts, own, read, result
from made_files import TASK, only, rows, trajectories, write_json, write_text

from earned.records import Skip, Trajectory


def test_a_list_of_messages_is_an_attempt_named_by_its_file(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "run-7.json", PLAIN))
    assert (made.source.format, made.source.recognised) == ("chat", "a list of messages with tool calls")
    assert (made.task, made.attempt, made.source.member) == ("run-7", "run-7", "")
    assert [step.actor for step in made.steps] == ["harness", "user", "agent", "agent"]
    assert made.instruction == TASK
    assert acts(made) == [("ls", "a.py")]
    assert [step.source for step in made.steps][2:] == ["run-7.json#/2", "run-7.json#/4"]
    assert (made.completeness.grade, made.outcome.status) == ("full", "unknown")


@pytest.mark.parametrize("key", ["messages", "traj", "trajectory", "conversation", "conversations", "history", "items"])
def test_messages_stand_under_several_keys(tmp_path: Path, key: str) -> None:
    made = only(write_json(tmp_path / "a.json", {key: PLAIN}))
    assert acts(made) == [("ls", "a.py")]
    assert made.steps[2].source == f"a.json#/{key}/2"


def test_an_object_names_task_attempt_model_harness_and_usage(tmp_path: Path) -> None:
    around = {
        "id": "run-1",
        "metadata": {"task_id": "t-1", "model": "model-a"},
        "agent": {"name": "pocket", "version": "2"},
        "benchmark": "demo-bench",
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        "cost": 0.25,
        "git_patch": "diff --git a/x b/x\n",
        "instruction": "Do it.",
    }
    made = read(tmp_path, *PLAIN, **around)
    assert (made.task, made.attempt, made.model, made.harness) == ("t-1", "run-1", "model-a", "pocket")
    assert (made.benchmark, made.cohort.harness_version, made.instruction) == ("demo-bench", "2", "Do it.")
    assert (made.usage.input_tokens, made.usage.output_tokens, made.usage.cost_usd) == (10, 5, 0.25)
    assert (made.submission.patch, made.submission.certainty) == ("diff --git a/x b/x\n", "certain")


@pytest.mark.parametrize(
    ("around", "task", "attempt"),
    [
        ({"task_id": 3, "trial": 1}, "3", "3 trial 1"),
        ({"instance_id": "i-1", "trajectory_id": "x"}, "i-1", "x"),
        ({"task": "fix-it"}, "fix-it", "fix-it"),
        ({"task": "Fix the bug in the parser."}, "a", "a"),
        ({"id": True}, "a", "a"),
    ],
)
def test_what_an_object_calls_itself_is_its_name(tmp_path: Path, around: dict[str, Any], task: str, attempt: str) -> None:
    made = read(tmp_path, *PLAIN, **around)
    assert (made.task, made.attempt) == (task, attempt)
    assert made.instruction == (around["task"] if task == "a" and "task" in around else TASK)


def test_a_list_of_attempts_gives_each_with_a_name_of_its_own(tmp_path: Path) -> None:
    value = [{"task_id": name, "passed": name == "a", "messages": PLAIN} for name in ("a", "b", "a")]
    made = trajectories(write_json(tmp_path / "runs.json", value))
    assert [(item.source.member, item.task, item.outcome.status) for item in made] == [
        ("a", "a", "passed"),
        ("b", "b", "failed"),
        ("a#2", "a", "passed"),
    ]
    assert len({item.id for item in made}) == 3
    assert made[1].steps[2].source == "runs.json#/1/messages/2"


def test_lines_of_attempts_are_read_and_a_bad_one_costs_no_other(tmp_path: Path) -> None:
    good = json.dumps({"id": "x", "messages": PLAIN})
    lines = [good, '{"id": "y", "messages": 5}', "not json", good, json.dumps(PLAIN)]
    made = rows(write_text(tmp_path / "runs.jsonl", "\n".join(lines) + "\n"))
    assert [item.source.member if isinstance(item, Trajectory) else f"skip {item.member}" for item in made] == [
        "x",
        "skip 2",
        "skip 3",
        "x#2",
        "5",
    ]
    assert [item.offset for item in made if isinstance(item, Skip)] == [len(good) + 1, len(good) + len(lines[1]) + 2]
    assert [item.steps[2].source for item in made if isinstance(item, Trajectory)] == [
        "runs.jsonl#line 1 /messages/2",
        "runs.jsonl#line 4 /messages/2",
        "runs.jsonl#line 5 /2",
    ]


def test_a_message_on_each_line_is_one_attempt(tmp_path: Path) -> None:
    lines = [json.dumps(message) for message in PLAIN]
    made = only(write_text(tmp_path / "talk.jsonl", "\n".join([*lines[:2], "noise", *lines[2:], '{"role": "assi']) + ""))
    assert acts(made) == [("ls", "a.py")]
    assert (made.task, made.completeness.grade) == ("talk", "partial")
    assert [reason.what for reason in made.completeness.reasons] == ["the file ends within a line"]
    assert "a line that cannot be read" in made.oddities[0].what
    assert made.steps[2].source == "talk.jsonl#line 4"


def test_lists_of_lists_and_lines_of_lists_are_attempts(tmp_path: Path) -> None:
    assert len(trajectories(write_json(tmp_path / "a.json", [PLAIN, PLAIN[1:]]))) == 2
    text = "\n".join(json.dumps(item) for item in (PLAIN, PLAIN[1:]))
    assert len(trajectories(write_text(tmp_path / "b.jsonl", text))) == 2


def test_messages_that_are_json_text_are_decoded(tmp_path: Path) -> None:
    row = {"instance_id": "i-1", "resolved": True, "messages": json.dumps(PLAIN)}
    (made,) = trajectories(write_text(tmp_path / "a.jsonl", json.dumps(row) + "\n"))
    assert (acts(made), made.outcome.status) == ([("ls", "a.py")], "passed")


def test_a_rollout_of_prompt_and_completion_is_read(tmp_path: Path) -> None:
    row = {"id": 4, "task": "web-env", "prompt": PLAIN[:2], "completion": PLAIN[2:], "reward": 1.0, "answer": "gold"}
    made = trajectories(write_text(tmp_path / "results.jsonl", "\n".join(json.dumps(row) for _ in range(2))))
    assert [(item.benchmark, item.task, item.source.member) for item in made] == [
        ("web-env", "4", "4"),
        ("web-env", "4", "4#2"),
    ]
    assert (made[0].outcome.status, acts(made[0])) == ("passed", [("ls", "a.py")])
    assert "gold" not in made[0].submission.answer


def test_a_demonstration_in_the_prompt_is_no_act_of_the_run(tmp_path: Path) -> None:
    shown = [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}, USER]
    row = {"example_id": 1, "prompt": shown, "completion": [{"role": "assistant", "content": "42"}], "reward": 0.0}
    made = only(write_json(tmp_path / "a.json", row))
    assert [(step.actor, step.copied) for step in made.steps] == [
        ("user", False),
        ("agent", True),
        ("user", False),
        ("agent", False),
    ]
    assert (made.submission.answer, made.completeness.grade) == ("42", "full")


def test_a_rollout_in_plain_text_is_an_answer(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.json", {"prompt": [USER], "completion": "42", "reward": 1, "task_id": "q"}))
    assert (made.submission.answer, made.completeness.grade, made.instruction) == ("42", "full", TASK)


def test_an_agent_that_only_talks_for_several_turns_shows_no_act(tmp_path: Path) -> None:
    said = {"role": "assistant", "content": "```bash\nls\n```"}
    made = read(tmp_path, USER, said, {"role": "user", "content": "a.py"}, said, instance_id="i-1", resolved=True)
    assert (made.outcome.status, made.completeness.grade, made.submission.recovered) == ("passed", "none", "none")


SAID = {"role": "assistant", "content": "42"}


@pytest.mark.parametrize(
    "shown", [{"answer": "42"}, {"response": "42"}, {"metadata": {"ground_truth": "42"}}, {"extra_info": {"target": 42}}]
)
def test_one_answer_to_one_question_is_the_act_where_text_is_compared(tmp_path: Path, shown: dict[str, Any]) -> None:
    made = read(tmp_path, USER, SAID, task_id="q-1", passed=True, **shown)
    assert (made.completeness.grade, made.submission.answer) == ("full", "42")


@pytest.mark.parametrize(
    "around",
    [
        {"task_id": "q-1", "passed": True},
        {"instance_id": "t1", "resolved": True, "answer": "42"},
        {"instance_id": "t1", "report": {"resolved": True}, "answer": "42"},
        {"instance_id": "t1", "git_patch": "diff --git a/x b/x\n", "response": "42", "passed": True},
        {"task_id": "q-1", "passed": True, "answer": "42", "tools": [{"name": "bash"}]},
        {"task_id": "q-1", "passed": True, "answer": "42", "info": {"oai_tools": [{"name": "bash"}]}},
    ],
)
def test_an_answer_is_no_act_where_nothing_shows_that_text_is_graded(tmp_path: Path, around: dict[str, Any]) -> None:
    made = read(tmp_path, USER, SAID, **around)
    assert (made.completeness.grade, made.outcome.status == "failed") == ("none", False)


def test_a_rollout_with_tools_and_no_call_shows_no_act(tmp_path: Path) -> None:
    row = {"prompt": [USER], "completion": "42", "reward": 1, "task_id": "q", "tools": [{"name": "bash"}]}
    assert only(write_json(tmp_path / "a.json", row)).completeness.grade == "none"


@pytest.mark.parametrize(("name", "grade"), [("report.json", "none"), ("outcomes.json", "full")])
def test_an_answer_is_no_act_where_a_report_of_changed_code_decides(tmp_path: Path, name: str, grade: str) -> None:
    write_json(tmp_path / name, {"resolved_ids": ["t1"], "unresolved_ids": []} if name == "report.json" else {"t1": True})
    write_json(tmp_path / "a.json", {"instance_id": "t1", "response": "42", "messages": [USER, SAID]})
    made = only(tmp_path)
    assert (made.outcome.status, made.completeness.grade) == ("passed", grade)


@pytest.mark.parametrize(
    ("before", "reasons"), [((), 1), ((USER, BASH), 0), (({"role": "assistant", "content": "I wait."},), 1)]
)
def test_a_result_before_any_turn_of_the_agent_shows_that_the_beginning_is_missing(
    tmp_path: Path, before: tuple[Any, ...], reasons: int
) -> None:
    made = read(tmp_path, *before, result("a.py"), USER, {**BASH, "content": "Again."}, result("a.py"), task_id="q")
    found = [reason for reason in made.completeness.reasons if reason.what.startswith("the beginning is not recorded")]
    assert (len(found), all(reason.hides_acts for reason in found)) == (reasons, True)


@pytest.mark.parametrize("cut", [0.35, 0.6, 0.9])
def test_a_list_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path, cut: float) -> None:
    text = json.dumps([*PLAIN[:4], BASH, result("b.py"), BASH, result("c.py")])
    made = only(write_text(tmp_path / "a.json", text[: int(len(text) * cut)]))
    assert made.completeness.grade in {"partial", "none"}
    assert "the record ends within a message" in {reason.what for reason in made.completeness.reasons}


def test_an_object_that_is_cut_off_keeps_its_names_and_its_messages(tmp_path: Path) -> None:
    text = json.dumps({"task_id": "t-1", "messages": [*PLAIN[:4], BASH, result("b.py")], "reward": 1})
    made = only(write_text(tmp_path / "a.json", text[: text.index("b.py")]))
    assert (made.task, acts(made)) == ("t-1", [("ls", "a.py"), ("ls", "")])
    assert (made.outcome.status, made.completeness.grade) == ("unknown", "partial")


def test_a_broken_message_costs_no_other(tmp_path: Path) -> None:
    text = json.dumps(PLAIN).replace('"a.py"', '"a.py" "b.py"')
    made = only(write_text(tmp_path / "a.json", text))
    assert [step.text for step in own(made)] == ["", "Done."]
    assert {reason.what for reason in made.completeness.reasons} >= {"message 3 cannot be decoded"}


def test_a_broken_list_keeps_what_stood_before_the_break(tmp_path: Path) -> None:
    text = json.dumps(PLAIN).replace(
        '}, {"role": "assistant", "content": "Done."}', '} {"role": "assistant", "content": "Done."}'
    )
    made = only(write_text(tmp_path / "a.json", text))
    assert acts(made) == [("ls", "a.py")]
    assert "what follows is not read" in made.completeness.reasons[0].what
