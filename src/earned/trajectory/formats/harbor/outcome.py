"""When a Harbor trial passed: `rewards["reward"] == 1.0`, and the reward is valid.

A missing reward is missing data, not zero. A reward is invalid when Harbor recorded it so, or when an exception's policy says
so; the table of policies is that of harbor 0.26.0 (`harbor/models/trial/error_policy.py`), where an unknown exception leaves
the reward valid. `verifier/reward.txt` and `reward.json`, where present, must say the same (`verifier.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from earned.records import Outcome

PASS = 1.0
_INVALIDATING = """
    EnvironmentStartTimeoutError SandboxBuildFailedError AgentSetupTimeoutError HealthcheckError
    SandboxLikelyOutOfMemoryError MemoryLimitExceededError SSHAccessError GKEExecStreamClosedError GKEPodNotFoundError
    RuntimeRequestError AddTestsDirError DownloadVerifierDirError ApiError ApiRateLimitError ApiInternalServerError
    ApiOverloadedError ApiConnectionClosedError ApiResponseStalledError UnknownApiError NetworkConnectionError
    ApiConnectionError ApiUsageLimitError RateLimitError InternalServerError ServiceUnavailableError APIConnectionError
    APIError Timeout UnsupportedModelParametersError BadRequestError UnprocessableEntityError UnsupportedParamsError
    APIResponseValidationError BudgetExceededError VerifierTimeoutError RewardFileNotFoundError RewardFileEmptyError
    VerifierOutputParseError AgentAuthenticationError ModelNotFoundError ApiProviderResourceNotFoundError
    AuthenticationError PermissionDeniedError NotFoundError ServiceOperationsUnsupportedError VercelScopeError
    DspyImportError MissingExtraError RegradeError CancelledError
"""
INVALIDATING = frozenset(_INVALIDATING.split())
"""Exceptions after which a recorded reward does not count."""


class Left(NamedTuple):
    """What one file that the verifier left says of the reward."""

    file: str
    reward: float | None
    """None: what it holds is no reward."""
    text: str


class Policy(msgspec.Struct):
    """What Harbor recorded of an exception's handling."""

    has_valid_reward: bool | None = None


class TrialException(msgspec.Struct):
    """An exception of a trial or of one of its steps."""

    exception_type: str | None = None
    exception_message: str | None = None
    policy: Policy | None = None
    policy_override: Policy | None = None


class VerifierResult(msgspec.Struct):
    """Rewards by name."""

    rewards: dict[str, Any] | None = None


class StepResult(msgspec.Struct):
    """One step of a multi-step trial."""

    step_name: str | None = None
    verifier_result: VerifierResult | None = None
    exception_info: TrialException | None = None


def outcome_of(
    rewards: dict[str, Any] | None,
    *,
    exceptions: Iterator[TrialException],
    recorded_valid: bool | None,
    source: str,
    left: Sequence[Left] = (),
) -> Outcome:
    """The outcome of a trial.

    Args:
        rewards: `verifier_result.rewards` of the result.
        exceptions: Of the trial and of its steps.
        recorded_valid: `reward_valid` of the result; None when it records none.
        source: The file and key of the reward.
        left: What each file that the verifier itself left says of the reward.
    """
    reward = number((rewards or {}).get("reward"))
    if reward is None:
        found = f"rewards are {', '.join(sorted(rewards)[:8])}" if rewards else "no rewards are recorded"
        return Outcome(status="unknown", source=source, detail=f"expected a number under `reward`; {found}")
    invalid = next((item.exception_type or "exception" for item in exceptions if not _valid_after(item)), "")
    if invalid or recorded_valid is False:
        why = f"the reward does not count after {invalid}" if invalid else "the reward is recorded as not valid"
        return Outcome(status="unknown", reward=reward, maximum=PASS, source=source, detail=why)
    return contradicted(reward, source, left) or graded(reward, source)


def contradicted(reward: float, source: str, left: Sequence[Left]) -> Outcome | None:
    """The outcome of a reward where the verifier left files and none of them says it; else None."""
    if not left or any(item.reward == reward for item in left):
        return None
    return Outcome(
        status="unknown" if all(item.reward is None for item in left) else "conflicting",
        reward=reward,
        maximum=PASS,
        source=source,
        detail="; ".join([f"{source} says {reward}", *map(said_by, left)]),
    )


def said_by(item: Left) -> str:
    """What one file of the verifier says, in words."""
    return f"{item.file} {'holds no reward:' if item.reward is None else 'says'} {item.text}"


def graded(reward: float, source: str) -> Outcome:
    """A valid reward as an outcome: only full credit passes."""
    if reward == PASS:
        return Outcome(status="passed", reward=reward, maximum=PASS, source=source)
    if reward > PASS:
        detail = f"the reward {reward} lies above the maximum {PASS}"
        return Outcome(status="unknown", reward=reward, maximum=PASS, source=source, detail=detail)
    if reward > 0:
        detail = f"reward {reward} of {PASS}"
        return Outcome(status="partial_credit", reward=reward, maximum=PASS, source=source, detail=detail)
    return Outcome(status="failed", reward=reward, maximum=PASS, source=source)


def number(value: object) -> float | None:
    """A JSON value as a finite number; None when it is none. `true` counts as 1, as Harbor reads it."""
    if not isinstance(value, (int, float)):
        return None
    try:
        made = float(value)
    except OverflowError:
        return None
    return made if math.isfinite(made) else None


def _valid_after(item: TrialException) -> bool:
    for policy in (item.policy, item.policy_override):
        if policy is not None and policy.has_valid_reward is not None:
            return policy.has_valid_reward
    return (item.exception_type or "") not in INVALIDATING
