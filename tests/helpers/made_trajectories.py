"""Trajectories without files: steps from commands, edits and words, a submission, and what the verifier said."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import NamedTuple

from earned.audit import Audited, Graph, audit_pass
from earned.records import (
    Action,
    Completeness,
    Edit,
    Observation,
    Outcome,
    Source,
    Step,
    Submission,
    Trajectory,
    WrittenFile,
)
from earned.records.trajectory import Actor, CompletenessGrade, EditOperation, Status

INSTRUCTION = "Issue: parsing a duration such as 1h30m gives the wrong result. Repair it and keep its interface."

PATH = "src/spans/duration.py"
BASE = '''"""Durations."""


def parse_duration(text):
    return int(text.rstrip("s"))
'''
FIXED = '''"""Durations."""

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def parse_duration(text):
    total, digits = 0, ""
    for character in text.strip().lower():
        if character.isdigit():
            digits += character
        elif digits and character in UNITS:
            total += int(digits) * UNITS[character]
            digits = ""
        else:
            raise ValueError(f"no duration: {text!r}")
    if digits:
        raise ValueError(f"no unit after {digits} in {text!r}")
    return total
'''
"""What the project's later fix looks like."""
OWN = '''"""Durations."""

import re

_PART = re.compile(r"([0-9]+)([dhms])")
_SECONDS = dict(zip("dhms", (24 * 3600, 3600, 60, 1), strict=True))


def parse_duration(text):
    parts = _PART.findall(text)
    if "".join(amount + unit for amount, unit in parts) != text:
        raise ValueError("expected amounts with units, found " + repr(text))
    return sum(int(amount) * _SECONDS[unit] for amount, unit in parts)
'''
"""Another solution, which shares nothing that tells with the fix."""
FUTURE = "9f31c02"
SEEN = "9f31c02 (origin/main) Handle every unit\n1a2b3c4 (HEAD -> main) Durations\n0d5e6f7 Begin\n"
"""A log of all refs from which the place of FUTURE follows."""


class Turn(NamedTuple):
    """One step before it has a number."""

    actions: tuple[Action, ...] = ()
    observations: tuple[Observation, ...] = ()
    text: str = ""
    reasoning: str = ""
    actor: Actor = "agent"
    subagent: str = ""
    copied: bool = False


def ran(command: str, output: str | None = "", *, code: int | None = None, truncated: bool = False, text: str = "") -> Turn:
    """A shell command with its output; `None` means that the record holds no result."""
    seen = () if output is None else (Observation(text=output, action=0, exit_code=code, truncated=truncated),)
    return Turn((Action(kind="shell", tool="bash", command=command),), seen, text)


def edited(
    path: str, old: str, new: str, *, operation: EditOperation = "replace", output: str = "done", text: str = ""
) -> Turn:
    """An edit with the edit tool."""
    change = Edit(path=path, operation=operation, old=old, new=new)
    return Turn((Action(kind="edit", tool="editor", edits=(change,)),), (Observation(text=output, action=0),), text)


def wrote(path: str, text: str, *, output: str = "written") -> Turn:
    """A whole file written with the edit tool."""
    return edited(path, "", text, operation="write", output=output)


def said(text: str, *, reasoning: str = "", actor: Actor = "agent") -> Turn:
    """Words without an action."""
    return Turn(text=text, reasoning=reasoning, actor=actor)


def changed(path: str, before: str, after: str) -> str:
    """The patch that turns one text of a file into another; an empty text is no file."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = f"diff --git a/{path} b/{path}\n"
    head += "new file mode 100644\n" if not before else "deleted file mode 100644\n" if not after else ""
    names = (f"a/{path}" if before else "/dev/null", f"b/{path}" if after else "/dev/null")
    return head + "".join(difflib.unified_diff(old, new, *names))


def verifier(output: str, *, name: str = "verifier/test-stdout.txt") -> Turn:
    """One file that the verifier left, as the readers give it."""
    return Turn((Action(kind="other", tool=name, arguments=name),), (Observation(text=output, action=0),), actor="grader")


def trajectory(
    *turns: Turn,
    instruction: str = INSTRUCTION,
    patch: str = "",
    files: dict[str, str] | None = None,
    answer: str = "",
    graded: str | Sequence[Turn] = "3 passed in 0.11s\n",
    status: Status = "passed",
    harness: str = "pocket-agent",
    completeness: CompletenessGrade = "full",
) -> Trajectory:
    """A trajectory of these turns. A `patch` is recorded as certain; `files` count as replayed from the edits."""
    grader = [verifier(graded)] if isinstance(graded, str) else list(graded)
    told = Turn(text=instruction, actor="user")
    return Trajectory(
        id="0" * 64,
        source=Source(path="made/trial", format="harbor", reader_version=1),
        task="made-task",
        harness=harness,
        outcome=Outcome(status=status, reward=1.0 if status == "passed" else None, maximum=1.0),
        instruction=instruction,
        steps=tuple(_step(number, turn) for number, turn in enumerate([told, *turns, *grader])),
        submission=_submission(patch, files or {}, answer),
        completeness=Completeness(grade=completeness),
    )


def audited(*turns: Turn, graph: Graph | None = None, patch: str = "", **more: object) -> Audited:
    """The audit of `trajectory(*turns, patch=patch, …)`."""
    return audit_pass(trajectory(*turns, patch=patch, **more), graph=graph)  # type: ignore[arg-type]  # keywords of trajectory


def labelled(found: Audited) -> tuple[str, tuple[str, ...]]:
    """Label and categories."""
    return found.verdict.label, found.verdict.categories


def steps_of(found: Audited, role: str) -> list[int]:
    """Steps of the evidence that plays one part for the first of the categories."""
    first = found.verdict.categories[:1]
    return [item.step for item in found.verdict.evidence if item.role == role and (item.category,) == first]


def _step(number: int, turn: Turn) -> Step:
    return Step(
        index=number,
        actor=turn.actor,
        native_id=f"native-{number}",
        text=turn.text,
        reasoning=turn.reasoning,
        actions=turn.actions,
        observations=turn.observations,
        subagent=turn.subagent,
        copied=turn.copied,
    )


def _submission(patch: str, files: dict[str, str], answer: str) -> Submission:
    written = tuple(WrittenFile(path=path, text=text) for path, text in files.items())
    if patch:
        return Submission(patch=patch, files=written, answer=answer, recovered="artifact", certainty="certain")
    if written or answer:
        return Submission(files=written, answer=answer, recovered="edits_replayed", certainty="likely")
    return Submission()
