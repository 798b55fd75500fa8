"""What is taken for an attempt in chat messages, and what must not be: the format is the last resort, not a catch-all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_attempt import RENDERINGS, Attempt, Call, Turn, rendering
from made_files import atif, bash, candidates, mini, swe_agent, trial, write_json, write_text

from earned.records import Companion, Skip
from earned.trajectory import Candidate, discover

USER = {"role": "user", "content": "Do it."}
ANSWER = {"role": "assistant", "content": "Done."}
CALL = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
ACTS = [
    USER,
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c", "content": ""},
]
SHARED = Path(__file__).parents[3].parent / "shared" / "data"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (ACTS, "a list of messages with tool calls"),
        ({"messages": ACTS}, "messages with tool calls"),
        ([{"traj": ACTS}], "a list of traj with tool calls"),
        ([ACTS, ACTS], "a list of lists of messages with tool calls"),
        ({"task_id": "x", "messages": [USER, ANSWER]}, "messages with task_id"),
        ({"messages": [USER, ANSWER], "metadata": {"instance_id": "x"}}, "messages with instance_id"),
        ({"prompt": [USER], "completion": [ANSWER], "reward": 1}, "prompt and completion with reward"),
        ({"prompt": [USER], "completion": "42", "reward": 1}, "prompt and completion with reward"),
        ({"messages": json.dumps(ACTS), "resolved": True}, "messages as JSON text with tool calls"),
        (
            {"messages": [USER, {"role": "assistant", "content": 'TOOL_CALL: bash {"command": "ls"}'}]},
            "messages with tool calls in the text",
        ),
        ([{"type": "function_call", "call_id": "c", "name": "bash", "arguments": "{}"}], "a list of messages with tool calls"),
    ],
)
def test_what_shows_an_acting_assistant_or_a_task_is_taken_and_says_why(tmp_path: Path, value: Any, why: str) -> None:
    (found,) = candidates(write_json(tmp_path / "a.json", value))
    assert (found.format, found.recognised) == ("chat", why)


@pytest.mark.parametrize(("last", "is_taken"), [(ANSWER, True), (USER, False)])
def test_calls_behind_a_long_list_of_tools_are_taken_by_who_speaks_last(tmp_path: Path, last: Any, is_taken: bool) -> None:
    tools = [{"type": "function", "function": {"name": "x", "description": "y" * 200_000}}]
    value = {"tools": tools, "messages": [*ACTS, {"role": "user", "content": "z" * 3000}, last]}
    assert bool(candidates(write_json(tmp_path / "a.json", value))) is is_taken


@pytest.mark.parametrize(
    "value",
    [
        [{"role": "admin", "name": "Ann"}, {"role": "user", "name": "Bob"}],
        [{"role": "user", "name": "Bob", "reward": 1}],
        {"users": [{"role": "user", "content": "x"}], "task_id": "t"},
        {"name": "pkg", "version": "1.0.0", "scripts": {"test": "x"}, "dependencies": {}},
        [USER],
        {"messages": [USER]},
        [{"messages": [USER], "task_id": "t"}],
        {"prompt": [USER], "reward_model": {"ground_truth": "4"}, "data_source": "x", "reward": 1},
        {"messages": [{"role": "system", "content": "Call <tool_call> tags."}, USER], "task_id": "t"},
        {"messages": [USER, ANSWER]},
        [{"messages": [USER, ANSWER]}, {"messages": [USER, ANSWER]}],
        [USER, ANSWER],
        {"model": "m", "messages": [USER, ANSWER], "temperature": 0},
        {"messages": [USER, {"role": "assistant", "content": "x", "tool_calls": []}]},
        {"conversations": [{"from": "human", "value": "x"}, {"from": "gpt", "value": "y"}]},
        {"tools": [{"type": "function", "function": {"name": "x"}}], "messages": [USER]},
        {"messages": {"role": "user"}, "tool_calls": [CALL]},
        {"i-1": {"patch_exists": True, "resolved": True}},
        {"resolved_ids": ["x"], "total_instances": 1},
        {"messages": [], "task_id": "t"},
        {"prompt": "x", "completion": "y", "reward": 1},
        5,
        "role",
    ],
)
def test_what_is_no_attempt_is_left_alone(tmp_path: Path, value: Any) -> None:
    assert [item for item in discover([write_json(tmp_path / "a.json", value)]) if isinstance(item, Candidate)] == []


@pytest.mark.parametrize(
    "lines",
    [
        [{"messages": [USER, ANSWER]}] * 3,
        [{"prompt": "x", "completion": "y"}] * 3,
        [{"instance_id": "i", "model_patch": "", "model_name_or_path": "m"}],
        [{"custom_id": "x", "body": {"messages": [USER]}}],
        [USER, USER],
    ],
)
def test_lines_of_training_data_and_requests_are_left_alone(tmp_path: Path, lines: list[Any]) -> None:
    file = write_text(tmp_path / "a.jsonl", "\n".join(json.dumps(line) for line in lines))
    assert [item for item in discover([file]) if isinstance(item, Candidate)] == []


def test_files_of_other_formats_stay_theirs(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", atif(bash("ls")))
    write_json(tmp_path / "b.traj.json", mini(("ls", "x")))
    write_json(tmp_path / "c.traj", swe_agent(("ls", "x")))
    trial(tmp_path / "d")
    assert sorted(item.format for item in candidates(tmp_path)) == ["atif", "harbor", "mini-swe-agent", "swe-agent"]


@pytest.mark.parametrize("name", sorted(set(RENDERINGS) - {"chat", "chat-anthropic"}))
def test_what_another_harness_writes_is_never_taken_for_plain_messages(name: str, tmp_path: Path) -> None:
    render, _ = rendering(name)
    attempt = Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result="a.py"),)), Turn("Done.")))
    found = [item for item in discover([render(attempt, tmp_path)]) if isinstance(item, Candidate)]
    assert found
    assert "chat" not in {item.format for item in found}


def test_public_files_of_others_are_no_plain_messages() -> None:
    if not SHARED.is_dir():
        pytest.skip("the public files are not beside the repository")
    found = [item for item in discover([SHARED]) if isinstance(item, Candidate)]
    assert {item.path for item in found if item.format == "chat"} == set()
    assert "tau-bench" in {item.format for item in found}


def test_a_skip_says_what_was_seen(tmp_path: Path) -> None:
    (found,) = discover([write_json(tmp_path / "a.json", {"messages": [USER]})])
    assert isinstance(found, Skip | Companion)
    assert "messages" in getattr(found, "detail", "messages")
