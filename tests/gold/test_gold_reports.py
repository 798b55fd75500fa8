from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from accepted import assert_gold
from made_passes import STAMP, attempts_of, made_counts, made_passes, made_skips

from earned.report import gravest, integrity_card, terminal_text, write_reports


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    passes, skips, counts = made_passes(), made_skips(), made_counts()
    card = integrity_card(
        passes, attempts=attempts_of(passes), skipped=counts, stamp=STAMP, task_selection="all tasks found in the inputs"
    )
    folder = tmp_path_factory.mktemp("runs")
    before = Path.cwd()
    os.chdir(folder)
    try:
        Path("audit").mkdir()
        write_reports(Path("audit"), card, lambda: iter(passes), skips)
    finally:
        os.chdir(before)
    return {
        "report.html": (folder / "audit" / "report.html").read_bytes().decode(),
        "report.md": (folder / "audit" / "report.md").read_bytes().decode(),
        "table.txt": terminal_text(card, gravest(audited.row for audited in passes), counts, skips=skips),
        "card.json": msgspec.json.format(msgspec.json.encode(card), indent=2).decode() + "\n",
    }


@pytest.mark.parametrize("name", ["report.html", "report.md", "table.txt", "card.json"])
def test_the_outlets_write_what_was_accepted(written: dict[str, str], name: str) -> None:
    assert_gold(name, written[name])
