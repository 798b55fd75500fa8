"""Where the submission's line keys stand in a trajectory: all texts are searched at once, many times faster than one by one."""

from __future__ import annotations

from earned.audit.targets import Targets
from earned.content import Hit, LineKeys
from earned.records import Step, Trajectory, part_text

KeyPlaces = dict[tuple[int, str], list[Hit]]
"""(step, part) to the hits in it; a part without any has no entry. The instruction stands at (-1, `text`)."""

INSTRUCTION = (-1, "text")


def key_places(trajectory: Trajectory, targets: Targets) -> KeyPlaces:
    """Every place of every key, in this run's steps and in the instruction."""
    places = [INSTRUCTION]
    texts = [trajectory.instruction]
    for step in trajectory.steps:
        if not step.copied and step.actor != "grader":
            names = _parts(step)
            places += [(step.index, name) for name in names]
            texts += [part_text(step, name) for name in names]
    found = LineKeys(targets.keys).hits_in(texts)
    return {place: hits for place, hits in zip(places, found, strict=True) if hits}


def _parts(step: Step) -> list[str]:
    acts = [f"action:{number}" for number in range(len(step.actions))]
    return ["text", "reasoning", *acts, *(f"observation:{number}" for number in range(len(step.observations)))]
