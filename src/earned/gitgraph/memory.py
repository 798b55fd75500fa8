"""Commits and names as they were shown: verdicts by hash prefix, parents, and what follows from one for another."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from earned.gitgraph.ancestry import Ancestry

if TYPE_CHECKING:
    from earned.records.fact import Ancestor

MIN_PREFIX = 4
"""git's own least abbreviation (`core.abbrev`)."""
MAX_COMMITS = 50_000
MAX_STEPS = 100_000
"""Conclusions along parents that one new verdict may bring."""


class Memory:
    """Verdicts by hash; abbreviations of the same hash are one commit."""

    def __init__(self) -> None:
        self.verdicts: dict[str, Ancestry] = {}
        self.parents: dict[str, tuple[str, ...]] = {}
        self.children: dict[str, list[str]] = {}
        self.names: dict[str, str] = {}
        """Branch, tag or remote name -> hash that it was shown at."""
        self.buckets: dict[str, list[str]] = {}
        """First digits -> sorted hashes that begin with them."""
        self.kept = 0

    def key(self, commit: str) -> str:
        """The hash under which a commit is kept: the first one of which this is a prefix, or that is a prefix of it."""
        bucket = self.buckets.setdefault(commit[:MIN_PREFIX], [])
        place = bisect_left(bucket, commit)
        if place < len(bucket) and bucket[place].startswith(commit):
            return bucket[place]
        if place and commit.startswith(bucket[place - 1]):  # no kept hash is a prefix of another: the neighbour decides
            return bucket[place - 1]
        if self.kept < MAX_COMMITS:
            self.kept += 1
            bucket.insert(place, commit)
        return commit

    def verdict(self, commit: str) -> Ancestry | None:
        """What is known of a commit."""
        return self.verdicts.get(self.key(commit))

    def add(self, commit: str, ancestor: Ancestor, why: str, *, override: bool = False) -> None:
        """Records a verdict and what follows: parents of an ancestor are ancestors, children of a non-ancestor are none."""
        waiting = [(self.key(commit), Ancestry(ancestor=ancestor, why=why), override)]
        steps = 0
        while waiting and steps < MAX_STEPS:
            key, answer, force = waiting.pop()
            before = self.verdicts.get(key)
            if before is not None and (not force or before.ancestor == answer.ancestor):
                continue
            steps += 1
            self.verdicts[key] = answer
            following = self.parents.get(key, ()) if answer.ancestor == "yes" else tuple(self.children.get(key, ()))
            relation = "parent" if answer.ancestor == "yes" else "child"
            waiting += [(self.key(other), _following(answer, key, relation), False) for other in following]

    def link(self, commit: str, parents: tuple[str, ...]) -> None:
        """Records shown parents."""
        key = self.key(commit)
        keys = tuple(self.key(parent) for parent in parents)
        self.parents[key] = keys
        for parent in keys:
            self.children.setdefault(parent, []).append(key)
        own = self.verdicts.get(key)
        if own is not None and own.ancestor == "yes":
            for parent in keys:
                self.add(parent, "yes", f"parent of {key[:12]}: {own.why}")
        for parent in keys:
            above = self.verdicts.get(parent)
            if above is not None and above.ancestor == "no":
                self.add(key, "no", f"child of {parent[:12]}: {above.why}")


def _following(answer: Ancestry, key: str, relation: str) -> Ancestry:
    why = answer.why if answer.why.startswith(("parent of", "child of")) else f"{relation} of {key[:12]}: {answer.why}"
    return Ancestry(ancestor=answer.ancestor, why=why)
