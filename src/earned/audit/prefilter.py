"""Whether a trajectory can hold a case at all, decided from the few actions in which a rule's hint stands.

Most honest passes end here: their other commands are never parsed and nothing is traced, because there is no delivery to trace
and no act to weigh. With and without this file the findings are the same (tests/property/test_prefilter.py).
"""

from __future__ import annotations

import posixpath

import re2

from earned.audit.claims import claims_success
from earned.audit.prescan import Scan, agent_steps
from earned.audit.rules import Match, Ruleset
from earned.audit.weakened import could_weaken
from earned.records import Trajectory

_RUN = r"(^|[\s;&|(])(python[0-9.]*|bash|sh|zsh|dash|node|perl|ruby|source|env|exec|nohup|\.)\s+(-\w+\s+)*\S*"
"""An interpreter before the name of a script that it is given."""


def is_settled(scan: Scan, found: tuple[Match, ...], trajectory: Trajectory, rules: Ruleset) -> bool:
    """True when nothing that was left out of `scan` can change the verdict or add a finding."""
    if any(_opens_a_case(match, scan, trajectory) for match in found) or claims_success(trajectory):
        return False
    if any(session.aliases or session.functions for session in scan.sessions):
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
