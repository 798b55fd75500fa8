from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_files import PATCH, TASK, mini, only, write_json

from earned.trajectory import discover


def test_a_second_version_file_gives_task_model_steps_and_patch(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.traj.json", mini(("ls", "x"), ("echo COMPLETE", "y"))))
    assert (made.task, made.model, made.harness, made.cohort.environment) == (
        "org__repo-1",
        "model-c",
        "mini-swe-agent",
        "docker",
    )
    assert (made.submission.patch, made.submission.recovered) == (PATCH, "recorded")
    assert made.instruction == TASK
    turns = [step for step in made.steps if step.actor == "agent"]
    assert [step.actions[0].command for step in turns] == ["ls", "echo COMPLETE"]
    assert turns[0].observations[0].exit_code == 0
    assert turns[0].time == "1.5"
    assert made.completeness.grade == "full"
    assert made.outcome.status == "unknown"


def test_a_first_version_file_has_its_commands_in_fenced_blocks(tmp_path: Path) -> None:
    messages = [{"role": message["role"], "content": message["content"]} for message in mini(("ls", "x"))["messages"][:-1]]
    ending = {"role": "assistant", "content": "```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff\n```"}
    made = only(write_json(tmp_path / "a.traj.json", [*messages, ending, {"role": "user", "content": PATCH}]))
    turns = [step for step in made.steps if step.actor == "agent"]
    assert turns[0].actions[0].command == "ls"
    assert (made.submission.patch, made.submission.certainty) == (PATCH, "certain")
    assert made.task == "a"


def test_a_text_with_two_blocks_runs_nothing(tmp_path: Path) -> None:
    value = mini()
    text = "```bash\nls\n```\nor\n```bash\npwd\n```"
    value["messages"][2:] = [{"role": "assistant", "content": text}, {"role": "user", "content": "Give one block."}]
    value["info"]["submission"] = ""
    made = only(write_json(tmp_path / "a.traj.json", value))
    assert made.completeness.grade == "none"
    assert [step.actor for step in made.steps] == ["harness", "user", "agent", "harness"]


def test_tool_calls_are_answered_by_their_ids(tmp_path: Path) -> None:
    value = mini()
    calls = [
        {"id": name, "type": "function", "function": {"name": "bash", "arguments": f'{{"command": "run {name}"}}'}}
        for name in ("c1", "c2")
    ]
    value["messages"][2:] = [
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "c2", "content": "two"},
        {"role": "tool", "tool_call_id": "c1", "content": "one"},
    ]
    (turn,) = [step for step in only(write_json(tmp_path / "a.traj.json", value)).steps if step.actor == "agent"]
    assert [turn.actions[item.action].command + "=" + item.text for item in turn.observations] == ["run c2=two", "run c1=one"]


def test_items_of_the_responses_interface_make_one_turn(tmp_path: Path) -> None:
    value = mini()
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": '{"command": "ls"}'},
    ]
    result = {"type": "function_call_output", "call_id": "c1", "output": "a.py"}
    value["messages"][2:] = [{"object": "response", "output": output}, result]
    (whole,) = [step for step in only(write_json(tmp_path / "a.traj.json", value)).steps if step.actor == "agent"]
    assert (whole.text, whole.reasoning, whole.actions[0].command, whole.observations[0].text) == (
        "I look.",
        "hm",
        "ls",
        "a.py",
    )
    value["messages"][2:] = [output[0], output[2], result]
    (flat,) = [step for step in only(write_json(tmp_path / "b.traj.json", value)).steps if step.actor == "agent"]
    assert (flat.reasoning, flat.actions[0].command, flat.observations[0].text) == ("hm", "ls", "a.py")


def test_a_submission_that_is_no_patch_is_an_answer(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.traj.json", mini(("ls", ""), submission="forty-two")))
    assert (made.submission.answer, made.submission.patch, made.submission.recovered) == ("forty-two", "", "recorded")


@pytest.mark.parametrize(("arguments", "network"), [(["--rm", "--network=none"], "closed"), (["--rm"], "unknown")])
def test_a_container_without_network_is_closed(tmp_path: Path, arguments: list[Any], network: str) -> None:
    value = mini(("ls", ""))
    value["info"]["config"]["environment"] = {"run_args": arguments}
    assert only(write_json(tmp_path / "a.traj.json", value)).cohort.network == network


def test_a_format_named_only_at_the_end_of_a_large_file_is_recognised(tmp_path: Path) -> None:
    value = mini(("ls", "x" * 300_000))
    value["info"] = {"config": {"agent": {"template": "y" * 200_000}}}
    (found,) = discover([write_json(tmp_path / "a.json", value)])
    assert getattr(found, "format", "") == "mini-swe-agent"
