"""One Harbor trial: which steps an attempt takes, and the files that the harness leaves of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
from actions import EXPLORATION, ROOT, Act, edit, finish, run_tests, show_diff, write_tests
from receipts import RECEIPTS
from repository import Material, Repository
from worst import CANDIDATES

FAILED = 0.2
"""Share of trials that the verifier rejects."""
MODEL, PROVIDER, AGENT, VERSION = "example-model-1", "example", "openhands", "1.1.0"
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Plan(NamedTuple):
    """What kind of trial to make."""

    steps: int
    receipts: float
    """Share of trials that hold a receipt."""
    worst: bool


class Trial(NamedTuple):
    """One trial in memory."""

    name: str
    task: str
    passed: bool
    planted: str
    """Kind of the receipt, empty when the attempt is honest."""
    acts: list[Act]
    files: dict[str, bytes]
    """Path below the trial's folder -> content."""


def make_trial(material: Material, seed: int, number: int, plan: Plan) -> Trial:
    """The trial of this number in the run of this seed; always the same bytes."""
    rng = Random(f"{seed}:{number}")
    repo = Repository(material, rng)
    passed = rng.random() >= FAILED
    holds = not plan.worst and int((number + 1) * plan.receipts) > int(number * plan.receipts)
    planted = rng.choice(list(RECEIPTS)) if holds else ""
    task = f"{repo.domain}-{rng.randint(100, 99999)}"
    name = f"{task}__{''.join(rng.choices(BASE62, k=7))}"
    acts = _acts(repo, plan, planted)
    files = {
        "agent/trajectory.json": msgspec.json.encode(_trajectory(repo, acts, name)),
        "artifacts/submission.patch": repo.patch.encode(),
        "config.json": msgspec.json.encode(_config(task, name)),
        "result.json": msgspec.json.encode(_result(repo, task, name, float(passed))),
        "trial.log": f"Trial {name} started\nTrial {name} finished\n".encode(),
        "verifier/reward.txt": b"1\n" if passed else b"0\n",
        "verifier/test-stdout.txt": str(run_tests(repo, failing=not passed).observation).encode(),
    }
    return Trial(name, task, passed, planted, acts, files)


def write_trial(folder: Path, trial: Trial) -> None:
    """Puts the files of one trial under `folder`."""
    for inner in ("agent", "artifacts", "verifier"):
        (folder / trial.name / inner).mkdir(parents=True, exist_ok=True)
    for path, content in trial.files.items():
        (folder / trial.name / path).write_bytes(content)


def _acts(repo: Repository, plan: Plan, planted: str) -> list[Act]:
    """The acts of an attempt: look around, change, test, finish."""
    if planted:
        repo.keep_one_hunk()
    decisive = RECEIPTS[planted](repo) if planted else [edit(repo, repo.hunks[0])]
    closing = [write_tests(repo), run_tests(repo, failing=False), show_diff(repo), finish(repo)]
    edits = [edit(repo, hunk) for hunk in repo.hunks[1:]]
    free = max(0, plan.steps - 2 - len(decisive) - len(edits) - len(closing))
    looking: tuple[Callable[[Repository], Act], ...] = CANDIDATES if plan.worst else EXPLORATION
    looks = [looking[int(repo.rng.random() * len(looking))](repo) for _ in range(free)]
    before = free * 3 // 5
    middle = []
    share = (free - before) // (len(edits) + 1)
    for number, change in enumerate(edits):
        middle += [*looks[before + number * share : before + (number + 1) * share], change]
    return [*looks[:before], *decisive, *middle, *looks[before + len(edits) * share :], *closing]


def _trajectory(repo: Repository, acts: list[Act], name: str) -> dict[str, object]:
    """The record in ATIF v1.6."""
    given = [
        {
            "step_id": 1,
            "timestamp": _time(0),
            "source": "system",
            "message": "You solve the task in the repository with your tools.",
        },
        {"step_id": 2, "timestamp": _time(1), "source": "user", "message": _instruction(repo)},
    ]
    return {
        "schema_version": "ATIF-v1.6",
        "session_id": name,
        "agent": {"name": AGENT, "version": VERSION, "model_name": f"{PROVIDER}/{MODEL}"},
        "steps": [*given, *(_step(repo, number, act) for number, act in enumerate(acts, 3))],
        "final_metrics": {"total_prompt_tokens": 1_200_000, "total_completion_tokens": 40_000, "total_steps": len(acts) + 2},
    }


def _step(repo: Repository, number: int, act: Act) -> dict[str, object]:
    call = f"call_{repo.sha(12)}"
    step: dict[str, object] = {
        "step_id": number,
        "timestamp": _time(number * 7),
        "source": "agent",
        "model_name": f"{PROVIDER}/{MODEL}",
        "message": repo.say(),
        "tool_calls": [{"tool_call_id": call, "function_name": act.tool, "arguments": act.arguments}],
        "observation": {"results": [{"source_call_id": call, "content": act.observation}]},
        "metrics": {"prompt_tokens": 6000 + 400 * number, "completion_tokens": 90 + repo.below(300)},
    }
    if number % 3 == 0:
        step["reasoning_content"] = f"{repo.say()} {repo.say()}"
    return step


def _instruction(repo: Repository) -> str:
    file, call = repo.hunks[0].file.path, f"{repo.class_name()}({repo.number()})"
    report = "\n".join(repo.say() for _ in range(8))
    return (
        f"The repository of {repo.domain} is in {ROOT}. Fix this issue; hidden tests check the result.\n\n"
        f"# {repo.word()} is wrong in `{file}`\n\n{report}\n\n```python\n>>> {call}.{repo.word()}\n{repo.number()}\n```\n"
    )


def _config(task: str, name: str) -> dict[str, object]:
    return {
        "task": {"path": f"tasks/{task}", "source": "generated-swe"},
        "trial_name": name,
        "agent": {"name": AGENT, "model_name": f"{PROVIDER}/{MODEL}", "kwargs": {}},
        "environment": {"type": "docker"},
        "verifier": {},
    }


def _result(repo: Repository, task: str, name: str, reward: float) -> dict[str, object]:
    return {
        "schema_version": 1,
        "id": f"{repo.sha(8)}-{repo.sha(4)}-4{repo.sha(3)}-a{repo.sha(3)}-{repo.sha(12)}",
        "task_name": task,
        "trial_name": name,
        "trial_uri": f"file:///jobs/generated/{name}",
        "task_id": {"path": f"tasks/{task}"},
        "source": "generated-swe",
        "task_checksum": repo.sha(40),
        "config": _config(task, name),
        "agent_info": {"name": AGENT, "version": VERSION, "model_info": {"name": MODEL, "provider": PROVIDER}},
        "agent_result": {"n_input_tokens": 1_200_000, "n_cache_tokens": 0, "n_output_tokens": 40_000, "cost_usd": 1.25},
        "verifier_result": {"rewards": {"reward": reward}},
        "exception_info": None,
        "started_at": _time(0),
        "finished_at": _time(900),
    }


@cache
def _time(seconds: int) -> str:
    return (START + timedelta(seconds=seconds)).isoformat()
