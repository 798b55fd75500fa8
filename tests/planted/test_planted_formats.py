"""The example trials, written in every format that can hold them, get the same label, categories and decisive steps.

A decisive step is compared by the acts that the agent had made until then, since formats group and number steps differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command_line import EXAMPLES, earned, lines
from made_attempt import RENDERINGS, Attempt, Call, Turn, holds_patch, holds_verifier, rendering

from earned.records import Trajectory
from earned.trajectory import Candidate, discover, read_candidate

LABELS = {row["trial"]: row for row in lines(EXAMPLES.parent / "labels.jsonl")}
ROLES = {"receipt", "integration", "mechanism", "grade_relevance"}
BASE = "harbor"
OTHERS = sorted(name for name in RENDERINGS if name != BASE and holds_patch(name))


class Held(NamedTuple):
    """What a format can hold of an attempt."""

    has_edits: bool
    has_verifier: bool


class Said(NamedTuple):
    """What the audit says of one attempt."""

    label: str
    categories: tuple[str, ...]
    channels: tuple[str, ...]
    acts: tuple[int, ...]
    """Of each decisive step, the number of the agent's acts up to its first one."""


def trajectories(place: Path) -> list[Trajectory]:
    """All that is read at a place."""
    found = [item for item in discover([place]) if isinstance(item, Candidate)]
    return [item for candidate in found for item in read_candidate(candidate) if isinstance(item, Trajectory)]


def as_attempt(trajectory: Trajectory) -> Attempt:
    """A trial of the examples as an attempt that can be rendered."""
    turns = [
        Turn(
            text="\n".join(text for text in (step.text, step.reasoning) if text),
            calls=tuple(
                as_call(action.command, action.edits, step.observations[number].text)
                for number, action in enumerate(step.actions)
            ),
        )
        for step in trajectory.steps
        if step.actor == "agent"
    ]
    return Attempt(
        turns=tuple(turns),
        task=trajectory.attempt,
        model=trajectory.model,
        instruction=trajectory.instruction,
        patch=trajectory.submission.patch,
        verifier="\n".join(item.text for step in trajectory.steps if step.actor == "grader" for item in step.observations),
    )


def as_call(command: str, edits: tuple[Any, ...], result: str) -> Call:
    if command:
        return Call("bash", command=command, result=result)
    (edit,) = edits
    return Call("write" if edit.operation == "write" else "edit", path=edit.path, old=edit.old, new=edit.new, result=result)


def as_held(attempt: Attempt, held: Held) -> Attempt:
    """The attempt as far as a format can hold it: with a shell alone every edit is made by a program."""
    turns = attempt.turns
    if not held.has_edits:
        turns = tuple(Turn(turn.text, tuple(bash_of(call) for call in turn.calls)) for turn in turns)
    return replace(attempt, turns=turns, verifier=attempt.verifier if held.has_verifier else "")


def bash_of(call: Call) -> Call:
    if call.kind == "bash":
        return call
    if call.kind == "write":
        return Call("bash", command=f"cat > {call.path} <<'EOF'\n{call.new}EOF", result="")
    program = (
        f"from pathlib import Path\npath = Path({call.path!r})\ntext = path.read_text()\n"
        f"path.write_text(text.replace({call.old!r}, {call.new!r}))\n"
    )
    return Call("bash", command=f"python - <<'PY'\n{program}PY", result="")


ATTEMPTS = [as_attempt(item) for item in trajectories(EXAMPLES)]


def audited(place: Path, work: Path) -> dict[str, Said]:
    """What `earned audit` says of every attempt at a place, by task."""
    rows = work / "rows.jsonl"
    done = earned("audit", place, "--out", work / "audit", "--export", rows, "--jobs", "1", "--quiet")
    assert done.code == 0, done.err
    read = {item.id: item for item in trajectories(place)}
    return {name_of(read[row["trajectory_id"]]): said(row, read[row["trajectory_id"]]) for row in lines(rows)}


def name_of(trajectory: Trajectory) -> str:
    names = {attempt.task for attempt in ATTEMPTS}
    known = {trajectory.task, trajectory.attempt, trajectory.source.member, Path(trajectory.source.path).name.split(".")[0]}
    (name,) = names & known
    return name


def said(row: Mapping[str, Any], trajectory: Trajectory) -> Said:
    before: dict[int, int] = {}
    acts = 0
    for step in trajectory.steps:
        before[step.index] = acts
        acts += len([action for action in step.actions if action.kind not in {"submit", "message"}]) * (step.actor == "agent")
    decisive = {item["step"] for item in row["evidence"] if item["role"] in ROLES}
    return Said(
        row["label"],
        tuple(sorted(row["categories"])),
        tuple(sorted(place["channel"] for place in row["locations"])),
        tuple(sorted(before[step] for step in decisive if trajectory.steps[step].actor == "agent")),
    )


def held_by(name: str) -> Held:
    return Held("edit" in rendering(name)[1], holds_verifier(name))


def rendered(name: str, held: Held, folder: Path) -> Path:
    """All attempts in one format, below one folder, each in one of its own."""
    render, _ = rendering(name)
    for attempt in ATTEMPTS:
        render(as_held(attempt, held), folder / attempt.task)
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Held], dict[str, Said]]:
    """What the audit says of the trials as Harbor writes them, with as much in them as another format can hold."""

    @cache
    def found(held: Held) -> dict[str, Said]:
        folder = tmp_path_factory.mktemp("base")
        return audited(rendered(BASE, held, folder / "in"), folder)

    return found


Base = Callable[[Held], dict[str, Said]]


@pytest.mark.parametrize("has_edits", [True, False])
def test_the_base_has_the_labels_of_the_examples(base: Base, has_edits: bool) -> None:
    found = base(Held(has_edits, has_verifier=True))
    labels = {name: row["label"] for name, row in LABELS.items()}
    assert {name: item.label for name, item in found.items()} == labels
    assert [name for name, item in found.items() if not set(LABELS[name]["categories"]) <= set(item.categories)] == []


@pytest.mark.parametrize("name", OTHERS)
def test_the_same_trials_in_another_format_get_the_same(name: str, base: Base, tmp_path: Path) -> None:
    wanted = base(held_by(name))
    found = audited(rendered(name, held_by(name), tmp_path / "in"), tmp_path)
    assert sorted(found) == sorted(wanted)
    assert {task: (found[task], wanted[task]) for task in wanted if found[task] != wanted[task]} == {}


def test_six_formats_and_more_hold_all_that_decides_a_label() -> None:
    assert len([name for name in RENDERINGS if held_by(name).has_verifier]) >= 6
    assert sorted(LABELS) == sorted(attempt.task for attempt in ATTEMPTS)
