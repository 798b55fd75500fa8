"""The public Claude Code files that lie beside the repository: every one is recognised, and says what stands in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import trajectories

from earned.records import Companion, Trajectory
from earned.trajectory import Candidate, discover

FOLDER = Path(__file__).parents[3].parent / "shared" / "data" / "trajectories" / "claude-code"


@pytest.fixture
def made() -> dict[str, Trajectory]:
    if not FOLDER.is_dir():
        pytest.skip("the public files are not beside the repository")
    return {Path(item.source.path).name: item for item in trajectories(FOLDER)}


def test_every_file_is_recognised(made: dict[str, Trajectory]) -> None:
    found = {}
    for item in discover([FOLDER]):
        assert isinstance(item, (Candidate, Companion)), item
        found[Path(item.path).name] = item.format if isinstance(item, Candidate) else item.kind
    assert found.pop("synthetic-stream-json.jsonl") == "claude-code-stream"
    assert found.pop("agent-atest01.jsonl") == "subagent"
    assert sorted(found) == sorted(set(made) - {"synthetic-stream-json.jsonl"})
    assert set(found.values()) == {"claude-code"}


def test_the_subagent_is_attributed_to_its_call(made: dict[str, Trajectory]) -> None:
    session = made["agent_session.jsonl"]
    acts = [(step.subagent, action.tool) for step in session.steps for action in step.actions]
    assert acts == [("", "Task"), ("toolu_task_001", "Bash")]
    assert (session.usage.input_tokens, session.usage.output_tokens) == (500, 140)
    assert [reason.what for reason in session.completeness.reasons] == [
        "the record counts 3 calls of a subagent, of which 1 are there"
    ]


def test_the_summary_is_copied_and_the_clearing_said(made: dict[str, Trajectory]) -> None:
    assert [step.copied for step in made["compaction_session.jsonl"].steps] == [False, False, False, True, False, False]
    (odd,) = made["clear_split_session.jsonl"].oddities
    assert "cleared at step 2" in odd.what


def test_reasoning_calls_and_results_are_one_step(made: dict[str, Trajectory]) -> None:
    step = made["tool_call_conversation.jsonl"].steps[1]
    assert step.reasoning.startswith("The user wants me to read")
    assert (step.actions[0].paths, step.observations[0].text[:12]) == (("/Users/test/project/README.md",), "# My Project")


def test_the_stream_fetches_and_says_what_it_cost(made: dict[str, Trajectory]) -> None:
    stream = made["synthetic-stream-json.jsonl"]
    assert [(action.kind, action.url[-6:]) for step in stream.steps for action in step.actions] == [("fetch", "fix.py")]
    assert (stream.usage.input_tokens, stream.usage.output_tokens, stream.usage.cost_usd) == (10, 5, 0.01)
    assert (stream.completeness.grade, stream.outcome.status) == ("full", "unknown")
