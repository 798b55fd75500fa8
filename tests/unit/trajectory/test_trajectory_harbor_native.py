from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import render_harbor
import render_mini_swe_agent
import render_swe_agent
from made_attempt import Attempt, Call, Turn, made_calls, read_calls
from made_files import only, write_json, write_text

from earned.trajectory.formats.harbor.native import MAX_LOGS

NATIVE = Attempt(
    turns=(
        Turn("I look.", (Call("bash", command="ls", result="a.py\nb.py"),)),
        Turn("I write.", (Call("bash", command="echo hi > a.py", result="done"),)),
    ),
    model="model-n",
)
SHORTER = Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result="(less was kept)"),)),))


def trial_with_native(folder: Path, *, document: Attempt = SHORTER, native: Attempt = NATIVE) -> Path:
    home = render_harbor.render(document, folder)
    made = render_mini_swe_agent.render(native, folder / "elsewhere") / "mini" / native.task / f"{native.task}.traj.json"
    shutil.copy(made, home / "agent" / "mini-swe-agent.trajectory.json")
    return home


def test_the_agents_own_log_is_preferred_and_said_to_be(tmp_path: Path) -> None:
    made = only(trial_with_native(tmp_path))
    assert read_calls(made) == made_calls(NATIVE)
    assert "steps from the agent's own log agent/mini-swe-agent.trajectory.json (mini-swe-agent)" in made.source.recognised
    assert "preferred to agent/trajectory.json" in made.source.recognised
    assert {step.source.partition("#")[0] for step in made.steps if step.actor == "agent"} == {
        "agent/mini-swe-agent.trajectory.json"
    }
    assert (made.task, made.outcome.status, made.model) == ("demo-task", "passed", "model-a")
    assert [file.path.rpartition("/")[2] for file in made.source.files] == ["mini-swe-agent.trajectory.json", "trajectory.json"]


def test_a_trial_without_a_native_log_says_nothing_of_one(tmp_path: Path) -> None:
    made = only(render_harbor.render(SHORTER, tmp_path))
    assert read_calls(made) == made_calls(SHORTER)
    assert "own log" not in made.source.recognised


def test_a_native_log_that_shows_less_than_the_document_is_not_preferred(tmp_path: Path) -> None:
    cut = Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result=None),)),))
    made = only(trial_with_native(tmp_path, document=NATIVE, native=cut))
    assert read_calls(made) == made_calls(NATIVE)
    assert "steps from agent/trajectory.json, which shows more than the agent's own log" in made.source.recognised


def test_a_native_log_with_a_gap_is_kept_where_the_document_shows_no_more(tmp_path: Path) -> None:
    cut = Attempt(turns=(*NATIVE.turns, Turn("", (Call("bash", command="sleep 9", result=None),))))
    made = only(trial_with_native(tmp_path, native=cut))
    assert [call[1] for call in read_calls(made)] == ["ls", "echo hi > a.py", "sleep 9"]
    assert made.completeness.grade == "partial"


@pytest.mark.parametrize("text", ['{"trajectory_format": "mini-swe-agent-1.1", "messages": [', "{}", "plain text\n"])
def test_a_native_log_that_cannot_be_read_leaves_the_document(tmp_path: Path, text: str) -> None:
    home = trial_with_native(tmp_path)
    write_text(home / "agent" / "mini-swe-agent.trajectory.json", text)
    made = only(home)
    assert read_calls(made) == made_calls(SHORTER)
    assert bool(made.oddities) is text.endswith("[")


def test_a_trial_with_a_native_log_alone_is_read_whole(tmp_path: Path) -> None:
    home = trial_with_native(tmp_path)
    (home / "agent" / "trajectory.json").unlink()
    made = only(home)
    assert read_calls(made) == made_calls(NATIVE)
    assert (made.completeness.grade, made.instruction) == ("full", NATIVE.instruction)


def test_the_recorded_submission_of_a_native_log_is_taken_unless_the_trial_collected_one(tmp_path: Path) -> None:
    patch = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+hi\n"
    home = render_harbor.render(SHORTER, tmp_path)
    native = Attempt(turns=NATIVE.turns, patch=patch)
    made = render_swe_agent.render(native, tmp_path / "elsewhere") / "swe" / native.task / f"{native.task}.traj"
    shutil.copy(made, home / "agent" / "swe-agent.trajectory.json")
    assert (only(home).submission.patch, only(home).submission.recovered) == (patch, "recorded")
    collected = patch.replace("+hi", "+ho")
    write_text(home / "artifacts" / "submission.patch", collected)
    assert (only(home).submission.patch, only(home).submission.recovered) == (collected, "artifact")


def test_a_log_of_another_kind_in_the_agents_folder_is_no_native_log(tmp_path: Path) -> None:
    home = render_harbor.render(SHORTER, tmp_path)
    write_json(home / "agent" / "usage.json", {"messages": 3, "info": {"x": 1}})
    write_text(home / "agent" / "install.log", "Collecting mini-swe-agent\n")
    made = only(home)
    assert read_calls(made) == made_calls(SHORTER)
    assert "own log" not in made.source.recognised


def test_a_native_log_is_found_behind_very_many_files_in_folders(tmp_path: Path) -> None:
    home = trial_with_native(tmp_path)
    for number in range(MAX_LOGS + 10):
        write_text(home / "agent" / "completions" / f"{number}.json", "{}")
    assert read_calls(only(home)) == made_calls(NATIVE)
