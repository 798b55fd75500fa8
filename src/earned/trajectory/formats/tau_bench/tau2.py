"""tau2-bench results: one document of all simulations, or a document for each simulation in a folder beside it.

Layout after `tau2/data_model/simulation.py`. Agent and simulated user both have tools: the user's calls are steps of the user.
The policy stands before them as the harness's word. Simulations in ticks (voice) are named and not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from earned.errors import FormatError
from earned.records import Cohort, Skip, Step, Trajectory, Usage
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.document import decode_as
from earned.trajectory.decode.json_stream import JsonStream, Piece, decode_element
from earned.trajectory.decode.messages import content_text
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.repeated import note_repeated
from earned.trajectory.formats.chat.shapes import Message
from earned.trajectory.formats.chat.steps import Conversation
from earned.trajectory.formats.tau_bench.outcome import outcome_of
from earned.trajectory.members import Members
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps

_SCENARIO = ("reason_for_call", "known_info", "unknown_info", "task_instructions")


class Party(msgspec.Struct, gc=False):
    """The agent."""

    implementation: str | None = None
    llm: str | None = None


class Domain(msgspec.Struct, gc=False):
    """The environment."""

    domain_name: str | None = None
    policy: str | None = None


class Info(msgspec.Struct, gc=False):
    """What all simulations of a document share."""

    git_commit: str | None = None
    agent_info: Party | None = None
    environment_info: Domain | None = None


class Scenario(msgspec.Struct, gc=False):
    """What the simulated user is told."""

    instructions: Any = None


class Task(msgspec.Struct, gc=False):
    """One task."""

    id: str | int | None = None
    user_scenario: Scenario | None = None


class Reward(msgspec.Struct, gc=False):
    """What the evaluator says."""

    reward: float | None = None
    reward_breakdown: Any = None


class Simulation(msgspec.Struct, gc=False):
    """One episode."""

    id: str | int | None = None
    task_id: str | int | None = None
    trial: int | str | None = None
    start_time: str | None = None
    end_time: str | None = None
    termination_reason: str | None = None
    agent_cost: float | None = None
    reward_info: Reward | None = None
    messages: list[Message] | None = None
    ticks: Any = None
    policy: str | None = None


class _Run:
    """What the simulations of a document share."""

    def __init__(self, candidate: Candidate, version: int) -> None:
        self.candidate = candidate
        self.version = version
        self.info = Info()
        self.told: dict[str, str] = {}
        self.members = Members()

    def take_tasks(self, data: bytes) -> None:
        """Keep what the user of each task is told."""
        for task in decode_as(b'{"tasks":' + data + b"}", _Tasks, Oddities()).tasks:
            if task.id is not None and task.user_scenario is not None:
                self.told[str(task.id)] = _scenario(task.user_scenario.instructions)


class _Tasks(msgspec.Struct, gc=False):
    tasks: list[Task] = []


def _scenario(instructions: Any) -> str:
    """The instructions of the simulated user as one text."""
    if not isinstance(instructions, dict):
        return content_text(instructions)
    return "\n".join(text for key in _SCENARIO if isinstance(text := instructions.get(key), str) and text)


def read_results(candidate: Candidate, document: JsonStream, version: int) -> Iterator[Trajectory | Skip]:
    """The simulations of a document that is an object, one at a time. Raises FormatError."""
    run = _Run(candidate, version)
    here = place_in(candidate, candidate.path)
    held = 0
    for key in document.names():
        if key == "simulations" and document.peek() == b"[":
            for held, piece in enumerate(document.elements(), start=1):
                yield _simulation(run, piece, f"{here}#/simulations/{held - 1}", number=held)
            continue
        value = document.value()
        if key == "info" and value.is_whole:
            run.info = decode_as(value.data, Info, Oddities(), place=here)
        elif key == "tasks" and value.is_whole:
            run.take_tasks(value.data)
    if not held:
        yield _alone(run, here)


def _alone(run: _Run, here: str) -> Trajectory | Skip:
    """A document that holds one simulation, or that only describes those in other files."""
    reading = Reading(run.candidate)
    data = reading.source(run.candidate.path)
    note_repeated(data, reading.oddities, here)
    simulation = decode_as(data, Simulation, reading.oddities, place=here)
    if simulation.task_id is None:
        detail = "describes a run and holds no simulation; those of a run saved as a folder are the files in simulations/"
        return Skip(path=run.candidate.path, reason="not_a_trajectory", detail=detail)
    return _trajectory(run, reading, simulation, f"{here}#", member="")


def _simulation(run: _Run, piece: Piece, place: str, *, number: int) -> Trajectory | Skip:
    """One simulation of several, or the row of one that cannot be read."""
    reading = Reading(run.candidate)
    reading.piece(run.candidate.path, piece.data)
    try:
        simulation = decode_element(piece, Simulation, reading.oddities, place)
    except FormatError as error:
        return Skip(path=run.candidate.path, member=str(number), reason="unreadable", detail=str(error), offset=error.offset)
    member = run.members.name(attempt_name(simulation.task_id, simulation.trial) or str(number))
    return _trajectory(run, reading, simulation, place, member=member)


def attempt_name(task: str | int | None, trial: str | int | None) -> str:
    """`task 3 trial 1`; empty where no task is named."""
    if task is None:
        return ""
    return f"task {task}" if trial is None else f"task {task} trial {trial}"


def _trajectory(run: _Run, reading: Reading, simulation: Simulation, place: str, *, member: str) -> Trajectory:
    steps = Steps()
    domain, agent = run.info.environment_info or Domain(), run.info.agent_info or Party()
    policy = simulation.policy or domain.policy
    if policy:
        source = f"{place}/policy" if simulation.policy else f"{place.partition('#')[0]}#/info/environment_info/policy"
        steps.append(Step(index=steps.next, actor="harness", text=policy, source=source))
    conversation = Conversation(steps, reading.oddities)
    conversation.read(simulation.messages or [], f"{place}/messages")
    conversation.close()
    if simulation.messages is None and simulation.ticks is not None:
        steps.missing("the simulation is recorded in ticks of a call, which are not read", step=-1)
    told = simulation.reward_info or Reward()
    breakdown = told.reward_breakdown if isinstance(told.reward_breakdown, dict) else {}
    task = "" if simulation.task_id is None else str(simulation.task_id)
    return trajectory_of(
        reading,
        steps,
        Account(
            benchmark=f"tau2-bench-{domain.domain_name}" if domain.domain_name else "tau2-bench",
            task=task,
            attempt=attempt_name(simulation.task_id, simulation.trial),
            model=agent.llm or "",
            harness="tau2-bench",
            harness_version=run.info.git_commit or "",
            cohort=Cohort(started=simulation.start_time or "unknown", finished=simulation.end_time or "unknown"),
            outcome=outcome_of(
                told.reward,
                f"{place}/reward_info/reward",
                ended=simulation.termination_reason or "",
                parts={f"{place}/reward_info/reward_breakdown/{name}": value for name, value in breakdown.items()},
            ),
            instruction=run.told.get(task),
            usage=Usage(cost_usd=simulation.agent_cost),
            acts_in_text=True,
            member=member,
        ),
        version=run.version,
    )


def recognise_results(head: Head) -> str:
    """Why a file holds results of tau2-bench; empty when it does not."""
    if head.shape != "object":
        return ""
    if head.has("/info/agent_info", "/info/user_info", "/info/environment_info", "/info/num_trials"):
        return "results of tau2-bench: info with agent, user and environment"
    if head.has("/task_id", "/termination_reason", "/start_time", "/end_time") and head.has("/duration"):
        return "a simulation of tau2-bench"
    return ""
