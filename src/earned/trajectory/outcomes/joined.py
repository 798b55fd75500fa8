"""Whose outcome is what the files say that a user named, and how it joins with what a trajectory's own record says.

A claim fits an attempt by its native id, its member, its file's name or its task, in this order and in each file for itself.
Where a claim fits several attempts it belongs to the one that it fits best; `Outcomes.held` knows that once all were looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from earned.content import parse_patch
from earned.errors import FormatError, InputError
from earned.records import Oddity, Outcome, Skip, SkipReason, Trajectory
from earned.trajectory.outcomes.claim import Claim
from earned.trajectory.outcomes.claims import claims_of
from earned.trajectory.outcomes.fits import TASK, Fit, Index
from earned.trajectory.sources import places
from earned.trajectory.submission.recovered import with_patch

GRADED = "/patch.diff"
"""What the evaluation leaves beside the report of an instance."""


class Outcomes:
    """All claims of the files that the user named."""

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self.claims = tuple(claims)
        self._files: dict[str, Index] = {}
        self._holders: Mapping[str, int] = {}
        for claim in self.claims:
            self._files.setdefault(claim.source.partition("#")[0], Index()).add(claim)

    def held(self, holders: Iterable[tuple[str, int]]) -> Outcomes:
        """The same, where claims of these sources belong only to the attempt that they fit so well; NOBODY: to none."""
        found = Outcomes()
        found.claims, found._files, found._holders = self.claims, self._files, dict(holders)
        return found

    def about(self, trajectory: Trajectory) -> tuple[Fit, ...]:
        """The claims that fit, of each file by the first of native id, member, file stem and task that fits any."""
        return tuple(fit for index in self._files.values() for fit in index.about(trajectory))

    def is_held(self, fit: Fit) -> bool:
        """Whether the claim belongs to an attempt that it fits so."""
        return self._holders.get(fit.claim.source, fit.rank) == fit.rank


def load_outcomes(files: Iterable[Path]) -> Outcomes:
    """The claims of outcome files. Raises InputError (`path-missing`, `outcomes-unreadable`) that names file and place."""
    claims: list[Claim] = []
    for file in files:
        if not places.is_file(str(file)):
            raise InputError(f"Expected an outcome file, found nothing at {file}. Check --outcomes.", slug="path-missing")
        try:
            found = list(claims_of(str(file)))
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
    return Outcomes(claims)


def joined_with_named(trajectory: Trajectory, outcomes: Outcomes) -> Trajectory:
    """The trajectory with what the named files say of it; what belongs to another attempt is left out, and said."""
    fits = outcomes.about(trajectory)
    kept = [fit for fit in fits if outcomes.is_held(fit)]
    made = joined(trajectory, [fit.claim for fit in kept])
    lost = next((fit.claim for fit in fits if fit.claim.is_outcome and not outcomes.is_held(fit)), None)
    if lost is not None and made.outcome.status == "unknown":
        detail = f"{lost.source} fits more than one attempt of this task"
        return _with_outcome(made, msgspec.structs.replace(made.outcome, source=lost.source, detail=detail))
    is_by_task = trajectory.attempt != trajectory.task and bool(kept) and all(fit.rank == TASK for fit in kept)
    if is_by_task and trajectory.outcome.status == "unknown" and made.outcome.status in ("passed", "failed"):
        return _with_outcome(made, msgspec.structs.replace(made.outcome, detail="joined by task"))
    return made


def _with_outcome(trajectory: Trajectory, outcome: Outcome) -> Trajectory:
    return msgspec.structs.replace(trajectory, outcome=outcome)


def joined(trajectory: Trajectory, claims: Sequence[Claim]) -> Trajectory:
    """The trajectory with its own outcome and all claims joined: they agree, or the outcome is conflicting."""
    said = [claim for claim in claims if claim.is_outcome]
    made = _with_outcome(trajectory, _joined(trajectory.outcome, said)) if said else trajectory
    stated = [claim for claim in claims if claim.patch and claim.patch.strip()]
    return _with_submission(made, stated) if stated else made


def _with_submission(trajectory: Trajectory, claims: Sequence[Claim]) -> Trajectory:
    """What was graded, or a file says that was submitted, is the submission; a record that says otherwise is named."""
    own = trajectory.submission
    claim = next((claim for claim in claims if is_graded(claim)), claims[0])
    if own.recovered != "recorded" or not own.patch.strip():
        return msgspec.structs.replace(trajectory, submission=with_patch(own, claim.patch or "", source=claim.source))
    told = [claim] if is_graded(claim) else claims
    if any(same_changes(own.patch, other.patch or "") for other in told):
        return trajectory
    what = "another patch than the trajectory's own record holds is taken for the submission"
    made = msgspec.structs.replace(trajectory, submission=with_patch(own, claim.patch or "", source=claim.source))
    return msgspec.structs.replace(made, oddities=(*made.oddities, Oddity(what=what, place=claim.source)))


def is_graded(claim: Claim) -> bool:
    """Whether a patch is the one that an evaluation keeps beside its report, or in the row that says how it went."""
    return claim.is_outcome or claim.source.endswith(GRADED)


def same_changes(one: str, other: str) -> bool:
    """Whether two patches add and take away the same lines of the same files, whatever stands around."""
    if one.strip() == other.strip():
        return True
    changes = _changes(one)
    return bool(changes) and changes == _changes(other)


def _changes(patch: str) -> list[tuple[str, list[str], list[str]]]:
    return sorted(
        (file.path, [line.text.rstrip() for line in file.added], [line.text.rstrip() for line in file.removed])
        for file in parse_patch(patch)
    )


def _joined(own: Outcome, claims: Sequence[Claim]) -> Outcome:
    if own.status == "conflicting":
        return own
    torn = next((claim for claim in claims if claim.status == "conflicting"), None)
    if torn is not None:
        return Outcome(status="conflicting", source=torn.source, detail=torn.detail, reward=own.reward, maximum=own.maximum)
    known = [_of(claim) for claim in claims if claim.passed is not None]
    if own.status != "unknown":
        known.insert(0, own)
    if not known:
        first = next((claim for claim in claims if claim.detail), claims[0])
        detail = own.detail or first.detail or f"{first.source} says neither passed nor failed"
        return msgspec.structs.replace(own, detail=detail, source=own.source or first.source)
    against = next((item for item in known if _passed(item) != _passed(known[0])), None)
    if against is None:
        return known[0]
    detail = "; ".join(f"{item.source} says {_word(item)}" for item in (known[0], against))
    return Outcome(status="conflicting", source=known[0].source, detail=detail, reward=own.reward, maximum=own.maximum)


def _of(claim: Claim) -> Outcome:
    maximum = None if claim.reward is None else 1.0
    return Outcome(status=claim.status, reward=claim.reward, maximum=maximum, source=claim.source, detail=claim.detail)


def _passed(outcome: Outcome) -> bool:
    return outcome.status == "passed"


def _word(outcome: Outcome) -> str:
    return "partial credit" if outcome.status == "partial_credit" else outcome.status


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
