from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from made_files import TASK, atif, bash, call, candidates, only, rows, trajectories, trial, write_json, write_text

from earned.records import Skip
from earned.trajectory import skip_of


def test_a_trial_with_full_reward_is_a_pass_that_says_where_it_was_read(tmp_path: Path) -> None:
    made = only(trial(tmp_path))
    assert made.outcome.status == "passed"
    assert made.outcome.source == "result.json#/verifier_result/rewards/reward"
    assert skip_of(made) is None
    assert (made.benchmark, made.task, made.attempt, made.model) == ("demo-bench", "hello", "hello__abc1234", "model-a")
    assert (made.cohort.harness, made.cohort.environment, made.cohort.network) == ("openhands", "docker", "unknown")
    assert made.usage.cost_usd == 0.5


@pytest.mark.parametrize(
    ("reward", "status", "reason"),
    [
        (0.0, "failed", "failed"),
        (0, "failed", "failed"),
        (0.5, "partial_credit", "partial_credit"),
        (None, "unknown", "unknown_outcome"),
        ("1.0", "unknown", "unknown_outcome"),
        (2.0, "unknown", "unknown_outcome"),
    ],
)
def test_only_a_reward_of_exactly_one_passes(tmp_path: Path, reward: Any, status: str, reason: str) -> None:
    made = only(trial(tmp_path, reward=reward))
    assert made.outcome.status == status
    skip = skip_of(made)
    assert skip is not None
    assert skip.reason == reason


@pytest.mark.parametrize(
    ("exception", "status"),
    [
        ({"exception_type": "ApiError"}, "unknown"),
        ({"exception_type": "VerifierTimeoutError"}, "unknown"),
        ({"exception_type": "AgentTimeoutError"}, "passed"),
        ({"exception_type": "SomethingNewError"}, "passed"),
        ({"exception_type": "ApiError", "policy": {"has_valid_reward": True}}, "passed"),
        ({"exception_type": "AgentTimeoutError", "policy": {"has_valid_reward": False}}, "unknown"),
        ({"exception_type": "AgentTimeoutError", "policy_override": {"has_valid_reward": False}}, "unknown"),
    ],
)
def test_the_policy_of_an_exception_decides_whether_the_reward_counts(
    tmp_path: Path, exception: dict[str, Any], status: str
) -> None:
    assert only(trial(tmp_path, exception_info=exception)).outcome.status == status


def test_an_exception_of_a_step_counts_as_one_of_the_trial(tmp_path: Path) -> None:
    made = only(trial(tmp_path, step_results=[{"step_name": "a", "exception_info": {"exception_type": "ApiError"}}]))
    assert made.outcome.status == "unknown"


@pytest.mark.parametrize(("valid", "status"), [(False, "unknown"), (True, "passed")])
def test_a_reward_recorded_as_not_valid_is_unknown(tmp_path: Path, *, valid: bool, status: str) -> None:
    assert only(trial(tmp_path, reward_valid=valid)).outcome.status == status


def test_a_trial_without_result_is_read_with_an_unknown_outcome(tmp_path: Path) -> None:
    home = trial(tmp_path)
    (home / "result.json").unlink()
    made = only(home)
    assert (made.source.format, made.outcome.status, made.task) == ("harbor", "unknown", "hello")


def test_a_step_says_in_which_file_below_the_trial_it_stands(tmp_path: Path) -> None:
    document = atif(bash("ls"), continued_trajectory_ref="trajectory.cont-1.json")
    home = trial(tmp_path, document=document)
    write_json(home / "agent" / "trajectory.cont-1.json", {"schema_version": "ATIF-v1.5", "steps": [bash("pwd")]})
    sources = [step.source for step in only(home).steps]
    assert sources[:3] == [f"agent/trajectory.json#/steps/{number}" for number in range(3)]
    assert sources[3:] == ["agent/trajectory.cont-1.json#/steps/0", "verifier/test-stdout.txt"]


def test_several_texts_of_the_verifier_stand_in_its_folder(tmp_path: Path) -> None:
    home = trial(tmp_path)
    write_text(home / "verifier" / "reward.txt", "1")
    assert only(home).steps[-1].source == "verifier"


def test_a_step_of_a_bare_document_names_its_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_json(tmp_path / "t.json", atif(bash("ls"), continued_trajectory_ref="t.cont-1.json"))
    write_json(tmp_path / "t.cont-1.json", atif(bash("pwd")))
    monkeypatch.chdir(tmp_path)
    for path in (tmp_path, Path("t.json"), Path()):
        sources = [step.source for step in only(path).steps]
        assert (sources[0], sources[-1]) == ("t.json#/steps/0", "t.cont-1.json#/steps/2")


def test_the_verifier_speaks_in_one_last_step_of_the_grader(tmp_path: Path) -> None:
    home = trial(tmp_path)
    write_text(home / "verifier" / "reward.txt", "1")
    (home / "verifier" / "core").write_bytes(b"\x00\x01")
    last = only(home).steps[-1]
    assert last.actor == "grader"
    assert [action.tool for action in last.actions] == ["verifier/reward.txt", "verifier/test-stdout.txt"]
    assert [observation.text for observation in last.observations] == ["1", "1 passed\n"]


def test_the_instruction_is_the_first_user_step_else_the_file_beside_it(tmp_path: Path) -> None:
    assert only(trial(tmp_path)).instruction == TASK
    other = trial(tmp_path, name="other__1", document={"schema_version": "ATIF-v1.2", "steps": [bash("ls")]})
    write_text(other / "instruction.md", "Do it.")
    assert only(other).instruction == "Do it."


@pytest.mark.parametrize(
    ("name", "text", "network"),
    [
        ("task.toml", '[environment]\nnetwork_mode = "no-network"\n', "closed"),
        ("task.toml", '[environment]\nnetwork_mode = "no-network"\n[agent]\nnetwork_mode = "allowlist"\n', "allow_list"),
        ("task.toml", "[environment]\nallow_internet = true\n", "open"),
        ("lock.json", '{"environment": {"network_mode": "public"}}', "open"),
        ("task.toml", "not toml", "unknown"),
    ],
)
def test_the_network_is_what_the_configuration_records(tmp_path: Path, name: str, text: str, network: str) -> None:
    home = trial(tmp_path)
    write_text(home / name, text)
    assert only(home).cohort.network == network


def test_the_id_ignores_outcome_files_and_follows_source_files(tmp_path: Path) -> None:
    home = trial(tmp_path)
    before = only(home).id
    write_text(home / "verifier" / "test-stdout.txt", "other")
    write_json(home / "result.json", {"task_name": "hello", "trial_name": "x"})
    assert only(home).id == before
    write_json(home / "agent" / "trajectory.json", atif(bash("ls")))
    assert only(home).id != before


def test_a_trial_of_which_nothing_is_recorded_has_an_id_by_its_names_wherever_it_lies(tmp_path: Path) -> None:
    homes = [trial(tmp_path / place, name=name) for place, name in (("a", "one"), ("b", "one"), ("a", "two"))]
    for home in homes:
        shutil.rmtree(home / "agent")
    one, moved, two = [only(home).id for home in homes]
    assert one == moved != two


def test_a_trial_without_record_and_names_has_an_id_by_its_path(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_text(tmp_path / name / "agent" / "other.bin", "x")
        write_text(tmp_path / name / "trial.log", "started")
    first, second = trajectories(tmp_path)
    assert first.source.files == second.source.files == ()
    assert first.id != second.id


def test_continuations_are_read_in_turn_and_copied_context_is_marked(tmp_path: Path) -> None:
    copied = {**bash("ls", "first"), "is_copied_context": True}
    home = trial(tmp_path, document=atif(bash("ls", "first"), continued_trajectory_ref="trajectory.cont-1.json"))
    write_json(home / "agent" / "trajectory.cont-1.json", atif(copied, bash("cat x", "second")))
    made = only(home)
    shells = [(step.actions[0].command, step.copied) for step in made.steps if step.actor == "agent"]
    assert shells == [("ls", False), ("ls", True), ("cat x", False)]
    assert made.completeness.grade == "full"
    assert [step.index for step in made.steps] == list(range(len(made.steps)))


def test_a_missing_continuation_makes_the_trace_partial(tmp_path: Path) -> None:
    made = only(trial(tmp_path, document=atif(bash("ls"), continued_trajectory_ref="trajectory.cont-1.json")))
    assert made.completeness.grade == "partial"
    assert "continuation" in made.completeness.reasons[0].what


def test_a_continuation_that_leads_back_ends_with_an_oddity(tmp_path: Path) -> None:
    made = only(trial(tmp_path, document=atif(bash("ls"), continued_trajectory_ref="trajectory.json")))
    assert made.completeness.grade == "partial"
    assert "leads back" in made.oddities[0].what


def test_a_reference_out_of_the_trial_is_not_opened(tmp_path: Path) -> None:
    write_json(tmp_path / "secret.json", atif(bash("cat /etc/passwd")))
    made = only(trial(tmp_path / "job", document=atif(bash("ls"), continued_trajectory_ref="../../../secret.json")))
    assert all("passwd" not in action.command for step in made.steps for action in step.actions)
    assert made.completeness.grade == "partial"


def test_a_segment_that_no_document_names_is_read_and_said(tmp_path: Path) -> None:
    home = trial(tmp_path, document=atif(bash("ls")))
    write_json(home / "agent" / "trajectory.cont-1.json", atif(bash("pwd")))
    made = only(home)
    assert "pwd" in [action.command for step in made.steps for action in step.actions]
    assert made.oddities


def test_subagents_stand_after_the_step_that_refers_to_them(tmp_path: Path) -> None:
    refs = [
        {"trajectory_id": "child"},
        {"trajectory_path": "trajectory.summarization-1-summary.json"},
        {"trajectory_id": "gone"},
    ]
    parent = bash("delegate", "done")
    parent["observation"]["results"][0]["subagent_trajectory_ref"] = refs
    child = {**atif(bash("cat inner")), "trajectory_id": "child"}
    home = trial(tmp_path, document=atif(parent, bash("after"), subagent_trajectories=[child]))
    write_json(home / "agent" / "trajectory.summarization-1-summary.json", atif(bash("cat file")))
    made = only(home)
    order = [(step.actor, step.actions[0].command) for step in made.steps if step.actions and step.actor != "grader"]
    assert order == [("agent", "delegate"), ("subagent", "cat inner"), ("subagent", "cat file"), ("agent", "after")]
    assert {step.subagent for step in made.steps if step.actor == "subagent"} == {
        "child",
        "trajectory.summarization-1-summary.json",
    }
    assert any("gone" in reason.what for reason in made.completeness.reasons)


def test_an_embedded_subagent_that_nothing_refers_to_is_not_lost(tmp_path: Path) -> None:
    child = {**atif(bash("cat inner")), "trajectory_id": "child"}
    made = only(trial(tmp_path, document=atif(bash("ls"), subagent_trajectories=[child])))
    assert ("subagent", "child") in [(step.actor, step.subagent) for step in made.steps]


def test_steps_of_a_multi_step_trial_run_in_recorded_order_each_with_its_grader(tmp_path: Path) -> None:
    home = trial(tmp_path, step_results=[{"step_name": "zeta"}, {"step_name": "alpha"}])
    (home / "agent" / "trajectory.json").unlink()
    (home / "verifier" / "test-stdout.txt").unlink()
    for name in ("alpha", "zeta"):
        write_json(home / "steps" / name / "agent" / "trajectory.json", atif(bash(f"run {name}")))
        write_text(home / "steps" / name / "verifier" / "reward.txt", "1")
    made = only(home)
    seen = [step.actions[0].command or step.actor for step in made.steps if step.actions]
    assert seen == ["run zeta", "grader", "run alpha", "grader"]
    assert made.outcome.status == "passed"


@pytest.mark.parametrize(
    "message",
    [
        'Plan.\n{"analysis": "a", "plan": "p", "commands": [{"keystrokes": "ls\\n", "duration": 1}], "task_complete": true}',
        '<commands><keystrokes duration="1">ls\n</keystrokes></commands><task_complete>true</task_complete>',
    ],
)
def test_commands_inside_a_message_become_actions(tmp_path: Path, message: str) -> None:
    step = {"source": "agent", "message": message, "observation": {"results": [{"content": "a.txt"}]}}
    made = only(trial(tmp_path, document=atif(step)))
    turn = next(step for step in made.steps if step.actor == "agent")
    assert [(action.kind, action.command) for action in turn.actions] == [("shell", "ls\n"), ("submit", "")]
    assert turn.observations[0].text == "a.txt"


def test_one_result_of_several_commands_is_attributed_to_none_alone(tmp_path: Path) -> None:
    calls = [
        {"tool_call_id": f"c{number}", "function_name": "bash_command", "arguments": {"keystrokes": f"cmd{number}\n"}}
        for number in range(2)
    ]
    step = {"source": "agent", "message": "", "tool_calls": calls, "observation": {"results": [{"content": "screen"}]}}
    made = only(trial(tmp_path, document=atif(step)))
    turn = next(step for step in made.steps if step.actor == "agent")
    assert [observation.action for observation in turn.observations] == [-1]
    assert made.completeness.grade == "full"


def test_content_parts_are_joined_and_images_named(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "see"}, {"type": "image", "source": {"media_type": "image/png", "path": "i.png"}}]
    step = bash("ls", "x")
    step["observation"]["results"][0]["content"] = parts
    made = only(trial(tmp_path, document=atif(step)))
    assert made.steps[2].observations[0].text == "see\n[image i.png]"


def test_a_trial_without_a_document_shows_its_terminal_text(tmp_path: Path) -> None:
    home = trial(tmp_path)
    (home / "agent" / "trajectory.json").unlink()
    write_text(home / "agent" / "oracle.txt", "solve.sh ran")
    made = only(home)
    assert made.completeness.grade == "terminal_text"
    assert made.steps[0].observations[0].text == "solve.sh ran"
    (home / "agent" / "oracle.txt").unlink()
    assert only(home).completeness.grade == "none"


def test_a_broken_document_is_a_row_with_its_offset(tmp_path: Path) -> None:
    home = trial(tmp_path)
    text = (home / "agent" / "trajectory.json").read_text(encoding="utf-8")
    write_text(home / "agent" / "trajectory.json", text[:300])
    (row,) = rows(home)
    assert isinstance(row, Skip)
    assert row.reason == "unreadable"
    assert row.offset is not None
    assert "agent/trajectory.json" in row.detail


def test_wrong_types_are_oddities_and_the_rest_is_read(tmp_path: Path) -> None:
    document = atif(bash("ls", "x"), call("bash", {"command": "pwd"}, "y"))
    document["steps"][2]["timestamp"] = 12
    document["steps"][2]["message"] = {"odd": True}
    document["steps"].append("no step")
    document["agent"] = ["no agent"]
    made = only(trial(tmp_path, document=document))
    assert [step.actions[0].command for step in made.steps if step.actor == "agent"] == ["ls", "pwd"]
    places = " ".join(oddity.place for oddity in made.oddities)
    assert "/steps/2/message" in places
    assert "/steps/4" in places


def test_bytes_that_are_not_utf8_are_replaced_and_said(tmp_path: Path) -> None:
    home = trial(tmp_path, document=atif(bash("ls", "caf?")))
    file = home / "agent" / "trajectory.json"
    file.write_bytes(file.read_bytes().replace(b"caf?", b"caf\xe9"))
    made = only(home)
    assert made.steps[2].observations[0].text == "caf\ufffd"
    assert any("not UTF-8" in oddity.what for oddity in made.oddities)


def test_nan_and_lone_surrogates_are_survived(tmp_path: Path) -> None:
    home = trial(tmp_path, document=atif(bash("ls", "caf?")))
    file = home / "agent" / "trajectory.json"
    text = file.read_text(encoding="utf-8").replace("caf?", "a\\ud800b").replace('"session_id"', '"x": NaN, "session_id"')
    file.write_text(text, encoding="utf-8")
    assert only(home).steps[2].observations[0].text == "a\ufffdb"


def test_artifact_patches_are_the_submission_for_certain(tmp_path: Path) -> None:
    home = trial(tmp_path)
    write_text(home / "artifacts" / "app" / "fix.patch", "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n")
    write_json(home / "artifacts" / "manifest.json", {"entries": []})
    made = only(home).submission
    assert (made.recovered, made.certainty, made.files) == ("artifact", "certain", ())
    assert "+a" in made.patch


def test_other_text_artifacts_are_files_beside_what_was_replayed(tmp_path: Path) -> None:
    home = trial(tmp_path, document=atif(call("write_file", {"path": "/app/b.txt", "content": "mine"})))
    write_text(home / "artifacts" / "app" / "a.txt", "collected")
    (home / "artifacts" / "blob").write_bytes(b"\x00")
    made = only(home).submission
    assert [(file.path, file.text) for file in made.files] == [("app/a.txt", "collected"), ("/app/b.txt", "mine")]
    assert (made.recovered, made.certainty) == ("artifact", "likely")


def test_a_bare_document_has_an_unknown_outcome_and_its_continuations(tmp_path: Path) -> None:
    write_json(tmp_path / "t.json", atif(bash("ls"), continued_trajectory_ref="t.cont-1.json"))
    write_json(tmp_path / "t.cont-1.json", atif(bash("pwd")))
    made = only(tmp_path)
    assert (made.source.format, made.outcome.status, made.model) == ("atif", "unknown", "model-a")
    assert [step.actions[0].command for step in made.steps if step.actions] == ["ls", "pwd"]


def test_a_trial_can_be_named_as_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(trial(tmp_path))
    made = only(Path())
    assert made.outcome.status == "passed"
    assert candidates(Path())[0].path == "."


def test_generated_documents_are_valid_by_the_reference_models(tmp_path: Path) -> None:
    reference = pytest.importorskip("atif", reason="the reference models are not installed")
    home = trial(tmp_path)
    value = json.loads((home / "agent" / "trajectory.json").read_text(encoding="utf-8"))
    assert reference.Trajectory.model_validate(value).schema_version == "ATIF-v1.5"
