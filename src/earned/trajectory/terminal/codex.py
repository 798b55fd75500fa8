"""What `codex exec` prints for people: events with a time in front of them, or, since 0.40, headings on lines of their own.

After Codex 0.20 to 0.125 (`codex-rs/exec/src/event_processor_with_human_output.rs`). The versions with times show at most
twenty lines of a result, without saying so.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from earned.records import Action, Edit, Observation, Step
from earned.trajectory.steps import Steps, observation
from earned.trajectory.terminal.log import Log
from earned.trajectory.tools import MAX_SHLEX, action_of, command_text

SHOWN_LINES = 20
"""Lines of a result that the versions with times show (`MAX_OUTPUT_LINES_FOR_EXEC_TOOL_CALL`)."""

_BANNER = re.compile(r"(?:\[[0-9T:.+Z-]{10,40}\] )?OpenAI Codex v\d")
_TIMED = re.compile(r"\[(\d{4}-\d\d-\d\dT[0-9:.+Z-]{5,30})\] (.*)$")
_HEADING = re.compile(r"(user|thinking|codex|exec|tokens used|file update:?|apply patch|mcp startup.{0,200}|turn diff:?)\s*$")
_ENDED = re.compile(r"(?:^|[^\n]* )?(succeeded|exited (-?\d{1,6})) in [0-9.]{1,12}m?s:?$")
_PLACE = re.compile(r" in ((?:/|[A-Za-z]:\\)[^\n]{0,1000}?)(?: (?:succeeded|exited -?\d{1,6}) in [0-9.]{1,12}m?s:?)?$")
_CHANGE = re.compile(r"([ADM]) (/[^\n]{1,1000})$")


class _Event(NamedTuple):
    """One event: what it is, its first line behind that, and the lines below."""

    kind: str
    rest: str
    time: str
    line: int
    lines: Sequence[str]


def read_codex(log: Log, start: int, end: int, steps: Steps) -> bool:
    """Append the events behind a banner; whether any is an action."""
    texts = log.lines.texts
    banner = next((line for line in range(start, end) if "OpenAI Codex v" in texts[line] and _BANNER.match(texts[line])), None)
    if banner is None:
        return False
    before = steps.next
    is_timed = texts[banner].startswith("[")
    told = _Told(log, steps, is_timed=is_timed)
    for event in _timed(texts, banner, end) if is_timed else _headed(texts, banner, end):
        told.take(event)
    acts = any(step.actions for step in steps.steps[before:])
    if not acts:
        del steps.steps[before:]
    return acts


def _timed(texts: Sequence[str], start: int, end: int) -> Iterator[_Event]:
    heads = [(line, found) for line in range(start, end) if (found := _TIMED.match(texts[line]))]
    for number, (line, found) in enumerate(heads):
        following = heads[number + 1][0] if number + 1 < len(heads) else end
        kind, _, rest = found.group(2).partition(" ")
        if _ENDED.search(found.group(2)) or (kind in {"bash", "zsh", "sh"} or "/" in kind):
            kind, rest = "result", found.group(2)
        yield _Event(kind, rest, found.group(1), line, texts[line + 1 : following])


def _headed(texts: Sequence[str], start: int, end: int) -> Iterator[_Event]:
    heads = [line for line in range(start, end) if _HEADING.match(texts[line])]
    for number, line in enumerate(heads):
        following = heads[number + 1] if number + 1 < len(heads) else end
        yield _Event(texts[line].split(":")[0].strip(), "", "", line, texts[line + 1 : following])


class _Told:
    """Steps as the events come."""

    def __init__(self, log: Log, steps: Steps, *, is_timed: bool) -> None:
        self.log = log
        self.steps = steps
        self.is_timed = is_timed
        self.waiting: dict[str, int] = {}
        """Printed command -> step that waits for its result."""

    def take(self, event: _Event) -> None:
        """Append what an event says."""
        text = "\n".join(line.rstrip() for line in event.lines).strip("\n")
        place = self.log.at(event.line)
        if event.kind == "exec":
            self._run(event, place)
        elif event.kind == "result":
            self._result([event.rest, *event.lines])
        elif event.kind in {"apply_patch", "file update"}:
            self._patch(event, text, place)
        elif event.kind in {"codex", "thinking"} and text:
            reasoning = text if event.kind == "thinking" else ""
            said = "" if reasoning else text
            self._append(
                Step(index=self.steps.next, actor="agent", time=event.time, text=said, reasoning=reasoning, source=place)
            )
        elif event.kind in {"User", "user"}:
            self._append(Step(index=self.steps.next, actor="user", time=event.time, text=text, source=place))

    def _append(self, step: Step) -> None:
        self.steps.append(step)

    def _run(self, event: _Event, place: str) -> None:
        """A command; in the versions with headings its result stands below it."""
        lines = [event.rest, *event.lines] if event.rest else list(event.lines)
        last = next((number for number, line in enumerate(lines) if _PLACE.search(line)), None)
        if last is None:
            return
        found = _PLACE.search(lines[last])
        printed = "\n".join([*lines[:last], lines[last][: found.start()] if found else lines[last]])
        self.waiting[printed] = self.steps.next
        made = action_of("terminal", {"command": _unquoted(printed), "cwd": found.group(1) if found else ""})
        self._append(Step(index=self.steps.next, actor="agent", time=event.time, actions=(made,), source=place))
        below = lines[last:] if _ENDED.search(lines[last]) else lines[last + 1 :]
        if not self.is_timed and any(_ENDED.search(line) for line in below[:1]):
            self._answer(self.waiting.pop(printed), below)

    def _result(self, lines: Sequence[str]) -> None:
        """A result of the versions with times, which repeat the command in front of it."""
        end = next((number for number, line in enumerate(lines) if _ENDED.search(line)), None)
        if end is None:
            return
        found = _ENDED.search(lines[end])
        at = found.start(1) - 1 if found else 0
        printed = "\n".join([*lines[:end], lines[end][: max(at, 0)]])
        step = self.waiting.pop(printed, None)
        if step is None and self.waiting:
            step = self.waiting.pop(next(reversed(self.waiting)))
        if step is not None:
            self._answer(step, lines[end:])

    def _answer(self, index: int, lines: Sequence[str]) -> None:
        found = _ENDED.search(lines[0])
        code = 0 if found and found.group(1) == "succeeded" else int(found.group(2)) if found else None
        text = "\n".join(line.rstrip() for line in lines[1:]).rstrip("\n")
        made = observation(text, 0, exit_code=code)
        if self.is_timed and len(lines) - 1 >= SHOWN_LINES:
            made = Observation(text=text, action=0, exit_code=code, truncated=True)
        step = self.steps.steps[index]
        self.steps.steps[index] = Step(
            index=index, actor="agent", time=step.time, actions=step.actions, observations=(made,), source=step.source
        )

    def _patch(self, event: _Event, text: str, place: str) -> None:
        if _ENDED.search(event.rest):
            return
        edits = tuple(_changes(event.lines))
        if "diff --git " in text and not edits:
            edits = (Edit(path="", operation="patch", new=text + "\n"),)
        if edits:
            made = Action(kind="edit", tool="apply_patch", edits=edits)
            shown = Observation(text="", action=0)
            step = Step(
                index=self.steps.next, actor="agent", time=event.time, actions=(made,), observations=(shown,), source=place
            )
            self._append(step)


def _changes(lines: Sequence[str]) -> Iterator[Edit]:
    """Changed files of a patch: `A` with the new text, `M` with a diff, `D`."""
    heads = [(number, found) for number, line in enumerate(lines) if (found := _CHANGE.match(line.rstrip()))]
    for place, (number, found) in enumerate(heads):
        end = heads[place + 1][0] if place + 1 < len(heads) else len(lines)
        path, body = found.group(2), "\n".join(line.rstrip() for line in lines[number + 1 : end]).rstrip("\n") + "\n"
        if found.group(1) == "A":
            yield Edit(path=path, operation="write", new=body)
        elif found.group(1) == "D":
            yield Edit(path=path, operation="delete")
        else:
            yield Edit(path=path, operation="patch", new=f"--- a{path}\n+++ b{path}\n{body}")


def _unquoted(printed: str) -> str:
    """The command that a shell was asked to run, out of the printed words."""
    if len(printed) > MAX_SHLEX:
        return printed
    try:
        words = shlex.split(printed)
    except ValueError:
        return printed
    shell = words[:1] and words[0].rsplit("/", 1)[-1] in {"bash", "sh", "zsh"}
    return command_text(words) if shell and len(words) == 3 else printed
