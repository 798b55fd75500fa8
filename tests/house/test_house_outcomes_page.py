"""Every example of docs/reference/outcomes.md is read as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from house_sources import ROOT

from earned.records import Source, Trajectory
from earned.trajectory import load_outcomes
from earned.trajectory.outcomes.claim_documents import LISTS
from earned.trajectory.outcomes.claim_tables import COLUMNS
from earned.trajectory.outcomes.verdicts import FAILED as FAILED_WORDS
from earned.trajectory.outcomes.verdicts import PASSED as PASSED_WORDS

PAGE = (ROOT / "docs" / "reference" / "outcomes.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"<!-- outcome file: (\S+) -->\n\n```\w+\n(.*?)```\n", PAGE, re.DOTALL)
PREDICTIONS = re.findall(r"<!-- predictions: (\S+) -->\n\n```json\n(.*?)```\n", PAGE, re.DOTALL)
PASSED, FAILED, SILENT = "astropy__astropy-7746", "django__django-11039", "sympy__sympy-13480"


def attempt_called(name: str) -> Trajectory:
    return Trajectory(id="x", source=Source(path=f"{name}.traj", format="swe-agent", reader_version=1), attempt=name)


def said_of(attempt: str, name: str, content: str, folder: Path) -> list[bool | None]:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")
    fits = load_outcomes([file]).about(attempt_called(attempt))
    return [fit.claim.passed for fit in fits]


def test_the_page_has_an_example_of_each_kind() -> None:
    names = [Path(name).name for name, _ in EXAMPLES]
    assert names == [
        "report.json",
        "report.json",
        "model.run.json",
        "results.json",
        "eval_results.json",
        "outcomes.json",
        "rewards.json",
        "outcomes.jsonl",
        "outcomes.csv",
        "outcomes.tsv",
    ]


@pytest.mark.parametrize(("name", "content"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_says_what_the_page_says_of_it(name: str, content: str, tmp_path: Path) -> None:
    assert said_of(PASSED, name, content, tmp_path) == [True]
    if FAILED in content:
        assert said_of(FAILED, name, content, tmp_path) == [False]
    if name == "rewards.json":
        assert said_of(SILENT, name, content, tmp_path) == [False]
    if '"error_ids"' in content or "null" in content:
        assert said_of(SILENT, name, content, tmp_path) == [None]


def test_predictions_give_a_submission_and_no_outcome(tmp_path: Path) -> None:
    ((name, content),) = PREDICTIONS
    assert said_of(PASSED, name, content, tmp_path) == [None]
    (fit,) = load_outcomes([tmp_path / name]).about(attempt_called(PASSED))
    assert (fit.claim.is_outcome, "+EMPTY = ()" in (fit.claim.patch or "")) == (False, True)


def test_every_word_and_column_of_the_page_is_read() -> None:
    for words in (PASSED_WORDS, FAILED_WORDS):
        assert all(f"`{word}`" in PAGE for word in words)
    assert all(f"`{name}`" in PAGE for name in COLUMNS)
    assert all(f"`{name}`" in PAGE for names, _ in LISTS for name in names)
