"""Harbor trials that no agent ran: its `oracle` carries out the task's own solution, its `nop` does nothing.

What was done then is the harness's act, and a pass says nothing of any agent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from earned.records import Completeness, Reason, Step

_SCRIPTED = {
    "oracle": "Harbor's oracle carried out the task's own solution: no agent acted",
    "nop": "Harbor's nop does nothing: no agent acted",
}
_LOG = "agent/oracle.txt"


def scripted_by(names: Iterable[str | None], files: Collection[str], *, has_acts: bool) -> str:
    """Why a trial is no agent's, in words; empty where an agent ran it. `names`: what the records call the agent."""
    for name in names:
        if name:
            return _SCRIPTED.get(name.strip().lower(), "")
    return _SCRIPTED["oracle"] if not has_acts and any(name.endswith(_LOG) for name in files) else ""


def as_harness(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same steps with what was done as the harness's."""
    return tuple(
        msgspec.structs.replace(step, actor="harness", subagent="")
        if step.actor in ("agent", "subagent", "environment")
        else step
        for step in steps
    )


def without_agent(why: str, reasons: Sequence[Reason]) -> Completeness:
    """The completeness of such a trial: of an agent nothing is shown."""
    return Completeness(grade="none", reasons=(Reason(what=why), *reasons[:1]))
