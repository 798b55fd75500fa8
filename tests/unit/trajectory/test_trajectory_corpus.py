"""Small broken files of each format in `tests/corpus/<format>/`, with what must become of each in `EXPECTED.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from earned.records import Skip, Trajectory
from earned.trajectory import Candidate, discover, read_candidate

CORPUS = Path(__file__).parents[2] / "corpus"


def cases() -> list[tuple[str, str, dict[str, Any]]]:
    found = []
    for expected in sorted(CORPUS.glob("*/EXPECTED.json")):
        for name, wanted in json.loads(expected.read_text(encoding="utf-8")).items():
            found.append((expected.parent.name, name, wanted))
    return found


def everything_said(found: list[Trajectory | Skip]) -> str:
    said: list[str] = []
    for item in found:
        if isinstance(item, Skip):
            said.append(item.detail)
            continue
        said += [oddity.what for oddity in item.oddities]
        said += [reason.what for reason in item.completeness.reasons]
        said.append(item.outcome.detail)
    return "\n".join(said)


@pytest.mark.parametrize(("folder", "name", "wanted"), cases(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_broken_file_gives_what_can_be_read_and_says_the_rest(folder: str, name: str, wanted: dict[str, Any]) -> None:
    found: list[Trajectory | Skip] = []
    for item in discover([CORPUS / folder / name]):
        if isinstance(item, Skip):
            found.append(item)
        elif isinstance(item, Candidate):
            found += read_candidate(item)
    read = [item for item in found if isinstance(item, Trajectory)]
    assert (len(read), len(found) - len(read)) == (wanted["read"], wanted["skipped"])
    assert [item.completeness.grade for item in read[:1]] == ([wanted["grade"]] if read else [])
    assert wanted["says"] in everything_said(found)


def test_every_file_of_the_corpus_says_what_is_expected_of_it() -> None:
    for folder in sorted(path for path in CORPUS.iterdir() if path.is_dir()):
        expected = json.loads((folder / "EXPECTED.json").read_text(encoding="utf-8"))
        there = {path.name for path in folder.iterdir()} - {"EXPECTED.json"}
        assert there == set(expected), folder.name
