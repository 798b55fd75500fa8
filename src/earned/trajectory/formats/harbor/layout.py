"""Which folders are Harbor trials, and what each file of one is.

After harbor 0.26.0 (`harbor/models/trial/paths.py`). Exports often leave logs out, so a trial is known by its `result.json`.
"""

from __future__ import annotations

from earned.trajectory.format import Folder
from earned.trajectory.formats.harbor.native import is_log
from earned.trajectory.peek import Head, look
from earned.trajectory.sources import places

TERMINAL = (".txt", ".log", ".pane")
"""Endings of files that hold a terminal's text."""
_CONFIGURATION = ("config.json", "lock.json", "task.toml", "task.json")


def recognise_folder(folder: Folder) -> str:
    """Why a folder is a trial; empty when it is not one."""
    inner = {"agent", "steps"}.intersection(folder.folders)
    if "result.json" in folder.files:
        try:
            head = look(folder.path / "result.json")
        except OSError:
            return ""
        broken = (
            f"a folder with {min(inner)}/ and a result.json that is no whole document" if inner and head.is_broken() else ""
        )
        return _trial_result(head) or broken
    if not inner or not ({"config.json", "trial.log"}.intersection(folder.files) or "verifier" in folder.folders):
        return ""
    has_document = places.is_file(str(folder.path / "agent" / "trajectory.json"))
    if has_document or "trial.log" in folder.files or ("steps" in inner and "config.json" in folder.files):
        return f"a folder with {min(inner)}/ and a trial's other files, without result.json"
    return ""


def _trial_result(head: Head) -> str:
    if head.has("/task_name", "/trial_name"):
        return "result.json with task_name and trial_name"
    return ""


def role_of(name: str) -> str:
    """What a file of a trial is, by its path below the trial."""
    if name == "result.json":
        return "outcome:result"
    if name in _CONFIGURATION or name == "instruction.md":
        return "source:config"
    stage = name.split("/", 2)[2] if name.startswith("steps/") and name.count("/") >= 2 else name
    top, _, rest = stage.partition("/")
    if top == "verifier" and rest:
        return "outcome:verifier"
    if top == "artifacts" and rest:
        return "source:artifact"
    if top == "agent" and rest.startswith("trajectory") and rest.endswith(".json"):
        return "source:trajectory"
    if top == "agent":
        is_read = is_log(rest) or (rest.endswith(TERMINAL) and "/" not in rest)
        return "source:agent_log" if is_read else "agent_log"
    return "log" if name.endswith((".log", ".txt")) else "trial"
