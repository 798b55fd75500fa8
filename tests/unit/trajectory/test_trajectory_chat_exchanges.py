"""Logs of single calls of a model beside the run that they are part of, and alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import render_openhands
import render_openhands_v1
from made_attempt import Attempt, Call, Turn
from made_chat import PLAIN
from made_files import candidates, swe_agent, write_json, write_text

from earned.records import Companion
from earned.trajectory import discover

RUN = Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result="a.py"),)),), task="org__repo-1")
OPENAI: dict[str, Any] = {"id": "chatcmpl-1", "object": "chat.completion", "choices": [{"message": {"role": "assistant"}}]}
ANTHROPIC: dict[str, Any] = {"id": "msg_1", "type": "message", "content": [], "stop_reason": "tool_use", "usage": {}}


def exchange(response: Any = OPENAI, **more: Any) -> dict[str, Any]:
    """What a call's log holds."""
    return {"messages": PLAIN, "response": response, "kwargs": {"tools": []}, "timestamp": 1.5, "cost": 0.01, **more}


def kinds(folder: Path) -> list[str]:
    return [item.kind for item in discover([folder]) if isinstance(item, Companion)]


def formats(folder: Path) -> list[str]:
    return [item.format for item in candidates(folder)]


@pytest.mark.parametrize("response", [OPENAI, ANTHROPIC, {"output": [], "id": "resp_1"}])
def test_completions_beside_a_run_of_openhands_are_part_of_it(tmp_path: Path, response: Any) -> None:
    run = render_openhands.render(RUN, tmp_path).parent
    for number in range(3):
        write_json(run / "llm_completions" / RUN.task / f"model-a-{number}.json", exchange(response))
    assert formats(tmp_path) == ["openhands"]
    assert kinds(tmp_path).count("model_calls") == 3


def test_completions_beside_a_conversation_and_beside_a_trajectory_are_part_of_it(tmp_path: Path) -> None:
    render_openhands_v1.conversation(tmp_path / "a", render_openhands_v1.events(RUN), name="conv-1")
    write_json(tmp_path / "a" / "completions" / "1.json", exchange())
    write_json(tmp_path / "b" / "x.traj", swe_agent(("ls", "a.py")))
    write_text(tmp_path / "b" / "x.calls.jsonl", "".join(f"{json.dumps(exchange())}\n" for _ in range(2)))
    assert formats(tmp_path) == ["openhands-v1", "swe-agent"]
    assert kinds(tmp_path).count("model_calls") == 2


def test_a_request_with_the_original_response_as_text_is_a_call(tmp_path: Path) -> None:
    write_json(tmp_path / "x.traj", swe_agent(("ls", "a.py")))
    write_json(tmp_path / "debug.json", {"messages": PLAIN, "original_response": "{}"})
    assert kinds(tmp_path) == ["model_calls"]


def test_completions_without_a_run_are_read_as_what_they_show(tmp_path: Path) -> None:
    for number in range(2):
        write_json(tmp_path / "llm_completions" / f"{number}.json", exchange())
    assert formats(tmp_path) == ["chat", "chat"]


def test_completions_are_read_where_the_run_is_not(tmp_path: Path) -> None:
    run = render_openhands.render(RUN, tmp_path).parent
    folder = run / "llm_completions" / RUN.task
    write_json(folder / "1.json", exchange())
    assert formats(folder) == ["chat"]
    assert formats(folder / "1.json") == ["chat"]


@pytest.mark.parametrize(
    "document",
    [
        {"messages": PLAIN},
        {"messages": PLAIN, "response": "hi"},
        {"messages": PLAIN, "response": {"answer": "hi"}},
        {"messages": PLAIN, "response": None, "kwargs": {}},
        PLAIN,
    ],
)
def test_an_attempt_in_messages_beside_a_run_stays_an_attempt(tmp_path: Path, document: Any) -> None:
    render_openhands.render(RUN, tmp_path)
    write_json(tmp_path / "run" / "chats" / "a.json", document)
    assert sorted(formats(tmp_path)) == ["chat", "openhands"]


def test_a_run_far_above_has_no_say(tmp_path: Path) -> None:
    run = render_openhands.render(RUN, tmp_path).parent
    write_json(run / "a" / "b" / "c" / "1.json", exchange())
    assert sorted(formats(tmp_path)) == ["chat", "openhands"]


def test_a_call_that_is_cut_off_beside_a_run_is_read_as_what_it_shows(tmp_path: Path) -> None:
    run = render_openhands.render(RUN, tmp_path).parent
    write_text(run / "calls" / "1.json", json.dumps(exchange())[:-40])
    assert sorted(formats(tmp_path)) == ["chat", "openhands"]
