"""Which of several scorers decides whether an attempt passed: the one that the user names, or all of them when they agree."""

from __future__ import annotations

from collections.abc import Sequence

from earned.records import Outcome, Score


def chosen(scores: Sequence[Score], *, scorer: str = "", threshold: float | None = None) -> Outcome:
    """The outcome of an attempt from what its scorers said. A scorer that gave no value has no say beside others that did.

    Args:
        scores: Of every scorer, in the order of the record.
        scorer: Name of the one that decides; empty when the user named none.
        threshold: Reward from which on an attempt counts as passed, for scores that it may decide.
    """
    asked = [_at(score, threshold) for score in scores if not scorer or score.name == scorer]
    if not asked:
        named = ", ".join(score.name for score in scores)
        detail = f"expected a score of {scorer!r}, found {named}" if scorer else ""
        return Outcome(detail=detail or "no scorer gave a score")
    silent = [score for score in asked if score.status == "unknown"]
    asked = [score for score in asked if score.status != "unknown"] or asked
    if len({score.status for score in asked}) == 1:
        first = asked[0]
        details = [score.detail for score in asked if score.detail]
        details += [f"{score.name} {_silence(score)}" for score in silent if score not in asked]
        detail = "; ".join(details)
        return Outcome(status=first.status, reward=first.reward, maximum=first.maximum, source=first.source, detail=detail)
    said = "; ".join(f"{score.name} says {score.status}" for score in asked)
    return Outcome(source=asked[0].source, detail=f"the scorers differ ({said}): name the one that decides with --scorer")


def _silence(score: Score) -> str:
    return f"says nothing: {score.detail}" if score.detail else "gave no value"


def takes_threshold(score: Score) -> bool:
    """Whether a threshold may decide: the benchmark sets one, or the record does not say what full credit is."""
    is_open = score.status == "unknown" and score.reward is not None and score.maximum is None
    return score.threshold is not None or is_open


def _at(score: Score, threshold: float | None) -> Score:
    """The score under the user's threshold, or the benchmark's, where it may decide."""
    limit = score.threshold if threshold is None else threshold
    if limit is None or score.reward is None or not takes_threshold(score):
        return score
    return Score(
        name=score.name,
        status="passed" if score.reward >= limit else "failed",
        reward=score.reward,
        maximum=limit,
        source=score.source,
        detail=f"{score.reward:g} against a threshold of {limit:g}",
        threshold=limit,
    )
