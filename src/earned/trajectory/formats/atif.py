"""ATIF documents, versions 1.0 to 1.8: steps of any agent in one shape, with continuations and subagents.

Layout after the models of harbor 0.26.0 (`harbor/models/trajectories`). This file owns the document; a trial folder around it
is `harbor.py`'s. Read leniently: unknown keys are ignored, steps need not be numbered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import msgspec

from earned.errors import FormatError
from earned.records import Action, Observation, Step, Trajectory, Usage
from earned.records.trajectory import Actor
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, place_in
from earned.trajectory.format import Format
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading
from earned.trajectory.steps import Steps, observation
from earned.trajectory.terminal.terminus import terminus_actions
from earned.trajectory.tools import action_of

VERSION = 3
MAX_NESTING = 16
"""Subagents of subagents that are followed."""
_SCHEMA = re.compile(r'"schema_version"\s*:\s*"ATIF-v\d')


class Part(msgspec.Struct, gc=False):
    """A part of multimodal content."""

    type: str = ""
    text: str | None = None
    source: Any = None


Content = str | list[Part] | None


class Ref(msgspec.Struct, gc=False):
    """A pointer to a subagent's trajectory."""

    trajectory_id: str | None = None
    trajectory_path: str | None = None
    session_id: str | None = None


class Result(msgspec.Struct, gc=False):
    """One result within an observation."""

    source_call_id: str | None = None
    content: Content = None
    subagent_trajectory_ref: list[Ref] | None = None


class Results(msgspec.Struct, gc=False):
    """An observation."""

    results: list[Result] | None = None


class Call(msgspec.Struct, gc=False):
    """One tool call."""

    tool_call_id: str | None = None
    function_name: str | None = None
    arguments: Any = None


class AtifStep(msgspec.Struct, gc=False):
    """One step as recorded."""

    step_id: int | str | None = None
    timestamp: str | None = None
    source: str | None = None
    message: Content = None
    reasoning_content: str | None = None
    tool_calls: list[Call] | None = None
    observation: Results | None = None
    is_copied_context: bool | None = None
    llm_call_count: int | None = None
    """From 1.7 on; 0: no model was asked, the harness dispatched the step."""


class Agent(msgspec.Struct, gc=False):
    """The agent of a document."""

    name: str | None = None
    version: str | None = None
    model_name: str | None = None


class Metrics(msgspec.Struct, gc=False):
    """Totals of a document."""

    total_steps: Any = None
    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cost_usd: float | None = None


class Document(msgspec.Struct, gc=False):
    """One ATIF document."""

    schema_version: str | None = None
    session_id: str | None = None
    trajectory_id: str | None = None
    agent: Agent | None = None
    steps: list[AtifStep] = []
    final_metrics: Metrics | None = None
    continued_trajectory_ref: str | None = None
    subagent_trajectories: list[Document] | None = None


class Place(NamedTuple):
    """Where a document stands: a file, or a place within it."""

    path: str
    pointer: str = ""


class AtifReader:
    """Appends the steps of documents to `steps`, following continuations and subagents among the candidate's files."""

    def __init__(self, reading: Reading, steps: Steps) -> None:
        self.reading = reading
        self.steps = steps
        self.steps.is_asked = False  # some logs that become such a document hold no prompt; its numbers tell where it begins
        self.steps.keeps_all = True
        self.visited: set[str] = set()
        self.documents: list[Document] = []
        self._last: int | str | None = 0
        """Number of the main agent's last step, over its continuations."""
        self._calls: set[str] = set()
        """Ids of the calls that were read."""

    def read_chain(self, path: str) -> None:
        """The document at `path` and its continuations in turn. Raises FormatError when the first cannot be read."""
        known = len(self.steps.reasons)
        self._read_chain(path)
        told = [document.final_metrics.total_steps for document in self.documents if document.final_metrics is not None]
        total = max((count for count in told if isinstance(count, int)), default=0)
        if total > len(self.steps.steps) and len(self.steps.reasons) == known:
            self.steps.missing(f"the record counts {total} steps, of which {len(self.steps.steps)} are there", step=-1)

    def _read_chain(self, path: str) -> None:
        following: str | None = path
        while following is not None:
            if following in self.visited:
                self._missing_link(f"the continuation {_name(following)} leads back to a file that was read already", path)
                return
            self.visited.add(following)
            document = self._open(following, first=following == path)
            if document is None:
                return
            self.documents.append(document)
            self.read_document(document, Place(following))
            following = self._beside(following, document.continued_trajectory_ref)

    def _open(self, path: str, *, first: bool) -> Document | None:
        try:
            return self.reading.document(path, Document)
        except FormatError as error:
            if first:
                raise
            self._missing_link(f"the continuation {_name(path)} cannot be read: {error}", path)
            return None

    def _missing_link(self, what: str, place: str) -> None:
        self.reading.oddities.add(what, place)
        self.steps.missing(what)

    def _beside(self, path: str, reference: str | None) -> str | None:
        """The path of a file named relative to another one; also when discovery did not list it."""
        if not reference:
            return None
        return f"{path.rsplit('/', 1)[0]}/{reference}" if "/" in path else reference

    def read_document(self, document: Document, place: Place, *, subagent: str = "", nesting: int = 0) -> None:
        """Append the steps of one document; `subagent` names it when it is not the main agent's."""
        embedded = _embedded(document, place)
        prefix = f"{place_in(self.reading.candidate, place.path)}#{place.pointer}/steps/"
        listed = self.steps.steps
        waiting = document.steps[::-1]
        document.steps.clear()
        last: int | str | None = None if subagent else self._begins(waiting)
        for number in range(len(waiting)):
            step = waiting.pop()  # freed as soon as it is converted: a long document would stand in memory twice
            results = step.observation.results if step.observation is not None else None
            if step.step_id is not None:
                self._check_number(last, step.step_id)
                last = step.step_id
            listed.append(self._step(step, results or (), f"{prefix}{number}", subagent))
            self._note_foreign(results or (), listed[-1].actions)
            for result in results or ():
                for ref in result.subagent_trajectory_ref or ():
                    self._follow(ref, embedded, place, nesting)
        if not subagent:
            self._last = last
        for name, (item, within) in embedded.items():
            self._enter(item, within, name, nesting)

    def _note_foreign(self, results: Sequence[Result], actions: Sequence[Action]) -> None:
        """Say that a call is missing whose result is there."""
        self._calls.update(action.call_id for action in actions)
        if any(result.source_call_id is not None and result.source_call_id not in self._calls for result in results):
            self.steps.missing("a result answers a call that is not in the record")

    def _begins(self, waiting: Sequence[AtifStep]) -> int | str | None:
        """The number before a document's first: of the main agent's last step before it, or none where numbers begin anew."""
        first = next((step.step_id for step in reversed(waiting) if step.step_id is not None), None)
        if not isinstance(first, int) or not isinstance(self._last, int) or first <= 1:
            return None
        if self._last or first <= self._last + 1:
            return self._last
        self.steps.missing(f"the beginning is not recorded: the numbers of the steps begin at {first}", step=-1)
        return None

    def _check_number(self, last: int | str | None, number: int | str) -> None:
        """Steps are numbered one after the other: where numbers are left out, steps are."""
        if isinstance(last, int) and isinstance(number, int) and number > last + 1:
            left_out = f"step {last + 1}" if number == last + 2 else f"steps {last + 1} to {number - 1}"
            self.steps.missing(f"the numbers of the steps leave out {left_out}")

    def _follow(self, ref: Ref, embedded: dict[str, tuple[Document, Place]], place: Place, nesting: int) -> None:
        if ref.trajectory_id and ref.trajectory_id in embedded:
            document, within = embedded.pop(ref.trajectory_id)
            self._enter(document, within, ref.trajectory_id, nesting)
            return
        path = self._beside(place.path, ref.trajectory_path)
        name = ref.trajectory_id or ref.session_id or (_name(path) if path else "subagent")
        if path is None or path in self.visited or path not in self.reading.candidate.files:
            self._missing_link(f"the trajectory of subagent {name} is not there", place.path)
            return
        self.visited.add(path)
        found = self._open(path, first=False)
        if found is not None:
            self._enter(found, Place(path), name, nesting)

    def _enter(self, document: Document, place: Place, name: str, nesting: int) -> None:
        if nesting >= MAX_NESTING:
            self._missing_link(f"the trajectory of subagent {name} is nested too deeply", place.path)
            return
        self.read_document(document, place, subagent=name or "subagent", nesting=nesting + 1)

    def _step(self, step: AtifStep, results: Sequence[Result], place: str, subagent: str) -> Step:
        text = step.message if isinstance(step.message, str) else text_of_content(step.message)
        calls = step.tool_calls
        actions: tuple[Action, ...] = ()
        if calls:
            actions = tuple([action_of(call.function_name or "", call.arguments, call.tool_call_id or "") for call in calls])
        elif step.source == "agent" and "keystrokes" in text:
            actions = terminus_actions(text)
        is_dispatched = step.llm_call_count == 0 and step.source == "agent"
        subagent = "" if is_dispatched else subagent
        actor = "harness" if is_dispatched else "subagent" if subagent else _ACTORS.get(step.source or "")
        return Step(
            index=len(self.steps.steps),
            actor=actor or self._unknown_actor(step, actions, place),
            native_id="" if step.step_id is None else str(step.step_id),
            time=step.timestamp or "",
            text=text,
            reasoning=step.reasoning_content or "",
            actions=actions,
            observations=_observations(results, actions) if results else (),
            subagent=subagent,
            copied=step.is_copied_context is True,
            source=place,
        )

    def _unknown_actor(self, step: AtifStep, actions: tuple[Action, ...], place: str) -> Actor:
        self.reading.oddities.add(f"unknown step source {step.source!r}", place)
        return "agent" if actions else "environment"


_ACTORS: Mapping[str, Actor] = {"agent": "agent", "user": "user", "system": "harness"}


def _observations(results: Sequence[Result], actions: tuple[Action, ...]) -> tuple[Observation, ...]:
    """Results by call id; without ids, one for each call in order; one result of several calls answers none alone."""
    if len(results) == len(actions) == 1:
        only = results[0]
        if only.source_call_id is None or only.source_call_id == actions[0].call_id:
            content = only.content
            return (observation(content if isinstance(content, str) else text_of_content(content), 0),)
    in_order = len(results) == len(actions) or len(results) == sum(action.kind != "submit" for action in actions)
    ids = [action.call_id for action in actions]
    places = [_place_by_id(result, ids, number) for number, result in enumerate(results)]
    if in_order:
        free = (number for number in range(len(actions)) if number not in set(places))
        places = [
            next(free, -1) if place < 0 and result.source_call_id is None else place
            for place, result in zip(places, results, strict=True)
        ]
    return tuple(observation(text_of_content(result.content), place) for place, result in zip(places, results, strict=True))


def _place_by_id(result: Result, ids: Sequence[str], number: int) -> int:
    """The call that a result names: the one at its own place where several have the id; -1 when it names none."""
    name = result.source_call_id
    if name is None or name not in ids:
        return -1
    return number if number < len(ids) and ids[number] == name else ids.index(name)


def text_of_content(content: Content) -> str:
    """Text of a message or result; images and audio are named in brackets."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    return "\n".join(part.text if part.text is not None else _media(part) for part in content)


def _media(part: Part) -> str:
    where = part.source.get("path", "") if isinstance(part.source, dict) else ""
    return f"[{part.type or 'part'} {where}]"


def _embedded(document: Document, place: Place) -> dict[str, tuple[Document, Place]]:
    """The subagents' documents within one, each with its place; where ids are repeated or missing, by their number."""
    found: dict[str, tuple[Document, Place]] = {}
    for number, item in enumerate(document.subagent_trajectories or ()):
        name = item.trajectory_id or ""
        within = Place(place.path, f"{place.pointer}/subagent_trajectories/{number}")
        found[name if name and name not in found else f"{name}#{number}" if name else str(number)] = item, within
    return found


def _name(path: str) -> str:
    return PurePosixPath(path).name


def instruction_of(steps: Steps) -> str:
    """The text of the first user step of this run's main agent."""
    return next((step.text for step in steps.steps if step.actor == "user" and not step.copied), "")


def usage_of(documents: list[Document]) -> Usage:
    """Totals summed over the segments."""
    totals = [document.final_metrics for document in documents if document.final_metrics]
    return Usage(
        input_tokens=_sum([total.total_prompt_tokens for total in totals]),
        output_tokens=_sum([total.total_completion_tokens for total in totals]),
        cost_usd=_sum([total.total_cost_usd for total in totals]),
    )


def _sum(values: list[Any]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _recognise(head: Head) -> str:
    schema = head.value("/schema_version") or head.tail.get("schema_version", "")
    if head.shape == "object" and (schema.startswith("ATIF-v") or _SCHEMA.search(head.text)):
        return f"schema_version {schema or 'ATIF'}"
    return ""


def _read(candidate: Candidate) -> Iterator[Trajectory]:
    """A bare document outside a trial: its outcome is unknown."""
    reading, steps = Reading(candidate), Steps()
    reader = AtifReader(reading, steps)
    reader.read_chain(candidate.path)
    first = reader.documents[0]
    agent = first.agent or Agent()
    account = Account(
        attempt=first.session_id or first.trajectory_id or _name(candidate.path),
        model=agent.model_name or "",
        harness=agent.name or "",
        harness_version=agent.version or "",
        instruction=instruction_of(steps),
        usage=usage_of(reader.documents),
    )
    yield trajectory_of(reading, steps, account, version=VERSION)


def _main_of(name: str) -> str:
    """`trajectory.cont-1.json` and `trajectory.summarization-1-summary.json` belong to `trajectory.json`."""
    stem, dot, rest = name.partition(".")
    return f"{stem}.json" if dot and rest.startswith(("cont-", "summarization-", "subagent-")) else ""


FORMAT = Format(name="atif", version=VERSION, read=_read, recognise=_recognise, main_of=_main_of, graded_by_reports=True)
