"""Harbor trials that no agent ran: its `oracle` carries out the task's own solution, its `nop` does nothing.

What was done then is the harness's act, and a pass says nothing of any agent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

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
