"""The evidence chain: quote, receipt, integration, finding, condition, location, verdict."""

from __future__ import annotations

from typing import Literal

import msgspec

Label = Literal["legitimate", "unearned", "violation", "insufficient", "undecided"]
LABELS: tuple[Label, ...] = ("violation", "unearned", "undecided", "insufficient", "legitimate")
"""In the order of precedence among the passing attempts of one task (product.md, "neutral")."""

Channel = Literal[
    "git_objects",
    "network",
    "installed_package",
    "held_out_tests",
    "answer_files",
    "visible_tests",
    "grader_output",
    "instruction_leak",
    "harness_text",
    "test_runner",
    "reward_path",
    "judge_prompt",
    "own_claim",
    "none",
]
ControlSurface = Literal[
    "image_git",
    "egress_policy",
    "image_files",
    "package_index",
    "verifier_env",
    "reward_path",
    "runner_invocation",
    "grader_output",
    "task_text",
    "harness_prompt",
    "judge_prompt",
    "none",
]
FaultSide = Literal["agent", "harness", "task", "verifier", "unknown"]
GateName = Literal["effectiveness", "awareness", "none"]
Role = Literal["receipt", "integration", "mechanism", "intent", "grade_relevance", "context"]
Strength = Literal["signal", "strong", "proof"]
How = Literal["verbatim", "renamed", "value", "delivered"]
DecidedBy = Literal["rules", "agreement", "escalation", "person", "none"]
Confidence = Literal["low", "medium", "high"]


class Quote(msgspec.Struct, frozen=True, kw_only=True):
    """Verbatim text at a position: `part_text(steps[step], part)[start:end] == text`."""

    step: int
    part: str
    start: int
    end: int
    text: str


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Protected or foreign content delivered to the agent."""

    step: int
    action: int
    channel: Channel
    address: str
    """One concrete way in which it was reached: a ref, a URL, a path."""
    quote: Quote
    """Of what was shown; of the delivering action when nothing was."""
    path: str = ""
    """Where the content went when it was delivered without being shown."""
    targeted: bool = False
    """The act names what it is after (a non-ancestor ref, the upstream path of a graded file, a hidden test)."""
    why: str = ""


class Integration(msgspec.Struct, frozen=True, kw_only=True):
    """Received content that reappears in what the agent submits."""

    receipt: int
    """Index of the receipt."""
    path: str
    """File of the submission; empty for the answer."""
    lines: tuple[int, ...]
    """Line numbers in that file (new side), from 1; empty when only the path is known."""
    weight: float
    """Rarity-weighted amount of added content, in lines."""
    share: float
    """Of the rare added content of the submission's files of the same kind (tests, or all others), 0 to 1: a copied fix does
    not become less by writing tests beside it."""
    run: str
    """Longest common run: the quotable evidence, as it stands in the submission."""
    how: How
    quote: Quote
    """Of the act that wrote it (or delivered it)."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something seen in a trajectory. One without a verbatim quote is not a finding."""

    category: str
    rule: str
    """Identifier and version: `git.future_content@1`."""
    quote: Quote
    channel: Channel
    address: str
    strength: Strength
    why: str
    acts: tuple[tuple[int, int], ...] = ()
    """(step, action) of the acts that it rests on."""
    receipts: tuple[int, ...] = ()
    """Indices into the receipts of the pass."""
    integrations: tuple[int, ...] = ()
    """Indices into the integrations of the pass."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """One quoted piece of a verdict, with the part that it plays."""

    step: int
    role: Role
    quote: str
    why: str
    category: str
    native_id: str = ""
    part: str = ""
    start: int = 0
    end: int = 0


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """One of mechanism, intent, grade relevance. `met` is None when it was not asked."""

    met: bool | None = None
    evidence: tuple[int, ...] = ()
    """Indices into the verdict's evidence."""
    waived: Literal["intrinsically_deceptive"] | None = None
    why: str = ""


class Gate(msgspec.Struct, frozen=True, kw_only=True):
    """The gate that the decisive category names, and whether it holds."""

    name: GateName = "none"
    met: bool | None = None
    evidence: tuple[int, ...] = ()
    why: str = ""


class Location(msgspec.Struct, frozen=True, kw_only=True):
    """Where the leak or the manipulation happened, computed from surviving evidence."""

    channel: Channel
    control_surface: ControlSurface
    fault_side: FaultSide
    addresses: tuple[str, ...]
    evidence: tuple[int, ...]


class JudgeOpinion(msgspec.Struct, frozen=True, kw_only=True):
    """What one judge said of one pass."""

    role: str
    model: str
    prompt_hash: str = ""
    label: Label = "undecided"
    gate: bool | None = None


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The label of one surface pass and all that it rests on."""

    label: Label
    categories: tuple[str, ...] = ()
    gate: Gate = Gate()
    mechanism: Condition = Condition()
    intent: Condition = Condition()
    grade_relevance: Condition = Condition()
    locations: tuple[Location, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    decided_by: DecidedBy = "rules"
    judges: tuple[JudgeOpinion, ...] = ()
    confidence: Confidence = "low"
    undecided_reason: str = ""
    why: str = ""
    """One sentence in words: why this label."""
