"""The SWE-bench reports of a rendered attempt, beside the folder of trajectories, as the evaluation harness leaves them."""

from __future__ import annotations

from pathlib import Path

from made_attempt import Attempt
from made_files import write_json, write_text


def write_report(attempt: Attempt, folder: Path) -> None:
    """`folder/report/TASK/report.json`, and the output of its tests where there is one."""
    home = folder / "report" / attempt.task
    tests = {"FAIL_TO_PASS": {"success": ["test_a"] if attempt.passed else [], "failure": [] if attempt.passed else ["test_a"]}}
    said = {"patch_exists": True, "patch_successfully_applied": True, "resolved": attempt.passed, "tests_status": tests}
    write_json(home / "report.json", {attempt.task: said})
    if attempt.verifier:
        write_text(home / "test_output.txt", attempt.verifier)
