from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_files import only, rows, trajectories, write_json, write_text

from earned.records import Skip, Trajectory

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "trajectories" / "openai-chat"
POLICY = {"role": "system", "content": "# Retail agent policy\n\nHelp the user."}
USER = {"role": "user", "content": "Hi!"}
STOP = {"role": "user", "content": "###STOP###"}


def call(name: str, arguments: str = "{}", call_id: str = "c1") -> dict[str, Any]:
    asked = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [asked]}


LOOKED = [call("get_user_details", '{"user_id": "mia"}'), {"role": "tool", "tool_call_id": "c1", "name": "x", "content": "Mia"}]


def episode(*turns: Any, task: Any = 3, reward: Any = 1.0, trial: Any = 1, **more: Any) -> dict[str, Any]:
    info = {"task": {"user_id": "mia", "actions": [], "instruction": "You are mia.", "outputs": []}, "source": "user"}
    return {"task_id": task, "reward": reward, "info": info, "traj": [POLICY, USER, *turns, STOP], "trial": trial, **more}


def test_an_episode_is_named_by_domain_task_and_trial(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.json", [episode(*LOOKED)]))
    assert (made.benchmark, made.task, made.attempt, made.source.member) == (
        "tau-bench-retail",
        "3",
        "task 3 trial 1",
        "task 3 trial 1",
    )
    assert (made.harness, made.instruction) == ("tau-bench", "You are mia.")
    assert [step.actor for step in made.steps] == ["harness", "user", "agent", "user"]
    assert made.steps[2].actions[0].arguments == '{"user_id":"mia"}'
    assert made.steps[2].observations[0].text == "Mia"
    assert made.steps[2].source == "a.json#/0/traj/2"
    assert made.completeness.grade == "full"


@pytest.mark.parametrize(
    ("reward", "status"),
    [
        (1, "passed"),
        (1.0, "passed"),
        (0.9999999, "passed"),
        (0.0, "failed"),
        (0.5, "partial_credit"),
        (None, "unknown"),
        (2.0, "unknown"),
        (-1, "unknown"),
    ],
)
def test_only_a_reward_of_one_passes(tmp_path: Path, reward: Any, status: str) -> None:
    made = only(write_json(tmp_path / "a.json", [episode(reward=reward)]))
    assert (made.outcome.status, made.outcome.source) == (status, "a.json#/0/reward")
    assert bool(made.outcome.detail) is (status == "unknown")


@pytest.mark.parametrize(("again", "status"), [(0.0, "conflicting"), (0.5, "conflicting"), (1.0, "passed"), (None, "passed")])
def test_a_reward_that_the_environment_tells_otherwise_conflicts(tmp_path: Path, again: Any, status: str) -> None:
    value = episode()
    value["info"] = {**value.get("info", {}), "reward_info": {"reward": again, "actions": []}}
    outcome = only(write_json(tmp_path / "a.json", [value])).outcome
    assert outcome.status == status
    assert ("info/reward_info/reward says" in outcome.detail) is (status == "conflicting")


def test_an_episode_of_talk_alone_is_shown_in_full(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.json", [episode({"role": "assistant", "content": "I cannot."})]))
    assert made.completeness.grade == "full"


def test_a_run_that_broke_off_says_so(tmp_path: Path) -> None:
    value = {"task_id": 1, "reward": 0.0, "info": {"error": "boom", "traceback": "x"}, "traj": [], "trial": 0}
    made = only(write_json(tmp_path / "a.json", [value]))
    assert (made.benchmark, made.outcome.status, made.completeness.grade) == ("tau-bench", "failed", "none")
    assert made.outcome.detail == "the run ended with an error: boom"
    assert "the run ended with an error: boom" in {reason.what for reason in made.completeness.reasons}


def test_the_same_task_twice_has_two_names(tmp_path: Path) -> None:
    made = trajectories(write_json(tmp_path / "a.json", [episode(), episode(reward=0.0)]))
    assert [item.source.member for item in made] == ["task 3 trial 1", "task 3 trial 1#2"]
    assert len({item.id for item in made}) == 2


def test_calls_that_the_agent_writes_as_text_are_acts(tmp_path: Path) -> None:
    asked = 'Thought:\nI look.\nAction:\n{"name": "get_user_details", "arguments": {"user_id": "mia"}}'
    told = 'Thought:\nDone.\nAction:\n{"name": "respond", "arguments": {"content": "Hello."}}'
    turns = [
        {"role": "assistant", "content": asked},
        {"role": "user", "content": "API output: Mia"},
        {"role": "assistant", "content": told},
        {"role": "user", "content": "API output: is what I say."},
    ]
    made = only(write_json(tmp_path / "a.json", [episode(*turns)]))
    assert [step.actor for step in made.steps] == ["harness", "user", "agent", "agent", "user", "user"]
    first, second = (step for step in made.steps if step.actor == "agent")
    assert (first.actions[0].tool, first.observations[0].text, first.text) == ("get_user_details", "Mia", "Thought:\nI look.")
    assert (second.actions, second.text) == ((), told)


@pytest.mark.parametrize("text", ["Action: none", 'Action:\n{"name": 5}', 'Action:\n{"name": "x"', "Action:\n[1]"])
def test_text_that_is_no_call_is_a_message(tmp_path: Path, text: str) -> None:
    made = only(write_json(tmp_path / "a.json", [episode({"role": "assistant", "content": text})]))
    assert [(step.text, step.actions) for step in made.steps if step.actor == "agent"] == [(text, ())]


def test_the_model_stands_in_the_name_that_the_harness_gives(tmp_path: Path) -> None:
    name = "tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_0605.json"
    assert only(write_json(tmp_path / name, [episode()])).model == "gpt-4o"
    assert only(write_json(tmp_path / "gpt-4o-airline.json", [episode()])).model == "unknown"


def test_an_episode_that_is_cut_off_costs_no_other(tmp_path: Path) -> None:
    text = json.dumps([episode(), episode(task=4)])
    made = rows(write_text(tmp_path / "a.json", text[:-30]))
    assert [type(item).__name__ for item in made] == ["Trajectory", "Skip"]
    assert isinstance(made[1], Skip)
    assert (made[1].detail, made[1].offset) == ("the file ends within this one", len(text) - 30)


def test_an_episode_of_another_shape_costs_no_other(tmp_path: Path) -> None:
    made = rows(write_json(tmp_path / "a.json", [episode(), 5, episode(task=4, traj="x"), episode(task=5)]))
    assert [item.task if isinstance(item, Trajectory) else item.detail for item in made] == [
        "3",
        "expected an object",
        "4",
        "5",
    ]


def test_the_public_file_has_fourteen_passes() -> None:
    if not SHARED.is_dir():
        pytest.skip("the public files are not beside the repository")
    made = trajectories(SHARED / "tau-bench-airline-40.json")
    assert (len(made), len([item for item in made if item.outcome.status == "passed"])) == (40, 14)
    assert {item.benchmark for item in made} == {"tau-bench-airline"}
    assert {item.completeness.grade for item in made} == {"full"}
    assert not any(item.oddities for item in made)


def simulation(*messages: Any, **more: Any) -> dict[str, Any]:
    base = {
        "id": "s-1",
        "task_id": "77",
        "timestamp": "2026-01-01T00:00:00",
        "start_time": "2026-01-01T00:00:00",
        "end_time": "2026-01-01T00:01:00",
        "duration": 60.0,
        "termination_reason": "user_stop",
        "agent_cost": 0.2,
        "reward_info": {"reward": 1.0, "reward_basis": ["DB"]},
        "messages": list(messages),
        "trial": 0,
    }
    return {**base, **more}


def results(*simulations: Any, **more: Any) -> dict[str, Any]:
    scenario = {
        "domain": "telecom",
        "reason_for_call": "No signal.",
        "known_info": "You are Ann.",
        "task_instructions": "Be brief.",
    }
    info = {
        "git_commit": "abc",
        "num_trials": 1,
        "user_info": {"implementation": "user_simulator", "llm": "model-u"},
        "agent_info": {"implementation": "llm_agent", "llm": "model-a"},
        "environment_info": {"domain_name": "telecom", "policy": "# Policy"},
    }
    tasks = [{"id": "77", "user_scenario": {"persona": None, "instructions": scenario}}]
    return {"timestamp": "2026-01-01", "info": info, "tasks": tasks, "simulations": list(simulations), **more}


GREETED = {"role": "assistant", "content": "Hi!", "tool_calls": None, "turn_idx": 0, "timestamp": "2026-01-01T00:00:01"}
CALLED = {"role": "user", "content": "No signal."}
AGENT = [
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "t1", "name": "get_line", "arguments": {"id": 1}, "requestor": "assistant"}],
        "raw_data": {"thinking_blocks": [{"type": "thinking", "thinking": "I look."}]},
    },
    {"id": "t1", "role": "tool", "content": "active", "requestor": "assistant", "error": False},
]
PRESSED = [
    {"role": "user", "content": None, "tool_calls": [{"id": "u1", "name": "toggle", "arguments": {}, "requestor": "user"}]},
    {"role": "tool", "tool_messages": [{"id": "u1", "role": "tool", "content": "on", "requestor": "user"}]},
]


def test_a_simulation_of_the_second_version_is_read(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.json", results(simulation(GREETED, CALLED, *AGENT, *PRESSED))))
    assert (made.benchmark, made.task, made.attempt) == ("tau2-bench-telecom", "77", "task 77 trial 0")
    assert (made.model, made.harness, made.cohort.harness_version) == ("model-a", "tau2-bench", "abc")
    assert (made.cohort.started, made.usage.cost_usd) == ("2026-01-01T00:00:00", 0.2)
    assert made.instruction == "No signal.\nYou are Ann.\nBe brief."
    acted = [(step.actor, len(step.actions)) for step in made.steps]
    assert acted == [("harness", 0), ("agent", 0), ("user", 0), ("agent", 1), ("user", 1)]
    assert (made.steps[3].reasoning, made.steps[3].observations[0].text) == ("I look.", "active")
    assert (made.steps[4].observations[0].text, made.steps[1].time) == ("on", "2026-01-01T00:00:01")
    assert (made.outcome.status, made.outcome.source) == ("passed", "a.json#/simulations/0/reward_info/reward")
    assert (made.completeness.grade, made.steps[0].source) == ("full", "a.json#/info/environment_info/policy")


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"reward_info": {"reward": 0.0}}, "failed"),
        ({"reward_info": None}, "unknown"),
        ({"reward_info": {"reward": 0.0}, "termination_reason": "infrastructure_error"}, "unknown"),
        ({"reward_info": {"reward": 0.0}, "termination_reason": "max_steps"}, "failed"),
    ],
)
def test_a_simulation_that_was_not_graded_is_unknown(tmp_path: Path, more: dict[str, Any], status: str) -> None:
    made = only(write_json(tmp_path / "a.json", results(simulation(GREETED, **more))))
    assert made.outcome.status == status
    assert bool(made.outcome.detail) is (status == "unknown")


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"reward_info": {"reward": 1.0, "reward_breakdown": {"DB": 0.0, "COMMUNICATE": 1.0}}}, "conflicting"),
        ({"reward_info": {"reward": 1.0, "reward_breakdown": {"DB": 1.0, "COMMUNICATE": 1.0}}}, "passed"),
        ({"reward_info": {"reward": 1.0, "reward_breakdown": None}}, "passed"),
        ({"termination_reason": "too_many_errors"}, "conflicting"),
        ({"termination_reason": "max_steps"}, "conflicting"),
        ({"termination_reason": "agent_stop"}, "passed"),
        ({"termination_reason": "TerminationReason.USER_STOP"}, "passed"),
        ({"termination_reason": None}, "passed"),
    ],
)
def test_a_full_reward_that_its_parts_or_the_end_speak_against_conflicts(
    tmp_path: Path, more: dict[str, Any], status: str
) -> None:
    outcome = only(write_json(tmp_path / "a.json", results(simulation(GREETED, **more)))).outcome
    assert outcome.status == status
    assert bool(outcome.detail) is (status == "conflicting")


def test_simulations_of_a_run_saved_as_a_folder_are_read_one_by_one(tmp_path: Path) -> None:
    alone = results()
    del alone["simulations"]
    write_json(tmp_path / "run" / "results.json", alone)
    write_json(tmp_path / "run" / "simulations" / "s-1.json", simulation(GREETED, policy="# Own policy"))
    told, made = sorted(rows(tmp_path), key=lambda item: isinstance(item, Trajectory))
    assert isinstance(told, Skip)
    assert (told.reason, "simulations/" in told.detail) == ("not_a_trajectory", True)
    assert isinstance(made, Trajectory)
    assert (made.benchmark, made.attempt, made.steps[0].text) == ("tau2-bench", "task 77 trial 0", "# Own policy")


def test_a_call_in_ticks_is_named_and_not_called_clean(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.json", results(simulation(messages=None, ticks=[{"tick_id": 0}]))))
    assert made.completeness.grade == "none"
    assert "recorded in ticks" in made.completeness.reasons[1].what


def test_results_that_are_cut_off_keep_the_simulations_before(tmp_path: Path) -> None:
    text = json.dumps(results(simulation(GREETED), simulation(GREETED, task_id="78")))
    made = rows(write_text(tmp_path / "a.json", text[:-40]))
    assert [item.task if isinstance(item, Trajectory) else item.detail for item in made] == [
        "77",
        "the file ends within this one",
    ]


@pytest.mark.parametrize("value", [[{"task_id": 1, "reward": 1}], {"info": {"agent_info": {}}}, [{"task_id": 1, "traj": []}]])
def test_other_results_are_no_episodes(tmp_path: Path, value: Any) -> None:
    assert [item for item in rows(write_json(tmp_path / "a.json", value)) if isinstance(item, Trajectory)] == []
