from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_files import PATCH, mini, only, rows, swe_agent, trial, write_json, write_text

from earned.errors import InputError
from earned.records import Outcome, Skip, Trajectory
from earned.trajectory import Outcomes, load_outcomes, skip_of
from earned.trajectory.outcomes.claim import Claim


def joined_outcome(tmp_path: Path, name: str, content: Any) -> Trajectory:
    file = write_json(tmp_path / "t" / "i-1.traj", swe_agent(("ls", "")))
    report = tmp_path / "elsewhere" / "deep" / name
    said = write_text(report, content) if isinstance(content, str) else write_json(report, content)
    (made,) = rows(file, outcomes=load_outcomes([said]))
    assert isinstance(made, Trajectory)
    return made


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("o.csv", "id,passed\ni-1,true\n", "passed"),
        ("o.csv", "instance_id,resolved\ni-1,0\n", "failed"),
        ("o.csv", "id,passed\ni-1,\n", "unknown"),
        ("o.json", {"i-1": True}, "passed"),
        ("o.json", {"i-1": None}, "unknown"),
        ("o.json", {"i-1": {"passed": False}}, "failed"),
        ("o.json", {"i-1": {"resolved": True, "patch_exists": True}}, "passed"),
        ("o.json", {"i-1": {"resolved": True, "infra_failure": True}}, "unknown"),
        ("o.json", {"resolved_ids": ["i-1"], "completed_ids": ["i-1"]}, "passed"),
        ("o.json", {"resolved_ids": [], "unresolved_ids": ["i-1"]}, "failed"),
        ("o.json", {"resolved_ids": [], "unresolved_ids": [], "error_ids": ["i-1"]}, "unknown"),
        ("o.json", {"resolved_ids": [], "empty_patch_ids": ["i-1"]}, "failed"),
        ("o.json", {"resolved": ["i-1"], "generated": ["i-1"], "no_logs": []}, "passed"),
        ("o.json", {"i-1": 1}, "passed"),
        ("o.json", {"i-1": 0}, "failed"),
        ("o.json", {"i-1": 0.0}, "failed"),
        ("o.json", {"i-1": 0.5}, "partial_credit"),
        ("o.json", {"i-1": 7}, "unknown"),
        ("o.json", '{"i-1": NaN}', "unknown"),
        ("o.json", '{"i-1": Infinity}', "unknown"),
        ("o.json", '{"i-1": 1e999999}', "unknown"),
        ("o.json", {"i-1": {"reward": 1.0}}, "passed"),
        ("o.json", {"i-1": {"score": 0.25}}, "partial_credit"),
        ("o.json", {"i-1": {"passed": True, "reward": 0.8}}, "conflicting"),
        ("o.json", {"i-1": {"passed": False, "reward": 0.8}}, "partial_credit"),
        ("o.json", {"i-1": {"passed": True, "reward": 1, "score": 1.0}}, "passed"),
        ("o.json", {"i-1": {"resolved": True, "report": {"resolved": False}}}, "conflicting"),
        ("o.json", {"i-1": {"resolved": True, "status": "failed"}}, "conflicting"),
        ("o.json", {"i-1": {"resolved": True, "status": "completed"}}, "passed"),
        ("o.json", {"i-1": {"reward": 1, "max_reward": 2}}, "partial_credit"),
        ("o.json", {"i-1": {"reward": 2, "max_reward": 2}, "i-2": {"reward": 1, "max_reward": 2}}, "passed"),
        ("o.json", {"i-1": {"passed": 1, "failed": 9}}, "unknown"),
        ("o.json", {"i-1": {"passed": 1, "reward": 1}}, "passed"),
        ("o.json", {"i-1": 1, "i-2": 5}, "unknown"),
        ("o.json", {"i-1": {"passed": True, "score": 3}, "i-2": {"passed": False, "score": 1}}, "passed"),
        ("o.json", '{"i-1": true, "i-1": false}', "conflicting"),
        ("o.json", '{"i-1": true, "i-1": true}', "passed"),
        ("o.json", '{"i-1": {"passed": false, "passed": true}}', "conflicting"),
        ("o.json", {"resolved_ids": ["i-1"], "unresolved_ids": ["i-1"]}, "conflicting"),
        ("o.json", {"resolved_ids": ["i-1"], "error_ids": ["i-1"]}, "conflicting"),
        ("o.json", {"resolved_ids": ["i-1"], "empty_patch_ids": ["i-1"]}, "conflicting"),
        ("o.json", {"resolved_ids": ["i-1"], "unresolved_ids": ["i-2"], "submitted_ids": ["i-1"]}, "passed"),
        ("o.json", {"i-1": {"resolved": True, "patch_exists": False}}, "conflicting"),
        ("o.json", {"i-1": {"resolved": True, "tests_status": {"FAIL_TO_PASS": {"failure": ["a"]}}}}, "conflicting"),
        ("o.json", {"i-1": {"resolved": True, "tests_status": {"FAIL_TO_PASS": {"failure": []}}}}, "passed"),
        ("o.json", {"i-1": {"resolved": True, "patch_successfully_applied": False}}, "passed"),
        ("o.json", [{"id": "i-1", "passed": True, "model": "other"}], "unknown"),
        ("o.json", [{"id": "i-1", "passed": True, "model": "other"}, {"id": "i-1", "passed": False}], "failed"),
        ("o.json", [{"id": "i-1", "passed": True, "model": "lab/model-b"}], "passed"),
        ("o.csv", "model,id,passed\nother,i-1,true\nmodel-b,i-1,false\n", "failed"),
        ("o.csv", "id,status,reward\ni-1,success,0.3\n", "conflicting"),
        ("o.csv", "id,passed,failed,total\ni-1,1,9,10\n", "unknown"),
        ("o.csv", "id,score\ni-1,1\ni-2,5\n", "unknown"),
        ("o.csv", "id,score,max_score\ni-1,1,10\ni-2,10,10\n", "partial_credit"),
        ("o.csv", "id,score,max_score\ni-1,10,10\n", "passed"),
        ("o.csv", "id,score\ni-1,1,5\n", "unknown"),
        ("o.csv", "id,score\ni-1,1,\n", "passed"),
        ("o.json", {"i-1": "resolved"}, "passed"),
        ("o.json", {"i-1": "submitted"}, "unknown"),
        ("o.json", {"instance_id": "i-1", "resolved": True}, "passed"),
        ("o.json", [{"instance_id": "i-1", "resolved": False}, {"id": 7, "passed": True}], "failed"),
        ("o.json", {"resolved_ids": [], "infra_failure_ids": ["i-1"], "unresolved_ids": ["i-1"]}, "unknown"),
        ("o.json", {"ids_resolved": ["i-1"]}, "passed"),
        ("o.json", {"completed_ids": ["i-1"]}, "unknown"),
        ("o.json", {"resolved": [], "no_apply": ["i-1"], "with_logs": ["i-1"]}, "failed"),
        ("o.json", {"resolved": [], "test_timeout": ["i-1"], "generated": ["i-1"]}, "failed"),
        ("o.json", {"results": [{"id": "x", "trial_name": "i-1", "task_id": "t", "is_resolved": True}]}, "passed"),
        ("o.json", {"i-1": {"report": {"resolved": True}}}, "passed"),
        ("o.jsonl", '{"instance_id": "i-1", "test_result": {"report": {"resolved": false}}}\n{"id": 1}\n', "failed"),
        ("o.csv", "\ufeffID,Passed\ni-1,TRUE\n", "passed"),
        ("o.csv", '"instance_id";"resolved"\n"i-1";"yes"\n', "passed"),
        ("o.tsv", "trial name\treward\ni-1\t1.0\n", "passed"),
        ("o.csv", "task,reward\ni-1,0.5\n", "partial_credit"),
        ("o.csv", "name;score\ni-1;0,5\n", "partial_credit"),
        ("o.csv", "id,reward\ni-1,nan\n", "unknown"),
        ("o.csv", "i-0,false\ni-1,true\n", "passed"),
        ("o.csv", "i-1,1\r\ni-2,0\r\n", "passed"),
        ("o.csv", "\n\nid,passed,task\n\ni-1,true,t\n\n", "passed"),
        ("o.csv", 'note,id,outcome\n"a, b",i-1,fail\n', "failed"),
        ("o.csv", "id,passed\n i-1 , True \n", "passed"),
        ("o.jsonl", '{"instance_id": "i-1", "resolved": true}\n{"instance_id": "i-2", "resolved": false}\n', "passed"),
        ("o.json", {"i-2": True}, "unknown"),
    ],
)
def test_each_kind_of_outcome_file_says_what_it_says(tmp_path: Path, name: str, content: Any, status: str) -> None:
    assert joined_outcome(tmp_path, name, content).outcome.status == status


def test_submitted_is_no_outcome(tmp_path: Path) -> None:
    made = joined_outcome(tmp_path, "o.json", {"resolved_ids": [], "submitted_ids": ["i-1"], "unresolved_ids": []})
    assert made.outcome.status == "unknown"


def test_a_patch_of_an_outcome_file_is_the_submission(tmp_path: Path) -> None:
    made = joined_outcome(tmp_path, "o.json", {"i-1": {"passed": True, "patch": "--- a/z\n+++ b/z\n@@ -0,0 +1 @@\n+z\n"}})
    assert "+z" in made.submission.patch


def test_an_outcome_joined_by_task_says_so(tmp_path: Path) -> None:
    said = write_json(tmp_path / "o.json", {"hello": True})
    (made,) = rows(trial(tmp_path / "job", reward=None), outcomes=load_outcomes([said]))
    assert isinstance(made, Trajectory)
    assert (made.outcome.status, made.outcome.detail) == ("passed", "joined by task")


@pytest.mark.parametrize(("word", "status"), [(False, "conflicting"), (True, "passed"), (None, "passed")])
def test_a_named_file_that_contradicts_the_trial_conflicts(tmp_path: Path, word: Any, status: str) -> None:
    said = write_json(tmp_path / "o.json", {"hello__abc1234": word})
    (made,) = rows(trial(tmp_path / "job"), outcomes=load_outcomes([said]))
    assert isinstance(made, Trajectory)
    assert made.outcome.status == status


def test_a_file_named_outcomes_in_the_same_folder_is_used_and_said(tmp_path: Path) -> None:
    file = write_json(tmp_path / "i-1.traj", swe_agent(("ls", "")))
    said = write_json(tmp_path / "outcomes.json", {"i-1": {"passed": True}})
    (made,) = rows(file)
    assert isinstance(made, Trajectory)
    assert (made.outcome.status, made.outcome.source) == ("passed", f"{said}#/i-1/passed")


def test_reports_below_an_evaluation_log_are_found(tmp_path: Path) -> None:
    file = write_json(tmp_path / "exp" / "i-1.traj", swe_agent(("ls", "")))
    report = {"i-1": {"resolved": True, "patch_exists": True}}
    write_json(tmp_path / "logs" / "run_evaluation" / "run" / "model-b" / "i-1" / "report.json", report)
    (made,) = rows(file)
    assert isinstance(made, Trajectory)
    assert made.outcome.status == "passed"


def test_a_report_of_another_instance_says_nothing(tmp_path: Path) -> None:
    file = write_json(tmp_path / "traj" / "i-1" / "i-1.traj", swe_agent(("ls", "")))
    write_json(tmp_path / "report" / "i-2" / "report.json", {"resolved": True, "tests_status": {}})
    (made,) = rows(file)
    assert isinstance(made, Trajectory)
    assert made.outcome.status == "unknown"


def test_a_report_that_cannot_be_read_is_said_and_the_others_count(tmp_path: Path) -> None:
    file = write_json(tmp_path / "traj" / "i-1" / "i-1.traj", swe_agent(("ls", "")))
    broken = write_text(tmp_path / "report" / "i-1" / "report.json", '{"resolved": true, ')
    made = only(file)
    assert made.outcome.status == "unknown"
    (said,) = made.oddities
    assert (said.place, said.what[:45]) == (str(broken), "a report near the trajectory cannot be read: ")
    write_json(tmp_path / "report" / "outcomes.json", {"i-1": True})
    assert (only(file).outcome.status, len(only(file).oddities)) == ("passed", 1)


OTHER = PATCH.replace("+a = 2", "+a = 3")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "exp/all_preds.jsonl",
            '{"instance_id": "i-1", "model_patch": "%s", "model_name_or_path": "model-b"}\n{"instance_id": "i-2"}',
        ),
        ("exp/preds.json", '{"i-1": {"instance_id": "i-1", "model_patch": "%s", "model_name_or_path": "exp"}}'),
        ("exp/preds.json", '[{"instance_id": "i-1", "patch": "%s", "prefix": "run-1"}]'),
        ("exp/i-1.pred", '{"model_name_or_path": "m", "instance_id": "i-1", "model_patch": "%s"}'),
        ("exp/patches/i-1.patch", "%s"),
        ("logs/i-1/patch.diff", "%s"),
    ],
)
def test_predictions_near_a_trajectory_give_the_submission_that_it_lacks_and_no_outcome(
    tmp_path: Path, name: str, content: str
) -> None:
    patch = PATCH if name.endswith(("patch", "diff")) else PATCH.replace("\n", "\\n")
    said = write_text(tmp_path / name, content.replace("%s", patch))
    made = only(write_json(tmp_path / "exp" / "i-1.traj", swe_agent(("ls", ""), submission=None)))
    assert (made.submission.patch, made.submission.recovered, made.submission.certainty) == (PATCH, "recorded", "certain")
    assert made.submission.source.startswith(str(said))
    assert (made.outcome.status, made.outcome.detail) == ("unknown", "")
    other = only(write_json(tmp_path / "exp" / "i-2.traj", swe_agent(("pwd", ""), submission=None)))
    assert other.submission.recovered == "none"


def test_empty_predictions_say_nothing(tmp_path: Path) -> None:
    write_json(tmp_path / "preds.json", {"i-1": {"instance_id": "i-1", "model_patch": None}, "i-2": {"model_patch": ""}})
    edit = ("cat > /w/z.py <<'E'\nz = 1\nE", "")
    assert only(write_json(tmp_path / "i-1.traj", swe_agent(edit, submission=None))).submission.recovered == "edits_replayed"
    assert only(write_json(tmp_path / "i-2.traj", swe_agent(edit, submission=""))).submission.recovered == "edits_replayed"


def test_predictions_of_a_folder_beside_are_another_runs(tmp_path: Path) -> None:
    write_json(tmp_path / "runs" / "b" / "preds.json", {"i-1": {"instance_id": "i-1", "model_patch": PATCH}})
    made = only(write_json(tmp_path / "runs" / "a" / "i-1" / "i-1.traj", swe_agent(("ls", ""), submission=None)))
    assert made.submission.recovered == "none"


def test_named_predictions_are_the_submission_and_a_record_that_differs_is_said(tmp_path: Path) -> None:
    said = write_json(tmp_path / "elsewhere" / "preds.json", [{"instance_id": "i-1", "model_patch": OTHER}])
    file = write_json(tmp_path / "t" / "i-1.traj", swe_agent(("ls", "")))
    (made,) = rows(file, outcomes=load_outcomes([said]))
    assert isinstance(made, Trajectory)
    assert (made.submission.patch, made.outcome.status) == (OTHER, "unknown")
    assert "another patch" in made.oddities[0].what
    same = write_json(tmp_path / "elsewhere" / "same.json", [{"instance_id": "i-1", "model_patch": PATCH}])
    (made,) = rows(file, outcomes=load_outcomes([same]))
    assert isinstance(made, Trajectory)
    assert not made.oddities


def test_instance_report_and_run_report_that_disagree_conflict_and_both_are_named(tmp_path: Path) -> None:
    file = write_json(tmp_path / "traj" / "i-1" / "i-1.traj", swe_agent(("ls", "")))
    instance = write_json(tmp_path / "report" / "i-1" / "report.json", {"resolved": True, "tests_status": {}})
    run = write_json(tmp_path / "report" / "run.json", {"total_instances": 1, "resolved_ids": [], "unresolved_ids": ["i-1"]})
    outcome = only(file).outcome
    assert outcome.status == "conflicting"
    assert outcome.detail == f"{instance}#/resolved says passed; {run}#/unresolved_ids/0 says failed"
    skip = skip_of(only(file))
    assert skip is not None
    assert skip.reason == "conflicting_outcome"
    write_json(run, {"total_instances": 1, "resolved_ids": ["i-1"], "unresolved_ids": []})
    assert only(file).outcome.status == "passed"


def test_two_named_files_that_disagree_conflict_whichever_way_each_fits(tmp_path: Path) -> None:
    by_id = write_json(tmp_path / "a.json", {"hello__abc1234": True})
    by_task = write_json(tmp_path / "b.json", {"hello": 0.5})
    (made,) = rows(trial(tmp_path / "job", reward=None), outcomes=load_outcomes([by_id, by_task]))
    assert isinstance(made, Trajectory)
    assert made.outcome.status == "conflicting"
    assert made.outcome.detail == f"{by_id}#/hello__abc1234 says passed; {by_task}#/hello says partial credit"


def test_two_rows_of_one_file_that_disagree_conflict(tmp_path: Path) -> None:
    assert joined_outcome(tmp_path, "o.csv", "id,passed\ni-1,true\ni-1,false\n").outcome.status == "conflicting"


def test_partial_credit_is_told_with_its_reward(tmp_path: Path) -> None:
    made = joined_outcome(tmp_path, "o.json", {"i-1": 0.5})
    assert (made.outcome.reward, made.outcome.maximum, made.outcome.detail) == (0.5, 1.0, "reward 0.5 of 1")
    skip = skip_of(made)
    assert skip is not None
    assert skip.reason == "partial_credit"


def test_why_an_evaluation_says_nothing_is_told(tmp_path: Path) -> None:
    report = {"resolved_ids": [], "infra_failure_ids": ["i-1"], "failure_reasons": {"i-1": "the container was killed"}}
    assert "the container was killed" in joined_outcome(tmp_path, "o.json", report).outcome.detail
    single = {"i-1": {"resolved": False, "patch_exists": True, "infra_failure": True, "infra_failure_reason": "no disk"}}
    assert joined_outcome(tmp_path, "p.json", single).outcome.detail == "the evaluation failed: no disk"


def test_a_claims_task_is_looked_up_as_a_task_only(tmp_path: Path) -> None:
    (made,) = rows(trial(tmp_path / "job", reward=None))
    assert isinstance(made, Trajectory)
    named = Outcomes([Claim(key="x", task="hello__abc1234", status="passed", source="a#/x")])
    assert named.about(made) == ()
    ranks = {
        "hello__abc1234": Outcomes([Claim(key="hello__abc1234", status="passed", source="a#/1")]),
        "hello": Outcomes([Claim(key="hello", status="passed", source="a#/2")]),
    }
    assert [found.about(made)[0].rank for found in ranks.values()] == [0, 3]
    both = Outcomes([*ranks["hello"].claims, *ranks["hello__abc1234"].claims])
    assert [fit.claim.key for fit in both.about(made)] == ["hello__abc1234"]


def test_the_first_of_native_id_member_stem_and_task_that_fits_is_used(tmp_path: Path) -> None:
    document = {**mini(("ls", "")), "instance_id": "org__repo-1"}
    file = write_json(tmp_path / "x.traj.json", document)
    (made,) = rows(file)
    assert isinstance(made, Trajectory)
    for keys, chosen in ((["x", "org__repo-1"], "x"), (["org__repo-1"], "org__repo-1")):
        claims = [Claim(key=key, status="passed", source=f"a#/{key}") for key in keys]
        assert [fit.claim.key for fit in Outcomes(claims).about(made)] == [chosen]


def test_many_outcomes_and_many_attempts_take_no_square_of_time(tmp_path: Path) -> None:
    claims = [Claim(key=f"k-{number}", status="passed", source=f"a#/{number}") for number in range(100_000)]
    named = Outcomes(claims)
    (made,) = rows(trial(tmp_path / "job"))
    assert isinstance(made, Trajectory)
    assert [named.about(made) for _ in range(20_000)] == [()] * 20_000


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no outcomes here",
        '{"a": [1]}',
        '{"resolved": tr',
        "id,other\n1,2\n",
        "true,false\n",
        "[1, 2]",
        '{"id": "a", "passed": true}\n{"id": ',
    ],
)
def test_a_named_file_without_outcomes_is_an_input_error(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError) as caught:
        load_outcomes([write_text(tmp_path / "o.json", content)])
    assert caught.value.slug == "outcomes-unreadable"
    assert "o.json" in str(caught.value)


def test_a_broken_line_of_a_named_file_is_named(tmp_path: Path) -> None:
    said = write_text(tmp_path / "o.jsonl", '{"id": "a", "passed": true}\n\n{"id": "b", "pass\n')
    with pytest.raises(InputError, match="line 3: not valid JSON"):
        load_outcomes([said])


def test_a_named_file_that_is_missing_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_outcomes([tmp_path / "none.csv"])
    assert caught.value.slug == "path-missing"


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("failed", "failed"),
        ("partial_credit", "partial_credit"),
        ("unknown", "unknown_outcome"),
        ("conflicting", "conflicting_outcome"),
    ],
)
def test_every_outcome_but_a_pass_is_a_row_with_its_reason(status: Any, reason: str, tmp_path: Path) -> None:
    (made,) = rows(trial(tmp_path))
    assert isinstance(made, Trajectory)
    assert skip_of(made) is None
    skip = skip_of(Trajectory(id="x", source=made.source, task="t", outcome=Outcome(status=status)))
    assert isinstance(skip, Skip)
    assert (skip.reason, skip.trajectory_id, skip.task) == (reason, "x", "t")
    assert skip.detail


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("gen__model-b__t-0.00__exp9", "conflicting"),
        ("gen__model__t-0.00__exp9", "failed"),
        ("lab__model-b", "conflicting"),
        ("lab__model-c", "failed"),
        ("gen__other-model__t-0.00", "failed"),
    ],
)
def test_a_report_that_names_a_run_of_the_model_in_short_speaks_of_it(tmp_path: Path, name: str, status: str) -> None:
    replay = json.dumps({"agent": {"model": {"name": "model-b-large-20250101"}}})
    document = {
        **swe_agent(("ls", "")),
        "replay_config": replay if name.startswith("gen") else json.dumps({"agent": {"model": {"name": "model-b"}}}),
    }
    file = write_json(tmp_path / "traj" / "i-1" / "i-1.traj", document)
    write_json(tmp_path / "report" / "i-1" / "report.json", {"resolved": True, "tests_status": {}, "model": name})
    write_json(tmp_path / "report" / "run.json", {"total_instances": 1, "resolved_ids": [], "unresolved_ids": ["i-1"]})
    assert only(file).outcome.status == status
