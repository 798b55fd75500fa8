"""What is read of a Harbor trial's `result.json` and configuration; unknown keys are ignored.

After harbor 0.26.0 (`harbor/models/trial/result.py`, `config.py`, `harbor/models/task/config.py`).
"""

from __future__ import annotations

import msgspec

from earned.records.trajectory import Network
from earned.trajectory.formats.harbor.outcome import StepResult, TrialException, VerifierResult


class ModelInfo(msgspec.Struct):
    """The model of an agent."""

    name: str | None = None
    provider: str | None = None


class AgentInfo(msgspec.Struct):
    """The agent of a trial."""

    name: str | None = None
    version: str | None = None
    model_info: ModelInfo | None = None


class AgentResult(msgspec.Struct):
    """Usage of a trial."""

    n_input_tokens: int | None = None
    n_output_tokens: int | None = None
    cost_usd: float | None = None


class AgentConfig(msgspec.Struct):
    """The agent as configured."""

    name: str | None = None
    model_name: str | None = None
    network_mode: str | None = None


class EnvironmentConfig(msgspec.Struct):
    """The sandbox as configured."""

    type: str | None = None
    import_path: str | None = None
    network_mode: str | None = None
    allow_internet: bool | None = None


class Config(msgspec.Struct):
    """The configuration of a trial or a task, as far as conditions stand in it."""

    agent: AgentConfig | None = None
    environment: EnvironmentConfig | None = None
    instruction: str | None = None


class Result(msgspec.Struct):
    """`result.json` of a trial."""

    task_name: str | None = None
    trial_name: str | None = None
    source: str | None = None
    config: Config | None = None
    agent_info: AgentInfo | None = None
    agent_result: AgentResult | None = None
    verifier_result: VerifierResult | None = None
    exception_info: TrialException | None = None
    started_at: str | None = None
    finished_at: str | None = None
    step_results: list[StepResult] | None = None
    reward_valid: bool | None = None


_NETWORKS: dict[str, Network] = {
    "no-network": "closed",
    "allowlist": "allow_list",
    "public": "open",
}


def network_of(configs: list[Config]) -> Network:
    """The network of the agent's phase: its own mode where one is recorded, else the sandbox's."""
    modes = [config.agent.network_mode for config in configs if config.agent]
    modes += [config.environment.network_mode for config in configs if config.environment]
    for mode in modes:
        if mode:
            return _NETWORKS.get(mode.lower().replace("_", "-"), "unknown")
    allowed = [config.environment.allow_internet for config in configs if config.environment]
    first = next((allow for allow in allowed if allow is not None), None)
    return "unknown" if first is None else ("open" if first else "closed")
