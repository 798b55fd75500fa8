"""Speeds of the single functions that an audit leans on, over texts of the generated trials.

    python bench/micro.py FOLDER

Prints JSON rows. Each function is imported when its row is made; one that is missing is a row that says so.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from table import MicroRow

ENOUGH = 1.0
"""Seconds after which a row stops taking more texts."""


class Material:
    """Texts of the trials, taken without the help of what is measured."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def trials(self) -> list[list[dict[str, Any]]]:
        """Steps of each trial."""
        paths = sorted(self.folder.glob("*/agent/trajectory.json"))
        return [msgspec.json.decode(path.read_bytes())["steps"] for path in paths]

    @cached_property
    def patches(self) -> list[str]:
        """The submission of each trial."""
        return [path.read_text() for path in sorted(self.folder.glob("*/artifacts/submission.patch"))]

    @cached_property
    def commands(self) -> list[str]:
        """What was typed into the shell."""
        calls = [call for steps in self.trials for step in steps for call in step.get("tool_calls", [])]
        return [call["arguments"]["command"] for call in calls if call["function_name"] == "execute_bash"]

    @cached_property
    def observations(self) -> list[list[str]]:
        """What came back, by trial."""
        return [
            [result["content"] for step in steps for result in step.get("observation", {}).get("results", [])]
            for steps in self.trials
        ]

    @cached_property
    def added(self) -> list[frozenset[str]]:
        """Lines that each submission adds."""
        return [frozenset(line[1:].strip() for line in patch.split("\n") if line.startswith("+")) for patch in self.patches]

    @cached_property
    def trajectories(self) -> list[Any]:
        """The first trials as the reader makes them."""
        return list(_read(import_module("earned.trajectory"), self.folder, limit=40))


Work = Iterator[float]
"""Each item is done when it is yielded; its value is the amount that was done."""


class Micro(NamedTuple):
    """One function to measure."""

    name: str
    function: str
    """Module and name."""
    unit: str
    work: Callable[[Any, Material], Work]


def main(arguments: list[str]) -> int:
    """Measures every function and prints the rows."""
    material = Material(Path(arguments[0]))
    sys.stdout.write(msgspec.json.encode([_measure(micro, material) for micro in MICROS]).decode())
    return 0


def _measure(micro: Micro, material: Material) -> MicroRow:
    module, name = micro.function.split(":")
    row = MicroRow(name=micro.name, function=micro.function, unit=micro.unit)
    try:
        function = getattr(import_module(module), name)
        work = micro.work(function, material)
        amount, spent, start = 0.0, 0.0, time.process_time()
        for done in work:
            amount += done
            spent = time.process_time() - start
            if spent > ENOUGH:
                break
    except (ImportError, AttributeError) as error:
        return msgspec.structs.replace(row, note=f"missing: {error}")
    except Exception as error:  # noqa: BLE001 - a bench reports what failed and goes on
        return msgspec.structs.replace(row, note=f"failed: {type(error).__name__}: {error}"[:200])
    return msgspec.structs.replace(row, amount=amount, seconds=max(spent, 1e-9))


def _each(unit: Callable[[Any], float], items: Callable[[Material], Iterable[Any]]) -> Callable[[Any, Material], Work]:
    """Work that calls a function of one argument on every item; the items are made before the clock starts."""

    def work(function: Any, material: Material) -> Work:
        return _called(function, list(items(material)), unit)

    return work


def _called(function: Any, items: list[Any], unit: Callable[[Any], float]) -> Work:
    for item in items:
        function(item)
        yield unit(item)


def _megabytes(text: str) -> float:
    return len(text) / 1e6


def _one(_: Any) -> float:
    return 1.0


def _look_up(line_keys: Any, material: Material) -> Work:
    pairs = list(zip(material.observations, material.added, strict=True))
    return _looked_up(line_keys, pairs)


def _looked_up(line_keys: Any, pairs: list[tuple[list[str], frozenset[str]]]) -> Work:
    for texts, keys in pairs:
        line_keys(keys).hits_in(texts)
        yield sum(map(_megabytes, texts))


def _read_trials(_: Any, material: Material) -> Work:
    reader = import_module("earned.trajectory")
    sizes = {path.parent.parent.name: path.stat().st_size / 1e6 for path in material.folder.glob("*/agent/trajectory.json")}
    return (sizes[trajectory.attempt] for trajectory in _read(reader, material.folder, limit=len(sizes)))


def _read(reader: Any, folder: Path, *, limit: int) -> Iterator[Any]:
    found = (item for item in reader.discover([folder]) if isinstance(item, reader.Candidate))
    read = (item for candidate in found for item in reader.read_candidate(candidate) if hasattr(item, "steps"))
    return (item for item, _ in zip(read, range(limit), strict=False))


def _count(wilson: Any, _: Material) -> Work:
    return (float(wilson(k, n) is not None) for n in range(1, 2000, 7) for k in range(0, n, 13))


MICROS = (
    Micro("a trial read", "earned.trajectory:read_candidate", "MB", _read_trials),
    Micro("a command tested for interest", "earned.shell:interesting", "commands", _each(_one, lambda m: m.commands)),
    Micro("a command into facts", "earned.shell:command_facts", "commands", _each(_one, lambda m: m.commands)),
    Micro("lines of a submission looked up", "earned.content:LineKeys", "MB", _look_up),
    Micro(
        "terminal output cleaned",
        "earned.content.terminal:clean_terminal",
        "MB",
        _each(_megabytes, lambda m: (text for texts in m.observations for text in texts)),
    ),
    Micro("a patch read", "earned.content:parse_patch", "MB", _each(_megabytes, lambda m: m.patches)),
    Micro("facts of a trajectory", "earned.audit.prescan:prescan", "trajectories", _each(_one, lambda m: m.trajectories)),
    Micro("a pass audited", "earned.audit:audit_pass", "trajectories", _each(_one, lambda m: m.trajectories)),
    Micro("a Wilson interval", "earned.stats:wilson", "intervals", _count),
)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
