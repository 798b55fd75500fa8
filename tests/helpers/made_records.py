"""Trajectories as readers give them, in all their fields, for tests of what is written and read back."""

from __future__ import annotations

from typing import Any, get_args

from hypothesis import strategies as st

from earned.records import (
    Action,
    Cohort,
    Completeness,
    Edit,
    Observation,
    Oddity,
    Outcome,
    Reason,
    Score,
    Source,
    SourceFile,
    Step,
    Submission,
    Trajectory,
    Usage,
    WrittenFile,
)
from earned.records.trajectory import ActionKind, Actor, Certainty, CompletenessGrade, EditOperation, Network, Recovery, Status

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
COUNT = st.none() | st.integers(0, 2**53)
DIGEST = st.text("0123456789abcdef", min_size=64, max_size=64)


def some(item: st.SearchStrategy[Any], size: int = 3) -> st.SearchStrategy[tuple[Any, ...]]:
    """A tuple of a few."""
    return st.lists(item, max_size=size).map(tuple)


def one_of(literal: Any) -> st.SearchStrategy[Any]:
    """One of the values of a closed list."""
    return st.sampled_from(get_args(literal))


EDITS = st.builds(Edit, path=TEXT, operation=one_of(EditOperation), new=TEXT, old=TEXT, line=COUNT)
ACTIONS = st.builds(
    Action,
    kind=one_of(ActionKind),
    tool=TEXT,
    call_id=TEXT,
    command=TEXT,
    cwd=TEXT,
    edits=some(EDITS),
    paths=some(TEXT),
    url=TEXT,
    query=TEXT,
    arguments=TEXT,
)
SOURCES = st.builds(
    Source,
    path=TEXT,
    format=TEXT,
    reader_version=st.integers(0, 9),
    member=TEXT,
    sample=TEXT,
    files=st.lists(st.builds(SourceFile, path=TEXT, digest=DIGEST, size=st.integers(0, 2**40)), min_size=1, max_size=3).map(
        tuple
    ),
    recognised=TEXT,
)
COHORTS = st.builds(Cohort, network=one_of(Network), harness=TEXT, harness_version=TEXT, environment=TEXT, started=TEXT)


@st.composite
def steps(draw: st.DrawFn, number: int) -> Step:
    """One step of that number."""
    actions = draw(some(ACTIONS))
    results = st.builds(
        Observation,
        text=TEXT,
        action=st.integers(-1, len(actions) - 1),
        exit_code=st.none() | st.integers(-255, 255),
        truncated=st.booleans(),
    )
    actor = draw(one_of(Actor))
    return Step(
        index=number,
        actor=actor,
        native_id=draw(TEXT),
        time=draw(TEXT),
        text=draw(TEXT),
        reasoning=draw(TEXT),
        actions=actions,
        observations=draw(some(results)),
        subagent=draw(TEXT.filter(bool)) if actor == "subagent" else "",
        copied=draw(st.booleans()),
        source=draw(TEXT),
    )


def outcomes(status: Any) -> st.SearchStrategy[Outcome]:
    """An outcome of that status: a pass has full credit and says where it was read."""
    passed = status == "passed"
    source = TEXT.filter(bool) if passed else TEXT
    reward = st.none() if passed else st.none() | NUMBER
    return st.builds(Outcome, status=st.just(status), reward=reward, maximum=st.none() | NUMBER, source=source, detail=TEXT)


@st.composite
def scores(draw: st.DrawFn) -> Score:
    """What one scorer said."""
    said = draw(one_of(Status).flatmap(outcomes))
    return Score(
        name=draw(TEXT),
        status=said.status,
        reward=said.reward,
        maximum=said.maximum,
        source=said.source,
        detail=said.detail,
        threshold=draw(st.none() | NUMBER),
    )


@st.composite
def submissions(draw: st.DrawFn) -> Submission:
    """A submission that holds what it says."""
    files = draw(some(st.builds(WrittenFile, path=TEXT, text=TEXT), 2))
    patch, answer = draw(TEXT), draw(TEXT)
    if not (files or patch or answer):
        return Submission()
    recovered = draw(one_of(Recovery).filter(lambda name: name != "none"))
    certainty = draw(one_of(Certainty).filter(lambda name: name != "none"))
    return Submission(patch=patch, files=files, answer=answer, recovered=recovered, certainty=certainty, source=draw(TEXT))


@st.composite
def trajectories(draw: st.DrawFn) -> Trajectory:
    """A trajectory that keeps what every reader keeps."""
    count = draw(st.integers(0, 4))
    reasons = some(st.builds(Reason, what=TEXT, step=st.integers(-1, count - 1), hides_acts=st.booleans()))
    return Trajectory(
        id=draw(DIGEST),
        source=draw(SOURCES),
        benchmark=draw(TEXT),
        task=draw(TEXT),
        attempt=draw(TEXT),
        attempt_index=draw(st.integers(0, 9)),
        model=draw(TEXT),
        harness=draw(TEXT),
        cohort=draw(COHORTS),
        outcome=draw(one_of(Status).flatmap(outcomes)),
        scores=draw(some(scores(), 2)),
        instruction=draw(TEXT),
        steps=tuple(draw(steps(number)) for number in range(count)),
        submission=draw(submissions()),
        usage=draw(st.builds(Usage, input_tokens=COUNT, output_tokens=COUNT, cost_usd=st.none() | NUMBER)),
        completeness=Completeness(grade=draw(one_of(CompletenessGrade)), reasons=draw(reasons)),
        oddities=draw(some(st.builds(Oddity, what=TEXT, place=TEXT))),
    )
