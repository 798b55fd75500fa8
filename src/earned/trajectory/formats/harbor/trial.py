"""Harbor trial folders: the agent's ATIF documents, the verifier's output as a last grader step, the outcome of `result.json`.

Layout after harbor 0.26.0 (`harbor/models/trial/paths.py`). A trial is a folder with a trial's `result.json`, or, where that
was left out of an export, one with `agent/` (or `steps/`) beside a trial's configuration, log or verifier folder.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from earned.errors import FormatError
from earned.records import Action, Cohort, Observation, Outcome, Step, Trajectory, Usage, WrittenFile
from earned.trajectory.account import Account, trajectory_of
from earned.trajectory.candidate import Candidate, path_below
from earned.trajectory.document import as_text
from earned.trajectory.format import Format
from earned.trajectory.formats.atif import Agent, AtifReader, instruction_of, usage_of
from earned.trajectory.formats.harbor.layout import TERMINAL, recognise_folder, role_of
from earned.trajectory.formats.harbor.native import native_log, read_native
from earned.trajectory.formats.harbor.outcome import TrialException, number, outcome_of
from earned.trajectory.formats.harbor.records import AgentInfo, Config, Result, network_of
from earned.trajectory.formats.harbor.scripted import scripted_by
from earned.trajectory.peek import Head
from earned.trajectory.reading import Reading, names_recorded
from earned.trajectory.steps import Steps, acts_in

VERSION = 2
MAX_VERIFIER_TEXT = 2 * 1024 * 1024
"""Bytes kept of one text of the verifier; the rest is cut and said to be."""
MAX_ARTIFACT = 4 * 1024 * 1024
"""Bytes of one artifact; a larger one is no submission text."""
MAX_TERMINAL = 16 * 1024 * 1024
_PATCHES = (".patch", ".diff")


def _read(candidate: Candidate) -> Iterator[Trajectory]:
    yield _Trial(candidate).trajectory()


class _Trial:
    """One trial while it is being read."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.reading = Reading(candidate)
        self.steps = Steps()
        self.atif = AtifReader(self.reading, self.steps)
        self.files = {path_below(candidate.path, path): path for path in candidate.files}
        self.outcome_files = {path_below(candidate.path, path): path for path in candidate.outcome_files}
        self.result = self._result()
        self.configs = self._configs()
        self.accounts: list[Account] = []
        self.terminal = False

    def trajectory(self) -> Trajectory:
        """The whole trial as one trajectory."""
        stages = self._stages()
        for stage in stages:
            self._read_agent(stage)
            self._read_verifier(stage)
        if not self.atif.documents and not self.accounts:
            self._read_terminal()
        artifact_patch, artifacts = self._artifacts()
        info, agent = self.result.agent_info or AgentInfo(), self._agent()
        names = (info.name, agent.name, self._configured("name"))
        account = Account(
            benchmark=self.result.source or "",
            task=self.result.task_name or self._name().rpartition("__")[0] or self._name(),
            attempt=self.result.trial_name or self._name(),
            model=self._model(info, agent),
            harness=next(filter(None, names), ""),
            harness_version=info.version or agent.version or "",
            cohort=self._cohort(),
            outcome=self._outcome(single=len(stages) == 1),
            instruction=self._instruction(),
            patch=self.accounts[-1].patch if self.accounts and not artifact_patch else None,
            artifact_patch=artifact_patch,
            artifacts=tuple(artifacts),
            usage=self._usage(),
            terminal=self.terminal,
            scripted=scripted_by(names, self.files, has_acts=bool(self.atif.documents or self.accounts)),
            names=_names(self.result),
        )
        return trajectory_of(self.reading, self.steps, account, version=VERSION)

    def _name(self) -> str:
        return PurePosixPath(self.candidate.path).name or Path(self.candidate.path).resolve().name

    def _result(self) -> Result:
        path = self.outcome_files.get("result.json")
        if path is None:
            return Result()
        try:
            return self.reading.outcome_document(path, Result)
        except FormatError as error:
            raise FormatError(f"result.json: {error}", slug=error.slug, offset=error.offset) from error

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

    def _read_agent(self, stage: str) -> None:
        """The agent's own log of one stage where it is there and whole; else what shows more, that log or the document."""
        log = native_log(self.files, stage)
        mark, lost = self.steps.mark(), self.reading.oddities.lost
        told = read_native(log, self.reading, self.steps) if log is not None else None
        if log is None or told is None:
            self._read_document(stage)
            return
        main = f"{stage}agent/trajectory.json"
        name = path_below(self.candidate.path, log.paths[0])
        if not told.is_full and main in self.files:
            kept = self.steps.steps[mark.step :], self.steps.reasons[mark.reason :], self.reading.oddities.lost
            self.steps.back_to(mark)
            self.reading.oddities.lost = lost
            self._read_document(stage)
            if acts_in(self.steps.steps[mark.step :]) > told.acts:
                self.reading.also = f"steps from {main}, which shows more than the agent's own log {name}"
                return
            self.steps.back_to(mark)
            self.steps.steps += kept[0]
            self.steps.reasons += kept[1]
            self.reading.oddities.lost = kept[2]
        self.accounts.append(told.account)
        preferred = f", preferred to {main}" if main in self.files else ""
        self.reading.also = f"steps from the agent's own log {name} ({log.format.name}){preferred}"

    def _read_document(self, stage: str) -> None:
        """The agent's document of one stage, then segments that no document names."""
        main = f"{stage}agent/trajectory.json"
        segments = sorted(
            (name for name in self.files if name.startswith(f"{stage}agent/trajectory.cont-")), key=_segment_order
        )
        for name in [main, *segments]:
            path = self.files.get(name)
            if path is None or path in self.atif.visited:
                continue
            if name != main:
                self.reading.oddities.add("a continuation that no document names", path)
            try:
                self.atif.read_chain(path)
            except FormatError as error:
                if name == main:
                    raise FormatError(f"{main}: {error}", slug=error.slug, offset=error.offset) from error
                self.steps.missing(f"the continuation {name} cannot be read: {error}")

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

    def _agent(self) -> Agent:
        told = [Agent(name=item.harness, version=item.harness_version, model_name=item.model) for item in self.accounts]
        return next((document.agent for document in self.atif.documents if document.agent), told[0] if told else Agent())

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

    def _outcome(self, *, single: bool) -> Outcome:
        path = self.outcome_files.get("result.json")
        left = self._verifier_reward() if single else None
        if path is None:
            return Outcome(detail="expected result.json, found none" + (f"; {left[0]} says {left[1]}" if left else ""))
        return outcome_of(
            self.result.verifier_result.rewards if self.result.verifier_result else None,
            exceptions=self._exceptions(),
            recorded_valid=self.result.reward_valid,
            source="result.json#/verifier_result/rewards/reward",
            verifier_says=left,
        )

    def _exceptions(self) -> Iterator[TrialException]:
        if self.result.exception_info is not None:
            yield self.result.exception_info
        for step in self.result.step_results or ():
            if step.exception_info is not None:
                yield step.exception_info

    def _verifier_reward(self) -> tuple[str, float] | None:
        """The reward that the verifier itself left behind, where it can be read."""
        for name in ("verifier/reward.json", "verifier/reward.txt"):
            path = self.outcome_files.get(name)
            try:
                value: Any = msgspec.json.decode(self.reading.outcome_bytes(path, limit=65536)) if path else None
            except (FormatError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
            reward = number(value.get("reward") if isinstance(value, dict) else value)
            if reward is not None:
                return name, reward
        return None

    def _usage(self) -> Usage:
        result = self.result.agent_result
        if result is None or result.n_input_tokens is None:
            return self.accounts[0].usage if self.accounts else usage_of(self.atif.documents)
        return Usage(input_tokens=result.n_input_tokens, output_tokens=result.n_output_tokens, cost_usd=result.cost_usd)


def _names(result: Result) -> tuple[str, ...]:
    return tuple(name for name in (result.task_name, result.trial_name) if name)


def _names_of(candidate: Candidate) -> tuple[str, ...]:
    return names_recorded(candidate, "result.json", Result, _names)


def _segment_order(name: str) -> tuple[int, str]:
    digits = name.rpartition("-")[2].partition(".")[0]
    return (int(digits) if digits.isdecimal() and len(digits) < 10 else 0, name)


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
