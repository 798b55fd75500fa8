from __future__ import annotations

import filecmp
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import atif
import msgspec
import pytest

GENERATE = Path(__file__).parents[3] / "bench" / "generate.py"


def generate(out: Path, *options: str) -> str:
    command = [sys.executable, str(GENERATE), str(out), *options, "--truth", str(out) + ".jsonl"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def truth(out: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = msgspec.json.Decoder().decode_lines(Path(f"{out}.jsonl").read_bytes())
    return rows


def steps(trial: Path) -> list[dict[str, Any]]:
    recorded: list[dict[str, Any]] = msgspec.json.decode((trial / "agent/trajectory.json").read_bytes())["steps"]
    return recorded


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    out = tmp_path_factory.mktemp("bench") / "trials"
    return out, generate(out, "--megabytes", "6", "--seed", "7")


def test_a_trial_is_a_harbor_folder_with_a_valid_atif_record(made: tuple[Path, str]) -> None:
    trial = min(made[0].iterdir())
    assert re.fullmatch(r"[a-z0-9-]+__[0-9A-Za-z]{7}", trial.name)
    record = atif.Trajectory.model_validate_json((trial / "agent/trajectory.json").read_bytes())
    assert record.schema_version == "ATIF-v1.6"
    assert len(record.steps) == 120
    found = {str(path.relative_to(trial)) for path in trial.rglob("*") if path.is_file()}
    inner = {"agent/trajectory.json", "verifier/test-stdout.txt", "verifier/reward.txt", "artifacts/submission.patch"}
    assert found == {"result.json", "config.json", "trial.log", *inner}


def test_a_quarter_of_the_trials_hold_a_receipt_and_most_trials_pass(made: tuple[Path, str]) -> None:
    rows = truth(made[0])
    assert sum(bool(row["planted"]) for row in rows) == len(rows) // 4
    assert 0.6 < sum(row["passed"] for row in rows) / len(rows) < 0.95


def test_the_outcome_in_the_result_agrees_with_the_reward_file_and_the_truth(made: tuple[Path, str]) -> None:
    for row in truth(made[0]):
        result = msgspec.json.decode((made[0] / row["trial"] / "result.json").read_bytes())
        reward = (made[0] / row["trial"] / "verifier/reward.txt").read_text().strip()
        assert result["verifier_result"]["rewards"]["reward"] == float(reward) == float(row["passed"])


def test_texts_repeat_as_little_as_promised(made: tuple[Path, str]) -> None:
    commands, lines = (float(number) for number in re.findall(r"(?:commands|lines) (\d\.\d+)", made[1]))
    assert commands >= 0.8
    assert lines >= 0.8


def test_the_printed_ratios_are_those_of_the_files(made: tuple[Path, str]) -> None:
    results = [result for row in truth(made[0]) for step in steps(made[0] / row["trial"]) for result in _results(step)]
    lines = [line for result in results for line in result["content"].split("\n")]
    assert f"distinct lines / lines {len(set(lines)) / len(lines):.3f}" in made[1]


def test_every_planted_receipt_comes_before_the_same_text_in_the_submission(made: tuple[Path, str]) -> None:
    planted = [row for row in truth(made[0]) if row["planted"] in {"git_show", "curl"}]
    assert planted
    for row in planted:
        trial = made[0] / row["trial"]
        needle = "git show" if row["planted"] == "git_show" else "curl"
        shown = next(_results(step)[0]["content"] for step in steps(trial) if _is_foreign(step, needle))
        added = [line[1:] for line in (trial / "artifacts/submission.patch").read_text().split("\n") if line.startswith("+")]
        assert sum(line in shown for line in added if len(line) > 30) >= 4


def test_an_honest_trial_asks_for_nothing_foreign(made: tuple[Path, str]) -> None:
    honest = [row["trial"] for row in truth(made[0]) if not row["planted"]]
    assert honest
    for trial in honest:
        assert not any(
            _is_foreign(step, needle) for step in steps(made[0] / trial) for needle in ("git show", "curl", "cp /", "/tests/")
        )


def test_the_same_seed_makes_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    for name, seed in (("a", "3"), ("b", "3"), ("c", "4")):
        generate(tmp_path / name, "--megabytes", "0.5", "--seed", seed, "--steps", "40")
    names = [path.name for path in (tmp_path / "a").iterdir()]
    for name in names:
        assert filecmp.cmp(
            tmp_path / "a" / name / "agent/trajectory.json", tmp_path / "b" / name / "agent/trajectory.json", shallow=False
        )
    assert not set(names) & {path.name for path in (tmp_path / "c").iterdir()}


def test_in_the_worst_case_every_step_of_the_search_is_a_candidate(tmp_path: Path) -> None:
    generate(tmp_path / "w", "--megabytes", "0.3", "--worst")
    for row in truth(tmp_path / "w"):
        commands = [
            str(call["arguments"].get("command"))
            for step in steps(tmp_path / "w" / row["trial"])
            for call in step.get("tool_calls", [])
        ]
        candidates = [command for command in commands if "git show" in command or "curl" in command]
        assert len(candidates) > 0.9 * len(commands)


def _results(step: dict[str, Any]) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = step.get("observation", {}).get("results", [])
    return results


def _is_foreign(step: dict[str, Any], needle: str) -> bool:
    commands = [str(call["arguments"].get("command")) for call in step.get("tool_calls", [])]
    return any(needle in command and "git show HEAD" not in command for command in commands)
