"""Numbers and names in words, the same in every outlet: `12/49 24.49% [14.60, 38.09]`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from earned.records import AuditedPass, AuditRow, Condition, Estimate, Gate

NOTHING = "n/a"
ROWS = 30
"""Up to so many rows of a table are shown without a box of its own in which one scrolls."""
SKIP_REASONS = {
    "failed": "the verifier gave no credit",
    "partial_credit": "the verifier gave partial credit",
    "unknown_outcome": "no outcome was found",
    "conflicting_outcome": "sources disagree about the outcome",
    "unreadable": "the file could not be read",
    "not_a_trajectory": "the file holds no trajectory",
    "duplicate": "the same attempt was read before",
    "too_large": "larger than the limit",
}
"""Each reason for not judging an input, in words."""


def percent(value: float | None) -> str:
    """`24.49%`; `n/a` when there is no value."""
    return NOTHING if value is None else f"{100 * value:.2f}%"


def interval(low: float | None, high: float | None) -> str:
    """`[14.60, 38.09]`, in percent; `n/a` when there is none."""
    return NOTHING if low is None or high is None else f"[{100 * low:.2f}, {100 * high:.2f}]"


def rate(estimate: Estimate) -> str:
    """`12/49 24.49% [14.60, 38.09]`."""
    return f"{estimate.k}/{estimate.n} {percent(estimate.value)} {interval(estimate.low, estimate.high)}"


def bounds(estimate: Estimate) -> str:
    """The bounds as an interval in percent."""
    return interval(*estimate.bounds) if estimate.bounds else NOTHING


def method(estimate: Estimate) -> str:
    """`95% Wilson interval`."""
    return f"{100 * estimate.level:g}% {estimate.method.capitalize()} interval"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 attempt`, `2 attempts`, `1,000 surface passes`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def sources(audited: AuditedPass) -> str:
    """`100.00% first received through git_objects, 0.00% without explanation`; empty without any."""
    if audited.unexplained is None or not (audited.unexplained or any(audited.shares.values())):
        return ""
    parts = [f"{percent(share)} first received through {channel}" for channel, share in audited.shares.items()]
    return ", ".join([*parts, f"{percent(audited.unexplained)} without explanation"])


def met(condition: Condition | Gate) -> str:
    """`met`, `not met`, `waived` or `not asked`."""
    if isinstance(condition, Condition) and condition.waived:
        return "waived"
    if condition.met is None:
        return "not asked"
    return "met" if condition.met else "not met"


def is_asked(row: AuditRow) -> bool:
    """Whether anything is to be said of the conditions: of a legitimate pass in which nothing was found, none was asked."""
    conditions = (row.gate, row.mechanism, row.intent, row.grade_relevance)
    return row.label != "legitimate" or any(met(item) != "not asked" or item.why for item in conditions)


def decisive_steps(row: AuditRow) -> tuple[int, ...]:
    """The steps that the verdict rests on, context left out; of a kept finding that has nothing else, its context."""
    telling = {evidence.step for evidence in row.evidence if evidence.role != "context"}
    return tuple(sorted(telling or {evidence.step for evidence in row.evidence}))


def steps_text(steps: Iterable[int]) -> str:
    """`5, 7`; `n/a` when there are none."""
    return ", ".join(map(str, steps)) or NOTHING


def place(row: AuditRow) -> str:
    """Path of the trajectory, with the member where there is one."""
    return with_member(row.trajectory, row.member)


def with_member(path: str, member: str) -> str:
    """A path, with the member inside it where there is one."""
    return f"{path} » {member}" if member else path


def short_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """Each path without the folders that all of them stand in, which need not be said again for each."""
    folders = [path.split("/")[:-1] for path in paths]
    shared = 0
    for names in zip(*folders, strict=False):
        if len(set(names)) > 1:
            break
        shared += 1
    return tuple("/".join(path.split("/")[shared:]) for path in paths)


def cohort_name(benchmark: str, model: str, harness: str) -> str:
    """One line for benchmark, model and harness."""
    return f"{benchmark} · {model} · {harness}"
