"""Whether a trajectory can hold a case at all, decided from the few actions in which a rule's hint stands.

Most honest passes end here: their other commands are never parsed and nothing is traced, because there is no delivery to trace
and no act to weigh. With and without this file the findings are the same (tests/property/test_prefilter.py).
"""

from __future__ import annotations

import posixpath
import re

import re2

from earned.audit.claims import claims_success
from earned.audit.delivery import deliveries
from earned.audit.keys import KeyPlaces
from earned.audit.prescan import Graph, Scan, agent_steps, has_lasting_shell, prescan
from earned.audit.rules import Match, Ruleset
from earned.audit.tampering import ACTS
from earned.audit.targets import Targets
from earned.audit.weakened import could_weaken
from earned.records import Step, Trajectory
from earned.shell import interesting
from earned.trajectory.later_output import LaterOutput

_RUN = r"(^|[\s;&|(])(python[0-9.]*|bash|sh|zsh|dash|node|perl|ruby|source|env|exec|nohup|\.)\s+(-\w+\s+)*\S*"
"""An interpreter before the name of a script that it is given."""


_ROUNDS = 4
"""Of following received content from file to file; each round can only add names."""
_STATE = re.compile(
    r"(?m)(^|[;&|({]\s*)((export|declare|local|readonly|typeset|set|unset|alias)\b|[A-Za-z_]\w*\+?=)|^\s*cd(\s+\S+)?\s*$"
)
"""What changes the state of the shell, and so what later commands mean."""
_TARGET = re.compile(r"\b(?:cd|pushd|popd)\b[ \t]*([^\s;&|)]*)")
_TELLING = re2.compile(r"\b(git|diff|cmp)\b")
"""What delivers nothing itself and yet tells of another act: where its commit stands, that its file equals a given one."""
_LONE = re.compile(r"\s*cd(\s+\S+)?\s*$")


def first_look(trajectory: Trajectory, rules: Ruleset, graph: Graph | None) -> Scan:
    """The facts of the few actions in which a rule's hint stands."""
    return prescan(trajectory, graph=graph, only=lambda step, number: rules.can_matter(step.actions[number]))


def second_look(
    trajectory: Trajectory, rules: Ruleset, graph: Graph | None, first: Scan, targets: Targets, hits: KeyPlaces
) -> Scan:
    """The facts of every action that can matter once something was delivered or tampered with.

    Where tests, claims or an unrecorded submission are in question, that is every command but those that only look. Where it is
    content alone: the commands that hold a hint, that show or hold a line of the submission, that do more than look at one of
    its files, or that name a file which received foreign content, round by round.
    """
    if _is_broad(first, trajectory, rules):
        scan = prescan(trajectory, graph=graph, only=_Look(rules, hits, first.later), later=first.later)
    else:
        graded = frozenset(posixpath.basename(path) for path in targets.paths)
        received: frozenset[str] = frozenset()
        scan = first
        for _ in range(_ROUNDS):
            look = _Look(rules, hits, first.later, graded=graded, received=received)
            scan = prescan(trajectory, graph=graph, only=look, later=first.later)
            found = deliveries(scan, trajectory, rules, graded=targets.paths)
            paths = [path for delivery in found for path in delivery.paths]
            paths += [path for session in scan.sessions for path in session.scripts]  # a script that a later act may run
            names = received.union(map(posixpath.basename, paths))
            if names == received:
                break
            received = names
    is_renamed = any(session.aliases or session.functions for session in scan.sessions)
    return prescan(trajectory, graph=graph, later=first.later) if is_renamed or moves_about(trajectory) else scan


def _is_broad(first: Scan, trajectory: Trajectory, rules: Ruleset) -> bool:
    """Whether more than content is in question."""
    found = rules.matches(first.facts)
    is_tampering = any(match.rule.category in ACTS and _opens_a_case(match, first, trajectory) for match in found)
    return is_tampering or claims_success(trajectory) or trajectory.submission.certainty != "certain"


class _Look:
    """Which actions the second look parses; without `graded`, every command that does more than look."""

    def __init__(
        self,
        rules: Ruleset,
        hits: KeyPlaces,
        later: LaterOutput,
        *,
        graded: frozenset[str] | None = None,
        received: frozenset[str] = frozenset(),
    ) -> None:
        self.rules = rules
        self.hits = hits
        shown = {step for step, part in hits if part.startswith("observation")}
        self.polled = {origin for (step, _), origin in later.origins.items() if step in shown}
        """Commands whose later output may show a line of the submission."""
        self.graded = graded
        self.received = received - {"*"}

    def __call__(self, step: Step, number: int) -> bool:
        action = step.actions[number]
        text = action.command
        if action.kind != "shell" or self.rules.text_can_matter(text) or _STATE.search(text):
            return True
        if _TELLING.search(text):
            return True
        if (step.index, number) in self.polled:
            return True
        if self._has_hits(step, f"action:{number}") or any(name in text for name in self.received):
            return True
        return interesting(text) and (self.graded is None or any(name in text for name in self.graded))

    def _has_hits(self, step: Step, part: str) -> bool:
        shown = (f"observation:{place}" for place in range(len(step.observations)))
        return any((step.index, name) in self.hits for name in (part, *shown))


def moves_about(trajectory: Trajectory) -> bool:
    """Whether the shell goes from one folder to another between actions: then what a path means is not in the command's text.

    A `cd` that only ever names one absolute folder moves nothing that matters.
    """
    is_lasting = has_lasting_shell(trajectory)
    places: set[str] = set()
    for step in agent_steps(trajectory):
        for action in step.actions:
            if action.kind == "shell" and "cd" in action.command and (is_lasting or _LONE.match(action.command)):
                places.update(_TARGET.findall(action.command))
    return len(places) > 1 or not all(place.startswith("/") and place != "/" for place in places)


def is_settled(scan: Scan, found: tuple[Match, ...], trajectory: Trajectory, rules: Ruleset) -> bool:
    """True when nothing that was left out of `scan` can change the verdict or add a finding."""
    if any(_opens_a_case(match, scan, trajectory) for match in found) or claims_success(trajectory):
        return False
    if deliveries(scan, trajectory, rules, graded=()):
        return False
    if any(session.aliases or session.functions for session in scan.sessions) or moves_about(trajectory):
        return False
    return not _runs_a_script(scan, trajectory, rules)


def _opens_a_case(match: Match, scan: Scan, trajectory: Trajectory) -> bool:
    """Whether a match can become more than a signal."""
    if match.rule.id == "git.beyond_head":
        return False  # a listing of refs delivers nothing
    if match.rule.category == "test_edit":
        return could_weaken(match.address, scan.facts[match.fact], trajectory)
    return True


def _runs_a_script(scan: Scan, trajectory: Trajectory, rules: Ruleset) -> bool:
    """Whether an action that was left out may run a script in which a hint stands."""
    scripts = [path for session in scan.sessions for path, text in session.scripts.items() if rules.text_can_matter(text)]
    if not scripts:
        return False
    names = "|".join(re2.escape(posixpath.basename(path)) for path in scripts)
    started = re2.compile(rf"{_RUN}({names})|(^|[\s;&|(])\.{{0,2}}/\S*({names})")
    return any(
        action.kind == "shell" and (step.index, number) not in scan.by_action and started.search(action.command)
        for step in agent_steps(trajectory)
        for number, action in enumerate(step.actions)
    )
