"""What `earned read --show` prints: everything that a step holds, each part below a line that says what it is.

Such a line begins with three dashes; every line of recorded text is set in by two blanks, so that no text passes for a part.
"""

from __future__ import annotations

from collections.abc import Iterator

from earned.records import Action, Edit, Observation, Step
from earned.report import safe_line, safe_text

_INDENT = "  "


def step_text(step: Step) -> str:
    """The step as lines, safe to print."""
    return "\n".join(_lines(step))


def _lines(step: Step) -> Iterator[str]:
    subagent = f" {safe_line(step.subagent)}" if step.subagent else ""
    copied = ", copied" if step.copied else ""
    yield f"step {step.index} ({step.actor}{subagent}{copied}) {safe_line(step.source)}".rstrip()
    yield from _part("text", step.text)
    yield from _part("reasoning", step.reasoning)
    for number, action in enumerate(step.actions):
        yield from _action(action, f"action:{number}")
    for number, observation in enumerate(step.observations):
        yield from _observation(observation, f"observation:{number}")


def _part(title: str, text: str) -> Iterator[str]:
    """A line that says what it is, and the text; nothing where there is none."""
    if text:
        yield f"--- {safe_line(title)}"
        yield from _set_in(text)


def _set_in(text: str) -> Iterator[str]:
    for line in safe_text(text).split("\n"):
        yield f"{_INDENT}{line}".rstrip(" ")


def _action(action: Action, name: str) -> Iterator[str]:
    tool = f" by {safe_line(action.tool)}" if action.tool else ""
    yield f"--- {name} {action.kind}{tool}"
    told = [("in folder", action.cwd), ("language", action.language), *(("path", path) for path in action.paths)]
    told += [("url", action.url), ("query", action.query)]
    for title, value in told:
        if value:
            yield f"{title}: {safe_line(value)}"
    if action.command:
        yield from _set_in(action.command)
    for number, edit in enumerate(action.edits):
        yield from _edit(edit, f"{name} edit:{number}")
    if action.arguments:
        yield from _part(f"{name} arguments", action.arguments)


def _edit(edit: Edit, name: str) -> Iterator[str]:
    line = f" after line {edit.line}" if edit.line is not None else ""
    what = f"{name} {edit.operation} {edit.path}{line}"
    if not edit.old and not edit.new:
        yield f"--- {safe_line(what)}"
    yield from _part(f"{what}: replaced text", edit.old)
    yield from _part(f"{what}: new text" if edit.old else what, edit.new)


def _observation(observation: Observation, name: str) -> Iterator[str]:
    told = [f"of action:{observation.action}"] if observation.action >= 0 else []
    told += [f"exit code {observation.exit_code}"] if observation.exit_code is not None else []
    told += ["cut"] if observation.truncated else []
    yield " ".join(["---", name, ", ".join(told)]).rstrip()
    if observation.text:
        yield from _set_in(observation.text)
