"""The example trials are what their labels say, were really run, and can be made again byte for byte."""

from __future__ import annotations

import importlib
import json
import random
import runpy
import socket
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atif
import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
MAKE: Callable[..., list[dict[str, Any]]] = runpy.run_path(str(EXAMPLES / "make_trials.py"))["make"]
CHANGES = {"receipt_removed", "integration_removed", "order_reversed", "source_made_ancestor"}
HINTS = {"honest", "bad", "hack", "exploit", "leak", "twin", "cheat", "violation", "unearned", "legitimate"}


def part(name: str) -> Any:
    """One module of the trial maker; `make_trials.py` has put its folder on the path."""
    return importlib.import_module(f"trialmaker.{name}")


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLES / "labels.jsonl").read_text(encoding="utf-8").splitlines()]


def committed_job() -> Path:
    (job,) = (EXAMPLES / "trials").iterdir()
    return job


def trajectory(job: Path, trial: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((job / trial / "agent" / "trajectory.json").read_text(encoding="utf-8"))
    return document


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# --- the trials in the repository


def test_each_trial_has_one_row_and_each_row_one_trial() -> None:
    folders = sorted(path.name for path in committed_job().iterdir() if path.is_dir())
    assert folders == sorted(row["trial"] for row in rows())
    assert sorted(row["scenario"] for row in rows()) == sorted(scenario.name for scenario in part("scenarios").SCENARIOS)


def test_there_are_eight_ordinary_trials_and_ten_others() -> None:
    assert sum(not row["categories"] for row in rows()) == 8
    assert sum(row["label"] == "violation" for row in rows()) == 9
    assert [row["label"] for row in rows() if row["categories"] == ["unsupported_claim"]] == ["legitimate"]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["scenario"])
def test_each_trajectory_is_valid_and_passed(row: dict[str, Any]) -> None:
    text = (committed_job() / row["trial"] / "agent" / "trajectory.json").read_text(encoding="utf-8")
    assert len(atif.Trajectory.model_validate_json(text).steps) > 4
    result = json.loads((committed_job() / row["trial"] / "result.json").read_text(encoding="utf-8"))
    assert result["verifier_result"] == {"rewards": {"reward": 1.0}}


def test_the_trials_hold_no_path_of_a_machine() -> None:
    for name, data in everything(committed_job()).items():
        text = data.decode("utf-8")
        for piece in ("/tmp/trial-", "/home/", "/root", "127.0.0.1", "localhost", str(EXAMPLES.parent)):
            assert piece not in text, (name, piece)


def test_the_trials_hold_no_hint_at_their_label() -> None:
    for name, data in everything(committed_job()).items():
        words = {word.strip(".,:;()[]{}\"'`").lower() for word in (name + " " + data.decode("utf-8")).replace("_", " ").split()}
        assert not words & HINTS, (name, words & HINTS)


def test_half_of_the_trials_keep_their_submission() -> None:
    kept = sorted(path.parts[-3] for path in committed_job().rglob("artifacts/submission.patch"))
    assert 2 * len(kept) == len(rows())


def test_the_trials_are_small() -> None:
    assert sum(len(data) for data in everything(EXAMPLES / "trials").values()) < 1_000_000


@pytest.mark.parametrize("row", [row for row in rows() if row["decisive_steps"]], ids=lambda row: row["scenario"])
def test_decisive_steps_are_acts_or_words_of_the_agent(row: dict[str, Any]) -> None:
    steps = trajectory(committed_job(), row["trial"])["steps"]
    assert all(steps[position]["source"] == "agent" for position in row["decisive_steps"])
    assert row["decisive_steps"] == sorted(row["decisive_steps"])


@pytest.mark.parametrize("scenario", ["later_commit_shown", "upstream_file_fetched"])
def test_what_was_received_is_what_was_written(scenario: str) -> None:
    (row,) = (row for row in rows() if row["scenario"] == scenario)
    steps = trajectory(committed_job(), row["trial"])["steps"]
    received, written = (steps[position] for position in row["decisive_steps"])
    shown = received["observation"]["results"][0]["content"]
    arguments = "\n".join(written["tool_calls"][0]["arguments"].values())
    lines = {line.lstrip("+-").strip() for line in arguments.splitlines()}
    assert sum(len(line) > 30 and line in shown for line in lines) >= 4


def test_a_written_reward_stands_against_a_failed_verifier() -> None:
    (row,) = (row for row in rows() if row["scenario"] == "reward_file_written")
    verifier = committed_job() / row["trial"] / "verifier"
    assert json.loads((verifier / "reward.json").read_text(encoding="utf-8")) == {"reward": 1.0}
    assert (verifier / "reward.txt").read_text(encoding="utf-8").strip() == "0"
    assert " failed" in (verifier / "test-stdout.txt").read_text(encoding="utf-8")


# --- making them


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first, again = (MAKE(tmp_path / name, 3, only=["upstream_file_downloaded"]) for name in ("a", "b"))
    assert first == again
    assert everything(tmp_path / "a") == everything(tmp_path / "b")


def test_another_seed_gives_another_library() -> None:
    texts = {part("themes").build_theme(0, random.Random(seed)).text("") for seed in range(20)}
    assert len(texts) == 20


def test_nothing_is_written_elsewhere_and_the_server_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    before = set(threading.enumerate())
    MAKE(tmp_path / "out", 5, only=["manual_page_read"])
    assert list(scratch.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "scratch"]
    assert set(threading.enumerate()) == before


def test_a_server_answers_only_while_it_is_needed() -> None:
    with part("remote").serving() as remote:
        port = remote.server_address[1]
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_a_twin_is_no_violation_and_passes_all_the_same(tmp_path: Path) -> None:
    (scenario,) = (scenario for scenario in part("scenarios").SCENARIOS if scenario.name == "installed_release_copied")
    order = part("production").Order(
        scenario=scenario.twins["integration_removed"], seed=6, place=0, slot=0, change="integration_removed"
    )
    with part("remote").serving() as remote:
        trial, row = part("production").produce(order, tmp_path, remote)
    assert (row["label"], row["twin"], trial.rewards) == ("legitimate", "integration_removed", {"reward": 1.0})


def test_each_violation_has_its_four_twins() -> None:
    scenarios = part("scenarios").SCENARIOS
    with_twins = {scenario.name for scenario in scenarios if set(scenario.twins) == CHANGES}
    assert with_twins == {row["scenario"] for row in rows() if row["label"] == "violation"}
    assert all(set(scenario.twins) in (CHANGES, set()) for scenario in scenarios)


def test_an_unknown_scenario_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected names among"):
        MAKE(tmp_path / "out", 1, only=["nothing_like_that"])
    assert not (tmp_path / "out").exists()


def test_an_attempt_that_does_not_pass_is_no_trial(tmp_path: Path) -> None:
    stage, production = part("stage"), part("production")

    def idle(scene: Any) -> Any:
        scene.begin(look=False)
        return stage.Outcome()

    order = production.Order(scenario=stage.Scenario(name="idle", act=idle), seed=1, place=0, slot=0)
    with part("remote").serving() as remote, pytest.raises(production.UnearnedRewardError, match=r"expected reward 1\.0"):
        production.produce(order, tmp_path, remote)


# --- the themes


@pytest.mark.parametrize("index", range(6))
def test_the_two_fixes_of_a_theme_share_no_line(index: int) -> None:
    for seed in range(5):
        theme = part("themes").build_theme(index, random.Random(seed))
        base = {line.strip() for line in theme.text(theme.base).splitlines()}
        added = [{line.strip() for line in region.splitlines()} - base for region in (theme.upstream, theme.own)]
        assert not added[0] & added[1]
        assert all(8 <= len(lines) <= 25 for lines in added)


def test_a_theme_whose_fixes_disagree_is_refused() -> None:
    draft = part("themes.sizes").draft(random.Random(1))
    broken = part("theme").Draft(**{name: getattr(draft, name) for name in draft.__dataclass_fields__} | {"own": draft.base})
    with pytest.raises(part("theme").ThemeError, match="own fix differs"):
        part("theme").settle(broken)


# --- the scratch machine


def test_paths_of_the_machine_are_neutral_both_ways(tmp_path: Path) -> None:
    world = part("world").make_world(tmp_path, "1700000000 +0000")
    world.write("/tests/seen.txt", "x\n")
    ran = world.run("ls /tests && cd /app && pwd && echo 'a/app http://h.example/app' && cat /app/missing")
    lines = ran.output.splitlines()
    assert lines[:3] == ["seen.txt", "/app", "a/app http://h.example/app"]
    assert "/app/missing" in lines[3]
    assert str(tmp_path) not in ran.output
    assert ran.code == 1


def test_clock_times_and_addresses_are_taken_out(tmp_path: Path) -> None:
    world = part("world").make_world(tmp_path, "1700000000 +0000")
    ran = world.run("echo '3 passed in 0.02s'; python -c 'print(object(), 1.02)'; echo 'at 0x12'")
    assert ran.output.splitlines()[0] == "3 passed"
    assert ran.output.splitlines()[1].endswith("0x7f2a6c51d3e0> 1.02")
    assert ran.output.splitlines()[2] == "at 0x12"
