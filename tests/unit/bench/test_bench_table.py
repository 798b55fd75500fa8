from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[3] / "bench"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def table() -> ModuleType:
    return load("table")


@pytest.fixture(scope="module")
def children() -> ModuleType:
    return load("children")


def test_a_row_is_compared_by_processor_time_a_megabyte(table: ModuleType) -> None:
    floor = table.Row(name="wc -l", megabytes=100, processor=0.1)
    row = table.Row(name="earned audit", megabytes=50, processor=5)
    assert table.compared(row, [floor, row])["wc -l"] == pytest.approx(100)


def test_a_reference_that_was_not_measured_gives_no_ratio(table: ModuleType) -> None:
    row = table.Row(name="earned audit", megabytes=50, processor=5)
    skipped = table.Row(name="rg -c", note="skipped")
    assert set(table.compared(row, [row, skipped]).values()) == {None}


def test_a_row_that_failed_prints_its_reason_and_no_number(table: ModuleType) -> None:
    lines = table.render([table.Row(name="earned audit", megabytes=50, wall=2.0, note="exit 3: empty")]).splitlines()
    assert lines[1].split(maxsplit=2) == ["earned", "audit", "exit 3: empty"]


def test_the_time_and_memory_of_what_a_child_starts_are_counted(children: ModuleType) -> None:
    grandchild = "x = bytearray(90_000_000); sum(i for i in range(3_000_000))"
    cost = children.run_child(
        [sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {grandchild!r}])"]
    )
    assert cost.error == ""
    assert cost.processor > 0.05
    assert cost.peak > 90


def test_a_child_that_fails_gives_its_exit_code_and_last_words(children: ModuleType) -> None:
    cost = children.run_child([sys.executable, "-c", "raise SystemExit('no such folder')"])
    assert cost.error == "exit 1: no such folder"


def test_standard_output_is_kept_only_where_it_is_asked_for(children: ModuleType) -> None:
    command = [sys.executable, "-c", "print('seen')"]
    assert children.run_child(command, keep_output=True).output == "seen\n"
    assert children.run_child(command).output == ""
