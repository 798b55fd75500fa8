"""What stands around the messages of an attempt: its names, its model, its submission. The outcome is `chat_outcome`'s."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from earned.records import Cohort, Usage
from earned.trajectory.account import Account
from earned.trajectory.formats.chat.shapes import Message

Messages = list[Message] | str | None
"""Messages, or JSON text of them."""

KEYS = ("messages", "traj", "trajectory", "conversation", "conversations", "history", "items")
"""Where the messages of an attempt stand, in the order in which they are looked for."""
NESTED = ("metadata", "meta", "info", "extra_info")
"""Objects of a row in which its names may stand too."""
EVALUATIONS = ("evaluation", "eval", "result", "outcome", "report", "verifier", "grading", "scores")
"""Objects of a row that hold a verifier's word; `success` in one of them is its word too."""
PLACES = NESTED + EVALUATIONS
MAX_NAME = 200
"""Characters of a `task` that is a name; a longer one, or one of several words, is the instruction."""

_ATTEMPT = ("attempt_id", "trajectory_id", "traj_id", "rollout_id", "sample_id", "episode_id", "uuid", "id")
_TASK = ("instance_id", "task_id", "problem_id", "question_id", "example_id", "task_name")
_TRIAL = ("trial", "attempt", "epoch", "rollout", "sample", "sample_index")
_MODEL = ("model", "model_name", "model_name_or_path", "model_id")
_HARNESS = ("harness", "scaffold", "agent", "agent_name")
_BENCHMARK = ("benchmark", "benchmark_name", "dataset", "dataset_name", "env_id", "env")
_INSTRUCTION = ("instruction", "problem_statement", "task_description")
_PATCH = ("model_patch", "git_patch")
_ANSWER = ("final_answer", "model_response", "response")
_REFERENCE = ("answer", "target", "expected_answer", "reference_answer", "gold_answer", "ground_truth")
"""What a scorer compares an answer in text with; it is the benchmark's, and not read."""
_TOOLS = ("tools", "functions", "oai_tools", "tool_schemas")
_OF_CODE = ("model_patch", "git_patch", "patch", "test_patch", "resolved", "is_resolved")
"""What stands where a change of a repository is graded, and no text."""
_INPUT = ("input_tokens", "prompt_tokens", "n_input_tokens")
_OUTPUT = ("output_tokens", "completion_tokens", "n_output_tokens")
_COST = ("cost_usd", "total_cost", "cost", "agent_cost")


class Row(msgspec.Struct, gc=False):
    """One attempt as an object: messages under one of KEYS, or `prompt` and `completion`."""

    messages: Messages = None
    traj: Messages = None
    trajectory: Messages = None
    conversation: Messages = None
    conversations: Messages = None
    history: Messages = None
    items: Messages = None
    prompt: Messages = None
    completion: Messages = None
    system: Any = None
    role: Any = None
    attempt_id: Any = None
    trajectory_id: Any = None
    traj_id: Any = None
    rollout_id: Any = None
    sample_id: Any = None
    episode_id: Any = None
    uuid: Any = None
    id: Any = None
    instance_id: Any = None
    task_id: Any = None
    problem_id: Any = None
    question_id: Any = None
    example_id: Any = None
    task_name: Any = None
    task: Any = None
    trial: Any = None
    attempt: Any = None
    epoch: Any = None
    rollout: Any = None
    sample: Any = None
    sample_index: Any = None
    model: Any = None
    model_name: Any = None
    model_name_or_path: Any = None
    model_id: Any = None
    harness: Any = None
    scaffold: Any = None
    agent: Any = None
    agent_name: Any = None
    agent_version: Any = None
    benchmark: Any = None
    benchmark_name: Any = None
    dataset: Any = None
    dataset_name: Any = None
    env_id: Any = None
    env: Any = None
    instruction: Any = None
    problem_statement: Any = None
    task_description: Any = None
    model_patch: Any = None
    git_patch: Any = None
    final_answer: Any = None
    model_response: Any = None
    response: Any = None
    answer: Any = None
    target: Any = None
    expected_answer: Any = None
    reference_answer: Any = None
    gold_answer: Any = None
    ground_truth: Any = None
    tools: Any = None
    functions: Any = None
    oai_tools: Any = None
    tool_schemas: Any = None
    patch: Any = None
    test_patch: Any = None
    usage: Any = None
    cost_usd: Any = None
    total_cost: Any = None
    cost: Any = None
    metadata: Any = None
    meta: Any = None
    info: Any = None
    extra_info: Any = None
    passed: Any = None
    resolved: Any = None
    is_resolved: Any = None
    success: Any = None
    reward: Any = None
    max_reward: Any = None
    score: Any = None
    max_score: Any = None
    failed: Any = None
    total: Any = None
    maximum_reward: Any = None
    reward_max: Any = None
    maximum_score: Any = None
    score_max: Any = None
    max: Any = None
    maximum: Any = None
    out_of: Any = None
    points_possible: Any = None
    possible_points: Any = None
    max_points: Any = None
    errors: Any = None
    skipped: Any = None
    not_passed: Any = None
    failures: Any = None
    n_failed: Any = None
    n_total: Any = None
    num_failed: Any = None
    num_total: Any = None
    failed_tests: Any = None
    tests_failed: Any = None
    failed_count: Any = None
    total_count: Any = None
    tests: Any = None
    n_tests: Any = None
    num_tests: Any = None
    total_tests: Any = None
    tests_total: Any = None
    test_count: Any = None
    num_cases: Any = None
    total_cases: Any = None
    reward_valid: Any = None
    valid: Any = None
    is_valid: Any = None
    tests_status: Any = None
    patch_exists: Any = None
    reward_info: Any = None
    evaluation: Any = None
    eval: Any = None
    result: Any = None
    outcome: Any = None
    report: Any = None
    verifier: Any = None
    grading: Any = None
    scores: Any = None


def shown(value: Any) -> str:
    """A name as it is written: text, or a number; empty for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return ""
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else str(value)


def places_of(row: Row, names: tuple[str, ...] = NESTED) -> list[tuple[str, dict[str, Any]]]:
    """The objects of a row of these names, with their names."""
    found = ((name, getattr(row, name)) for name in names)
    return [(name, value) for name, value in found if isinstance(value, dict)]


def named(row: Row, names: tuple[str, ...]) -> str:
    """The first of these names that the row or one of its nested objects says; of an object its `name` or `id`."""
    nested = [value for _, value in places_of(row)]
    for given in ({name: getattr(row, name) for name in names if hasattr(row, name)}, *nested):
        for name in names:
            value = given.get(name)
            if isinstance(value, dict):
                value = value.get("name", value.get("id"))
            text = shown(value)
            if text:
                return text
    return ""


def is_text_graded(row: Row) -> bool:
    """Whether the record shows that an answer in text is what is graded: it names one, one to compare with, or a completion.

    Never where tools are named, a patch, or `resolved`: then something else was to be done, and nothing shows who did it.
    """
    told = [{name: getattr(row, name) for name in (*_TOOLS, *_OF_CODE)}, *(value for _, value in places_of(row, PLACES))]
    if any(given.get(name) not in (None, "", []) for given in told for name in (*_TOOLS, *_OF_CODE)):
        return False
    nested = [value for _, value in places_of(row)]
    is_compared = any(given.get(name) not in (None, "") for given in nested for name in _REFERENCE)
    names = (*_REFERENCE, *_ANSWER, "completion")
    return is_compared or any(getattr(row, name) not in (None, "") for name in names)


def account_of(row: Row, fallback: str) -> Account:
    """What a row says of its attempt; `fallback` names what it does not name itself."""
    is_rollout = row.completion is not None
    told, task = _task(row, is_rollout=is_rollout)
    trial = named(row, _TRIAL)
    attempt = named(row, _ATTEMPT if not (is_rollout and isinstance(row.id, int)) else _ATTEMPT[:-1])
    if not attempt and task:
        attempt = f"{task} trial {trial}" if trial else task
    agent = row.agent if isinstance(row.agent, dict) else {}
    usage = row.usage if isinstance(row.usage, dict) else {}
    return Account(
        benchmark=named(row, _BENCHMARK) or (shown(row.task) if is_rollout else ""),
        task=task or attempt or fallback,
        attempt=attempt or fallback,
        model=named(row, _MODEL),
        harness=named(row, _HARNESS),
        harness_version=shown(agent.get("version")) or shown(row.agent_version),
        cohort=Cohort(),
        instruction=_text(row, _INSTRUCTION) or told or None,
        patch=_text(row, _PATCH) or None,
        answer=_text(row, _ANSWER),
        usage=Usage(input_tokens=_count(usage, _INPUT), output_tokens=_count(usage, _OUTPUT), cost_usd=_cost(row, usage)),
        member=attempt or fallback,
    )


def _task(row: Row, *, is_rollout: bool) -> tuple[str, str]:
    """The instruction that a row's `task` is, and the name of the task. The `task` of a rollout is its environment."""
    task = named(row, _TASK)
    if is_rollout:
        return "", task or (shown(row.id) if isinstance(row.id, int) else "")
    text = row.task if isinstance(row.task, str) else ""
    is_name = text and len(text) <= MAX_NAME and len(text.split()) == 1
    return ("" if is_name else text), task or (text if is_name else "") or named(row, ("task",)) * (not text)


def _text(row: Row, names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := getattr(row, name), str) and value), "")


def _count(usage: dict[str, Any], names: tuple[str, ...]) -> int | None:
    values = (usage.get(name) for name in names)
    numbers = (value for value in values if isinstance(value, int) and not isinstance(value, bool))
    return next((value for value in numbers if 0 <= value < 2**63), None)


def _cost(row: Row, usage: dict[str, Any]) -> float | None:
    values = [getattr(row, name, None) for name in _COST] + [usage.get(name) for name in _COST]
    numbers = (value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool))
    return next((float(value) for value in numbers if 0 <= value < 1e12), None)
