"""Where the submission's line keys stand in a trajectory: all texts are searched at once, many times faster than one by one."""

from __future__ import annotations

from earned.audit.targets import Targets
from earned.content import Hit, LineKeys
from earned.records import Trajectory

KeyPlaces = dict[tuple[int, str], list[Hit]]
"""(step, part) to the hits in it; a part without any has no entry. The instruction stands at (-1, `text`)."""

INSTRUCTION = (-1, "text")


def key_places(trajectory: Trajectory, targets: Targets) -> KeyPlaces:
    """Every place of every key, in this run's steps and in the instruction."""
    places = [INSTRUCTION]
    texts = [trajectory.instruction]
    for step in trajectory.steps:
        if step.copied or step.actor == "grader":
            continue
        parts = [("text", step.text), ("reasoning", step.reasoning)]
        parts += [(f"action:{number}", action.text) for number, action in enumerate(step.actions)]
        parts += [(f"observation:{number}", item.text) for number, item in enumerate(step.observations)]
        for name, text in parts:
            if text:
                places.append((step.index, name))
                texts.append(text)
    found = LineKeys(targets.keys).hits_in(texts)
    return {place: hits for place, hits in zip(places, found, strict=True) if hits}
