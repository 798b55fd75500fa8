"""Reports, predictions and other JSON that says of ids whether they passed, or what was submitted.

SWE-bench instance reports (with and without the instance's key), run reports of all versions, `results.json`,
`eval_results.json`, objects and rows of id and outcome, predictions. A pass is never inferred from `submitted`, and
`patch_successfully_applied` decides nothing: a report can be resolved without it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

import msgspec

from earned.errors import FormatError
from earned.records.trajectory import Status
from earned.trajectory.decode.document import as_text, decode_any
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.outcomes.claim import Claim
from earned.trajectory.outcomes.verdicts import Repeated, Verdict, agreed, denied_by, verdict_of, verdict_of_row

_MULTI = re.compile(r"^([^/:]{1,200})/([^/:]{1,200}):pr-(\d{1,12})$")
_IDS = ("instance_id", "trial_name", "id", "task_id")
_VERDICTS = ("passed", "resolved", "is_resolved", "correct", "reward", "score")
_COMPARED = ("success", "status")
"""Words that say nothing alone, since a session that ended well may have them, and count against another."""
_PATCH = ("patch", "model_patch")
MODELS = ("model", "model_name", "model_name_or_path")
"""Keys and columns that say whose row it is."""
LISTS: tuple[tuple[tuple[str, ...], Status], ...] = (
    (("resolved_ids", "ids_resolved", "resolved"), "passed"),
    (
        (
            *("error_ids", "incomplete_ids", "infra_failure_ids", "ambiguous_failure_ids"),
            *("no_logs", "install_fail", "reset_failed"),
        ),
        "unknown",
    ),
    (
        (
            *("unresolved_ids", "ids_unresolved", "empty_patch_ids", "unresolved", "no_generation", "no_apply"),
            *("test_errored", "test_timeout", "generated", "applied"),
        ),
        "failed",
    ),
    (("completed_ids", "submitted_ids", "with_logs"), "unknown"),
)
"""Lists of a run report. An id stands in several: the first of these lines that holds it decides."""
AGAINST = (
    *("unresolved_ids", "ids_unresolved", "unresolved", "empty_patch_ids", "error_ids", "incomplete_ids"),
    *("infra_failure_ids", "ambiguous_failure_ids", "no_generation", "test_errored", "test_timeout"),
    *("no_apply", "no_logs", "reset_failed"),
)
"""Lists that no id can stand in that was resolved."""
_TELLING = ("resolved_ids", "ids_resolved", "resolved", "unresolved_ids", "completed_ids", "error_ids", "infra_failure_ids")


def decode_all(data: bytes, place: str) -> Any:
    """A document with every value of keys that stand twice in one object and differ. Raises FormatError when it is no JSON."""
    value = decode_any(data, Oddities(), place=place)
    repeated = False

    def kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        by_key: dict[str, list[Any]] = {}
        for key, item in pairs:
            by_key.setdefault(key, []).append(item)
        for key, items in by_key.items():
            if any(item != items[0] for item in items):
                made[key], repeated = Repeated(tuple(items)), True
        return made

    try:
        again = json.loads(as_text(data, Oddities(), place=place), strict=False, object_pairs_hook=kept)
    except (ValueError, RecursionError):
        return value
    return again if repeated else value


def claims_of_lines(data: bytes, path: str) -> Iterator[Claim]:
    """What rows say, one a line. Raises FormatError that names the line which is no JSON."""
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}#line {number}"
        try:
            row = decode_all(line, place)
        except FormatError as error:
            raise FormatError(f"line {number}: {error}") from error
        if isinstance(row, dict):
            yield from _from_row(_id_of(row), row, place)


def claims_of_document(value: Any, path: str) -> Iterator[Claim]:
    """What a decoded document says: a report, rows, or an object of ids."""
    if isinstance(value, list):
        yield from _from_list(value, f"{path}#")
    elif not isinstance(value, dict):
        return
    elif isinstance(value.get("results"), list) and any(_is_row(row) for row in value["results"]):
        yield from _from_list(value["results"], f"{path}#/results")
    elif any(isinstance(value.get(name), list) for name in _TELLING):
        yield from _from_run_report(value, path)
    elif "tests_status" in value or "patch_exists" in value:
        yield from _from_row(PurePosixPath(path).parent.name, value, f"{path}#")
    elif _is_row(value):
        yield from _from_row(_id_of(value), value, f"{path}#")
    else:
        for key, row in value.items():
            yield from _from_entry(key, row, f"{path}#/{key}")


def _from_list(rows: Sequence[Any], place: str) -> Iterator[Claim]:
    for number, row in enumerate(rows):
        if isinstance(row, dict):
            yield from _from_row(_id_of(row), row, f"{place}/{number}")


def _from_entry(key: str, row: Any, place: str) -> Iterator[Claim]:
    """The value of an id: an object, or the verdict itself."""
    if isinstance(row, dict):
        yield from _from_row(key, row, place)
    elif key and (row is None or isinstance(row, (bool, str, int, float, Repeated))):
        yield _claim(key, verdict_of(row), place)


def _is_row(value: Any) -> bool:
    """Whether an object is a row that names its own id, and not ids with what is said of them."""
    return isinstance(value, dict) and bool(_id_of(value)) and any(name in value for name in (*_VERDICTS, *_PATCH))


def _id_of(row: dict[str, Any]) -> str:
    for name in _IDS:
        value = row.get(name)
        if (isinstance(value, str) and value) or (isinstance(value, int) and not isinstance(value, bool)):
            return str(value)
    return ""


def _from_row(key: str, row: dict[str, Any], place: str) -> Iterator[Claim]:
    """A row that says of one attempt whether it passed, or what was submitted."""
    patch = next((row[name] for name in _PATCH if isinstance(row.get(name), str)), None)
    said = _verdict(row)
    if not key or (said is None and patch is None):
        return
    name, verdict = said or ("", Verdict("unknown"))
    if row.get("infra_failure"):
        reason = row.get("infra_failure_reason")
        verdict = Verdict("unknown", detail=f"the evaluation failed: {reason}" if isinstance(reason, str) else "")
    task = next((row[name] for name in ("task", "task_id") if isinstance(row.get(name), str)), "")
    where = f"{place}/{name}" if name else place
    model = next((row[name] for name in MODELS if isinstance(row.get(name), str)), "")
    yield _claim(key, verdict, where, task=task, model=model, patch=patch, is_outcome=said is not None)


def _verdict(row: dict[str, Any]) -> tuple[str, Verdict] | None:
    """What all the words of a row say together, with the first of them; those of a report within it are among them."""
    is_told = any(name in row for name in _VERDICTS)
    own = verdict_of_row(row, (*_VERDICTS, *_COMPARED)) if is_told else None
    said = [(own[0], _checked(row, own[1]))] if own is not None else []
    for name in ("report", "test_result"):
        inner = row.get(name)
        below = _verdict(inner) if isinstance(inner, dict) else None
        if below is not None:
            said.append((f"{name}/{below[0]}", below[1]))
    known = [(name, word) for name, word in said if word.status != "unknown"]
    if len(known) > 1 and (together := agreed(known)).status == "conflicting":
        return known[0][0], together
    return said[0] if said else None


def _checked(row: dict[str, Any], verdict: Verdict) -> Verdict:
    """A pass that the report's own account of the tests or of the patch speaks against is none."""
    against = denied_by(row) if verdict.status == "passed" else ""
    return Verdict("conflicting", detail=f"the report says passed, and that {against}") if against else verdict


def _claim(
    key: str,
    verdict: Verdict,
    source: str,
    *,
    task: str = "",
    model: str = "",
    patch: str | None = None,
    is_outcome: bool = True,
) -> Claim:
    return Claim(
        key=key,
        source=source,
        status=verdict.status,
        reward=verdict.reward,
        detail=f"{source}: {verdict.detail}" if verdict.status == "conflicting" else verdict.detail,
        task=task,
        model=model,
        bare=verdict.bare,
        otherwise=verdict.otherwise,
        patch=patch,
        is_outcome=is_outcome,
    )


def _from_run_report(value: dict[str, Any], path: str) -> Iterator[Claim]:
    """Lists of ids. `resolved` wins over the wider lists that also hold the id; an error is no word."""
    reasons = value.get("failure_reasons")
    why = reasons if isinstance(reasons, dict) else {}
    seen: set[str] = set()
    against = {key: name for name in AGAINST for key in _keys(value.get(name))}
    for name, status in ((name, status) for names, status in LISTS for name in names):
        for number, key in _numbered_keys(value.get(name)):
            if key not in seen:
                seen.add(key)
                detail = f"{name}: {why[key]}" if isinstance(why.get(key), str) else ""
                claim = Claim(key=key, status=status, source=f"{path}#/{name}/{number}", detail=detail)
                if status == "passed" and key in against:
                    detail = f"{path} holds {key} in {name} and in {against[key]}"
                    claim = msgspec.structs.replace(claim, status="conflicting", detail=detail)
                yield from (claim, *(msgspec.structs.replace(claim, key=other) for other in _other_names(key)))


def _numbered_keys(listed: Any) -> list[tuple[int, str]]:
    """The ids of a list, each with its place: what is said of one is another claim than what is said of the next."""
    return [(number, key) for number, key in enumerate(listed) if isinstance(key, str)] if isinstance(listed, list) else []


def _keys(listed: Any) -> list[str]:
    return [key for _, key in _numbered_keys(listed)]


def _other_names(key: str) -> tuple[str, ...]:
    """Multi-SWE-bench writes `org/repo:pr-1` in reports for what its harnesses call `org__repo-1`."""
    match = _MULTI.match(key)
    return ("{}__{}-{}".format(*match.groups()),) if match else ()
