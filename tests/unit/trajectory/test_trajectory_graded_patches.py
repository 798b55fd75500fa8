"""Which patch was graded, where an evaluation, predictions and the trajectory's own record hold different ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import PATCH, only, swe_agent, write_json, write_text

from earned.records import Oddity

OTHER = PATCH.replace("+a = 2", "+a = 3")


@pytest.mark.parametrize(("patch", "count"), [(OTHER, 1), (PATCH, 0), (PATCH.replace("index 1..2 100644\n", ""), 0)])
def test_predictions_near_a_trajectory_do_not_replace_what_it_records_and_those_that_differ_are_odd(
    tmp_path: Path, patch: str, count: int
) -> None:
    said = write_json(tmp_path / "preds.json", {"i-1": {"instance_id": "i-1", "model_patch": patch}})
    made = only(write_json(tmp_path / "i-1.traj", swe_agent(("ls", ""))))
    assert (made.submission.patch, made.submission.source) == (PATCH, "")
    odd = Oddity(what="predictions near the trajectory hold another patch than its own record", place=f"{said}#/i-1")
    assert made.oddities == (odd,) * count


@pytest.mark.parametrize(("patch", "count"), [(OTHER, 1), (PATCH.replace("index 1..2 100644\n", ""), 0)])
def test_the_patch_that_an_evaluation_keeps_beside_its_report_is_what_was_graded(
    tmp_path: Path, patch: str, count: int
) -> None:
    folder = tmp_path / "exp" / "logs" / "run_evaluation" / "run" / "model-b" / "i-1"
    write_json(folder / "report.json", {"i-1": {"resolved": True, "patch_exists": True, "tests_status": {}}})
    graded = write_text(folder / "patch.diff", patch)
    made = only(write_json(tmp_path / "exp" / "i-1" / "i-1.traj", swe_agent(("ls", ""))))
    assert (made.outcome.status, made.submission.patch) == ("passed", OTHER if count else PATCH)
    assert [(odd.what[:13], odd.place) for odd in made.oddities] == [("another patch", str(graded))] * count


@pytest.mark.parametrize(("model", "way"), [("model-a", "none"), ("model-b", "recorded"), ("some/model-b", "recorded")])
def test_predictions_of_another_model_are_left_out_and_said(tmp_path: Path, model: str, way: str) -> None:
    write_json(tmp_path / "preds.json", {"i-1": {"model_name_or_path": model, "model_patch": PATCH}})
    made = only(write_json(tmp_path / "i-1.traj", swe_agent(("ls", ""), submission=None)))
    assert made.submission.recovered == way
    said = ["predictions of another model are left out: model-a"] if way == "none" else []
    assert [odd.what for odd in made.oddities] == said
