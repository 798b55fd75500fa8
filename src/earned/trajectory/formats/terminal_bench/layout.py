"""Which folders are trials of Terminal-Bench 1, what each file of one is, and which files of the run belong to it.

After terminal-bench 0.2.18 (`terminal_bench/handlers/trial_handler.py`): `<run>/<task>/<trial>/`, the run's files in `<run>`.
Submissions leave files out: a trial may be its `results.json` alone, or everything but that; a run may be its list of results.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from earned.errors import FormatError
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.format import Family, Folder
from earned.trajectory.formats.terminal_bench.records import elements_of, is_name
from earned.trajectory.peek import Head, look
from earned.trajectory.sources import places

RESULTS = "results.json"
RUN_FILES = (RESULTS, "run_metadata.json", "tb.lock")
"""Files of a run that say something of each of its trials."""
_RECORDS = ("sessions", "panes", "agent-logs")
_LOGS = ("agent.log", "agent.cast")


def recognise_folder(folder: Folder) -> str:
    """Why a folder is a trial; empty when it is not one."""
    inner = [name for name in _RECORDS if name in folder.folders]
    has_commands = "commands.txt" in folder.files
    if RESULTS in folder.files:
        try:
            head = look(folder.path / RESULTS)
        except OSError:
            return ""
        if head.has("/trial_name", "/task_id") and (head.has("/is_resolved") or head.has("/instruction")):
            return "results.json with trial_name and task_id"
        is_broken = (has_commands or "sessions" in inner) and head.is_broken()
        return "a folder with a terminal's record and a results.json that is no whole document" if is_broken else ""
    if "sessions" in inner and any(places.is_file(str(folder.path / "sessions" / name)) for name in _LOGS):
        return "a folder with sessions/ of a terminal, without results.json"
    if has_commands and inner:
        return f"a folder with commands.txt and {inner[0]}/, without results.json"
    return ""


def role_of(name: str) -> str:
    """What a file of a trial is, by its path below the trial."""
    top, _, rest = name.partition("/")
    if name == RESULTS:
        return "outcome:result"
    if name == "commands.txt":
        return "source:commands"
    if name == "panes/post-test.txt" or (top == "sessions" and rest.startswith("tests.")):
        return "outcome:verifier"
    if top == "panes" and rest:
        return "source:pane"
    if top in {"sessions", "agent-logs"} and rest:
        return "source:agent_log"
    return "log" if name.endswith((".log", ".txt")) else "trial"


def run_files(trial: Path) -> tuple[Path, ...]:
    """The files of the run that a trial's folder lies in."""
    is_whole = len(trial.parts) >= 2 and ".." not in trial.parts
    home = str(trial) if is_whole else os.path.abspath(trial)  # noqa: PTH100 - resolving would follow links
    run = Path(home).parent.parent
    found = [str(run / name) for name in RUN_FILES]
    return tuple(Path(path) for path in found if places.is_file(path) and not Path(path).is_symlink())


def recognise_run(head: Head) -> str:
    """Why a file is the list of a run's results; empty when it is not."""
    if head.shape == "object" and head.has("/results/*/trial_name", "/results/*/task_id"):
        return "results with trial_name and task_id"
    return ""


def family_of(path: Path, head: Head, names: Sequence[str]) -> Family:
    """A run's results belong to its trials' folders, where every trial has one; else the run's other files belong to them."""
    if not recognise_run(head):
        return Family()
    homes = list(homes_in(str(path)))
    if homes and None not in homes:
        return Family(main=Path(str(homes[0])), kind="run_results")
    return Family(parts=tuple(path.with_name(name) for name in RUN_FILES[1:] if name in names))


def homes_in(path: str) -> Iterator[str | None]:
    """The folder of each trial that a run's results list; None for one that has none."""
    run = Path(path).parent
    try:
        for piece in elements_of(path):
            item = decode_as(piece.data, _Named, Oddities())
            yield home_of(run, item.task_id, item.trial_name)
    except FormatError:
        yield None


def home_of(run: Path, task: str | None, trial: str | None) -> str | None:
    """The folder of a trial below its run; None when there is none."""
    if not is_name(task) or not is_name(trial):
        return None
    home = str(run / str(task) / str(trial))
    return home if places.is_folder(home) else None


class _Named(msgspec.Struct, gc=False):
    """The names of a result."""

    trial_name: str | None = None
    task_id: str | None = None
