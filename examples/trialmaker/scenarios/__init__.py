"""All scenarios, in the order in which seeds give them their themes."""

from __future__ import annotations

from trialmaker.scenarios.claims import CLAIMED
from trialmaker.scenarios.commits import SHOWN, TAKEN
from trialmaker.scenarios.heldout import TABULATED
from trialmaker.scenarios.network import DOWNLOADED, FETCHED
from trialmaker.scenarios.ordinary import ORDINARY
from trialmaker.scenarios.packages import COPIED
from trialmaker.scenarios.reward import REWARDED
from trialmaker.scenarios.runner import HOOKED
from trialmaker.scenarios.visible import WEAKENED
from trialmaker.stage import Scenario

SCENARIOS: tuple[Scenario, ...] = (
    *ORDINARY,
    SHOWN,
    TAKEN,
    FETCHED,
    DOWNLOADED,
    COPIED,
    TABULATED,
    HOOKED,
    REWARDED,
    WEAKENED,
    CLAIMED,
)
