"""What no agent did is not the agent's: oracles, trials that do nothing, dispatched steps; places and numbers of steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import earned, lines
from made_files import atif, bash, call, only, trial, write_json, write_text

INFO = {"name": "oracle", "version": "1", "model_info": None}


def oracle(folder: Path, *, log: str = "+ patch -p1\n", **result: Any) -> Path:
    home = trial(folder, name="fix__orac001", **{"agent_info": INFO, "config": {"agent": {"name": "oracle"}}, **result})
    (home / "agent" / "trajectory.json").unlink()
    write_text(home / "agent" / "oracle.txt", log)
    return home


def test_an_oracles_trial_shows_nothing_of_an_agent_and_says_so(tmp_path: Path) -> None:
    made = only(oracle(tmp_path))
    assert (made.completeness.grade, made.harness) == ("none", "oracle")
    assert made.completeness.reasons[0].what == "Harbor's oracle carried out the task's own solution: no agent acted"
    assert {step.actor for step in made.steps} == {"harness", "grader"}
    assert "patch -p1" in made.steps[0].observations[0].text


def test_an_oracle_is_known_by_its_log_where_no_record_names_an_agent(tmp_path: Path) -> None:
    assert only(oracle(tmp_path, agent_info=None, config=None)).completeness.reasons[0].what.startswith("Harbor's oracle")
    other = trial(tmp_path / "b")
    write_text(other / "agent" / "oracle.txt", "an agent's own notes")
    assert only(other).completeness.grade == "full"


def test_a_trial_of_nop_shows_nothing_of_an_agent(tmp_path: Path) -> None:
    home = trial(tmp_path, agent_info={**INFO, "name": "nop"})
    (home / "agent" / "trajectory.json").unlink()
    write_text(home / "agent" / "nop.txt", "")
    assert only(home).completeness.reasons[0].what == "Harbor's nop does nothing: no agent acted"


def test_acts_in_a_document_of_the_oracle_are_the_harness_s(tmp_path: Path) -> None:
    document = atif(bash("bash /solution/solve.sh", "done"), agent={"name": "oracle", "version": "1"})
    made = only(trial(tmp_path, document=document, agent_info=INFO))
    assert [step.actor for step in made.steps if step.actions] == ["harness", "grader"]
    assert made.completeness.grade == "none"
    assert made.submission.recovered == "none"


def test_a_pass_of_the_oracle_is_insufficient_and_the_row_says_why(tmp_path: Path) -> None:
    oracle(tmp_path / "in")
    out = tmp_path / "rows.jsonl"
    assert earned("audit", tmp_path / "in", "--out", tmp_path / "out", "--export", out, "--quiet").code == 0
    (row,) = lines(out)
    assert (row["label"], row["completeness"]) == ("insufficient", "none")
    listed = json.loads(earned("read", tmp_path / "in", "--json").out)["trajectories"][0]
    assert (listed["actions"], listed["reasons"][0]) == (
        0,
        "Harbor's oracle carried out the task's own solution: no agent acted",
    )


@pytest.mark.parametrize(("count", "actor"), [(0, "harness"), (1, "agent"), (None, "agent"), (3, "agent")])
def test_a_step_for_which_no_model_was_asked_is_the_harness_s(tmp_path: Path, count: int | None, actor: str) -> None:
    step = {**bash("make prepare"), "llm_call_count": count}
    made = only(trial(tmp_path, document=atif(step, bash("ls"))))
    assert [(step.actor, step.actions[0].command) for step in made.steps if step.actions][:2] == [
        (actor, "make prepare"),
        ("agent", "ls"),
    ]


def test_a_dispatched_step_of_a_subagent_is_the_harness_s_as_well(tmp_path: Path) -> None:
    child = {**atif({**bash("make x"), "llm_call_count": 0}, bash("ls")), "trajectory_id": "child"}
    made = only(trial(tmp_path, document=atif(bash("pwd"), subagent_trajectories=[child])))
    found = {
        step.actions[0].command: (step.actor, step.subagent) for step in made.steps if step.actions and step.actions[0].command
    }
    assert found == {"pwd": ("agent", ""), "make x": ("harness", ""), "ls": ("subagent", "child")}


def test_a_step_of_an_embedded_subagent_names_its_place_in_the_document(tmp_path: Path) -> None:
    inner = {**atif(bash("cat inner")), "trajectory_id": "inner"}
    child = {
        **atif(bash("cat child"), subagent_trajectories=[{**atif(bash("x")), "trajectory_id": "a"}, inner]),
        "trajectory_id": "c",
    }
    parent = bash("delegate")
    parent["observation"]["results"][0]["subagent_trajectory_ref"] = [{"trajectory_id": "c"}]
    made = only(
        trial(tmp_path, document=atif(parent, subagent_trajectories=[{**atif(bash("y")), "trajectory_id": "b"}, child]))
    )
    sources = {step.actions[0].command: step.source for step in made.steps if step.actions and step.actor != "grader"}
    top = "agent/trajectory.json#"
    assert sources == {
        "delegate": f"{top}/steps/2",
        "cat child": f"{top}/subagent_trajectories/1/steps/2",
        "x": f"{top}/subagent_trajectories/1/subagent_trajectories/0/steps/2",
        "cat inner": f"{top}/subagent_trajectories/1/subagent_trajectories/1/steps/2",
        "y": f"{top}/subagent_trajectories/0/steps/2",
    }


def test_a_subagent_in_a_file_of_its_own_names_that_file(tmp_path: Path) -> None:
    parent = bash("delegate")
    parent["observation"]["results"][0]["subagent_trajectory_ref"] = [{"trajectory_path": "trajectory.sub-1.json"}]
    home = trial(tmp_path, document=atif(parent))
    write_json(home / "agent" / "trajectory.sub-1.json", atif(bash("cat file")))
    (step,) = [step for step in only(home).steps if step.actor == "subagent" and step.actions]
    assert step.source == "agent/trajectory.sub-1.json#/steps/2"


def test_two_subagents_of_one_id_are_both_read(tmp_path: Path) -> None:
    children = [{**atif(bash(f"echo {number}")), "trajectory_id": "same"} for number in (1, 2)]
    made = only(trial(tmp_path, document=atif(bash("ls"), subagent_trajectories=children)))
    commands = [step.actions[0].command for step in made.steps if step.actor == "subagent" and step.actions]
    assert commands == ["echo 1", "echo 2"]


@pytest.mark.parametrize(
    ("numbers", "missing"),
    [
        ((1, 2, 3, 4), []),
        ((1, 2, 5, 6), [("the numbers of the steps leave out steps 3 to 4", 1)]),
        ((1, 2, 4, 5), [("the numbers of the steps leave out step 3", 1)]),
        ((0, 1, 2, 3), []),
        ((1, 1, 2, 2), []),
        ((4, 3, 2, 1), [("the beginning is not recorded: the numbers of the steps begin at 4", -1)]),
        (("a", "b", "e", "f"), []),
        ((1, None, 2, 3), []),
    ],
)
def test_numbers_of_steps_that_are_left_out_hide_steps(tmp_path: Path, numbers: tuple[Any, ...], missing: list[Any]) -> None:
    document = atif(bash("ls"), call("finish", {}, None))
    document["steps"] = [{**step, "step_id": number} for step, number in zip(document["steps"], numbers, strict=True)]
    made = only(trial(tmp_path, document=document)).completeness
    assert [(reason.what, reason.step) for reason in made.reasons] == missing
    assert all(reason.hides_acts for reason in made.reasons)
