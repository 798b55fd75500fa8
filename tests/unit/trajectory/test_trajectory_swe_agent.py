from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_files import PATCH, TASK, only, swe_agent, write_json, write_text

from earned.trajectory.formats.swe_agent.actions import action_of_text


def test_a_file_gives_task_model_steps_and_the_recorded_patch(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "org__repo-1" / "org__repo-1.traj", swe_agent(("ls", "a\r\n"), ("submit", PATCH))))
    assert (made.task, made.model, made.harness, made.cohort.harness_version) == (
        "org__repo-1",
        "model-b",
        "SWE-agent",
        "1.0.1",
    )
    assert made.instruction == TASK
    assert (made.submission.patch, made.submission.recovered, made.submission.certainty) == (PATCH, "recorded", "certain")
    turns = [step for step in made.steps if step.actor == "agent"]
    assert [step.actions[0].kind for step in turns] == ["shell", "submit"]
    assert turns[0].observations[0].text == "a\r\n"
    assert made.completeness.grade == "full"


def test_submitting_is_not_passing(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.traj", swe_agent(("ls", ""))))
    assert made.outcome.status == "unknown"


def test_a_demonstration_is_shown_and_never_counted(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.traj", swe_agent(("ls", ""), demo="a demonstration")))
    (demo,) = [step for step in made.steps if step.copied]
    assert (demo.text, demo.actor) == ("a demonstration", "harness")
    assert made.instruction == TASK


def test_without_a_recorded_patch_the_edits_are_replayed(tmp_path: Path) -> None:
    create = "str_replace_editor create /w/x.py --file_text 'a = 1\n'"
    change = "str_replace_editor str_replace /w/x.py --old_str 'a = 1' --new_str 'a = 2'"
    made = only(write_json(tmp_path / "a.traj", swe_agent((create, "ok"), (change, "ok"), submission=None)))
    assert [(file.path, file.text) for file in made.submission.files] == [("/w/x.py", "a = 2\n")]
    assert (made.submission.recovered, made.submission.certainty) == ("edits_replayed", "likely")


def test_the_recorded_calls_are_preferred_to_the_command_line(tmp_path: Path) -> None:
    value = swe_agent(("str_replace_editor view /w/a.py", "1\tx"))
    turn = next(item for item in value["history"] if item["role"] == "assistant")
    arguments = json.dumps({"command": "view", "path": "/w/real.py"})
    turn["tool_calls"] = [{"id": "c1", "type": "function", "function": {"name": "str_replace_editor", "arguments": arguments}}]
    (step,) = [step for step in only(write_json(tmp_path / "a.traj", value)).steps if step.actor == "agent"]
    assert (step.actions[0].kind, step.actions[0].paths, step.actions[0].cwd) == ("read", ("/w/real.py",), "")


def test_the_zero_line_keeps_its_state_as_text_and_edits_the_open_file(tmp_path: Path) -> None:
    value = swe_agent(("open a.py", "[File: a.py]"), ("edit 3:4\nx = 1\nend_of_edit", "updated"))
    for entry in value["trajectory"]:
        entry["state"] = '{"open_file": "/w/a.py", "working_dir": "/w"}\n'
    turns = [step for step in only(write_json(tmp_path / "a.traj", value)).steps if step.actor == "agent"]
    (edit,) = turns[1].actions[0].edits
    assert (edit.path, edit.new, edit.line, edit.operation) == ("/w/a.py", "x = 1", 3, "replace")


def test_the_best_attempt_stands_at_the_top_and_the_others_are_said(tmp_path: Path) -> None:
    value = {**swe_agent(("ls", "")), "attempts": [swe_agent(("a", "")), swe_agent(("b", ""))]}
    made = only(write_json(tmp_path / "a.traj", value))
    assert [step.actions[0].command for step in made.steps if step.actions] == ["ls"]
    assert "other attempts" in made.oddities[0].what


def test_a_run_that_chose_no_attempt_is_partial(tmp_path: Path) -> None:
    made = only(write_json(tmp_path / "a.traj", {"attempts": [swe_agent(("a", "")), swe_agent(("b", ""))]}))
    assert [step.actions[0].command for step in made.steps if step.actions] == ["b"]
    assert made.completeness.grade == "partial"


def test_a_file_with_only_a_history_gives_turns_with_their_results(tmp_path: Path) -> None:
    value = {"history": swe_agent(("ls", "OBSERVATION:\na.py"), ("cat a.py", "x"))["history"]}
    value["history"][0]["agent"] = "main"
    turns = [step for step in only(write_json(tmp_path / "a.traj", value)).steps if step.actor == "agent"]
    assert [(step.actions[0].command, step.observations[0].text) for step in turns] == [("ls", "a.py"), ("cat a.py", "x")]


def test_an_instance_report_in_a_folder_beside_decides_whatever_was_applied(tmp_path: Path) -> None:
    file = write_json(tmp_path / "traj" / "i-1" / "i-1.traj", swe_agent(("ls", "")))
    report = {"patch_successfully_applied": False, "resolved": True, "tests_status": {}}
    write_json(tmp_path / "report" / "i-1" / "report.json", report)
    write_text(tmp_path / "report" / "i-1" / "test_output.txt", "2 passed")
    made = only(file)
    assert made.outcome.status == "passed"
    assert made.outcome.source.endswith("report/i-1/report.json#/resolved")
    assert (made.steps[-1].actor, made.steps[-1].observations[0].text) == ("grader", "2 passed")
    assert made.steps[-1].source == "../../report/i-1/test_output.txt"
    write_json(tmp_path / "report" / "i-1" / "report.json", {"i-1": {**report, "resolved": False}})
    assert only(file).outcome.status == "failed"


def test_reports_that_disagree_are_both_named(tmp_path: Path) -> None:
    file = write_json(tmp_path / "traj" / "i-1" / "i-1.traj", swe_agent(("ls", "")))
    write_json(tmp_path / "report" / "i-1" / "report.json", {"resolved": True, "tests_status": {}})
    write_json(tmp_path / "report" / "run.json", {"ids_resolved": [], "ids_unresolved": ["i-1"]})
    outcome = only(file).outcome
    assert outcome.status == "conflicting"
    assert "report.json#/resolved says passed" in outcome.detail
    assert "run.json#/ids_unresolved/0 says failed" in outcome.detail


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("find_file a.py", "search"),
        ("create a.py", "write"),
        ("submit", "submit"),
        ("str_replace_editor insert /a --insert_line 3 --new_str x", "edit"),
        ("str_replace_editor view 'unclosed", "shell"),
        ("python a.py", "shell"),
        ("edit nothing", "shell"),
    ],
)
def test_each_text_command_is_one_kind_of_action(command: str, kind: str) -> None:
    assert action_of_text(command).kind == kind
