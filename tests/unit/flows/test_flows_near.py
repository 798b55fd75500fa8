"""What files near trajectories say goes to the attempt that it means, or to none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_files import swe_agent, write_json, write_text

from earned.flows.near import with_contested
from earned.flows.read import ReadRow, read
from earned.records import Skip, Trajectory
from earned.trajectory import Candidate, discover
from earned.trajectory.outcomes import claims
from earned.trajectory.outcomes.claim import Claim

SAID = {"t1": {"resolved": True, "patch_exists": True, "tests_status": {}}}


def attempt(command: str, model: str = "m", **more: Any) -> dict[str, Any]:
    arguments = json.dumps({"command": command})
    calls = [{"id": "c", "type": "function", "function": {"name": "bash", "arguments": arguments}}]
    talk = [{"role": "user", "content": "Do it"}, {"role": "assistant", "content": "", "tool_calls": calls}]
    return {"task_id": "t1", "model": model, "messages": [*talk, {"role": "tool", "tool_call_id": "c", "content": "a"}], **more}


def outcomes(folder: Path, files: dict[str, Any]) -> dict[str, str]:
    for name, content in files.items():
        write = write_text if isinstance(content, str) else write_json
        write(folder / name, content)
    found = [item for item in read([folder]) if isinstance(item, ReadRow)]
    return {f"{Path(item.path).relative_to(folder)}{item.member and ':'}{item.member}": item.outcome for item in found}


def lines(*values: dict[str, Any]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.mark.parametrize(
    "files",
    [
        {"a.json": attempt("ls"), "b.json": attempt("pwd"), "outcomes.json": {"t1": True}},
        {"t1/a.json": attempt("ls"), "t1/b.json": attempt("pwd"), "t1/report.json": SAID},
        {"one/t1.json": attempt("ls"), "two/t1.json": attempt("pwd"), "outcomes.json": {"t1": True}},
        {"x.jsonl": lines(attempt("ls", trial=0), attempt("pwd", trial=1)), "report.json": SAID},
        {"x.jsonl": lines(attempt("ls"), attempt("pwd")), "y.json": attempt("id"), "outcomes.json": {"t1": True}},
    ],
)
def test_what_fits_several_attempts_by_task_is_of_none(tmp_path: Path, files: dict[str, Any]) -> None:
    assert set(outcomes(tmp_path, files).values()) == {"unknown"}
    (said, *_) = [item.outcome_detail for item in read([tmp_path]) if isinstance(item, ReadRow)]
    assert said.endswith("fits more than one attempt of this task")


def test_the_attempt_that_is_fitted_best_has_what_is_said(tmp_path: Path) -> None:
    files = {"t1.json": attempt("ls"), "b.json": attempt("pwd"), "outcomes.json": {"t1": True}}
    assert outcomes(tmp_path, files) == {"b.json": "unknown", "t1.json": "passed"}
    write_json(tmp_path / "outcomes.json", {"t1": True, "b": True})
    assert outcomes(tmp_path, {}) == {"b.json": "passed", "t1.json": "passed"}


def test_one_attempt_of_a_task_has_what_its_task_is_said_of(tmp_path: Path) -> None:
    other = {**attempt("pwd"), "task_id": "t2"}
    files = {"a.json": attempt("ls"), "x.jsonl": lines(other), "outcomes.json": {"t1": True, "t2": False}}
    assert list(outcomes(tmp_path, files).values()) == ["passed", "failed"]


@pytest.mark.parametrize("other", ["B/t1.jsonl", "B/runs.jsonl", "B/t1/x.json"])
def test_reports_of_a_folder_with_attempts_of_its_own_are_of_those(tmp_path: Path, other: str) -> None:
    files = {"A/t1.json": attempt("ls", "A"), other: lines(attempt("pwd", "B")), "B/report.json": SAID}
    assert outcomes(tmp_path, files)["A/t1.json"] == "unknown"


def test_reports_of_a_folder_without_attempts_count(tmp_path: Path) -> None:
    assert outcomes(tmp_path, {"A/t1.json": attempt("ls", "A"), "said/report.json": SAID}) == {"A/t1.json": "passed"}


def test_an_evaluation_named_for_another_model_says_nothing_and_ones_own_decides(tmp_path: Path) -> None:
    logs = "logs/run_evaluation/x"
    files = {"r/t1.json": attempt("ls", "lab/A"), f"{logs}/B/t1/report.json": SAID}
    assert outcomes(tmp_path, files) == {"r/t1.json": "unknown"}
    failed = {"t1": {**SAID["t1"], "resolved": False}}
    assert outcomes(tmp_path, {f"{logs}/lab__A/t1/report.json": failed}) == {"r/t1.json": "failed"}


def test_a_run_report_named_for_a_model_speaks_of_that_only(tmp_path: Path) -> None:
    report = {"resolved_ids": ["t1"], "submitted_ids": ["t1"], "total_instances": 1}
    files = {"A/t1.json": attempt("ls", "A"), "B/t1.json": attempt("pwd", "B"), "A.run.json": report}
    assert outcomes(tmp_path, files) == {"A/t1.json": "passed", "B/t1.json": "unknown"}


@pytest.mark.parametrize(
    ("name", "said", "status"),
    [
        ("tsconfig.json", {"t1": True, "strict": True}, "unknown"),
        ("../flags.json", {"t1": True, "strict": True}, "unknown"),
        ("said.json", {"t1": True, "t2": False}, "passed"),
        ("model-results.json", {"t1": True, "other": False}, "passed"),
    ],
)
def test_truths_are_outcomes_by_name_or_by_ids_of_attempts(tmp_path: Path, name: str, said: Any, status: str) -> None:
    two = {**attempt("pwd"), "task_id": "t2"}
    assert outcomes(tmp_path, {"r/t1.json": attempt("ls"), "r/t2.json": two, f"r/{name}": said})["r/t1.json"] == status


def test_files_named_as_their_ids_are_not_read_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = tmp_path / "above" / "runs"
    for name in ("i-1", "i-2"):
        write_json(runs / f"{name}.traj", swe_agent(("ls", name)))
    write_json(runs / "outcomes.json", {"i-1": True, "i-2": True})
    asked: list[Candidate] = []

    def attempts(candidate: Candidate) -> list[Trajectory]:
        asked.append(candidate)
        return []

    monkeypatch.setattr("earned.flows.near.attempts_of", attempts)
    found = list(with_contested(discover([runs])))
    assert not [item for item in found if isinstance(item, Skip)]
    assert asked == []
    write_json(runs / "outcomes.json", {"i-1": True})
    assert len(list(with_contested(discover([runs])))) == len(found)
    assert len(asked) == 1


def test_each_of_many_reports_is_read_once_in_a_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports = [write_json(tmp_path / f"{number}.json", {"t1": True}) for number in range(200)]
    read_from: list[str] = []
    real = claims.claims_of

    def counted(path: str) -> Iterator[Claim]:
        read_from.append(path)
        return real(path)

    monkeypatch.setattr(claims, "claims_of", counted)
    for _ in range(3):
        assert all(claims.claims_held(str(report)).found.of("t1") for report in reports)
    assert len(read_from) == len(reports)
    monkeypatch.setattr(claims, "MAX_HELD", 100)
    assert claims.claims_held(str(write_json(tmp_path / "one.json", {"t1": True}))).found.of("t1")
    assert claims.claims_held(str(reports[0])).found.of("t1")
    assert len(read_from) == len(reports) + 2


def of_two_tasks() -> str:
    return lines(attempt("ls"), {**attempt("pwd"), "task_id": "t2"}, {**attempt("id"), "task_id": "t3"})


@pytest.mark.parametrize("named", [True, False])
def test_each_id_of_a_list_is_said_of_its_own_attempt(tmp_path: Path, named: bool) -> None:
    write_text(tmp_path / "runs" / "x.jsonl", of_two_tasks())
    report = write_json(
        tmp_path / ("elsewhere" if named else "runs") / "report.json", {"resolved_ids": ["t1", "t2"], "unresolved_ids": ["t3"]}
    )
    found = read([tmp_path / "runs"], outcomes=[report] if named else [])
    assert [item.outcome for item in found if isinstance(item, ReadRow)] == ["passed", "passed", "failed"]


def test_a_list_of_several_ids_that_disagrees_with_their_own_reports_is_a_conflict_of_each(tmp_path: Path) -> None:
    write_text(tmp_path / "runs" / "x.jsonl", of_two_tasks())
    said = [
        write_json(tmp_path / "own.json", {"t1": {"resolved": True}, "t2": {"resolved": True}, "t3": {"resolved": False}}),
        write_json(tmp_path / "run.json", {"unresolved_ids": ["t1", "t2", "t3"]}),
    ]
    found = read([tmp_path / "runs"], outcomes=said)
    assert [item.outcome for item in found if isinstance(item, ReadRow)] == ["conflicting", "conflicting", "failed"]
