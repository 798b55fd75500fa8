"""Whoever reads a report can go from every mark and every step to what it stands for."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from command_line import EXAMPLES, earned

HREF = re.compile(r'href="([^"]*)"')
IDENTIFIER = re.compile(r'id="([^"]*)"')


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("links") / "audit"
    assert earned("audit", EXAMPLES, "--out", out, "--quiet", "--jobs", 1).code == 0
    return out / "report.html"


def test_every_link_of_the_report_leads_to_an_existing_file(report: Path) -> None:
    targets = {unquote(link.partition("#")[0]) for link in HREF.findall(report.read_text(encoding="utf-8"))}
    files = sorted(target for target in targets if target and target != "data:,")
    assert any(target.endswith("/agent/trajectory.json") for target in files)
    assert [target for target in files if not (report.parent / target).exists()] == []


def test_every_mark_leads_to_its_step_and_every_finding_is_shown_in_its_own(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    identifiers = set(IDENTIFIER.findall(text))
    within = {link.removeprefix("#") for link in HREF.findall(text) if link.startswith("#")}
    assert any("-m-F" in link for link in within)
    assert within - identifiers == set()


def test_every_pass_of_few_findings_has_all_of_them_in_its_steps(report: Path) -> None:
    assert '<span class="ref">' not in report.read_text(encoding="utf-8")
