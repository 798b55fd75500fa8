"""The agent's own logs within a harness's record, found by content: they hold more than the document that was made of them.

Any format whose reader has `read_log` can be one, also where it is a folder: Claude Code sessions and streams, Codex rollouts,
OpenHands, SWE-agent and mini-swe-agent. All are read. What several tell of one run counts once, from the fullest of them, or
the first in the table of formats; logs of different runs, such as those of subagents, follow each other by their times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from earned.errors import FormatError
from earned.records import Reason, Step
from earned.trajectory.account import Account
from earned.trajectory.acts import Act, Acts, Calls, acts_of, share_a_run, untold
from earned.trajectory.candidate import path_below
from earned.trajectory.completeness.grade import completeness_of
from earned.trajectory.format import FORMATS, Folder, Format, load_format
from earned.trajectory.peek import SECOND_LOOK, Head, look
from earned.trajectory.reading import Reading
from earned.trajectory.sources import places
from earned.trajectory.steps import Mark, Steps, acts_in

LOGS = (".json", ".jsonl", ".txt", ".log")
"""Endings of files that are looked at, also compressed."""
MAX_LOGS = 500
"""Files, and folders, of one stage that are looked at."""
SHOWN = 80
"""Characters of an act that are shown."""
_TIME = re.compile(r'"timestamp"\s*:\s*"([^"]{10,40})"')


class NativeLog(NamedTuple):
    """One log: a file, or a folder of events."""

    time: str
    """The first in it; empty where none is seen."""
    order: int
    """Of its format in the table."""
    path: str
    format: Format
    is_part: bool = False
    """Another file's reader reads it as well: a subagent's, beside its session."""


@dataclass(frozen=True, eq=False, slots=True)
class Told:
    """What one log gave."""

    log: NativeLog
    account: Account
    start: Mark
    steps: list[Step]
    reasons: list[Reason]
    lost: int
    acts: Acts
    calls: Calls

    @property
    def rank(self) -> tuple[int, bool, int]:
        """The fuller one is above; of equal ones the whole one, then the first in the table."""
        return self.acts.total(), completeness_of(self.steps, self.reasons).grade == "full", -self.log.order


class Native(NamedTuple):
    """What the logs that were taken gave."""

    accounts: tuple[Account, ...]
    """In the order of the steps, at least one."""
    names: str
    """The logs, as their record's folder names them, with their formats."""
    acts: Acts
    unread: tuple[str, ...]
    """Why each log that could not be read could not."""


def is_log(name: str) -> bool:
    """Whether a file of this name is looked at."""
    return places.bare_name(name).endswith(LOGS)


def native_logs(files: Mapping[str, str], stage: str) -> list[NativeLog]:
    """The native logs of a stage in the order in which they were written; `files`: name below the trial -> path."""
    formats = [item for item in map(load_format, FORMATS) if item.read_log is not None]
    prefix = f"{stage}agent/"
    names = [name for name in files if name.startswith(prefix) and not name.startswith(f"{prefix}trajectory")]
    names.sort(key=_shallow_first)
    found: list[NativeLog] = []
    taken: set[str] = set()
    for folder, item in _folders(names, files, formats):
        below = len(folder) + 1
        inner = [name for name in names if name.startswith(f"{folder}/") and _is_source(item, name[below:])]
        if not inner:
            continue
        taken.update(inner)
        path = files[inner[0]][: below - 1 - len(inner[0])]
        found.append(NativeLog(_time_in([files[name] for name in inner]), formats.index(item), path, item))
    single = [name for name in names if name not in taken and is_log(name)][:MAX_LOGS]
    found += _single(single, files, formats)
    return sorted(found, key=lambda log: (log.is_part, log.time, log.order, log.path))


def _shallow_first(name: str) -> tuple[int, str]:
    """What lies right in the agent's folder comes before what lies deeper: a log must not hide behind many small files."""
    return name.count("/"), name


def _folders(names: Sequence[str], files: Mapping[str, str], formats: Sequence[Format]) -> Iterator[tuple[str, Format]]:
    """Folders that are logs as a whole, the outer ones first, and nothing within one."""
    listed: dict[str, tuple[list[str], set[str]]] = {}
    for name in names:
        folder, _, last = name.rpartition("/")
        listed.setdefault(folder, ([], set()))[0].append(last)
        while "/" in folder:
            folder, _, last = folder.rpartition("/")
            listed.setdefault(folder, ([], set()))[1].add(last)
    known: list[str] = []
    for folder in sorted(listed, key=_shallow_first)[:MAX_LOGS]:
        if any(folder.startswith(f"{outer}/") for outer in known):
            continue
        inside, folders = listed[folder]
        if not inside and "events" not in folders:
            continue
        some = next(name for name in names if name.startswith(f"{folder}/"))
        seen = Folder(Path(files[some][: len(folder) - len(some)]), tuple(sorted(inside)), tuple(sorted(folders)))
        item = next((item for item in formats if item.recognise_folder and item.recognise_folder(seen)), None)
        if item is not None:
            known.append(folder)
            yield folder, item


def _is_source(item: Format, name: str) -> bool:
    return item.role is None or item.role(name).startswith("source")


def _time_in(paths: Sequence[str]) -> str:
    """The first time in the first file that shows one."""
    for path in paths[:2]:
        try:
            found = _TIME.search(look(Path(path)).text)
        except OSError:
            continue
        if found is not None:
            return found.group(1)
    return ""


def _single(names: Sequence[str], files: Mapping[str, str], formats: Sequence[Format]) -> Iterator[NativeLog]:
    """Files that are logs; none that holds another's attempts once more."""
    paths = {files[name] for name in names}
    for name in names:
        known = _format_of(files[name], formats)
        if known is None:
            continue
        item, head = known
        beside = PurePosixPath(name)
        if item.main_of is not None and str(beside.with_name(item.main_of(beside.name) or beside.name)) not in {name, ""}:
            continue
        family = item.family(Path(files[name]), head, _beside(files[name], paths)) if item.family else None
        is_part = family is not None and str(family.main) in paths
        found = _TIME.search(head.text)
        yield NativeLog(found.group(1) if found else "", formats.index(item), files[name], item, is_part)


def _beside(path: str, paths: set[str]) -> list[str]:
    folder = path.rpartition("/")[0]
    return sorted(other.rpartition("/")[2] for other in paths if other.rpartition("/")[0] == folder)


def _format_of(path: str, formats: Sequence[Format]) -> tuple[Format, Head] | None:
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


def read_native(logs: Sequence[NativeLog], reading: Reading, steps: Steps) -> Native | None:
    """Append the steps of the native logs, each run's once; None, with no step added, where they show no act.

    Acts that only a log that was not taken tells are a gap.
    """
    start, lost = steps.mark(), reading.oddities.lost
    told: list[Told] = []
    unread: list[str] = []
    for log in logs:
        if reading.has_read(log.path):
            continue  # a subagent's file, which was read with the session
        mark, before = steps.mark(), reading.oddities.lost
        try:
            account = log.format.read_log(reading, log.path, steps) if log.format.read_log else Account()
        except FormatError as error:
            steps.back_to(mark)
            reading.oddities.lost = before
            reading.oddities.add(f"the agent's own log cannot be read: {error}", log.path)
            unread.append(f"{path_below(reading.candidate.path, log.path)} cannot be read: {error}")
            continue
        added = steps.steps[mark.step :]
        told.append(
            Told(log, account, mark, added, steps.reasons[mark.reason :], reading.oddities.lost - before, *acts_of(added))
        )
    if not any(acts_in(item.steps) for item in told):
        steps.back_to(start)
        reading.oddities.lost = lost
        return None
    taken, gaps = _each_run_once(told, reading)
    if len(taken) < len(told):
        _put_back(taken, steps, start)
        reading.oddities.lost = lost + sum(item.lost for item in taken)
    for gap in gaps:
        steps.missing(gap, step=-1)
    acts: Acts = sum((item.acts for item in taken), Acts())
    return Native(tuple(item.account for item in taken), _named(taken, reading), acts, tuple(unread))


def _put_back(taken: Sequence[Told], steps: Steps, start: Mark) -> None:
    """The steps of these logs alone, numbered anew."""
    steps.back_to(start)
    for item in taken:
        moved = steps.next - item.start.step
        steps.steps += [msgspec.structs.replace(step, index=step.index + moved) for step in item.steps] if moved else item.steps
        steps.reasons += [
            msgspec.structs.replace(reason, step=reason.step + moved) if reason.step >= 0 else reason for reason in item.reasons
        ]


def _each_run_once(told: Sequence[Told], reading: Reading) -> tuple[list[Told], list[str]]:
    """Of each run the logs of the format that tells most of it, in the order of all; and what these leave out."""
    taken: list[Told] = []
    gaps: list[str] = []
    for run in _runs(told):
        sides: dict[int, list[Told]] = {}
        for item in run:
            side = sides.setdefault(item.log.order, [])
            same = next((other for other in side if _is_same(other, item)), None)
            if same is None:
                side.append(item)
            elif item.rank > same.rank:
                side[side.index(same)] = item
        best = max(sides.values(), key=_rank_of_side)
        taken += best
        gaps += _gaps(best, [item for item in run if item not in best], reading)
    order = {id(item): number for number, item in enumerate(told)}
    return sorted(taken, key=lambda item: order[id(item)]), gaps


def _rank_of_side(side: Sequence[Told]) -> tuple[int, bool, int]:
    ranks = [item.rank for item in side]
    return sum(rank[0] for rank in ranks), all(rank[1] for rank in ranks), ranks[0][2]


def _runs(told: Sequence[Told]) -> list[list[Told]]:
    """The logs, those of one run together."""
    runs: list[list[Told]] = []
    for item in told:
        same = [run for run in runs if any(_is_same(item, other) for other in run)]
        runs = [run for run in runs if run not in same]
        runs.append([*(other for run in same for other in run), item])
    return runs


def _is_same(one: Told, other: Told) -> bool:
    """Whether two logs tell one run: by the session that both name, or by their acts.

    Two of one format do so by the same calls only: a subagent's log may name its parent's session.
    """
    if one.log.order == other.log.order:
        return share_a_run(one.calls, other.calls) or _shows_no_act(one, other)
    return one.account.attempt == other.account.attempt != "" or share_a_run(one.acts, other.acts)


def _shows_no_act(one: Told, other: Told) -> bool:
    """Whether one of two logs of a session shows no act of it."""
    return not (one.acts and other.acts) and one.account.attempt == other.account.attempt != ""


def _gaps(taken: Sequence[Told], others: Sequence[Told], reading: Reading) -> Iterator[str]:
    acts: Acts = sum((item.acts for item in taken), Acts())
    for other in others:
        left = untold(acts, other.acts)
        if left:
            yield gap_of(left, path_below(reading.candidate.path, other.log.path), _named(taken, reading))


def gap_of(left: Sequence[Act], other: str, taken: str) -> str:
    """What a record that was not taken tells and the one that was taken does not."""
    counted = "an act" if len(left) == 1 else f"{len(left)} acts"
    return f"{other} tells {counted} that {taken} does not tell: {left[0].kind} {left[0].text[:SHOWN]}"


def _named(taken: Sequence[Told], reading: Reading) -> str:
    names = [f"{path_below(reading.candidate.path, item.log.path)} ({item.log.format.name})" for item in taken[:3]]
    return ", ".join(names) + (f" and {len(taken) - 3} more" if len(taken) > 3 else "")
