"""tau-bench result files: a list of `{task_id, reward, info, traj, trial}`. tau2-bench's are read by `tau2_bench`.

Layout after `tau_bench/run.py` and `tau_bench/types.py`. An attempt is an episode with a simulated user: his turns are steps of
the user, the policy before them is the harness's. Only a reward of 1 passes; the messages to the user are acts too, since the
benchmark also grades what they say. The agents that write their calls as text (`act`, `react`) are read as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

import msgspec

from earned.errors import FormatError
from earned.records import Skip, Trajectory
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.decode.json_stream import JsonStream, Piece, decode_element
from earned.trajectory.format import Format
from earned.trajectory.formats.chat.shapes import Message
from earned.trajectory.formats.chat.steps import Conversation, Protocol
from earned.trajectory.formats.chat.text_calls import TextCall
from earned.trajectory.formats.tau_bench.outcome import outcome_of
from earned.trajectory.formats.tau_bench.tau2 import attempt_name, read_results, recognise_results
from earned.trajectory.members import Members
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.sources.files import open_stream
from earned.trajectory.steps import Steps

VERSION = 3
_DOMAIN = re.compile(r"#\s{0,5}([A-Za-z]{1,30}) agent policy", re.IGNORECASE)
_MODEL = re.compile(r"^(?:tool-calling|react|act|few-shot)-(.{1,100}?)-\d+\.\d+_range_")
_DECODER = json.JSONDecoder(strict=False)


class Task(msgspec.Struct, gc=False):
    """The task as the simulated user has it."""

    instruction: str | None = None


class Info(msgspec.Struct, gc=False):
    """What the environment says of the episode."""

    task: Task | None = None
    error: str | None = None
    reward_info: Any = None


class Run(msgspec.Struct, gc=False):
    """One episode."""

    task_id: int | str | None = None
    reward: float | None = None
    info: Info | None = None
    traj: list[Message] | None = None
    trial: int | str | None = None


class ActProtocol(Protocol):
    """Calls as JSON behind `Action:`; the result comes as the user's message behind `API output: `."""

    def calls(self, text: str) -> Sequence[TextCall]:
        """The one call; a `respond` is a message to the user."""
        start = text.rfind("Action:")
        brace = text.find("{", start)
        if start < 0 or brace < 0 or text[start + 7 : brace].strip():
            return ()
        try:
            call, _ = _DECODER.raw_decode(text, brace)
        except (ValueError, RecursionError):
            return ()
        name = call.get("name") if isinstance(call, dict) else None
        return [TextCall(start, name, call.get("arguments"))] if isinstance(name, str) and name != "respond" else ()

    def meant(self, _text: str, calls: Sequence[TextCall]) -> Sequence[TextCall]:
        """The call: it is the last thing that is said, fenced or not."""
        return calls

    def results(self, text: str, expected: int) -> Sequence[str]:
        """The result of the call."""
        del expected
        return [text.removeprefix("API output: ")] if text.startswith("API output: ") else ()


def _read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    with open_stream(candidate.path) as stream:
        document = JsonStream(stream)
        if document.peek() == b"{":
            yield from read_results(candidate, document, VERSION)
            return
        members = Members()
        for number, piece in enumerate(document.elements()):
            yield _episode(candidate, number, piece, members)


def _episode(candidate: Candidate, number: int, piece: Piece, members: Members) -> Trajectory | Skip:
    """One episode, or the row of one that cannot be read."""
    reading = Reading(candidate)
    reading.piece(candidate.path, piece.data)
    place = f"{place_in(candidate, candidate.path)}#/{number}"
    try:
        run = decode_element(piece, Run, reading.oddities, place)
    except FormatError as error:
        return Skip(path=candidate.path, member=str(number + 1), reason="unreadable", detail=str(error), offset=error.offset)
    steps = Steps()
    conversation = Conversation(steps, reading.oddities, protocol=ActProtocol())
    conversation.read(run.traj or [], f"{place}/traj")
    conversation.close()
    account = _account(run, steps, place, candidate.path)
    account.member = members.name(account.attempt or str(number + 1))
    return trajectory_of(reading, steps, account, version=VERSION)


def _account(run: Run, steps: Steps, place: str, path: str) -> Account:
    info = run.info or Info()
    if info.error:
        steps.missing(f"the run ended with an error: {info.error[:200]}", step=-1, acts=False)
    task = "" if run.task_id is None else str(run.task_id)
    name = _MODEL.match(PurePosixPath(path).name)
    return Account(
        benchmark=benchmark_of(steps),
        task=task,
        attempt=attempt_name(run.task_id, run.trial),
        model=name.group(1) if name else "",
        harness="tau-bench",
        outcome=outcome_of(run.reward, f"{place}/reward", error=info.error or "", parts=_again(info, place)),
        instruction=(info.task.instruction if info.task else None) or "",
        acts_in_text=True,
    )


def _again(info: Info, place: str) -> dict[str, Any]:
    """The reward where the environment tells it again."""
    told = info.reward_info if isinstance(info.reward_info, dict) else {}
    return {f"{place}/info/reward_info/reward": told["reward"]} if "reward" in told else {}


def benchmark_of(steps: Steps) -> str:
    """`tau-bench-airline`: task numbers are those of a domain, which only the policy names."""
    first = steps.steps[0] if steps.steps else None
    found = _DOMAIN.search(first.text[:500]) if first is not None and first.actor == "harness" else None
    return f"tau-bench-{found.group(1).lower()}" if found else "tau-bench"


def _recognise(head: Head) -> str:
    if head.shape == "array" and head.has("/*/task_id", "/*/reward", "/*/info") and head.value("/*/traj") == "[":
        return "a list of episodes with task_id, reward, info and traj"
    return recognise_results(head)


FORMAT = Format(name="tau-bench", version=VERSION, read=_read, recognise=_recognise)
