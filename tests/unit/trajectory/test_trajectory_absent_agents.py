"""Calls that have somebody else do the work, and those that only sound like it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from earned.records import Action, Observation, Step
from earned.trajectory.completeness.absent_agents import note_absent
from earned.trajectory.steps import Steps

TASK = {"prompt": "Fix it."}


def _noted(tool: str, arguments: Any = None, *, result: str = "done", after: bool = False) -> bool:
    given = msgspec.json.encode(TASK if arguments is None else arguments).decode()
    action = Action(kind="other", tool=tool, arguments=given)
    steps = Steps()
    steps.append(Step(index=0, actor="agent", actions=(action,), observations=(Observation(text=result, action=0),)))
    if after:
        steps.append(Step(index=1, actor="agent", actions=(Action(kind="shell", command="ls"),)))
    note_absent(steps)
    return bool(steps.reasons)


STARTS = """
    Task Agent AgentTool new_task task_tool delegate_task delegate_to_agent codebase_investigator sessions_spawn spawn_subagent
    spawn_agent runSubagent use_subagents invoke_agent browser_agent dispatch delegate-work-to-coworker mcp__team__run_agent
"""
OTHERWISE = """
    transfer_to_human_agents list_agents wait_agent close_agent get_agent_status set_user_agent add_task create_task
    generate_image send_message reagent agentic_search management
"""


@pytest.mark.parametrize("tool", STARTS.split())
def test_work_that_is_handed_over_is_hidden(tool: str) -> None:
    assert _noted(tool)


@pytest.mark.parametrize("tool", OTHERWISE.split())
def test_a_tool_that_starts_no_agent_hides_nothing(tool: str) -> None:
    assert not _noted(tool)


def test_a_handoff_goes_on_in_the_same_talk() -> None:
    assert _noted("transfer_to_coder")
    assert not _noted("transfer_to_coder", after=True)


def test_a_call_that_asks_for_nothing_or_failed_started_nobody() -> None:
    assert not _noted("delegate_task", {})
    assert not _noted("delegate_task", result="Error: no such agent")
