from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_attempt import Attempt, Call, Turn
from made_files import mini, only, rows, trajectories, write_json, write_text
from made_terminal import NAME, acts, cast, own, read_log, result, session, trial_folder, typed
from render_terminal_bench import RUN, render

from earned.records import Companion, Skip
from earned.trajectory import Candidate, discover

ATTEMPT = Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result="a.py\n"),)),), verifier="1 passed")


def found(path: Path) -> list[Candidate | Companion | Skip]:
    return list(discover([path]))


def test_a_trial_gives_task_model_agent_outcome_and_steps(tmp_path: Path) -> None:
    made = only(render(ATTEMPT, tmp_path))
    assert (made.benchmark, made.task, made.attempt, made.model, made.harness) == (
        "terminal-bench-core@0.1.1",
        "demo-task",
        f"demo-task.1-of-1.{RUN}",
        "model-a",
        "mini-swe-agent",
    )
    assert (made.outcome.status, made.outcome.source) == ("passed", "results.json#/is_resolved")
    assert (made.instruction, made.steps[0].actor) == (ATTEMPT.instruction, "user")
    assert (made.cohort.environment, made.cohort.started) == ("docker", "2025-08-08T06:39:03+00:00")
    assert (made.completeness.grade, made.usage.input_tokens) == ("terminal_text", None)
    grader = made.steps[-1]
    assert (grader.actor, grader.actions[0].tool) == ("grader", "panes/post-test.txt")
    assert "1 passed" in grader.observations[0].text
    assert "steps from the terminal's text in sessions/agent.log" in made.source.recognised


def test_the_files_of_a_run_are_companions(tmp_path: Path) -> None:
    kinds = {Path(item.path).name: item.kind for item in found(render(ATTEMPT, tmp_path)) if isinstance(item, Companion)}
    assert kinds == {
        "results.json": "result",
        "run_metadata.json": "config",
        "tb.lock": "config",
        "commands.txt": "commands",
        "agent.log": "agent_log",
        "tests.log": "verifier",
        "post-test.txt": "verifier",
    }
    kept = [item for item in found(tmp_path) if isinstance(item, Companion) and item.kind == "run_results"]
    assert [Path(item.path).name for item in kept] == ["results.json"]


@pytest.mark.parametrize(
    ("changes", "status", "detail"),
    [
        ({}, "passed", ""),
        ({"failure_mode": "agent_timeout"}, "passed", "agent_timeout"),
        ({"is_resolved": False, "parser_results": {"a": "failed"}}, "failed", ""),
        ({"is_resolved": None, "failure_mode": "test_timeout", "parser_results": None}, "unknown", "test_timeout"),
        ({"is_resolved": "yes"}, "unknown", "no verdict"),
        ({"parser_results": {"a": "passed", "b": "failed"}}, "conflicting", "b failed"),
        ({"parser_results": {}}, "passed", ""),
    ],
)
def test_the_outcome_is_what_the_trials_result_says(tmp_path: Path, changes: dict[str, Any], status: str, detail: str) -> None:
    made = only(trial_folder(tmp_path, **changes))
    assert made.outcome.status == status
    assert detail in made.outcome.detail


def test_a_run_that_says_otherwise_than_the_trial_conflicts_and_both_are_named(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, log=session(typed("ls", "a")))
    write_json(home.parents[1] / "results.json", {"results": [result(trial_name="other"), result(is_resolved=False)]})
    outcome = only(home).outcome
    assert outcome.status == "conflicting"
    assert outcome.detail == "results.json#/is_resolved says passed; ../../results.json#/results/1/is_resolved says failed"
    write_json(home.parents[1] / "results.json", {"results": [result(is_resolved=None)]})
    assert only(home).outcome.status == "passed"


@pytest.mark.parametrize(
    ("document", "status"),
    [
        ({"results": [result(), result(is_resolved=False)]}, "conflicting"),
        ({"results": [result(), result()]}, "passed"),
        ({"results": [result(), result(is_resolved=False, id="of another run")]}, "passed"),
        ({"results": [], "resolved_ids": [], "unresolved_ids": [result()["task_id"]]}, "conflicting"),
        ({"unresolved_ids": [result()["task_id"]], "results": [], "resolved_ids": [result()["task_id"]]}, "passed"),
        ({"results": [result()], "resolved_ids": [], "unresolved_ids": ["other"]}, "passed"),
        ({"results": [], "unresolved_ids": {"a": 1}}, "passed"),
    ],
)
def test_all_that_the_run_says_of_a_resolved_trial_must_agree(tmp_path: Path, document: dict[str, Any], status: str) -> None:
    home = trial_folder(tmp_path, log=session(typed("ls", "a")))
    write_json(home.parents[1] / "results.json", document)
    outcome = only(home).outcome
    assert outcome.status == status
    assert ("../../results.json#/" in outcome.detail) is (status == "conflicting")


def test_results_of_a_run_without_folders_are_attempts_of_which_nothing_is_recorded(tmp_path: Path) -> None:
    listed = [
        result(),
        result(trial_name="b.1-of-1", task_id="b", is_resolved=False),
        result(trial_name="b.1-of-1", task_id="b"),
    ]
    write_json(tmp_path / "2025-08-29__results.json", {"id": "x", "results": listed, "n_resolved": 1})
    made = trajectories(tmp_path)
    assert [item.source.member for item in made] == [NAME, "b.1-of-1", "b.1-of-1#2"]
    assert [item.outcome.status for item in made] == ["passed", "failed", "passed"]
    assert {item.completeness.grade for item in made} == {"none"}
    assert any("only the result" in reason.what for reason in made[0].completeness.reasons)
    assert made[0].steps[0].source == "2025-08-29__results.json#/results/0/instruction"
    assert made[0].outcome.source == "2025-08-29__results.json#/results/0/is_resolved"


def test_a_run_with_some_folders_gives_each_attempt_once(tmp_path: Path) -> None:
    run = render(ATTEMPT, tmp_path)
    document = json.loads((run / "results.json").read_text(encoding="utf-8"))
    document["results"].append(result(trial_name="gone.1-of-1", task_id="gone"))
    write_json(run / "results.json", document)
    made = {item.task: item for item in trajectories(run)}
    assert {task: item.completeness.grade for task, item in made.items()} == {"demo-task": "terminal_text", "gone": "none"}
    assert made["gone"].model == "model-a"
    assert made["gone"].benchmark == "terminal-bench-core@0.1.1"


def test_a_runs_results_named_alone_give_all_their_attempts(tmp_path: Path) -> None:
    run = render(ATTEMPT, tmp_path)
    assert [item.task for item in trajectories(run / "results.json")] == ["demo-task"]


def test_one_bad_result_among_good_ones_costs_no_other(tmp_path: Path) -> None:
    write_json(tmp_path / "results.json", {"results": [result(), [1, 2], result(trial_name="b")]})
    assert [isinstance(item, Skip) for item in rows(tmp_path)] == [False, True, False]


def test_trials_of_older_runs_have_no_run_in_their_names(tmp_path: Path) -> None:
    uuids = ("912c", "77aa")
    for run, uuid in zip(("a", "b"), uuids, strict=True):
        home = tmp_path / run / "hello" / "hello.1-of-5"
        write_json(home / "results.json", {**result(id=None, trial_name="hello.1-of-5", task_id="hello"), "uuid": uuid})
    made = trajectories(tmp_path)
    assert [item.attempt for item in made] == ["hello.1-of-5", "hello.1-of-5"]
    assert len({item.id for item in made}) == 2


def test_a_trial_without_its_result_is_read_with_an_unknown_outcome(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, log=session(typed("ls", "a")), commands=["ls\n"])
    (home / "results.json").unlink()
    made = only(tmp_path)
    assert (made.outcome.status, made.task, made.attempt) == ("unknown", "demo-task", NAME)
    assert acts(made) == [("ls", "a")]


def test_a_trial_whose_result_is_cut_off_is_one_unreadable_row(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, log=session(typed("ls", "a")))
    write_text(home / "results.json", json.dumps(result())[:80])
    (row,) = [item for item in rows(tmp_path) if isinstance(item, Skip)]
    assert (row.reason, row.detail.startswith("results.json: not valid JSON")) == ("unreadable", True)


def test_a_trial_of_which_only_the_result_is_left_shows_nothing(tmp_path: Path) -> None:
    made = only(trial_folder(tmp_path))
    assert (made.completeness.grade, made.outcome.status, len(made.steps)) == ("none", "passed", 1)
    assert any("only the result" in reason.what for reason in made.completeness.reasons)


def test_a_terminal_in_which_only_the_harness_typed_shows_nothing(tmp_path: Path) -> None:
    keys = [["asciinema rec --stdin /logs/agent.cast", "Enter"], ["clear", "Enter"], ["C-d"]]
    made = read_log(tmp_path, session(), commands=keys)
    assert (acts(made), made.completeness.grade) == ([], "none")
    assert any("only what the harness typed" in reason.what for reason in made.completeness.reasons)


def test_the_lock_of_a_run_says_what_its_metadata_does_not(tmp_path: Path) -> None:
    run = render(ATTEMPT, tmp_path)
    (run / "run_metadata.json").unlink()
    made = only(run)
    assert (made.model, made.harness, made.benchmark) == ("model-a", "mini-swe-agent", "terminal-bench")


def test_a_folder_of_another_kind_around_a_trial_says_nothing(tmp_path: Path) -> None:
    home = trial_folder(tmp_path)
    write_json(home.parents[1] / "results.json", {"resolved": [], "other": 1})
    write_text(home.parents[1] / "run_metadata.json", "no json")
    made = only(home)
    assert (made.outcome.status, made.model) == ("passed", "unknown")
    assert any("run_metadata.json" in oddity.what for oddity in made.oddities)


def test_the_id_is_of_what_was_recorded_and_not_of_the_outcome(tmp_path: Path) -> None:
    first = only(render(ATTEMPT, tmp_path / "a"))
    second = only(render(replace(ATTEMPT, passed=False), tmp_path / "b"))
    third = only(render(replace(ATTEMPT, turns=()), tmp_path / "c"))
    assert first.id == second.id != third.id


def test_a_log_of_the_agents_own_is_preferred_and_said(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, log=session(typed("ls", "a")))
    write_json(home / "agent-logs" / "last.traj.json", mini(("cat x", "y")))
    made = only(home)
    assert [command for command, _ in acts(made)] == ["cat x"]
    assert made.completeness.grade == "full"
    assert "preferred to the terminal's text" in made.source.recognised
    assert made.model == "model-c"


def batch(*keys: str, done: bool = False) -> dict[str, Any]:
    """An answer of Terminus 1."""
    commands = [{"keystrokes": key, "is_blocking": True, "timeout_sec": 1.0} for key in keys]
    return {"state_analysis": "It is empty.", "explanation": "I look.", "commands": commands, "is_task_complete": done}


def test_the_episodes_of_terminus_are_steps(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, log=session(typed("ls", "a")))
    logs = home / "agent-logs"
    for number, keys in enumerate((("ls\n",), ("cat a\n", "C-c"), ())):
        write_json(logs / f"episode-{number}" / "response.json", batch(*keys, done=number == 2))
        write_text(logs / f"episode-{number}" / "prompt.txt", f"screen {number}")
    write_text(logs / "episode-10" / "response.txt", '{"analysis": "x", "plan": "y", "commands": [{"keystrokes": "pwd\\n"}]}')
    made = only(home)
    assert [step.native_id for step in own(made)] == ["0", "1", "2", "10"]
    assert [action.text for step in own(made) for action in step.actions] == ["ls", "cat a", "C-c", "", "pwd"]
    first, second = own(made)[:2]
    assert (first.text, first.observations[0].text, first.observations[0].action) == ("It is empty.\nI look.", "screen 1", 0)
    assert (second.observations[0].text, second.observations[0].action) == ("screen 2", -1)
    assert "episodes" in made.source.recognised


def test_the_batches_that_terminus_marks_in_the_recording_are_steps(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, commands=["ls\n"])
    cast(
        home / "sessions" / "agent.cast",
        [0.1, "o", "\x1b[?2004hroot@c:/app# "],
        [0.2, "m", json.dumps(batch("ls\n"))],
        [0.3, "o", "ls\r\n\x1b[?2004l\ra.py\r\n\x1b[?2004hroot@c:/app# "],
        [0.4, "m", json.dumps(batch("cat a.py\n", done=True))],
        [0.5, "o", "cat a.py\r\n\x1b[?2004l\ra = 1\r\n"],
    )
    made = only(home)
    assert [step.actions[0].command for step in own(made)] == ["ls", "cat a.py"]
    assert "a.py" in own(made)[0].observations[0].text
    assert own(made)[0].source == "sessions/agent.cast#line 3"


@pytest.mark.parametrize("version", [2, 3])
def test_a_recording_alone_is_read_with_an_unknown_outcome(tmp_path: Path, version: int) -> None:
    events = [[0.1, "o", typed("ls", "a.py")], [0.1, "i", "ls\r"], [0.2, "o", typed("pwd", "/app")], [0.3, "x", "0"]]
    path = cast(tmp_path / "a.cast", *events, version=version)
    made = only(path)
    assert (made.source.format, made.outcome.status) == ("terminal-bench", "unknown")
    assert acts(made) == [("ls", "a.py"), ("pwd", "/app")]


def test_a_raw_log_alone_is_read_where_a_recording_begins_in_it(tmp_path: Path) -> None:
    home = trial_folder(tmp_path, log=session(typed("ls", "a.py")))
    shutil.copy(home / "sessions" / "agent.log", tmp_path / "agent.log")
    shutil.rmtree(tmp_path / "run-1")
    assert acts(only(tmp_path / "agent.log")) == [("ls", "a.py")]
    write_text(tmp_path / "other.log", "root@c:/app# ls\na.py\n")
    assert [item.kind for item in found(tmp_path / "other.log") if isinstance(item, Companion)] == ["log"]


def test_a_recordings_lines_that_are_no_events_are_counted(tmp_path: Path) -> None:
    path = cast(
        tmp_path / "a.cast", [0.1, "o", typed("ls", "a")], ["x"], ({"a": 1},), [1, 2, 3], ["0.5", "o", typed("pwd", "/")]
    )
    write_text(path, path.read_text(encoding="utf-8") + "# a comment\n\n[0.9, ")
    made = only(path)
    assert acts(made) == [("ls", "a"), ("pwd", "/")]
    assert any("4 lines are no events" in oddity.what for oddity in made.oddities)
    assert any("goes on behind" in reason.what for reason in made.completeness.reasons)


def test_words_come_back_through_the_terminal(tmp_path: Path) -> None:
    """Blanks may differ: the terminal wraps at words and has no tabs."""
    calls = [
        Call("bash", command="python - <<'EOF'\nprint('x')\nEOF", result="line\n" + "word " * 90 + "\n\ttab\n"),
        Call("bash", command="echo " + "long" * 100, result="日本語 ünï 🎉\n"),
        Call("bash", command="git diff", result="diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"),
    ]
    made = only(render(replace(ATTEMPT, turns=tuple(Turn("Next.", (call,)) for call in calls)), tmp_path))
    assert [command for command, _ in acts(made)] == [call.command for call in calls]
    assert [shown.split()[2:-1] for _, shown in acts(made)] == [(call.result or "").split() for call in calls]
