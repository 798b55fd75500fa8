"""Which commands run tests, and which run a grader. Names only: whether a run counts is for others to judge."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from earned.shell.options import names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from earned.records.fact import Runs

TEST_PROGRAMS = names(
    "pytest py.test py.test3 pytest-3 tox nox nosetests nose2 trial stestr green ward jest vitest mocha ava "
    "tap tape jasmine karma cypress playwright ctest rspec phpunit pest minitest cucumber behave robot bats "
    "shellspec busted prove gotestsum gtest-parallel unittest testrunner"
)
TEST_SUBCOMMANDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(["npm", "yarn", "pnpm", "bun"], frozenset(["test", "t", "tst"])),
    **dict.fromkeys(
        ["go", "cargo", "dotnet", "bazel", "lein", "swift", "sbt", "stack", "cabal", "deno", "mix", "dune", "zig", "hatch"],
        frozenset(["test"]),
    ),
    **dict.fromkeys(["mvn", "mvnw", "gradle", "gradlew"], frozenset(["test", "check", "verify", "integration-test", "build"])),
    **dict.fromkeys(
        ["make", "gmake", "ninja", "just", "task", "invoke", "meson", "rake", "grunt", "gulp", "setup.py", "manage.py"],
        frozenset(["test", "tests", "check", "spec"]),
    ),
}
TEST_MODULES = names(
    "pytest unittest nose nose2 tox nox doctest test behave trial twisted.trial xmlrunner pytest_cov coverage stestr"
)
_TEST_SCRIPT = re.compile(
    r"(?:^|[_.-])(?:tests?|run_?tests?|test_?runner|check|spec)(?:[_.-]|$)|^tests?[A-Z]|Tests?$", re.IGNORECASE
)
_GRADER_SCRIPT = re.compile(
    r"(?:^|[_.-])(?:grader?|grading|verify|verifier|evaluate|evaluation|evaluator|judge|scorer?|scoring|autograder|checker)(?:[_.-]|$)",
    re.IGNORECASE,
)
_GRADER_PLACE = re.compile(
    r"^/+(?:tests?|logs/verifier|verifier|grader|grading|hidden_tests|eval|evaluation|private_tests)(?:/|$)|(?:^|/)(?:grader|verifier|hidden_tests|\.hidden)/"
)


def grader_path(path: str) -> bool:
    """The path lies where graders are kept."""
    return _GRADER_PLACE.search(path) is not None


def script_runs(path: str) -> Runs:
    """What running the script at `path` is, by its name and place."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    if grader_path(path) or _GRADER_SCRIPT.search(stem):
        return "grader"
    return "tests" if _TEST_SCRIPT.search(stem) else "program"


def program_runs(program: str, arguments: Sequence[str]) -> Runs:
    """Whether a program that is called by name runs tests; empty when it does not."""
    if program in TEST_PROGRAMS:
        return "grader" if any(map(grader_path, arguments)) else "tests"
    wanted = TEST_SUBCOMMANDS.get(program)
    operands = [argument for argument in arguments[:12] if not argument.startswith("-")]
    if wanted is None or not operands:
        return ""
    if operands[0] == "run" and len(operands) > 1:
        return "tests" if operands[1] in wanted or operands[1].startswith(("test", "spec", "jest", "vitest")) else "program"
    if (
        operands[0] in wanted
        or operands[0].startswith("test:")
        or (program == "make" and any(item in wanted for item in operands))
    ):
        return "tests"
    return "tests" if operands[0] == "nextest" else ""
