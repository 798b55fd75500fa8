"""How complete a trace is, from evidence; what hides acts is told apart from what hides results."""

from __future__ import annotations

from typing import Any

import pytest

from earned.records import Action, Observation, Reason, Step
from earned.trajectory.completeness.grade import MAX_REASONS, completeness_of
from earned.trajectory.steps import Steps, observation
from earned.trajectory.tools import action_of


def acts(*calls: tuple[str, str | None]) -> list[Step]:
    made: list[Step] = []
    for command, result in calls:
        results = () if result is None else (observation(result, 0),)
        made.append(
            Step(index=len(made), actor="agent", actions=(action_of("bash", {"command": command}),), observations=results)
        )
    return made


def grade(*calls: tuple[str, str | None], **more: Any) -> str:
    return completeness_of(acts(*calls), **more).grade


def whats(steps: list[Step], reasons: list[Reason] | None = None) -> list[tuple[str, int]]:
    return [(reason.what, reason.step) for reason in completeness_of(steps, reasons or []).reasons]


def test_a_call_without_a_result_names_its_step_wherever_it_stands() -> None:
    assert whats(acts(("ls", "a"), ("make", None))) == [("the call of bash has no result", 1)]
    assert whats(acts(("make", None), ("ls", "a"))) == [("the call of bash has no result", 0)]
    assert completeness_of(acts(("ls", "a"), ("make", None))).grade == "partial"


def test_a_submission_or_a_message_needs_no_result() -> None:
    last = Step(index=1, actor="agent", actions=(action_of("submit", {}), action_of("think", {"thought": "x"})))
    assert completeness_of([*acts(("ls", "a")), last]).grade == "full"


@pytest.mark.parametrize(
    "commands",
    [
        ["claude -p 'do it'"],
        ["cd /app && codex exec --full-auto 'do it'"],
        ["export KEY=1", "source /opt/x/bin/activate", "mini -y -t 'do it' -o out.json"],
        ["ANTHROPIC_API_KEY=x timeout 900 claude --verbose --output-format stream-json -p 'a; b' | tee log"],
        ["pip install aider-chat && aider --message 'do it'"],
        ["npx -y opencode run 'do it'"],
        ["python -m openhands.core.main"],
    ],
)
def test_a_trace_of_nothing_but_the_start_of_an_agent_shows_nothing(commands: list[str]) -> None:
    made = completeness_of(acts(*[(command, "") for command in commands]))
    assert (made.grade, made.reasons[0].what) == ("none", "only the command that started the agent is shown")


@pytest.mark.parametrize(
    "commands",
    [
        ["claude --version", "ls", "pwd"],
        ["cat codex/main.py"],
        ["pip install claude"],
        ["claude -p 'review this'", "git diff", "sed -i s/a/b/ x.py"],
        ["./gemini_test.sh"],
        ["echo codex"],
        ["mini() { ls; }", "grep -rn x ."],
    ],
)
def test_other_commands_are_acts(commands: list[str]) -> None:
    assert grade(*[(command, "x") for command in commands]) == "full"


def test_a_launch_among_the_calls_of_other_tools_is_one_act_of_many() -> None:
    edit = Step(
        index=1,
        actor="agent",
        actions=(action_of("write_file", {"path": "a", "content": "b"}),),
        observations=(observation("", 0),),
    )
    assert completeness_of([*acts(("claude -p x", "done")), edit]).grade == "full"


def test_what_a_reader_misses_may_hide_acts_and_what_is_found_in_steps_hides_results_only() -> None:
    steps = Steps()
    steps.steps += acts(("ls", "a"), ("ls -R", "[... 10 lines truncated ...]"))
    steps.missing("the continuation x cannot be read")
    steps.missing("a call was stopped", acts=False)
    made = completeness_of(steps.steps, steps.reasons)
    assert [(reason.what, reason.step, reason.hides_acts) for reason in made.reasons] == [
        ("the continuation x cannot be read", 1, True),
        ("a call was stopped", 1, False),
        ("a result is cut", 1, False),
    ]


def test_reasons_that_are_only_counted_keep_that_acts_are_hidden() -> None:
    reasons = [Reason(what="a", step=0)] * MAX_REASONS
    hidden = completeness_of(acts(("ls", "a")), [*reasons, Reason(what="b", hides_acts=True)])
    plain = completeness_of(acts(("ls", "a")), [*reasons, Reason(what="b")])
    assert [made.reasons[-1].hides_acts for made in (hidden, plain)] == [True, False]


def test_a_terminals_text_with_and_without_acts_that_were_recognised() -> None:
    screen = Step(index=0, actor="environment", observations=(Observation(text="$ ls\na\n"),))
    assert completeness_of([screen], terminal=True).grade == "terminal_text"
    recovered = Step(index=0, actor="agent", actions=(Action(kind="shell", command="ls"),))
    assert completeness_of([recovered], terminal=True).grade == "terminal_text"
    empty = completeness_of([Step(index=0, actor="user", text="do")], terminal=True)
    assert (empty.grade, [reason.what for reason in empty.reasons]) == ("none", ["nothing that the agent did is recorded"])


def test_an_answer_in_text_is_an_act_and_copies_are_none() -> None:
    said = Step(index=0, actor="agent", text="42")
    assert completeness_of([said], acts_in_text=True).grade == "full"
    assert completeness_of([said]).grade == "none"
    assert completeness_of([Step(index=0, actor="agent", text="42", copied=True)], acts_in_text=True).grade == "none"
