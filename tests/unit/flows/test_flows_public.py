"""`import earned`: the functions are the commands, in any order of imports, with the same names and defaults."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import small_trials

import earned
from earned.cli.audit import audit as command
from earned.errors import EarnedError, FormatError, InputError
from earned.flows.audit import audit
from earned.flows.read import ReadRow, read
from earned.flows.report import report


def fresh(statements: str) -> str:
    found = subprocess.run([sys.executable, "-c", statements], capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


@pytest.mark.parametrize(
    "before",
    [
        "",
        "import earned.audit",
        "from earned.audit import audit_pass",
        "import earned.audit.pipeline",
        "from importlib import import_module; import_module('earned.audit')",
    ],
)
def test_the_function_is_there_whatever_was_imported_before(before: str) -> None:
    statements = f"{before}\nimport earned\nprint(earned.audit.__module__, earned.audit.__name__)"
    assert fresh(statements) == "earned.flows.audit audit"


def test_the_room_can_be_imported_after_the_function_was_used() -> None:
    statements = (
        "import earned; earned.audit; from earned.audit import audit_pass; print(audit_pass.__name__, earned.audit.__name__)"
    )
    assert fresh(statements) == "audit_pass audit"


def test_report_is_the_function_too_and_its_room_is_there_before_and_after() -> None:
    statements = (
        "from earned.report import safe_line; import earned, earned.report; print(earned.report.__module__, safe_line('x')); "
        "from earned.report import safe_text; print(earned.report.__name__, safe_text('y'))"
    )
    assert fresh(statements).split() == ["earned.flows.report", "x", "report", "y"]


def test_a_report_from_python_writes_what_is_asked_and_gives_the_card(tmp_path: Path) -> None:
    result = audit([small_trials(tmp_path / "trials", 2)], out=tmp_path / "out", jobs=1)
    assert report(tmp_path / "out") == result.card
    assert report(tmp_path / "out", html=tmp_path / "new" / "page.html", csv=tmp_path / "tables") == result.card
    assert (tmp_path / "new" / "page.html").is_file()
    assert (tmp_path / "tables" / "passes.csv").is_file()


def test_importing_the_package_imports_nothing_that_only_work_needs() -> None:
    assert fresh("import sys, earned; print('earned.flows' in sys.modules, 'pyarrow' in sys.modules)") == "False False"


def test_the_functions_are_the_flows() -> None:
    assert vars(type(earned))["audit"].__get__(earned) is audit
    assert vars(type(earned))["read"].__get__(earned) is read
    assert vars(type(earned))["report"].__get__(earned) is report
    assert {"audit", "read", "report"} <= set(dir(earned))


def test_a_name_that_is_none_of_the_functions_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="sell"):
        getattr(earned, "sell")  # noqa: B009  # as a user would write it, without mypy


def test_the_command_and_the_function_have_the_same_options_and_defaults() -> None:
    parameters = inspect.signature(audit).parameters
    options = {str(option.name): option for option in command.params}
    of_the_terminal = {"dry_run", "explain", "quiet", "as_json", "no_prefilter"}
    assert set(options) - of_the_terminal == set(parameters) - {"prefilter", "progress"}
    assert parameters["out"].default == options["out"].default
    assert parameters["judge"].default == options["judge"].default
    assert parameters["max_undecided"].default == options["max_undecided"].default
    assert parameters["engine"].default == options["engine"].default


def test_an_audit_and_a_read_from_python_give_records(tmp_path: Path) -> None:
    trials = small_trials(tmp_path / "trials", 2)
    result = audit([trials], out=tmp_path / "out", jobs=1)
    assert (result.card.surface_passes, result.fails, result.is_over_undecided) == (2, False, False)
    assert result.report.is_file()
    assert [type(row) for row in read([trials])][:1] == [ReadRow]


def test_progress_ends_with_everything_done(tmp_path: Path) -> None:
    told: list[tuple[int, int, int, int]] = []
    audit([small_trials(tmp_path / "trials", 2)], out=tmp_path / "out", jobs=1, progress=lambda *now: told.append(now))
    done, total, shards, in_all = told[-1]
    assert done == total > 0
    assert shards == in_all == 1


@pytest.mark.parametrize(
    "error", [InputError("Expected x.", slug="path-missing"), FormatError("Expected y.", slug="too_large", offset=7)]
)
def test_an_error_crosses_from_a_worker_whole(error: EarnedError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
