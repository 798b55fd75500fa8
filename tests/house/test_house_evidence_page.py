"""The numbers of docs/explanation/evidence.md are those of the code."""

from __future__ import annotations

import re

import pytest
from house_sources import ROOT

from earned.audit.copied import PROOF_SHARE, PROOF_WEIGHT, RENAMED_SHARE
from earned.audit.targets import LONG, SHORT, submission_targets
from earned.audit.values import MIN_VALUES
from earned.content.trivial import MIN_KEY
from earned.records import Submission
from earned.report.terminal import FEW_PASSES

REASON = re.compile(r'"strong", f"\{told\}(?:: |, but |, and |, )([^"{]+)"')
PAGE = (ROOT / "docs" / "explanation" / "evidence.md").read_text(encoding="utf-8")
EXAMPLE = re.findall(
    r"^\| `(.+)` \| ([\d.]+) \|$", PAGE.partition("This function has 5,")[2].partition("## Shares")[0], re.MULTILINE
)


@pytest.mark.parametrize(
    "said",
    [
        f"fewer than {MIN_KEY} characters | 0 |",
        f"| shorter than {SHORT} characters | 0.25 |",
        f"| {SHORT} to {LONG - 1} characters | 0.5 |",
        f"| {LONG} characters or more | 1 |",
        f"at least **{PROOF_WEIGHT:g}** telling lines and at least **{100 * PROOF_SHARE:g} %**",
        f"under **{100 * RENAMED_SHARE:g} %**",
        f"proof from **{MIN_VALUES}** different",
        f"Passes, up to {FEW_PASSES}:",
    ],
)
def test_the_page_says_the_number_that_the_code_has(said: str) -> None:
    assert said in PAGE.replace("\n", " ")


def test_the_lines_of_the_example_weigh_what_the_page_says() -> None:
    lines = submission_targets(Submission(answer="\n".join(text for text, _ in EXAMPLE))).lines
    assert [(line.text, line.weight) for line in lines] == [(text, float(weight)) for text, weight in EXAMPLE]
    assert sum(line.weight for line in lines) == 5


def test_every_reason_for_which_content_is_no_proof_is_explained() -> None:
    reasons = REASON.findall((ROOT / "src" / "earned" / "audit" / "copied.py").read_text(encoding="utf-8"))
    assert len(reasons) > 1
    assert [reason for reason in reasons if f"| {reason} |" not in PAGE] == []
