"""Public files of other projects, where they lie beside the repository: the same claims on real data."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from made_files import only, trajectories

from earned.trajectory import skip_of

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "trajectories"


def shared(name: str) -> Path:
    path = SHARED / name
    if not path.exists():
        pytest.skip("the public files are not beside the repository")
    return path


def test_smith_runs_take_their_outcome_from_the_folder_beside_them() -> None:
    made = {item.task: item for item in trajectories(shared("swe-agent/swe-smith/traj"))}
    assert {task: item.outcome.status for task, item in made.items()} == {
        "pydantic__pydantic.acb0f10f.pr_8316": "passed",
        "pandas-dev__pandas.95280573.pr_53856": "failed",
    }
    assert all(item.steps[-1].actor == "grader" for item in made.values())


def test_smith_reports_that_disagree_conflict_and_both_are_named(tmp_path: Path) -> None:
    copy = Path(shutil.copytree(shared("swe-agent/swe-smith"), tmp_path / "swe-smith"))
    run = copy / "report" / "run-report.json"
    said = json.loads(run.read_text(encoding="utf-8"))
    name = "pydantic__pydantic.acb0f10f.pr_8316"
    said["ids_resolved"].remove(name)
    said["ids_unresolved"].append(name)
    run.write_text(json.dumps(said), encoding="utf-8")
    made = {item.task: item for item in trajectories(copy / "traj")}
    assert made[name].outcome.status == "conflicting"
    assert f"report/{name}/report.json#/resolved says passed" in made[name].outcome.detail
    assert "run-report.json#/" in made[name].outcome.detail
    skip = skip_of(made[name])
    assert skip is not None
    assert skip.reason == "conflicting_outcome"
    assert made["pandas-dev__pandas.95280573.pr_53856"].outcome.status == "failed"


@pytest.mark.parametrize(
    ("name", "turns", "recovered"),
    [
        ("swe-agent/v0-marshmallow", 14, "recorded"),
        ("swe-agent/v1-function-calling", 11, "recorded"),
        ("swe-agent/v1-xml", 11, "recorded"),
        ("swe-agent/v1-demo-history", 5, "none"),
        ("swe-agent/swe-bench-dev", 12, "recorded"),
        ("mini-swe-agent/github_issue.traj.json", 10, "recorded"),
        ("atif", 2, "edits_replayed"),
        ("codex/synthetic-rollout.jsonl", 4, "edits_replayed"),
    ],
)
def test_public_files_give_their_turns_and_their_submission(name: str, turns: int, recovered: str) -> None:
    made = only(shared(name))
    assert len([step for step in made.steps if step.actor == "agent"]) == turns
    assert made.submission.recovered == recovered
    assert made.completeness.grade == "full"
    assert made.outcome.status == "unknown"
    assert not made.oddities
