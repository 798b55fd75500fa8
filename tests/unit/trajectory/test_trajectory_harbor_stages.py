"""A trial of several steps: the agent's log of each is there, or its absence is said."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from made_files import atif, bash, only, trial, write_json, write_text


def _staged(tmp_path: Path, *shown: str) -> Path:
    home = trial(tmp_path, step_results=[{"step_name": "one"}, {"step_name": "two"}])
    shutil.rmtree(home / "agent")
    for name in shown:
        write_json(home / "steps" / name / "agent" / "trajectory.json", atif(bash(f"make {name}")))
        write_text(home / "steps" / name / "verifier" / "reward.txt", "1\n")
    return home


@pytest.mark.parametrize("lost", ["one", "two"])
@pytest.mark.parametrize("has_folder", [True, False])
def test_a_step_without_the_agents_log_makes_the_trace_partial(tmp_path: Path, lost: str, *, has_folder: bool) -> None:
    home = _staged(tmp_path, "two" if lost == "one" else "one")
    if has_folder:
        write_text(home / "steps" / lost / "verifier" / "reward.txt", "1\n")
    made = only(home).completeness
    assert made.grade == "partial"
    assert [reason.what for reason in made.reasons] == [f"nothing is recorded of what the agent did in steps/{lost}"]
    assert made.reasons[0].hides_acts


def test_a_trial_with_the_logs_of_all_steps_is_full(tmp_path: Path) -> None:
    assert only(_staged(tmp_path, "one", "two")).completeness.grade == "full"
