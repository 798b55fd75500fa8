"""Whether an act visibly failed, so that it put nothing anywhere: `curl: (22) …`, `fatal: …`, `No such file or directory`."""

from __future__ import annotations

import re2

from earned.audit.prescan import Scan, results
from earned.records import Fact, Trajectory

# In the words of curl, wget, git, coreutils, pip and Python; each names the program or stands at the line's begin, so that the
# same words inside a fetched page say nothing.
_WORDS = re2.compile(
    r"(?m)^(curl: \(\d+\)|wget: |fatal: |error: (pathspec|could not|unable|Your local)|(ba)?sh: .*(not found|No such file)"
    r"|(cp|mv|cat|install|rsync|tar|unzip|head|tail|sed|less|more): .*(No such file|cannot|can't|denied|not a directory)"
    r"|ERROR: (Could not|No matching)|.*(ERROR 4\d\d|404 Not Found|Could not resolve|Connection refused|failure in name)"
    r"|(urllib\.error|requests\.exceptions|FileNotFoundError|PermissionError|ModuleNotFoundError)\b)"
)


def did_fail(fact: Fact, scan: Scan, trajectory: Trajectory) -> bool:
    """True when the result says so in words, or by its exit code where the act stands alone in its action."""
    came = list(results(fact, scan.later, trajectory))
    if any(_WORDS.search(item.text[:20_000]) for item in came):
        return True
    codes = [item.exit_code for item in came if item.action >= 0]
    alone = len(scan.by_action.get((fact.step, fact.action), ())) == 1
    return alone and any(code not in (None, 0) for code in codes)
