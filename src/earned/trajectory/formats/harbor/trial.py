"""Harbor trial folders: the agent's ATIF documents, the verifier's output as a last grader step, the outcome of `result.json`.

Layout after harbor 0.26.0 (`harbor/models/trial/paths.py`). A trial is a folder with a trial's `result.json`, or, where that
was left out of an export, one with `agent/` (or `steps/`) beside a trial's configuration, log or verifier folder.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from earned.errors import FormatError
from earned.records import Action, Cohort, Observation, Outcome, Step, Trajectory, Usage, WrittenFile
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, path_below
from earned.trajectory.decode.document import as_text
from earned.trajectory.format import Format
from earned.trajectory.formats.atif import Agent, instruction_of, usage_of
from earned.trajectory.formats.harbor.agent import AgentReader
from earned.trajectory.formats.harbor.layout import TERMINAL, recognise_folder, role_of
from earned.trajectory.formats.harbor.outcome import Left, TrialException, contradicted, number, outcome_of, said_by
from earned.trajectory.formats.harbor.records import AgentInfo, Config, Result, network_of
from earned.trajectory.formats.harbor.scripted import scripted_by
from earned.trajectory.formats.harbor.verifier import failed_tests, rewards_left
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading, names_recorded
from earned.trajectory.steps import Steps

VERSION = 4
MAX_VERIFIER_TEXT = 2 * 1024 * 1024
"""Bytes kept of one text of the verifier; the rest is cut and said to be."""
MAX_ARTIFACT = 4 * 1024 * 1024
"""Bytes of one artifact; a larger one is no submission text."""
MAX_TERMINAL = 16 * 1024 * 1024
REWARD = "verifier_result/rewards/reward"
_PATCHES = (".patch", ".diff")


def _read(candidate: Candidate) -> Iterator[Trajectory]:
    yield _Trial(candidate).trajectory()


class _Trial:
    """One trial while it is being read."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.reading = Reading(candidate)
        self.steps = Steps()
        self.files = {path_below(candidate.path, path): path for path in candidate.files}
        self.outcome_files = {path_below(candidate.path, path): path for path in candidate.outcome_files}
        self.result = self.reading.result_document("result.json", Result)
        self.configs = self._configs()
        self.agent = AgentReader(self.reading, self.files, self.steps)
        self.terminal = False
        self.silent: list[tuple[str, int]] = []
        """Stages of which no step of the agent is recorded, and the index of the step before each."""

    def trajectory(self) -> Trajectory:
        """The whole trial as one trajectory."""
        stages = self._stages()
        for stage in stages:
            begin = self.steps.next
            self.agent.read(stage)
            if stage and not any(step.actor in {"agent", "subagent"} for step in self.steps.steps[begin:]):
                self.silent.append((stage, begin - 1))
            self._read_verifier(stage)
        if not self.agent.has_record:
            self._read_terminal()
        else:
            self._tell_silent(stages)
        artifact_patch, artifacts = self._artifacts()
        info, agent = self.result.agent_info or AgentInfo(), self._named_agent()
        names = (info.name, agent.name, self._configured("name"))
        account = Account(
            benchmark=self.result.source or "",
            task=self.result.task_name or self.candidate.name.rpartition("__")[0] or self.candidate.name,
            attempt=self.result.trial_name or self.candidate.name,
            model=self._model(info, agent),
            harness=next(filter(None, names), ""),
            harness_version=info.version or agent.version or "",
            cohort=self._cohort(),
            outcome=self._outcome(stages),
            instruction=self._instruction(),
            patch=None if artifact_patch else self._patch(),
            artifact_patch=artifact_patch,
            artifacts=tuple(artifacts),
            usage=self._usage(),
            terminal=self.terminal,
            scripted=scripted_by(names, self.files, has_acts=self.agent.has_record),
            names=_names(self.result),
        )
        return trajectory_of(self.reading, self.steps, account, version=VERSION)

    def _configs(self) -> list[Config]:
        """Configurations, the more particular first: the task's own, then the trial's."""
        found: list[Config] = []
        for name in ("task.toml", "task.json", "lock.json", "config.json"):
            path = self.files.get(name)
            if path is not None:
                try:
                    found.append(self._toml(path) if name.endswith(".toml") else self.reading.document(path, Config))
                except FormatError as error:
                    self.reading.oddities.add(f"{name} cannot be read: {error}", path)
        return [*found, self.result.config or Config()]

    def _toml(self, path: str) -> Config:
        try:
            value = tomllib.loads(self.reading.text(path))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise FormatError(f"not valid TOML: {error}") from error
        try:
            return msgspec.convert(value, Config)
        except msgspec.ValidationError:
            return Config()

    def _stages(self) -> list[str]:
        """Folders that hold `agent/` and `verifier/`: the trial itself, or each of its steps in the order they ran."""
        names = {name.split("/")[1] for name in [*self.files, *self.outcome_files] if name.startswith("steps/")}
        if not names:
            return [""]
        recorded = [step.step_name or "" for step in self.result.step_results or ()]
        ran = [name for name in dict.fromkeys(recorded) if name in names]
        return [f"steps/{name}/" for name in [*ran, *sorted(names.difference(ran))]]

    def _tell_silent(self, stages: Sequence[str]) -> None:
        """Say of which steps of the trial the agent's log is missing: what it did there counts for the outcome too."""
        ran = [f"steps/{step.step_name}/" for step in self.result.step_results or () if step.step_name]
        absent = [(stage, -1) for stage in ran if stages != [""] and stage not in stages]
        for stage, index in [*self.silent, *absent]:
            self.steps.missing(f"nothing is recorded of what the agent did in {stage.rstrip('/')}", step=index)

    def _read_verifier(self, stage: str) -> None:
        """The verifier's texts of one stage as a step of the grader."""
        prefix = f"{stage}verifier/"
        actions: list[Action] = []
        observations: list[Observation] = []
        read: list[str] = []
        for name, path in sorted(self.outcome_files.items()):
            text = self.reading.start_of(path, MAX_VERIFIER_TEXT) if name.startswith(prefix) else None
            if text is not None:
                observations.append(Observation(text=text[0], action=len(actions), truncated=text[1]))
                actions.append(Action(kind="other", tool=f"verifier/{name.removeprefix(prefix)}"))
                read.append(name)
        if actions:
            self.steps.append(
                Step(
                    index=self.steps.next,
                    actor="grader",
                    actions=tuple(actions),
                    observations=tuple(observations),
                    source=read[0] if len(read) == 1 else prefix.rstrip("/"),
                )
            )

    def _read_terminal(self) -> None:
        """No document was written: what the agent's folder holds of the terminal's text."""
        self.terminal = True
        before = list(self.steps.steps)
        self.steps.steps.clear()
        for name, path in sorted(self.files.items()):
            if "agent/" in name and name.endswith(TERMINAL):
                try:
                    text = self.reading.text(path, limit=MAX_TERMINAL)
                except FormatError as error:
                    self.steps.missing(f"{name} cannot be read: {error}", step=-1)
                    continue
                self.steps.append(
                    Step(index=self.steps.next, actor="environment", observations=(Observation(text=text),), source=name)
                )
        if self.agent.faults and not self.steps.steps:
            raise self.agent.faults[0]
        for step in before:
            self.steps.steps.append(msgspec.structs.replace(step, index=len(self.steps.steps)))

    def _artifacts(self) -> tuple[str, list[WrittenFile]]:
        """Patches joined, and other text files, that the trial collected."""
        patches: list[str] = []
        files: list[WrittenFile] = []
        for name, path in sorted(self.files.items()):
            inside = name.partition("artifacts/")[2]
            if not inside or inside == "manifest.json" or not (name.startswith(("artifacts/", "steps/"))):
                continue
            text = self._artifact_text(path)
            if text is None:
                continue
            if inside.endswith(_PATCHES):
                patches.append(text if text.endswith("\n") else f"{text}\n")
            else:
                files.append(WrittenFile(path=inside, text=text))
        return "".join(patches), files

    def _artifact_text(self, path: str) -> str | None:
        try:
            data = self.reading.source(path, limit=MAX_ARTIFACT)
        except FormatError as error:
            self.reading.oddities.add(f"the artifact is left out: {error}", path)
            return None
        return None if b"\0" in data[:4096] else as_text(data, self.reading.oddities, place=path)

    def _patch(self) -> str | None:
        """What the agent's own logs recorded as submitted, the last of them."""
        return next((account.patch for account in reversed(self.agent.accounts) if account.patch is not None), None)

    def _instruction(self) -> str:
        told = instruction_of(self.steps)
        if told:
            return told
        path = self.files.get("instruction.md")
        if path is not None:
            try:
                return self.reading.text(path)
            except FormatError as error:
                self.reading.oddities.add(f"instruction.md cannot be read: {error}", path)
        return next((config.instruction for config in self.configs if config.instruction), "")

    def _named_agent(self) -> Agent:
        told = [Agent(name=item.harness, version=item.harness_version, model_name=item.model) for item in self.agent.accounts]
        return next((document.agent for document in self.agent.atif.documents if document.agent), told[0] if told else Agent())

    def _model(self, info: AgentInfo, agent: Agent) -> str:
        named = info.model_info.name if info.model_info else None
        return named or self._configured("model_name") or agent.model_name or "unknown"

    def _configured(self, key: str) -> str:
        return next((getattr(config.agent, key) for config in self.configs if config.agent and getattr(config.agent, key)), "")

    def _cohort(self) -> Cohort:
        environments = [config.environment for config in self.configs if config.environment]
        kinds = [item.type or item.import_path for item in environments if item.type or item.import_path]
        return Cohort(
            network=network_of(self.configs),
            environment=kinds[0] or "unknown" if kinds else "unknown",
            started=self.result.started_at or "unknown",
            finished=self.result.finished_at or "unknown",
        )

    def _outcome(self, stages: list[str]) -> Outcome:
        """The outcome of the result, unless what the verifier left says another; a report of failed tests is told beside it."""
        path = self.outcome_files.get("result.json")
        left = {stage: list(rewards_left(self.reading, self.outcome_files, stage)) for stage in stages}
        if path is None:
            said = "".join(f"; {item.file} says {item.text}" for items in left.values() for item in items)
            return Outcome(detail=f"expected result.json, found none{said}")
        outcome = outcome_of(
            self.result.verifier_result.rewards if self.result.verifier_result else None,
            exceptions=self._exceptions(),
            recorded_valid=self.result.reward_valid,
            source=f"result.json#/{REWARD}",
            left=left.get("", ()),
        )
        if outcome.status not in {"passed", "partial_credit", "failed"}:
            return outcome
        return self._step_outcome(left) or self._beside(outcome, left)

    def _step_outcome(self, left: Mapping[str, Sequence[Left]]) -> Outcome | None:
        """The outcome where the verifier of a step left another reward than the result has for that step."""
        for number_of_step, step in enumerate(self.result.step_results or ()):
            rewards = step.verifier_result.rewards if step.verifier_result else None
            reward = number((rewards or {}).get("reward"))
            if reward is not None:
                source = f"result.json#/step_results/{number_of_step}/{REWARD}"
                torn = contradicted(reward, source, left.get(f"steps/{step.step_name}/", ()))
                if torn is not None:
                    return torn
        return None

    def _beside(self, outcome: Outcome, left: Mapping[str, Sequence[Left]]) -> Outcome:
        """A pass with what the verifier left that speaks against it: a second file of the reward, failed tests."""
        if outcome.status != "passed":
            return outcome
        against = [said_by(item) for item in left.get("", ()) if item.reward != outcome.reward]
        against += filter(None, [failed_tests(self.reading, self.outcome_files, stage) for stage in left])
        if not against:
            return outcome
        said = f"{against[0]}, and {outcome.source} says {outcome.reward} all the same"
        for what in against:
            self.reading.oddities.add(f"beside a full reward {what}", self.candidate.path)
        return msgspec.structs.replace(outcome, detail=said)

    def _exceptions(self) -> Iterator[TrialException]:
        if self.result.exception_info is not None:
            yield self.result.exception_info
        for step in self.result.step_results or ():
            if step.exception_info is not None:
                yield step.exception_info

    def _usage(self) -> Usage:
        result = self.result.agent_result
        if result is None or result.n_input_tokens is None:
            return self.agent.accounts[0].usage if self.agent.accounts else usage_of(self.agent.atif.documents)
        return Usage(input_tokens=result.n_input_tokens, output_tokens=result.n_output_tokens, cost_usd=result.cost_usd)


def _names(result: Result) -> tuple[str, ...]:
    return tuple(name for name in (result.task_name, result.trial_name) if name)


def _names_of(candidate: Candidate) -> tuple[str, ...]:
    return names_recorded(candidate, "result.json", Result, _names)


def _recognise(_head: Head) -> str:
    return ""


FORMAT = Format(
    name="harbor",
    version=VERSION,
    read=_read,
    recognise=_recognise,
    recognise_folder=recognise_folder,
    role=role_of,
    names_of=_names_of,
)
