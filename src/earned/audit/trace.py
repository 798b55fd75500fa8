"""Content tracing: which part of the submission was received, through which channel, and where it was written.

Receipt followed by integration is proof; a command alone is a signal (design/001). Here the facts are joined: each delivery
that explains a part of the submission becomes a receipt with its integration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from earned.audit.delivery import Delivery
from earned.audit.firstseen import FirstSeen, Place, first_seen
from earned.audit.keys import KeyPlaces
from earned.audit.paths import WHOLE_TREE, is_scratch, is_test_file, same_file
from earned.audit.prescan import Scan
from earned.audit.quotes import QUOTE_LIMIT, action_quote, line_quote, span_quote
from earned.audit.renamed import renamed_lines
from earned.audit.targets import Targets
from earned.records import Channel, Integration, Quote, Receipt, Trajectory
from earned.records.evidence import How


class Trace(msgspec.Struct, frozen=True):
    """What tracing found for one submission."""

    receipts: tuple[Receipt, ...] = ()
    integrations: tuple[Integration, ...] = ()
    deliveries: tuple[int, ...] = ()
    """For each receipt, the index of its delivery."""
    shares: dict[Channel, float] = {}
    """Share of rare added content first received through each channel, 0 to 1."""
    unexplained: float | None = None
    """Share that neither base, instruction, own earlier text nor any delivery explains."""


class Explained(msgspec.Struct, frozen=True):
    """Lines of the submission that one delivery explains."""

    delivery: int
    lines: tuple[int, ...]
    """Indices into the targets' lines; empty when only the path is known."""
    how: How
    path: str
    shown_at: Place | None = None
    """Where the original of a renamed copy was shown."""


def trace(trajectory: Trajectory, scan: Scan, delivered: tuple[Delivery, ...], targets: Targets, hits: KeyPlaces) -> Trace:
    """Receipts and integrations; `hits` is where the submission's keys stand. Without a delivery there is nothing to trace."""
    if not delivered:
        return Trace()
    seen = first_seen(trajectory, scan, delivered, targets, hits)
    explained = [*_shown(seen, targets), *_unseen(seen, delivered, targets, trajectory)]
    taken = {index for part in explained for index in part.lines}
    for number, lines, place in renamed_lines(trajectory, delivered, seen, targets, taken):
        new = tuple(index for index in lines if targets.lines[index].weight and index not in taken)
        taken.update(new)
        if new:
            explained.append(Explained(number, new, "renamed", targets.lines[new[0]].path, place))
    return _joined(explained, seen, delivered, targets, trajectory, scan)


def _shown(seen: FirstSeen, targets: Targets) -> list[Explained]:
    """Lines that an observation showed before the agent wrote them, by delivery."""
    groups: dict[int, list[int]] = {}
    for index, line in enumerate(targets.lines):
        found = seen.received.get(line.key)
        if line.weight and found is not None and line.key not in seen.given:
            groups.setdefault(found[0], []).append(index)
    return [Explained(delivery, tuple(lines), "verbatim", targets.lines[lines[0]].path) for delivery, lines in groups.items()]


def _unseen(seen: FirstSeen, delivered: tuple[Delivery, ...], targets: Targets, trajectory: Trajectory) -> list[Explained]:
    """Lines that nothing else explains, in files into which foreign content was put without being shown."""
    is_recorded = trajectory.submission.certainty == "certain"
    taken: set[int] = set()
    found: list[Explained] = []
    for number, delivery in enumerate(delivered):
        for path in delivery.paths:
            lines = tuple(
                index
                for index, line in enumerate(targets.lines)
                if line.weight and index not in taken and _is_in(path, line.path) and _is_unexplained(line.key, seen)
            )
            taken.update(lines)
            if lines:
                found.append(Explained(number, lines, "delivered", targets.lines[lines[0]].path))
            elif not is_recorded and path == "*" and not targets.lines:
                found.append(Explained(number, (), "delivered", WHOLE_TREE))
            elif not is_recorded and path != "*" and not is_scratch(path) and not _has_text(path, targets):
                found.append(Explained(number, (), "delivered", path))
    return found


def _is_in(path: str, graded: str) -> bool:
    return path == "*" or (bool(graded) and same_file(path, graded))


def _has_text(path: str, targets: Targets) -> bool:
    return any(line.path and same_file(path, line.path) for line in targets.lines)


def _is_unexplained(key: str, seen: FirstSeen) -> bool:
    return key not in seen.given and key not in seen.own and key not in seen.received


def _joined(
    explained: list[Explained],
    seen: FirstSeen,
    delivered: tuple[Delivery, ...],
    targets: Targets,
    trajectory: Trajectory,
    scan: Scan,
) -> Trace:
    receipts: list[Receipt] = []
    integrations: list[Integration] = []
    added = [line for line in targets.lines if line.weight and line.key not in seen.given]
    total = sum(line.weight for line in added) or 1.0
    by_kind = {kind: sum(line.weight for line in added if is_test_file(line.path) == kind) or 1.0 for kind in (True, False)}
    shares: dict[Channel, float] = {}
    for part in explained:
        delivery = delivered[part.delivery]
        weight = sum(targets.lines[index].weight for index in part.lines)
        if weight:
            shares[delivery.channel] = shares.get(delivery.channel, 0.0) + weight / total
        receipts.append(_receipt(part, delivery, seen, targets, trajectory, scan))
        integrations.append(
            Integration(
                receipt=len(receipts) - 1,
                path=part.path,
                lines=tuple(targets.lines[index].number for index in part.lines),
                weight=weight,
                share=weight / by_kind[is_test_file(part.path)],
                run=longest_run(part.lines, targets),
                how=part.how,
                quote=_written(part, delivered, seen, targets, trajectory, scan),
            )
        )
    taken = {index for part in explained for index in part.lines}
    left = (line for index, line in enumerate(targets.lines) if line.weight and index not in taken)
    unexplained = sum(line.weight for line in left if _is_unexplained(line.key, seen)) / total
    return Trace(tuple(receipts), tuple(integrations), tuple(part.delivery for part in explained), shares, unexplained)


def longest_run(lines: Iterable[int], targets: Targets) -> str:
    """The longest block of consecutive added lines of one file that are all explained or trivial."""
    wanted = set(lines)
    best: list[int] = []
    block: list[int] = []
    for index, line in enumerate(targets.lines):
        follows = not block or (
            targets.lines[block[-1]].path == line.path and targets.lines[block[-1]].number + 1 == line.number
        )
        if not follows or (line.weight and index not in wanted):
            block = []
        if index in wanted or (block and not line.weight):
            block.append(index)
        if sum(1 for item in block if item in wanted) > sum(1 for item in best if item in wanted):
            best = list(block)
    return "\n".join(targets.lines[index].text for index in best)


def _receipt(
    part: Explained, delivery: Delivery, seen: FirstSeen, targets: Targets, trajectory: Trajectory, scan: Scan
) -> Receipt:
    fact = scan.facts[delivery.fact]
    quote = action_quote(trajectory.steps[fact.step], fact)
    if part.shown_at is not None:
        quote = _block([part.shown_at], trajectory) or quote
    elif part.how == "verbatim":
        places = [seen.received[targets.lines[index].key][1] for index in part.lines]
        quote = _block(places, trajectory) or quote
    return Receipt(
        step=quote.step,
        action=delivery.action,
        channel=delivery.channel,
        address=delivery.address,
        quote=quote,
        path="" if part.how != "delivered" else part.path,
        targeted=delivery.targeted,
        why=f"{delivery.why}; the base lacked these lines" if delivery.disposition == "unknown" else delivery.why,
    )


def _written(
    part: Explained,
    delivered: tuple[Delivery, ...],
    seen: FirstSeen,
    targets: Targets,
    trajectory: Trajectory,
    scan: Scan,
) -> Quote:
    """The act that put the lines into the submission: the one that wrote most of them, else the delivering one.

    What was shown can also be put in place unseen afterwards (`diff -u mine theirs`, then `cp theirs mine`).
    """
    written = seen.own if part.how == "renamed" else seen.written
    places = [written[key] for key in (targets.lines[index].key for index in part.lines) if key in written]
    acts = [place for place in places if place.part.startswith("action")] or places
    quote = _block(acts, trajectory)
    if quote is not None:
        return quote
    first = delivered[part.delivery]
    later = (item for item in delivered[part.delivery + 1 :] if any(_is_in(path, part.path) for path in item.paths))
    origin = next((item for item in later if item.channel == first.channel), first)
    fact = scan.facts[origin.fact]
    return action_quote(trajectory.steps[fact.step], fact)


def _block(places: list[Place], trajectory: Trajectory) -> Quote | None:
    """A quote of the part that holds most of `places`, from the first of them as far as the limit allows."""
    if not places:
        return None
    step, part = Counter((place.step, place.part) for place in places).most_common(1)[0][0]
    spans = sorted((place.start, place.end) for place in places if (place.step, place.part) == (step, part))
    start, end = spans[0]
    for left, right in spans[1:]:
        if right - start <= QUOTE_LIMIT and left - end < QUOTE_LIMIT // 4:
            end = max(end, right)
    quote = line_quote(trajectory.steps[step], part, start, end)
    return quote if quote.text else span_quote(trajectory.steps[step], part, start, end)
