"""Terminal-Bench 1: trial folders, runs of which only the results are left, and terminal recordings that stand alone.

Layout after terminal-bench 0.2.18. What the agent did is read, in this order, from a log of its own among `agent-logs/`, from
the episodes of Terminus there, from the batches that Terminus marked in the recording, and from the terminal's text. The
outcome is the trial's own `is_resolved`; the run's `results.json` must say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from earned.errors import FormatError
from earned.records import Action, Observation, Outcome, Skip, Step, Trajectory
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, path_below, place_in
from earned.trajectory.decode.json_stream import Piece, decode_element
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.format import Format
from earned.trajectory.formats.terminal_bench.agent import AgentReader
from earned.trajectory.formats.terminal_bench.layout import (
    RESULTS,
    family_of,
    home_of,
    homes_in,
    recognise_folder,
    recognise_run,
    role_of,
    run_files,
)
from earned.trajectory.formats.terminal_bench.records import (
    Result,
    Run,
    cohort_of,
    elements_of,
    names_in,
    outcome_of,
    results_of,
    run_of,
    usage_of,
)
from earned.trajectory.members import Members
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading, names_recorded
from earned.trajectory.steps import Steps, acts_in
from earned.trajectory.terminal.acts import Session
from earned.trajectory.terminal.cast import recognise_cast

VERSION = 4
MAX_GRADER = 2 * 1024 * 1024
"""Bytes kept of what the tests printed; the rest is cut and said to be."""
_RECORDED = "asciinema: recording asciicast to "


def _read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    if candidate.path not in candidate.files:
        yield _Trial(candidate).trajectory()
    elif candidate.recognised.startswith("results "):
        yield from _results(candidate)
    else:
        yield _alone(candidate)


class _Trial:
    """One trial's folder while it is being read."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.reading = Reading(candidate)
        self.steps = Steps()
        self.files = {path_below(candidate.path, path): path for path in candidate.files}
        self.outcome_files = {path_below(candidate.path, path): path for path in candidate.outcome_files}
        self.around = {PurePosixPath(path).name: path for name, path in self.outcome_files.items() if name.startswith("..")}
        self.result = self.reading.result_document(RESULTS, Result)
        self.run = run_of(self.around.get("run_metadata.json", ""), self.around.get("tb.lock", ""), self.reading.oddities)

    def trajectory(self) -> Trajectory:
        """The whole trial as one trajectory."""
        result, steps = self.result, self.steps
        if result.instruction:
            place = f"{RESULTS}#/instruction"
            steps.append(Step(index=steps.next, actor="user", text=result.instruction, source=place))
        agent = AgentReader(
            self.reading,
            self.files,
            steps,
            Session(
                is_scripted=self.run.is_scripted,
                has_tests=self._has_tests(),
                instruction=result.instruction or "",
                types_itself=self.run.types_itself,
            ),
        )
        told = agent.read()
        self._grader()
        return trajectory_of(
            self.reading,
            steps,
            Account(
                benchmark=self.run.benchmark,
                task=result.task_id or PurePosixPath(self.candidate.path).parent.name,
                attempt=result.trial_name or self.candidate.name,
                model=self.run.model or told.model,
                harness=self.run.agent or told.harness,
                cohort=cohort_of(result),
                outcome=self._outcome(),
                instruction=result.instruction,
                usage=told.usage if told.usage.input_tokens is not None else usage_of(result),
                terminal=told.is_terminal,
                names=names_in(result),
            ),
            version=VERSION,
        )

    def _has_tests(self) -> bool:
        return any(name.startswith("sessions/tests.") for name in self.outcome_files)

    def _outcome(self) -> Outcome:
        if RESULTS not in self.outcome_files:
            return Outcome(detail=f"expected {RESULTS}, found none")
        path = self.around.get(RESULTS)
        run = results_of(path).of(self.result) if path else ()
        run_source = f"{place_in(self.candidate, path)}#" if path else ""
        return outcome_of(self.result, f"{RESULTS}#", run=run, run_source=run_source)

    def _grader(self) -> None:
        """What the tests printed: the pane that the verdict was parsed from, else their terminal's log."""
        for name in ("panes/post-test.txt", "sessions/tests.log"):
            path = self.outcome_files.get(name)
            text = self.reading.start_of(path, MAX_GRADER) if path else None
            if text is not None and text[0].strip():
                self.steps.append(
                    Step(
                        index=self.steps.next,
                        actor="grader",
                        actions=(Action(kind="other", tool=name),),
                        observations=(Observation(text=text[0].rstrip(), action=0, truncated=text[1]),),
                        source=name,
                    )
                )
                return


def _results(candidate: Candidate) -> Iterator[Trajectory | Skip]:
    """Attempts of a run that have no folder; where each has one, this file was named alone, and all are read."""
    homes = list(homes_in(candidate.path))
    has_all = None not in homes
    beside = {PurePosixPath(path).name: path for path in candidate.files[1:]}
    run = run_of(beside.get("run_metadata.json", ""), beside.get("tb.lock", ""), Oddities())
    members = Members()
    for number, piece in enumerate(elements_of(candidate.path)):
        made = _attempt(candidate, number, piece, run, members, is_wanted=has_all)
        if made is not None:
            yield made


def _attempt(
    candidate: Candidate, number: int, piece: Piece, run: Run, members: Members, *, is_wanted: bool
) -> Trajectory | Skip | None:
    """One result as an attempt of which nothing but that is recorded; None when its folder is there."""
    reading, steps = Reading(candidate), Steps()
    place = f"{place_in(candidate, candidate.path)}#/results/{number}"
    try:
        result = decode_element(piece, Result, reading.oddities, place)
    except FormatError as error:
        member = members.name(f"results/{number}")
        return Skip(path=candidate.path, member=member, reason="unreadable", detail=str(error), offset=error.offset)
    member = members.name(result.trial_name or f"results/{number}")
    if not is_wanted and home_of(Path(candidate.path).parent, result.task_id, result.trial_name):
        return None
    reading.piece(candidate.path, piece.data)
    if result.instruction:
        steps.append(Step(index=0, actor="user", text=result.instruction, source=f"{place}/instruction"))
    steps.missing("only the result of the attempt is recorded: no terminal, no log of the agent", step=-1)
    account = Account(
        benchmark=run.benchmark,
        task=result.task_id or "",
        attempt=result.trial_name or "",
        model=run.model,
        harness=run.agent,
        cohort=cohort_of(result),
        outcome=outcome_of(result, place),
        instruction=result.instruction,
        usage=usage_of(result),
        member=member,
    )
    return trajectory_of(reading, steps, account, version=VERSION)


def _alone(candidate: Candidate) -> Trajectory:
    """A recording or raw log outside of a trial: its outcome is unknown."""
    reading, steps = Reading(candidate), Steps()
    name = PurePosixPath(candidate.path).name
    told = AgentReader(reading, {name: candidate.path}, steps, Session()).read_alone(name)
    account = Account(
        benchmark="terminal-bench" if acts_in(steps.steps) else "",
        attempt=name,
        model=told.model,
        harness=told.harness,
        terminal=told.is_terminal,
        outcome=Outcome(detail="a terminal's record says nothing of the outcome"),
        names=(candidate.path,),
    )
    return trajectory_of(reading, steps, account, version=VERSION)


def _names_of(candidate: Candidate) -> tuple[str, ...]:
    return names_recorded(candidate, RESULTS, Result, names_in)


def _recognise(head: Head) -> str:
    """Why a file outside of a trial is read: a run's results, a recording, a raw log of one."""
    listed = recognise_run(head)
    if listed or head.shape != "text":
        return listed or recognise_cast(head)
    has_recording = _RECORDED in head.text and "\x1b" in head.text and "/tests.cast" not in head.text
    return "a terminal's log that begins with the start of an asciinema recording" if has_recording else ""


FORMAT = Format(
    name="terminal-bench",
    version=VERSION,
    read=_read,
    recognise=_recognise,
    recognise_folder=recognise_folder,
    role=role_of,
    around=run_files,
    family=family_of,
    names_of=_names_of,
)
