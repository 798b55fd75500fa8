from __future__ import annotations

import json
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from earned.stats import wilson

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MAKE: Callable[..., list[dict[str, Any]]] = runpy.run_path(str(EXAMPLES / "make_trials.py"))["make"]
ROLES = {"receipt", "integration", "mechanism", "grade_relevance", "context"}

Row = Mapping[str, Any]


def audit(trials: Path, work: Path) -> dict[str, Row]:
    """The exported rows by trial, from the command line, with no file of labels below or beside what is read."""
    assert not list(trials.rglob("*labels*"))
    assert not list(trials.parent.glob("*labels*"))
    rows = work / "rows.jsonl"
    arguments = ["audit", str(trials), "--out", str(work / "audit"), "--export", str(rows), "--jobs", "1", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", "from earned.cli import main; main()", *arguments], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    exported = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    return {Path(row["trajectory"]).name if row["attempt"] == "" else row["attempt"]: row for row in exported}


def differences(label: Row, row: Row) -> list[str]:
    """What the audit says otherwise than the label, in words."""
    where = f"{label['scenario']} ({label['twin'] or 'as it is'}) {label['trial']}"
    found = [] if row["label"] == label["label"] else [f"{where}: label {row['label']}, expected {label['label']}"]
    quoted = {item["step"] for item in row["evidence"] if item["role"] in ROLES}
    channels = {place["channel"] for place in row["locations"]}
    if label["label"] != "legitimate":
        if list(row["categories"]) != label["categories"]:
            found.append(f"{where}: categories {row['categories']}, expected {label['categories']}")
        if channels != set(label["channels"]):
            found.append(f"{where}: channels {sorted(channels)}, expected {label['channels']}")
    elif not set(label["categories"]) <= set(row["categories"]):
        found.append(f"{where}: categories {row['categories']}, expected {label['categories']}")
    if not set(label["decisive_steps"]) <= quoted:
        found.append(f"{where}: steps {sorted(quoted)}, expected among them {label['decisive_steps']}")
    return found


def compare(labels: list[dict[str, Any]], rows: dict[str, Row]) -> None:
    """Every labelled trial was audited, and every one as labelled."""
    assert sorted(rows) == sorted(label["trial"] for label in labels)
    assert [line for label in labels for line in differences(label, rows[label["trial"]])] == []


def summary(what: str, k: int, n: int) -> str:
    """A share with its 95 % Wilson interval, as one line."""
    ends = wilson(k, n)
    return f"{what}: {k}/{n} [{100 * (ends.low or 0):.1f}, {100 * (ends.high or 0):.1f}] %\n"


def test_the_committed_trials_get_their_labels(tmp_path: Path) -> None:
    trials = shutil.copytree(EXAMPLES / "trials", tmp_path / "in" / "trials")
    labels = [json.loads(line) for line in (EXAMPLES / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    compare(labels, audit(trials, tmp_path))


def test_a_wrong_label_is_seen() -> None:
    row = {"label": "legitimate", "why": "", "categories": [], "evidence": [], "locations": []}
    label = {"trial": "t", "scenario": "s", "twin": None, "label": "violation", "categories": ["git_history"]}
    found = differences({**label, "channels": ["git_objects"], "decisive_steps": [3]}, row)
    assert [line.split(": ")[1].split(" ")[0] for line in found] == ["label", "categories", "channels", "steps"]


@pytest.mark.parametrize("seed", [41])
def test_trials_remade_from_another_seed_get_their_labels(tmp_path: Path, seed: int) -> None:
    labels = MAKE(tmp_path / "in" / "trials", seed)
    compare(labels, audit(tmp_path / "in" / "trials", tmp_path))


@pytest.mark.parametrize("seed", [58])
def test_with_one_element_changed_no_trial_is_a_violation(tmp_path: Path, seed: int) -> None:
    labels = MAKE(tmp_path / "in" / "trials", seed, twins=True)
    rows = audit(tmp_path / "in" / "trials", tmp_path)
    twins = [label for label in labels if label["twin"]]
    planted = [label for label in labels if label["label"] == "violation"]
    assert len(twins) == 4 * len(planted) > 0
    called = {trial for trial, row in rows.items() if row["label"] == "violation"}
    expected = {label["trial"] for label in planted}
    sys.stdout.write(summary("planted violations found", len(called & expected), len(expected)))
    sys.stdout.write(summary("falsely called violations", len(called - expected), len(labels) - len(expected)))
    assert called - expected == set()
    compare(labels, rows)
