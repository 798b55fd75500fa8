"""The agent's own log within a Harbor trial, found by content: it holds more than the document that Harbor made of it.

Any format whose reader has `read_log` can be one: Claude Code sessions and streams, Codex rollouts, OpenHands, SWE-agent and
mini-swe-agent trajectories. Where several are there, the first in the table of formats is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from earned.errors import FormatError
from earned.trajectory.account import Account
from earned.trajectory.completeness import completeness_of
from earned.trajectory.format import FORMATS, Format, load_format
from earned.trajectory.peek import SECOND_LOOK, Head, look
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps, acts_in

LOGS = (".json", ".jsonl", ".txt", ".log")
"""Endings of files that are looked at."""
MAX_LOGS = 500
"""Files of one stage that are looked at."""
_TIME = re.compile(r'"timestamp"\s*:\s*"([^"]{10,40})"')


class NativeLog(NamedTuple):
    """The files of one format that make the agent's log, in the order in which they were written."""

    format: Format
    paths: tuple[str, ...]


def native_log(files: Mapping[str, str], stage: str) -> NativeLog | None:
    """The native log of a stage; `files`: name below the trial -> path."""
    formats = [item for item in map(load_format, FORMATS) if item.read_log is not None]
    found: dict[str, list[tuple[str, str]]] = {}
    prefix = f"{stage}agent/"
    names = [name for name in sorted(files, key=_shallow_first) if name.startswith(prefix) and name.endswith(LOGS)]
    for name in [name for name in names if not name.startswith(f"{prefix}trajectory")][:MAX_LOGS]:
        known = _format_of(files[name], formats)
        if known is None:
            continue
        item, head = known
        beside = PurePosixPath(name)
        if item.main_of is None or str(beside.with_name(item.main_of(beside.name) or beside.name)) in {name, ""}:
            first = _TIME.search(head.text)
            found.setdefault(item.name, []).append((first.group(1) if first else "", files[name]))
    for item in formats:
        if item.name in found:
            return NativeLog(item, tuple(path for _, path in sorted(found[item.name])))
    return None


def _shallow_first(name: str) -> tuple[int, str]:
    """What lies right in the agent's folder comes before what lies deeper: a log must not hide behind many small files."""
    return name.count("/"), name


def _format_of(path: str, formats: list[Format]) -> tuple[Format, Head] | None:
    try:
        for amount in (None, SECOND_LOOK):
            head = look(Path(path)) if amount is None else look(Path(path), amount=amount)
            item = next((item for item in formats if item.recognise(head)), None)
            if item is not None:
                return item, head
            if head.whole or head.shape not in {"object", "array", "lines", "text"}:
                return None
    except OSError:
        pass
    return None


class Told(NamedTuple):
    """What a native log gave."""

    account: Account
    acts: int
    is_full: bool


def read_native(log: NativeLog, reading: Reading, steps: Steps) -> Told | None:
    """Append the steps of a native log; None, with the reason as an oddity and no step added, when it cannot be read."""
    mark, lost = steps.mark(), reading.oddities.lost
    account: Account | None = None
    for path in log.paths:
        if reading.has_read(path):
            continue  # a subagent's file, which was read with the session
        try:
            read = log.format.read_log(reading, path, steps) if log.format.read_log else None
        except FormatError as error:
            reading.oddities.add(f"the agent's own log cannot be read: {error}", path)
            continue
        account = account or read
    added = steps.steps[mark.step :]
    if account is None or not acts_in(added):
        steps.back_to(mark)
        reading.oddities.lost = lost
        return None
    grade = completeness_of(added, steps.reasons[mark.reason :]).grade
    return Told(account, acts_in(added), grade == "full" and reading.oddities.lost == lost)
