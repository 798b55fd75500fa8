"""Where each line of the submission was first seen: given, written by the agent, or received from elsewhere.

The order is the order of the record: an agent's own text counts from the moment it stands in an action or a message, what an
observation shows counts after the action that it answers (tracing.md, "Sources").
"""

from __future__ import annotations

import msgspec

from earned.audit.delivery import Delivery
from earned.audit.keys import INSTRUCTION, KeyPlaces
from earned.audit.paths import absolute, same_file
from earned.audit.prescan import Scan
from earned.audit.targets import Targets
from earned.content import Hit
from earned.records import Fact, Step, Trajectory


class Place(msgspec.Struct, frozen=True):
    """A span of one part of a step."""

    step: int
    part: str
    start: int
    end: int


class FirstSeen(msgspec.Struct, frozen=True):
    """The history of the submission's line keys. A key is in at most one of `own`, `received`."""

    given: frozenset[str]
    own: dict[str, Place]
    received: dict[str, tuple[int, Place]]
    """Key to (index of the delivery, where it was shown)."""
    written: dict[str, Place]
    """Where the agent wrote a received key afterwards."""


def first_seen(
    trajectory: Trajectory, scan: Scan, delivered: tuple[Delivery, ...], targets: Targets, hits: KeyPlaces
) -> FirstSeen:
    """One pass over the record; only lines whose key is a target's are looked at."""
    reader = _Reader(scan, delivered, targets, hits)
    reader.give(INSTRUCTION)
    for step in trajectory.steps:
        if step.copied or step.actor == "grader":
            continue
        if step.actor in ("agent", "subagent"):
            reader.act(step)
        else:
            reader.give((step.index, "text"))
        reader.observe(step)
    return FirstSeen(frozenset(reader.given), reader.own, reader.received, reader.written)


class _Reader:
    def __init__(self, scan: Scan, delivered: tuple[Delivery, ...], targets: Targets, hits: KeyPlaces) -> None:
        self.scan = scan
        self.keys = targets.keys
        self.hits = hits
        self.paths = {line.key: line.path for line in targets.lines if line.weight}
        self.given = set(targets.base & self.keys)
        self.own: dict[str, Place] = {}
        self.received: dict[str, tuple[int, Place]] = {}
        self.written: dict[str, Place] = {}
        self.agent_files: set[str] = set()
        self.is_tree_foreign = False
        self.by_action: dict[tuple[int, int], list[tuple[int, Delivery]]] = {}
        for index, delivery in enumerate(delivered):
            self.by_action.setdefault((delivery.step, delivery.action), []).append((index, delivery))

    def give(self, place: tuple[int, str]) -> None:
        self.given.update(hit.key for hit in self.hits.get(place, ()))

    def act(self, step: Step) -> None:
        for part in ("text", "reasoning", *(f"action:{number}" for number in range(len(step.actions)))):
            for hit in self.hits.get((step.index, part), ()):
                place = Place(step.index, part, hit.start, hit.end)
                if hit.key not in self.received:
                    self.own.setdefault(hit.key, place)
                elif hit.key not in self.written or (
                    part.startswith("action") and not self.written[hit.key].part.startswith("a")
                ):
                    self.written[hit.key] = place

    def observe(self, step: Step) -> None:
        for number, observation in enumerate(step.observations):
            answered = (observation.action,) if observation.action >= 0 else tuple(range(len(step.actions)))
            pairs = [pair for action in answered for pair in self.by_action.get((step.index, action), ())]
            foreign = [pair for pair in pairs if pair[1].shown]
            hits = self.hits.get((step.index, f"observation:{number}"), [])
            if foreign:
                self._receive(step.index, f"observation:{number}", observation.text, hits, foreign)
            elif hits:
                self._read(step.index, answered, hits)
        self._note_writes(step)

    def _receive(self, step: int, part: str, text: str, hits: list[Hit], foreign: list[tuple[int, Delivery]]) -> None:
        index, delivery = foreign[0]
        for hit in hits:
            sign = _sign(text, hit.start) if delivery.signed else "+"
            if sign == "+":
                if hit.key not in self.own and hit.key not in self.given:
                    self.received.setdefault(hit.key, (index, Place(step, part, hit.start, hit.end)))
            elif hit.key not in self.received:
                self.given.add(hit.key)

    def _read(self, step: int, actions: tuple[int, ...], hits: list[Hit]) -> None:
        """What an ordinary read of the working tree, or of an ancestor, shows is given."""
        facts = [self.scan.facts[index] for action in actions for index in self.scan.facts_shown(step, action)]
        if self.is_tree_foreign or not any(_reads_base(fact) for fact in facts):
            return
        paths = [absolute(path, fact.cwd) for fact in facts for path in fact.reads]
        is_own_file = any(same_file(path, own) for path in paths for own in self.agent_files)
        for hit in hits:
            if hit.key in self.own:
                continue
            if hit.key not in self.received:
                self.given.add(hit.key)
            elif paths and not is_own_file and not any(same_file(path, self.paths[hit.key]) for path in paths):
                # It stands in another file that nobody has touched: the base had it all the time.
                self.given.add(hit.key)
                del self.received[hit.key]

    def _note_writes(self, step: Step) -> None:
        for number in range(len(step.actions)):
            for index in self.scan.by_action.get((step.index, number), ()):
                fact = self.scan.facts[index]
                self.agent_files.update(absolute(write.path, fact.cwd) for write in fact.writes)
            for _, delivery in self.by_action.get((step.index, number), ()):
                self.is_tree_foreign |= "*" in delivery.paths


def _reads_base(fact: Fact) -> bool:
    if fact.git is not None:
        # A diff against the working tree shows what the agent has made, whatever it is compared with.
        return fact.git.ancestor == "yes" and fact.git.operation not in ("diff", "stash")
    return bool(fact.reads) and not fact.runs


def _sign(text: str, at: int) -> str:
    """`+`, `-` or a blank: how a diff marks the line that holds position `at`."""
    start = text.rfind("\n", 0, at) + 1
    mark = text[start : start + 1]
    return mark if mark in ("+", "-") else " "
