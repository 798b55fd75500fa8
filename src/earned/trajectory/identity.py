"""What makes two records one attempt: the same names, the same steps at the same times, the same submission and outcome.

Where it stands is no part of it, so that a log in two containers, an export beside its runs or a row that was copied is told
as one. But equal content is weak evidence: a model that is asked twice may say the same. So names that were recorded for an
attempt part it from others; an attempt that has no name but its task's is told from its neighbours by its place in their file;
and where no time is recorded, the name of the file and of its folder stand for the run. Where no agent did anything, nothing
says that two attempts are one (design/006).
"""

from __future__ import annotations

import hashlib
import re

import msgspec

from earned.records import Step, Trajectory
from earned.trajectory.sources.places import bare_name

SIZE = 16
"""Bytes of a digest."""
_PACKED = re.compile(r"\.(?:zip|tar|tgz)\Z")
PARTS = 2
"""Parts of a place that stand for a run: a file and its folder."""


def attempt_digest(trajectory: Trajectory) -> bytes:
    """The digest of an attempt as recorded, wherever it was read; empty where no agent did anything."""
    if not any(_is_act(step) for step in trajectory.steps):
        return b""
    encode = msgspec.msgpack.Encoder().encode
    try:
        digest = hashlib.blake2b(encode(_around(trajectory)), digest_size=SIZE)
        for step in trajectory.steps:
            digest.update(encode(_within(step)))
    except UnicodeEncodeError:  # half a character in a name or a text
        return b""
    return digest.digest()


def run_of(place: str) -> tuple[str, ...]:
    """What of a place stands for a run where nothing recorded does: its name and that of its folder, unpacked."""
    return tuple(_PACKED.sub("", bare_name(part)) for part in place.split("/")[-PARTS:])


def _is_act(step: Step) -> bool:
    return step.actor in {"agent", "subagent"} and not step.copied and bool(step.actions or step.text)


def _around(made: Trajectory) -> tuple[object, ...]:
    is_named = made.attempt not in {"", made.task}
    names = (made.source.format, made.benchmark, made.task, made.model, made.harness, made.attempt)
    place = ("" if is_named else made.source.sample, "" if _is_timed(made) else run_of(made.source.place))
    submission, outcome = made.submission, made.outcome
    submitted = (submission.patch, submission.files, submission.answer)
    return (*names, *place, made.cohort, made.instruction, *submitted, outcome.status, outcome.reward, len(made.steps))


def _is_timed(made: Trajectory) -> bool:
    return made.cohort.started != "unknown" or any(step.time for step in made.steps)


def _within(step: Step) -> tuple[object, ...]:
    """A step without its place."""
    said = (step.actor, step.subagent, step.native_id, step.time, step.text, step.reasoning, step.copied)
    return (*said, step.actions, step.observations)
