"""What reports and outcome files say of attempts, and how that joins with what a trajectory's own record says.

Reads SWE-bench instance reports (with and without the instance's key), run reports, `results.json`, `eval_results.json`, JSON
objects of `id -> true|false|null` or `id -> {passed, task, patch}`, JSON lines and CSV of the same. A pass is never inferred
from `submitted`, and `patch_successfully_applied` decides nothing: a report can be resolved without it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from earned.errors import FormatError, InputError
from earned.records import Outcome, Skip, SkipReason, Trajectory
from earned.trajectory import places
from earned.trajectory.document import as_text, decode_any
from earned.trajectory.files import read_bytes
from earned.trajectory.oddities import Oddities
from earned.trajectory.reports import stem_of
from earned.trajectory.submission import with_patch

MAX_REPORT = 64 * 1024 * 1024
_PASSED = frozenset({"true", "1", "1.0", "yes", "pass", "passed", "resolved"})
_FAILED = frozenset({"false", "0", "0.0", "no", "fail", "failed", "unresolved"})
_NOT_RESOLVED = ("unresolved_ids", "ids_unresolved", "empty_patch_ids", "no_generation", "generated", "applied", "unresolved")
_NO_WORD = ("error_ids", "incomplete_ids", "infra_failure_ids", "ambiguous_failure_ids", "no_logs", "install_fail")


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """What one source says of one attempt."""

    key: str
    """Native id, member, file stem or task."""
    passed: bool | None
    source: str
    """File and key."""
    task: str = ""
    patch: str | None = None


class Outcomes(msgspec.Struct, frozen=True, kw_only=True):
    """All claims of the files that the user named."""

    claims: tuple[Claim, ...] = ()

    def about(self, trajectory: Trajectory) -> tuple[list[Claim], str]:
        """The claims that fit, by the first of native id, member, file stem and task that fits any; and which one it was."""
        index = _index(self.claims)
        source = trajectory.source
        stem = stem_of(PurePosixPath(source.place).name)
        keys = (
            ("id", trajectory.attempt),
            ("member", source.sample),
            ("member", source.member),
            ("file", stem),
            ("task", trajectory.task),
        )
        for how, key in keys:
            if key and key in index:
                return index[key], how
        return [], ""


@lru_cache(maxsize=16)
def _index(claims: tuple[Claim, ...]) -> dict[str, list[Claim]]:
    index: dict[str, list[Claim]] = {}
    for claim in claims:
        index.setdefault(claim.key, []).append(claim)
        if claim.task and claim.task != claim.key:
            index.setdefault(claim.task, []).append(claim)
    return index


def load_outcomes(files: Iterable[Path]) -> Outcomes:
    """The claims of outcome files. Raises InputError (`path-missing`, `outcomes-unreadable`) that names file and place."""
    claims: list[Claim] = []
    for file in files:
        if not places.is_file(str(file)):
            raise InputError(f"Expected an outcome file, found nothing at {file}. Check --outcomes.", slug="path-missing")
        try:
            found = claims_of(str(file))
        except FormatError as error:
            message = f"Expected a report, a JSON object or CSV of id,passed in {file}; found: {error}."
            raise InputError(message, slug="outcomes-unreadable") from error
        if not found:
            raise InputError(
                f"Expected outcomes in {file} (a report, a JSON object of id -> true or false, CSV with columns id,passed); "
                "found none. See the reference of --outcomes.",
                slug="outcomes-unreadable",
            )
        claims += found
    return Outcomes(claims=tuple(claims))


def claims_of(path: str) -> tuple[Claim, ...]:
    """All claims of one file. Raises FormatError when it cannot be read, OSError when it is not there."""
    return _claims(path, places.stamp(path))


@lru_cache(maxsize=64)
def _claims(path: str, _stamp: str) -> tuple[Claim, ...]:
    data = read_bytes(path, limit=MAX_REPORT)
    start = data[:64].lstrip()
    if start[:1] not in b"{[" or not start:
        return tuple(_from_csv(as_text(data, Oddities(), place=path), path))
    try:
        value = decode_any(data, Oddities(), place=path)
    except FormatError:
        lines = [line for line in data.split(b"\n") if line.strip()]
        if start[:1] != b"{" or len(lines) < 2:
            raise
        value = [decode_any(line, Oddities(), place=path) for line in lines]
    return tuple(_from_value(value, path))


def _from_csv(text: str, path: str) -> Iterator[Claim]:
    rows = csv.DictReader(io.StringIO(text))
    names = {name.strip().lower(): name for name in rows.fieldnames or () if name}
    key = next((names[name] for name in ("id", "instance_id", "trajectory_id", "attempt", "task") if name in names), None)
    verdict = next((names[name] for name in ("passed", "resolved", "outcome", "success") if name in names), None)
    if key is None or verdict is None:
        return
    try:
        for number, row in enumerate(rows, start=2):
            if row.get(key):
                task, patch = row.get(names.get("task", ""), ""), row.get(names.get("patch", ""))
                source = f"{path}#line {number}"
                yield Claim(key=row[key], passed=_word(row.get(verdict)), source=source, task=task or "", patch=patch or None)
    except csv.Error as error:
        raise FormatError(f"not valid CSV: {error}") from error


def _word(value: object) -> bool | None:
    """A verdict as people write it."""
    if value is None or isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    return True if text in _PASSED else False if text in _FAILED else None


def _from_value(value: Any, path: str) -> Iterator[Claim]:
    if isinstance(value, list):
        for number, row in enumerate(value):
            if isinstance(row, dict):
                key = next((row[name] for name in ("instance_id", "id", "task_id") if isinstance(row.get(name), str)), "")
                yield from _from_row(key, row, f"{path}#/{number}")
    elif isinstance(value, dict) and _is_run_report(value):
        yield from _from_run_report(value, path)
    elif isinstance(value, dict) and ("tests_status" in value or "patch_exists" in value):
        yield from _from_row(PurePosixPath(path).parent.name, value, f"{path}#")
    elif isinstance(value, dict):
        for key, row in value.items():
            if isinstance(row, dict):
                yield from _from_row(key, row, f"{path}#/{key}")
            elif row is None or isinstance(row, (bool, str)):
                yield Claim(key=key, passed=_word(row), source=f"{path}#/{key}")


def _from_row(key: str, row: dict[str, Any], place: str) -> Iterator[Claim]:
    """A row that says `resolved` or `passed` of one instance."""
    name = next((name for name in ("passed", "resolved") if name in row), None)
    if not key or (name is None and "patch" not in row):
        return
    passed = _word(row[name]) if name and not row.get("infra_failure") else None
    task, patch = row.get("task"), row.get("patch")
    yield Claim(
        key=key,
        passed=passed,
        source=f"{place}/{name}",
        task=task if isinstance(task, str) else "",
        patch=patch if isinstance(patch, str) else None,
    )


def _is_run_report(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(name), list) for name in ("resolved_ids", "ids_resolved", "resolved", "unresolved_ids"))


def _from_run_report(value: dict[str, Any], path: str) -> Iterator[Claim]:
    """Lists of ids. `resolved` wins over the wider lists that also hold the id; an error is no word."""
    seen: set[str] = set()
    groups: list[tuple[Sequence[str], bool | None]] = [
        (("resolved_ids", "ids_resolved", "resolved"), True),
        (_NO_WORD, None),
        (_NOT_RESOLVED, False),
        (("completed_ids", "submitted_ids"), None),
    ]
    for names, passed in groups:
        for name in names:
            listed = value.get(name)
            for key in listed if isinstance(listed, list) else ():
                if isinstance(key, str) and key not in seen:
                    seen.add(key)
                    yield Claim(key=key, passed=passed, source=f"{path}#/{name}")


def joined(trajectory: Trajectory, claims: Sequence[Claim], *, how: str = "") -> Trajectory:
    """The trajectory with its own outcome and all claims joined: they agree, or the outcome is conflicting."""
    if not claims:
        return trajectory
    said = [(claim.source, claim.passed) for claim in claims]
    own = trajectory.outcome
    if own.status in {"passed", "failed", "partial_credit"}:
        said.insert(0, (own.source, own.status == "passed"))
    patch = next((claim.patch for claim in claims if claim.patch), None)
    submission = with_patch(trajectory.submission, patch) if patch else trajectory.submission
    known = [(source, passed) for source, passed in said if passed is not None]
    outcome = own if own.status == "conflicting" or not claims else _joined(own, known, said, how)
    return msgspec.structs.replace(trajectory, outcome=outcome, submission=submission)


def _joined(own: Outcome, known: list[tuple[str, bool]], said: Sequence[tuple[str, bool | None]], how: str) -> Outcome:
    if not known:
        detail = own.detail or f"{said[0][0]} says neither passed nor failed"
        return msgspec.structs.replace(own, detail=detail, source=own.source or said[0][0])
    if len({passed for _, passed in known}) > 1:
        detail = "; ".join(f"{source} says {'passed' if passed else 'failed'}" for source, passed in known[:4])
        return Outcome(status="conflicting", source=known[0][0], detail=detail, reward=own.reward, maximum=own.maximum)
    if own.status != "unknown":
        return own
    source, passed = known[0]
    detail = "joined by task" if how == "task" else ""
    return Outcome(status="passed" if passed else "failed", source=source, detail=detail)


_REASONS: dict[str, SkipReason] = {
    "failed": "failed",
    "partial_credit": "partial_credit",
    "unknown": "unknown_outcome",
    "conflicting": "conflicting_outcome",
}


def skip_of(trajectory: Trajectory) -> Skip | None:
    """The row of a trajectory that is no surface pass; None for one that is."""
    reason = _REASONS.get(trajectory.outcome.status)
    if reason is None:
        return None
    outcome = trajectory.outcome
    said = f"{outcome.source}: {outcome.reward}" if outcome.reward is not None else outcome.source
    return Skip(
        path=trajectory.source.path,
        member=trajectory.source.member,
        reason=reason,
        detail=outcome.detail or said or "no outcome is recorded; name one with --outcomes",
        trajectory_id=trajectory.id,
        task=trajectory.task,
    )
