"""The command line with shards of a few trials, so that a small run has many of them: `python small_shards.py 2 audit …`.

With `slow` after the number, each shard takes a while, so that a run can be stopped in the middle.
"""

from __future__ import annotations

import sys
import time

from earned.cli import main
from earned.flows import audit, plan
from earned.flows.plan import Shard
from earned.flows.work import Settings, work
from earned.store import AuditFolder

PAUSE = 0.1
"""Seconds that a shard takes longer when it is asked to be slow."""


def slow_work(shard: Shard, settings: Settings, folder: AuditFolder) -> int:
    """The work on one shard, a while later."""
    time.sleep(PAUSE)
    return work(shard, settings, folder)


if __name__ == "__main__":
    items, *arguments = sys.argv[1:]
    plan.SHARD_ITEMS = int(items)
    if arguments[0] == "slow":
        audit.work = slow_work  # type: ignore[attr-defined]  # the name under which the flow calls it
        arguments = arguments[1:]
    main(arguments)
