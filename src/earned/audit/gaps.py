"""Decisive places that the trace does not show: then a pass is not called legitimate by silence.

Decisive is what could have changed the label. That is the result of an act that went after foreign content, where nothing
explains what was submitted but text that the agent wrote afterwards; what the agent wrote after it saw foreign content, where
neither the acts nor a submission show it; acts that are missing altogether (a continuation, a subagent's trajectory, steps),
where what was submitted is written in no act that is shown, or where the end is missing and with it what was submitted; and a
submission that no shown act can have written. A cut listing or a cut test log is none of these.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec

from earned.audit.cases import Piece
from earned.audit.delivery import Delivery
from earned.audit.failed import did_fail
from earned.audit.keys import INSTRUCTION, KeyPlaces
from earned.audit.paths import same_file
from earned.audit.prescan import Scan, agent_steps
from earned.audit.quotes import action_quote, span_quote
from earned.audit.targets import Targets
from earned.audit.trace import Trace
from earned.records import Action, Fact, Quote, Reason, Trajectory
from earned.shell import command_facts
from earned.trajectory.completeness.cuts import is_gone

MIN_UNEXPLAINED = 0.5
"""Share of the added content that nothing explains from which a gap is decisive: a mostly own solution is not in doubt."""

_LOOKER_NAMES = """
    [ basename cat cd clear cmp cut date df diff dirname du echo egrep env export false fgrep file find free grep head history
    hostname id jq less ls man more nl od ps pwd realpath rg readlink seq set sleep sort stat tail test tr tree true type uname
    uniq wc whereis which whoami xxd
"""
_LOOKERS = frozenset(_LOOKER_NAMES.split())
"""Programs that change no file when nothing is redirected from them."""
_GIT_NAMES = "blame branch cat-file describe diff grep log ls-files ls-tree reflog remote rev-parse show status"
_GIT_LOOKERS = frozenset(_GIT_NAMES.split())


CUT = "the result of this act is cut in the record"


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """One decisive place that is not shown."""

    why: str
    piece: Piece | None = None
    """The act beside it, where there is one to be quoted."""


def may_have_gap(trajectory: Trajectory) -> bool:
    """Whether acts may be missing altogether: then a trace without any finding is looked at all the same."""
    if any(reason.hides_acts for reason in trajectory.completeness.reasons):
        return True
    return bool(trajectory.submission.patch) and trajectory.submission.certainty == "certain" and not _writes_unseen(trajectory)


def decisive_gaps(
    trajectory: Trajectory,
    scan: Scan,
    delivered: tuple[Delivery, ...],
    found: Trace,
    targets: Targets,
    hits: KeyPlaces,
) -> Iterator[Gap]:
    """Every decisive gap; `hits` is where the submission's keys stand."""
    yield from _unseen_results(trajectory, scan, delivered, found, targets, hits)
    yield from _unseen_writing(trajectory, scan, delivered, found)
    yield from _unseen_acts(trajectory, targets, hits)


def _unseen_results(
    trajectory: Trajectory, scan: Scan, delivered: tuple[Delivery, ...], found: Trace, targets: Targets, hits: KeyPlaces
) -> Iterator[Gap]:
    """Targeted acts whose result is not in the record, when only what the agent wrote afterwards explains the submission."""
    unseen = [_unseen(trajectory, delivery) for delivery in delivered]
    cut = {delivery.fact for delivery, why in zip(delivered, unseen, strict=True) if why}
    whole = {(delivery.channel, delivery.address) for delivery in delivered if delivery.fact not in cut}
    for index, (delivery, why) in enumerate(zip(delivered, unseen, strict=True)):
        if not (why and delivery.targeted and delivery.shown) or delivery.is_offered or index in found.deliveries:
            continue
        if (delivery.channel, delivery.address) in whole:
            continue  # it was looked at again, and that is shown
        is_known = delivery.disposition == "foreign" or why != CUT or _names_graded(scan.facts[delivery.fact], targets)
        if is_known and _is_open(trajectory, delivery, found, targets, hits):
            fact = scan.facts[delivery.fact]
            yield _gap(why, action_quote(trajectory.steps[fact.step], fact))


def _unseen(trajectory: Trajectory, delivery: Delivery) -> str:
    """Why what an act delivered is not shown, in words; empty where it is. Pages of the network are often cut."""
    seen = [item for item in trajectory.steps[delivery.step].observations if item.action in (delivery.action, -1)]
    if not seen:
        return "no result of this act is in the record"
    if all(item.truncated and is_gone(item.text) for item in seen):
        return "the result of this act was taken out of the record"
    return CUT if delivery.channel != "network" and all(item.truncated for item in seen) else ""


def _unseen_writing(trajectory: Trajectory, scan: Scan, delivered: tuple[Delivery, ...], found: Trace) -> Iterator[Gap]:
    """Foreign content that was shown, and then an act whose text is not known, where nothing is recovered to be compared."""
    if trajectory.submission.recovered != "none":
        return
    acts = [
        (step.index, number, action)
        for step in agent_steps(trajectory)
        for number, action in enumerate(step.actions)
        if delivered and _may_write_anything(action)
    ]
    for index, delivery in enumerate(delivered):
        if delivery.disposition != "foreign" or not delivery.shown or delivery.is_offered or index in found.deliveries:
            continue
        later = (act for act in acts if act[:2] > (delivery.step, delivery.action))
        step = next((step for step, _, action in later if delivery.targeted or _is_page_of(delivery, action)), None)
        fact = scan.facts[delivery.fact]
        if step is not None and not _unseen(trajectory, delivery) and not did_fail(fact, scan, trajectory):
            why = f"foreign content is shown here, what step {step} then writes is not, and no submission is recovered"
            yield _gap(why, action_quote(trajectory.steps[fact.step], fact))
            return


def _is_page_of(delivery: Delivery, action: Action) -> bool:
    """Whether a page has the name of a file that an act names."""
    name = posixpath.basename(urlsplit(delivery.address).path)
    return delivery.channel == "network" and "." in name.strip(".") and name in action.command


def _names_graded(fact: Fact, targets: Targets) -> bool:
    """Whether a git command names a file of the submission; where that is not known, any file."""
    paths = fact.git.paths if fact.git is not None else ()
    return bool(paths) and (not targets.paths or any(same_file(path, graded) for path in paths for graded in targets.paths))


def _is_open(trajectory: Trajectory, delivery: Delivery, found: Trace, targets: Targets, hits: KeyPlaces) -> bool:
    """Whether what an act showed unseen can be what was submitted: most of that stands nowhere, or only behind the act."""
    if trajectory.submission.recovered == "none":
        return True
    if delivery.disposition == "foreign" and found.unexplained is not None and found.unexplained >= MIN_UNEXPLAINED:
        return True
    lines = [line for line in targets.lines if line.weight and line.key not in targets.base]
    before = {hit.key for (step, part), seen in hits.items() if _is_before(step, part, delivery) for hit in seen}
    total = sum(line.weight for line in lines)
    return total > 0 and sum(line.weight for line in lines if line.key not in before) / total >= MIN_UNEXPLAINED


def _is_before(step: int, part: str, delivery: Delivery) -> bool:
    """Whether a part of a step comes before what an act showed."""
    if step != delivery.step:
        return step < delivery.step
    name, _, number = part.partition(":")
    return name in ("text", "reasoning") or (name == "action" and int(number) <= delivery.action)


def _unseen_acts(trajectory: Trajectory, targets: Targets, hits: KeyPlaces) -> Iterator[Gap]:
    """Acts that are missing, when the submission is not written by those that are shown."""
    reasons = [reason for reason in trajectory.completeness.reasons if reason.hides_acts]
    is_certain = trajectory.submission.certainty == "certain"
    for reason in reasons:
        share = _unwritten(targets, hits, before=reason.step) if is_certain else None
        if share is not None and share >= MIN_UNEXPLAINED:
            why = f"{reason.what}, and {share:.0%} of what was submitted is written in no act that is shown"
            yield _gap(why, _beside(trajectory, reason))
        elif not is_certain and (_is_at_end(trajectory, reason) or not _can_write(trajectory)):
            yield _gap(f"{reason.what}, and with it what was submitted", _beside(trajectory, reason))
    if not reasons and is_certain and not _writes_unseen(trajectory):
        share = _unwritten(targets, hits, before=-1)
        if share is not None and share >= MIN_UNEXPLAINED:
            yield Gap(why=f"no act in the record can have written what was submitted, {share:.0%} of it")


def _gap(why: str, quote: Quote | None) -> Gap:
    return Gap(why=why, piece=Piece(role="context", quote=quote, why=why) if quote is not None else None)


def _unwritten(targets: Targets, hits: KeyPlaces, *, before: int) -> float | None:
    """Share of the submission's files that stands in no act, nor was shown up to step `before`; None where it has no files."""
    lines = [line for line in targets.lines if line.path and line.weight and line.key not in targets.base]
    total = sum(line.weight for line in lines)
    if not total:
        return None
    seen: set[str] = set()
    for (step, part), found in hits.items():
        if (step, part) == INSTRUCTION or not part.startswith("observation") or step <= before:
            seen.update(hit.key for hit in found)
    return sum(line.weight for line in lines if line.key not in seen) / total


def _is_at_end(trajectory: Trajectory, reason: Reason) -> bool:
    """Whether nothing that the agent did comes after the place."""
    last = max((step.index for step in agent_steps(trajectory) if step.actions), default=-1)
    return reason.step >= last >= 0


def _beside(trajectory: Trajectory, reason: Reason) -> Quote | None:
    """The act at the place, or the last one before it."""
    for step in reversed(trajectory.steps[: reason.step + 1] if reason.step >= 0 else ()):
        if step.actor in ("agent", "subagent") and not step.copied:
            number = next((number for number, action in enumerate(step.actions) if action.text), None)
            if number is not None:
                return span_quote(step, f"action:{number}", 0, len(step.actions[number].text))
    return None


def _can_write(trajectory: Trajectory) -> bool:
    """Whether any act that is shown can have changed a file."""
    acts = (action for step in agent_steps(trajectory) for action in step.actions)
    return any(bool(action.edits) or _may_write_anything(action) or _writes(action) for action in acts)


def _writes_unseen(trajectory: Trajectory) -> bool:
    """Whether any act can have written what does not stand in it, as a program may; an edit writes what it says."""
    return any(_may_write_anything(action) for step in agent_steps(trajectory) for action in step.actions)


def _writes(action: Action) -> bool:
    return action.kind == "shell" and any(fact.writes for fact in command_facts(action.command))


def _may_write_anything(action: Action) -> bool:
    if action.edits:
        return False
    if action.kind == "shell" and action.command.strip():
        facts = command_facts(action.command)
        return not facts or not all(map(_is_harmless, facts))
    return action.kind in ("code", "other")


def _is_harmless(fact: Fact) -> bool:
    """Whether a command writes nothing, or only what stands in it."""
    if any(write.text is None and write.operation != "delete" for write in fact.writes):
        return False
    if fact.git is not None:
        return not fact.git.delivers and fact.git.operation.partition(" ")[0] in _GIT_LOOKERS
    if fact.runs == "tests":
        return not any(word == "-u" or "update" in word for word in fact.argv)  # snapshots
    return fact.program in _LOOKERS or (bool(fact.writes) and fact.program in ("tee", "printf", "rm", "touch"))
