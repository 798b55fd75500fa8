"""Of a file of several attempts each is joined with what is said of it alone, from files near it and from named ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import earned
from made_files import PATCH, rows, write_json, write_text

from earned.records import Trajectory
from earned.trajectory import load_outcomes

CALL = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}


def attempts(path: Path, *names: str) -> Path:
    """Chat messages, one attempt a line."""
    talk = [
        {"role": "user", "content": "Repair it."},
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "a.py"},
    ]
    lines = [json.dumps({"instance_id": name, "messages": [*talk, {"role": "assistant", "content": name}]}) for name in names]
    return write_text(path, "".join(f"{line}\n" for line in lines))


def read(path: Path, **more: Any) -> dict[str, Trajectory]:
    made = [row for row in rows(path, **more) if isinstance(row, Trajectory)]
    return {item.task: item for item in made}


def outcomes(path: Path, **more: Any) -> dict[str, str]:
    return {task: item.outcome.status for task, item in read(path, **more).items()}


def test_each_attempt_has_its_own_word_of_a_report_near_the_file(tmp_path: Path) -> None:
    file = attempts(tmp_path / "runs" / "attempts.jsonl", "i-1", "i-2", "i-3")
    write_json(tmp_path / "runs" / "report.json", {"resolved_ids": ["i-1"], "unresolved_ids": ["i-2"], "total_instances": 3})
    assert outcomes(file) == {"i-1": "passed", "i-2": "failed", "i-3": "unknown"}


def test_each_attempt_has_its_own_submission_of_predictions_near_the_file(tmp_path: Path) -> None:
    file = attempts(tmp_path / "runs" / "attempts.jsonl", "i-1", "i-2")
    write_json(tmp_path / "runs" / "preds.json", {"i-2": {"instance_id": "i-2", "model_patch": PATCH}})
    assert {task: item.submission.patch for task, item in read(file).items()} == {"i-1": "", "i-2": PATCH}


def test_each_attempt_has_its_own_word_of_a_named_file(tmp_path: Path) -> None:
    file = attempts(tmp_path / "runs" / "attempts.jsonl", "i-1", "i-2", "i-3")
    said = write_text(tmp_path / "said.csv", "id;reward\ni-1;1\ni-2;0,5\n")
    assert outcomes(file, outcomes=load_outcomes([said])) == {"i-1": "passed", "i-2": "partial_credit", "i-3": "unknown"}


def test_the_file_s_stem_speaks_of_none_of_several(tmp_path: Path) -> None:
    file = attempts(tmp_path / "runs" / "attempts.jsonl", "i-1", "i-2")
    write_json(tmp_path / "runs" / "outcomes.json", {"attempts": True})
    assert outcomes(file) == {"i-1": "unknown", "i-2": "unknown"}
    said = write_json(tmp_path / "said.json", {"attempts": True})
    found = json.loads(earned("read", file, "--outcomes", said, "--json").out)["trajectories"]
    assert [row["outcome"] for row in found] == ["unknown", "unknown"]
    assert "fits more than one attempt" in found[0]["outcome_detail"]


@pytest.mark.parametrize("word", [True, False])
def test_a_named_file_and_a_report_near_the_file_that_disagree_conflict(tmp_path: Path, *, word: bool) -> None:
    file = attempts(tmp_path / "runs" / "attempts.jsonl", "i-1", "i-2")
    write_json(tmp_path / "runs" / "report.json", {"resolved_ids": ["i-1", "i-2"], "unresolved_ids": []})
    said = write_json(tmp_path / "said.json", {"i-1": word})
    expected = "passed" if word else "conflicting"
    assert outcomes(file, outcomes=load_outcomes([said])) == {"i-1": expected, "i-2": "passed"}
