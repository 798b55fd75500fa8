"""The same attempt in two places counts once; two attempts that may be different ones, however alike, count twice."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from command_line import earned, lines, small_trials
from made_files import swe_agent, write_json, write_text
from made_inspect import archive, call, log, model, sample, tool

from earned.flows import plan

TALK: list[dict[str, Any]] = [
    {"role": "system", "content": "# Airline agent policy"},
    {"role": "user", "content": "book it"},
    {
        "role": "assistant",
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "book", "arguments": '{"n": 1}'}}],
    },
    {"role": "tool", "tool_call_id": "c", "content": "booked"},
    {"role": "assistant", "content": "done"},
]


def episode(trial: int | None = 0, talk: list[dict[str, Any]] = TALK, reward: float = 1.0, task: int = 3) -> dict[str, Any]:
    made = {"task_id": task, "reward": reward, "info": {"task": {"instruction": "x"}}, "traj": talk}
    return made if trial is None else {**made, "trial": trial}


def counted(tmp_path: Path, place: Path, *options: object) -> tuple[int, int, list[str]]:
    """Surface passes, attempts, and what the rows of duplicates say; `earned read` says the same."""
    out = tmp_path / "audit-of-it"
    done = earned("audit", place, "--out", out, "--json", *options)
    assert done.code == 0, done.err
    card = json.loads(done.out)
    details = [row["detail"] for row in lines(out / "skipped.jsonl") if row["reason"] == "duplicate"]
    assert card["surface_passes"] == sum(1 for _ in parquet_rows(out))
    found = json.loads(earned("read", place, "--json", *options).out)
    again = [row["same_as"] for row in found["trajectories"] if row["same_as"]]
    assert [f"the same attempt as {place}" for place in again] == [detail for detail in details if "source bytes" not in detail]
    assert (found["counts"]["trajectories"], found["counts"]["repeated"]) == (card["attempts"], len(again))
    return card["surface_passes"], card["attempts"], details


def parquet_rows(out: Path) -> list[dict[str, Any]]:
    return [row for path in sorted((out / "verdicts").glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_an_episode_that_stands_twice_in_a_list_counts_once(tmp_path: Path) -> None:
    place = write_json(tmp_path / "in" / "runs.json", [episode(), episode(), episode(task=4)])
    assert counted(tmp_path, place) == (2, 2, [f"the same attempt as {place}:task 3 trial 0"])


@pytest.mark.parametrize(
    "second",
    [episode(trial=1), episode(task=4), episode(reward=0.5), episode(talk=[*TALK, {"role": "user", "content": "thanks"}])],
)
def test_another_trial_task_outcome_or_step_is_another_attempt(tmp_path: Path, second: dict[str, Any]) -> None:
    passes, attempts, details = counted(tmp_path, write_json(tmp_path / "in" / "runs.json", [episode(), second]))
    assert (passes + (second["reward"] < 1), attempts, details) == (2, 2, [])


def test_attempts_in_which_no_agent_did_anything_are_never_one(tmp_path: Path) -> None:
    listed = [episode(talk=TALK[:2]), episode(talk=TALK[:2])]
    assert counted(tmp_path, write_json(tmp_path / "in" / "runs.json", listed))[1:] == (2, [])


def test_samples_of_a_task_without_names_of_their_own_are_each_an_attempt(tmp_path: Path) -> None:
    row = {"task_id": "t", "messages": TALK, "reward": 1}
    rows = "\n".join(json.dumps(row) for _ in range(4))
    assert counted(tmp_path, write_text(tmp_path / "in" / "rows.jsonl", rows)) == (4, 4, [])


def test_rows_of_one_name_and_content_are_one_attempt(tmp_path: Path) -> None:
    row = {"task_id": "t", "rollout_id": "r-7", "messages": TALK, "reward": 1}
    place = write_text(tmp_path / "in" / "rows.jsonl", f"{json.dumps(row)}\n{json.dumps({'note': 'again', **row})}\n")
    assert counted(tmp_path, place) == (1, 1, [f"the same attempt as {place}:r-7"])


def inspect_log(folder: Path) -> Path:
    events = (model("", call("a", command="ls")), tool("a", "x.py"))
    samples = [sample(*events, id=name, scores={"tests": {"value": grade}}) for name, grade in (("a", "C"), ("b", "I"))]
    archive(folder, {f"samples/{item['id']}_epoch_1.json": item for item in samples})
    return log(folder, *samples).parent


@pytest.mark.parametrize("named", [False, True])
def test_a_log_in_both_of_its_containers_counts_once(tmp_path: Path, *, named: bool) -> None:
    place = inspect_log(tmp_path / "in")
    said = write_json(tmp_path / "said.json", {"a": True, "b": False})
    passes, attempts, details = counted(tmp_path, place, *(("--outcomes", said) if named else ()))
    assert (passes, attempts) == (1, 2), "a row that fits both copies fits one attempt"
    assert len(details) == 2


def test_an_export_beside_its_runs_counts_once(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "in" / "trials", 3)
    assert earned("read", trials, "--export", tmp_path / "in" / "all.jsonl").code == 0
    passes, attempts, details = counted(tmp_path, tmp_path / "in")
    assert (passes, attempts, len(details)) == (3, 3, 3)


def test_an_archive_beside_its_folder_counts_once(tmp_path: Path) -> None:
    place = write_json(tmp_path / "in" / "runs" / "runs.json", [episode(), episode(task=4)])
    shutil.make_archive(str(tmp_path / "in" / "runs"), "zip", place.parent)
    assert counted(tmp_path, tmp_path / "in")[:2] == (2, 2)


@pytest.mark.parametrize(
    ("names", "passes"),
    [
        (("sample_0.json", "sample_1.json", "sample_2.json"), 3),
        (("model-a/t.json", "model-b/t.json"), 2),
        (("one/run/t.json", "two/run/t.json"), 1),
    ],
)
def test_files_of_equal_bytes_are_one_attempt_only_by_equal_names_in_equal_folders(
    tmp_path: Path, names: tuple[str, ...], passes: int
) -> None:
    for name in names:
        write_json(tmp_path / "in" / name, {"task_id": "t", "messages": TALK, "reward": 1})
    assert counted(tmp_path, tmp_path / "in")[:2] == (passes, passes)


def simulations(path: Path, *tasks: int, start: str) -> Path:
    info = {"agent_info": {}, "user_info": {}, "environment_info": {}, "num_trials": 1}
    listed = [
        {"task_id": str(task), "trial": 0, "start_time": start, "messages": TALK[1:], "reward_info": {"reward": 1.0}}
        for task in tasks
    ]
    return write_json(path, {"info": info, "tasks": [], "simulations": listed})


@pytest.mark.parametrize(("start", "passes"), [("2026-01-01T00:00:00", 2), ("2026-01-02T00:00:00", 3)])
def test_a_part_of_the_results_beside_the_whole_counts_once_when_the_times_are_the_same(
    tmp_path: Path, start: str, passes: int
) -> None:
    simulations(tmp_path / "in" / "so-far.json", 3, start="2026-01-01T00:00:00")
    simulations(tmp_path / "in" / "all.json", 3, 4, start=start)
    assert counted(tmp_path, tmp_path / "in")[:2] == (passes, passes)


@pytest.mark.parametrize(("name", "passes"), [("runs.json", 2), ("others.json", 3)])
def test_without_times_episodes_of_files_of_other_names_are_of_other_runs(tmp_path: Path, name: str, passes: int) -> None:
    write_json(tmp_path / "in" / "runs.json", [episode()])
    write_json(tmp_path / "in" / "copy" / "in" / name, [episode(), episode(task=4)])
    assert counted(tmp_path, tmp_path / "in")[:2] == (passes, passes)


@pytest.mark.parametrize("jobs", [1, 2])
def test_repeats_in_other_shards_are_found_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(plan, "SHARD_ITEMS", 1)
    for number in range(4):
        write_json(tmp_path / "in" / f"{number}" / "x" / "runs.json", [episode(task=number), episode(task=9)])
    out = tmp_path / "out"
    command = ("audit", tmp_path / "in", "--out", out, "--jobs", jobs, "--quiet")
    assert earned(*command).code == 0
    assert len(parquet_rows(out)) == 5
    first = {path: path.stat().st_mtime_ns for path in sorted((out / "verdicts").iterdir())}
    assert earned(*command).code == 0
    assert {path: path.stat().st_mtime_ns for path in sorted((out / "verdicts").iterdir())} == first, "nothing is done again"
    (tmp_path / "in" / "0" / "x" / "runs.json").unlink()
    assert earned(*command).code == 0
    rows = parquet_rows(out)
    assert sorted(row["task"] for row in rows) == ["1", "2", "3", "9"]
    assert next(row["trajectory"] for row in rows if row["task"] == "9").endswith("1/x/runs.json"), "the first that is left"


def test_a_run_that_was_killed_between_the_rounds_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "SHARD_ITEMS", 1)
    for number in range(2):
        write_json(tmp_path / "in" / f"{number}" / "x" / "runs.json", [episode(task=number), episode(task=9)])
    out = tmp_path / "out"
    command = ("audit", tmp_path / "in", "--out", out, "--jobs", 1, "--quiet")
    assert earned(*command).code == 0
    for marker in (out / "shards").glob("*-*.json"):
        marker.unlink()
    assert earned(*command).code == 0
    assert len(parquet_rows(out)) == 3


def test_the_audit_tells_of_outcome_files_in_neighbouring_folders_also_when_it_resumes(tmp_path: Path) -> None:
    for number in range(2):
        name = f"org__repo-{number}"
        write_json(tmp_path / "trajs" / name / f"{name}.traj", swe_agent((f"ls {number}", "x")))
        write_json(tmp_path / "evaluation" / name / "report.json", {name: {"resolved": number == 0, "patch_exists": True}})
    plain = earned("read", tmp_path).err
    assert "outcomes were read from 2 files in folders near the trajectories" in plain
    for _ in range(2):
        assert earned("audit", tmp_path / "trajs", "--out", tmp_path / "out").err.count("outcomes were read from 2 files") == 1
    (report,) = (tmp_path / "evaluation" / "org__repo-0").iterdir()
    done = earned("audit", tmp_path / "trajs", "--out", tmp_path / "named", "--outcomes", report)
    assert "outcomes were read from a file in folders near" in done.err
