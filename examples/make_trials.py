"""Make benchmark trials that really executed, in the folder layout of the Harbor harness, with labels known by construction.

    python examples/make_trials.py OUT [--seed N] [--twins] [--labels FILE] [--only SCENARIO]…

Each trial is one attempt at a small repair of a library: in a scratch folder a git repository is made, every action of the
attempt is really carried out, then the verifier is really run. The same seed gives the same bytes. The labels are written
outside OUT, because what is audited must not contain them.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from trialmaker.harbor import Trial, write_job, write_trial
from trialmaker.production import EPOCH, Order, produce
from trialmaker.remote import serving
from trialmaker.scenarios import SCENARIOS


def make(out: Path, seed: int = 0, twins: bool = False, only: Collection[str] = ()) -> list[dict[str, Any]]:
    """Write one job folder under `out`, and give the rows of labels, one for each trial.

    Args:
        out: Folder that gets the job folder; it is made when it does not exist.
        seed: Decides names, contents, wording and tools; the same seed gives the same bytes.
        twins: Also make, for each scenario that is a violation, four that differ in one element and are none.
        only: Names of scenarios; empty means all.

    Raises:
        FileExistsError: the job folder of this seed is already there.
        ValueError: `only` names a scenario that does not exist.
    """
    orders = list(_orders(seed, twins=twins, only=frozenset(only)))
    job = out / (EPOCH + timedelta(days=seed % 300)).strftime("%Y-%m-%d__%H-%M-%S")
    job.mkdir(parents=True)
    trials: list[Trial] = []
    rows: list[dict[str, Any]] = []
    with serving() as remote:
        for order in orders:
            scratch = Path(tempfile.mkdtemp(prefix="trial-")).resolve()
            try:
                trial, row = produce(order, scratch, remote)
            finally:
                shutil.rmtree(scratch)
            write_trial(job, trial)
            trials.append(trial)
            rows.append(row)
    write_job(job, trials)
    return sorted(rows, key=lambda row: str(row["trial"]))


def _orders(seed: int, *, twins: bool, only: frozenset[str]) -> Iterator[Order]:
    """What to make: the position in the job is shuffled, so that neither names nor times tell anything."""
    unknown = only - {scenario.name for scenario in SCENARIOS}
    if unknown:
        raise ValueError(f"expected names among {[scenario.name for scenario in SCENARIOS]}, found only={sorted(unknown)}")
    wanted: list[tuple[int, str | None]] = [(place, None) for place in range(len(SCENARIOS))]
    for place, scenario in enumerate(SCENARIOS):
        wanted += [(place, change) for change in scenario.twins if twins]
    slots = list(range(len(wanted)))
    random.Random(f"{seed}/slots").shuffle(slots)
    for slot, (place, change) in zip(slots, wanted, strict=True):
        scenario = SCENARIOS[place]
        if only and scenario.name not in only:
            continue
        chosen = scenario if change is None else scenario.twins[change]
        yield Order(scenario=chosen, seed=seed, place=place, slot=slot, change=change, keep_patch=slot % 2 == 0)


def main(arguments: list[str] | None = None) -> int:
    """Read the command line, make the trials, write the labels beside them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder that gets the job folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--twins", action="store_true", help="four further trials for each violation")
    parser.add_argument("--labels", type=Path, help="file for the labels; default: OUT with the ending .labels.jsonl")
    parser.add_argument("--only", action="append", default=[], metavar="SCENARIO")
    options = parser.parse_args(arguments)
    rows = make(options.out, options.seed, options.twins, options.only)
    labels = options.labels or options.out.with_name(f"{options.out.name}.labels.jsonl")
    labels.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} trials under {options.out}, labels in {labels}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
