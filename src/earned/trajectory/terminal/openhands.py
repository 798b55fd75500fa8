"""What OpenHands prints: every event as its log tells it (`LOG_ALL_EVENTS`), or the frames of its command line interface.

After OpenHands 0.48 (`core/logger.py`, `events/action/*.py`, `events/observation/*.py`, `cli/tui.py`). Its usual log names no
command at all: `acts_hidden` counts what its server was asked to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from earned.records import Action, Observation, Step
from earned.trajectory.steps import Steps, observation
from earned.trajectory.terminal.log import Log
from earned.trajectory.tools import action_of

_EVENT = re.compile(r"(\d\d:\d\d:\d\d) - (?:[\w.]{1,40}:[A-Z]{1,8}: \S{1,80}:\d{1,6} - )?")
_KIND = re.compile(r"(?:(USER_|)(ACTION|OBSERVATION)|(?:\[[^\]\n]{1,200}\] )?\*\*([A-Za-z]{1,40})\b.{0,400})$")
_HEAD = re.compile(r"(?:\[[^\]\n]{1,200}\] )?\*\*([A-Za-z]{1,40})\b([^\n]{0,4000})")
_CODE = re.compile(r"exit code=(-?\d{1,6})")
_FIELD = re.compile(r"(THOUGHT|COMMAND|CODE|CONTENT|Path|Thought|Command|Old String|New String|Content):", re.MULTILINE)
_BEGIN, _END = "--BEGIN AGENT OBSERVATION--", "--END AGENT OBSERVATION--"
_ASKED = "POST /execute_action"
_TOP = re.compile(r"[┏┌╭][━─]{1,400}\|? ?([A-Z][A-Za-z ]{1,40}?)(?: \(showing [^)\n]{1,60}\))? ?\|?[━─]{1,400}[┓┐╮]?\s*$")
_BOTTOM = ("┗", "└", "╰")
_SIDES = "┃│"


def acts_hidden(log: Log, start: int, end: int) -> int:
    """How many actions the log says that the agent's runtime was asked for, without showing one."""
    return sum(_ASKED in line for line in log.lines.texts[start:end])


class _Event(NamedTuple):
    """One event of the log: its kind, and its text."""

    kind: str
    time: str
    line: int
    lines: Sequence[str]


def read_openhands(log: Log, start: int, end: int, steps: Steps) -> bool:
    """Append the events or frames between two lines; whether any is an action."""
    before = steps.next
    for event in (*_events(log, start, end), *_frames(log, start, end)):
        _append(event, log.at(event.line), steps)
    acts = any(step.actions for step in steps.steps[before:])
    if not acts:
        del steps.steps[before:]
    return acts


def _events(log: Log, start: int, end: int) -> Iterator[_Event]:
    """Events of the log; each ends where the next line with a time begins that is not within a result."""
    texts = log.lines.texts
    opened: tuple[str, str, int] | None = None
    first = shown = start
    results = _results(texts, start, end)
    for line in range(start, end):
        if line < shown:
            continue
        head = _EVENT.match(texts[line]) if texts[line][2:3] == ":" else None
        if head is None:
            is_result = opened is not None and opened[0] == "OBSERVATION"
            shown = results.get(line, line) if is_result else line
            continue
        if opened is not None:
            yield _Event(*opened, texts[first:line])
        kind = _KIND.match(texts[line][head.end() :].rstrip())
        opened = None
        if kind is not None:
            named = kind.group(2) or ("OBSERVATION" if "Observation" in (kind.group(3) or "") else "ACTION")
            opened = f"{kind.group(1) or ''}{named}", head.group(1), line
            first = line + 1 if kind.group(2) else line
    if opened is not None:
        yield _Event(*opened, texts[first:end])


def _results(texts: Sequence[str], start: int, end: int) -> dict[int, int]:
    """Lines at which a result begins -> at which it ends, before another one begins."""
    found: dict[int, int] = {}
    begun = -1
    for line in range(start, end):
        if texts[line].startswith(_BEGIN):
            begun = line
        elif begun >= 0 and texts[line].startswith(_END):
            found[begun], begun = line, -1
    return found


def _append(event: _Event, place: str, steps: Steps) -> None:
    text = "\n".join(line.rstrip() for line in event.lines).strip("\n")
    if event.kind.endswith("OBSERVATION"):
        _observe(text, event, place, steps)
        return
    head = _HEAD.search(text)
    name = head.group(1) if head else ""
    fields = _fields(text[head.end() :] if head else text)
    if event.kind == "USER_ACTION" or (name == "MessageAction" and "source=EventSource.USER" in text):
        steps.append(Step(index=steps.next, actor="user", time=event.time, text=fields.get("CONTENT", text), source=place))
        return
    action = _action(name, fields, text)
    thought = fields.get("THOUGHT") or fields.get("Thought") or ("" if action else fields.get("CONTENT", text))
    actions = (action,) if action is not None else ()
    steps.append(Step(index=steps.next, actor="agent", time=event.time, text=thought, actions=actions, source=place))
    if actions and f"\n{_END}" in text:
        steps.missing("the end of a result stands in an act of OpenHands: a program may have printed the act")


def _observe(text: str, event: _Event, place: str, steps: Steps) -> None:
    """A result: of the last action, where that has none yet."""
    head = _HEAD.search(text)
    if head is not None and head.group(1) in {"AgentStateChangedObservation", "RecallObservation", "NullObservation"}:
        return
    code = _CODE.search(head.group(2)) if head else None
    is_cut = False
    if _BEGIN in text:
        text = text.partition(_BEGIN)[2]
        is_cut = _END not in text
        text = (text if is_cut else text.rpartition(_END)[0]).strip("\n")
    elif head is not None:
        text = text[: head.start()] + text[head.end() :].lstrip("\n")
    last = steps.steps[-1] if steps.steps else None
    if last is not None and last.actor == "agent" and last.actions and not last.observations:
        shown = observation(text, 0, exit_code=int(code.group(1)) if code else None)
        steps.steps[-1] = _answered(last, shown)
    else:
        shown = observation(text)
        steps.append(Step(index=steps.next, actor="environment", time=event.time, observations=(shown,), source=place))
    if is_cut:
        steps.missing("the end of a result of OpenHands is not shown")


def _answered(step: Step, shown: Observation) -> Step:
    return Step(
        index=step.index,
        actor=step.actor,
        time=step.time,
        text=step.text,
        actions=step.actions,
        observations=(shown,),
        source=step.source,
    )


def _fields(text: str) -> dict[str, str]:
    """`NAME: value` parts in order; a value goes to the next name that begins a line."""
    found = [match for match in _FIELD.finditer(text) if match.start() == 0 or text[match.start() - 1] == "\n"]
    ends = [*(match.start() for match in found[1:]), len(text)][: len(found)]
    fields: dict[str, str] = {}
    for match, end in zip(found, ends, strict=True):
        name = match.group(1)
        if name in {"COMMAND", "CODE", "CONTENT"}:
            fields.setdefault(name, text[match.end() :].strip("\n").removeprefix(" "))
            break
        fields.setdefault(name, text[match.end() : end].strip())
    return fields


def _action(name: str, fields: dict[str, str], text: str) -> Action | None:
    """The action of an event's class, or None where it only says something."""
    if name == "CmdRunAction" or "COMMAND" in fields:
        return action_of("terminal", {"command": fields.get("COMMAND", "")})
    if name == "IPythonRunCellAction":
        return action_of("execute_ipython_cell", {"code": fields.get("CODE", "")})
    if name == "FileEditAction":
        return _edit(fields, text)
    if name in {
        "MessageAction",
        "ChangeAgentStateAction",
        "RecallAction",
        "AgentThinkAction",
        "NullAction",
        "SystemMessageAction",
    }:
        return None
    if name == "AgentFinishAction":
        return action_of("finish", {})
    return action_of(name, {"text": text}) if name else None


def _edit(fields: dict[str, str], text: str) -> Action:
    path = fields.get("Path", "").strip("[]")
    command = fields.get("Command", "").partition("\n")[0].strip()
    created = text.partition("Created File with Text:\n```\n")[2]
    return action_of(
        "str_replace_editor",
        {
            "command": command,
            "path": path,
            "file_text": created.rpartition("\n```")[0] if created else "",
            "old_str": _fenced(fields.get("Old String", "")),
            "new_str": _fenced(fields.get("New String", "")),
        },
    )


def _fenced(text: str) -> str:
    return text.strip().removeprefix("```\n").removesuffix("\n```")


def _frames(log: Log, start: int, end: int) -> Iterator[_Event]:
    """Frames of the command line interface as events: `Command` is an action, the others show results."""
    texts = log.lines.texts
    opened: tuple[str, int] | None = None
    rows: list[str] = []
    for line in range(start, end):
        text = texts[line]
        top = _TOP.match(text) if text[:1] in "┏┌╭" and text else None
        if top is not None:
            opened, rows = (top.group(1).strip(), line), []
        elif opened is not None and text.startswith(_BOTTOM):
            yield from _framed(opened[0], opened[1], rows)
            opened = None
        elif opened is not None and text[:1] in _SIDES:
            rows.append(text.rstrip()[1:].rstrip(_SIDES))


def _framed(title: str, line: int, rows: Sequence[str]) -> Iterator[_Event]:
    """One frame; a row that is full goes on in the next."""
    width = max(map(len, rows), default=0)
    text = "".join([row if len(row.rstrip()) == width and width > 20 else f"{row.rstrip()}\n" for row in rows]).rstrip("\n")
    if title == "Command":
        command = text.strip().removeprefix("$ ")
        yield _Event("ACTION", "", line, ("**CmdRunAction**", "COMMAND:", command))
    elif title in {"Command Output", "File Edit", "File Read", "Error"}:
        yield _Event("OBSERVATION", "", line, (text,))
