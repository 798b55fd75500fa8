"""What mini-swe-agent prints: a banner for each step with thought and command, then the result as the next user message.

After mini-swe-agent 1.7 (`agents/interactive.py`), which prints through `rich`: lines are wrapped at words to the terminal's
width, tabs are blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from earned.records import Action, Observation, Step
from earned.trajectory.steps import Steps, observation
from earned.trajectory.terminal.log import MAX_SHOWN, Log
from earned.trajectory.terminal.wrap import may_lack_blanks, rule_width, unbroken
from earned.trajectory.tools import action_of

_BANNER = re.compile(r"mini-swe-agent \(step (\d{1,7}), \$\d{1,9}(?:\.\d{1,9})?\):")
_HEADER = re.compile(r"(?:User|Tool|Exit):\s*$")
_BLOCK = re.compile(r"```(?:mswea_bash_command|bash|sh)[^\S\n]*\n(.{0,1000000}?)\n?```", re.DOTALL)
_WAITING = "Waiting for the LM to respond"
_ENDS = ("</output>", "</output_tail>", "</exception>")
_OPENS, _CLOSES = ("<output>", "<output_head>"), ("</output>", "</output_tail>")
_RESULT = ("<returncode>", "<output", "<exception", "<warning>", "Please always provide", "The last command")


class _Turn(NamedTuple):
    """One banner with the lines up to the next."""

    number: str
    line: int
    end: int
    is_next: bool
    """Its number is the one to come."""


def read_mini(log: Log, start: int, end: int, steps: Steps) -> bool:
    """Append the turns between two lines; whether there is any."""
    turns = list(_turns(log, start, end))
    if not turns:
        return False
    width = rule_width(log.lines.texts[start:end]) or log.width
    told = log.text(start, turns[0].line)
    cut = observation(told[:MAX_SHOWN])
    steps.append(Step(index=steps.next, actor="harness", observations=(cut,), source=log.at(start)))
    for turn in turns:
        _append(log, turn, width, steps)
    return True


def _turns(log: Log, start: int, end: int) -> Iterator[_Turn]:
    """Banners outside of results. Their numbers go up by one, or what a program printed cannot be told from the acts."""
    banners = _banners(log, start, end)
    for place, (number, line, is_next) in enumerate(banners):
        yield _Turn(number, line, banners[place + 1][1] if place + 1 < len(banners) else end, is_next)


def _banners(log: Log, start: int, end: int) -> list[tuple[str, int, bool]]:
    """Number and line of each step's banner, and whether that is the number to come."""
    found: list[tuple[str, int, bool]] = []
    within: list[tuple[str, int, bool]] = []
    shown, wanted = _Shown(), 1
    for line in range(start, end):
        text = log.lines.texts[line]
        banner = _BANNER.match(text) if text.startswith("mini-swe-agent (") else None
        if banner is None:
            shown.take(text)
        elif shown.is_open:
            within.append((banner.group(1), line, False))
        else:
            number = int(banner.group(1))
            is_next = number == wanted or (not found and not number)
            found += [] if is_next else _swallowed(within, wanted)
            found.append((banner.group(1), line, is_next))
            shown, wanted, within = _Shown(), number + 1, []
    return found + _swallowed(within, wanted)


def _swallowed(within: list[tuple[str, int, bool]], wanted: int) -> list[tuple[str, int, bool]]:
    """Banners within a result that may be steps: its end may be gone from the screen."""
    first = next((place for place, (number, _, _) in enumerate(within) if int(number) == wanted), len(within))
    return within[first:]


class _Shown:
    """Whether the lines of a step stand within its result."""

    def __init__(self) -> None:
        self._is_answered = False
        self.is_open = False

    def take(self, line: str) -> None:
        """One more line."""
        if self.is_open or (self._is_answered and line.startswith(_OPENS)):
            self.is_open = not line.rstrip().endswith(_CLOSES)
        elif line[:1] in {"U", "T", "E"}:
            self._is_answered = self._is_answered or _HEADER.match(line) is not None


def _append(log: Log, turn: _Turn, width: int, steps: Steps) -> None:
    raw = log.lines.texts[turn.line + 1 : turn.end]
    lines = unbroken(raw, width)
    header = _header(lines)
    message = "\n".join(line for line in lines[:header] if _WAITING not in line).strip("\n")
    blocks = _BLOCK.findall(message)
    actions: tuple[Action, ...] = (action_of("terminal", {"command": blocks[0]}),) if len(blocks) == 1 else ()
    shown = _result(lines[header + 1 :]) if header < len(lines) else None
    results: tuple[Observation, ...] = ()
    if actions and shown is not None:
        results = (observation(shown, 0),)
    steps.append(
        Step(
            index=steps.next,
            actor="agent",
            native_id=turn.number,
            text=message,
            actions=actions,
            observations=results,
            source=log.at(turn.line),
        )
    )
    if not turn.is_next:
        steps.missing(
            "the number of a step of mini-swe-agent is not the one to come: acts may be missing, or printed ones here"
        )
    if actions and may_lack_blanks(_block_of(raw), width):
        steps.missing("blanks may be missing where a line of the command was wrapped", acts=False)
    if shown and not actions:
        steps.append(Step(index=steps.next, actor="harness", text=shown, source=log.at(turn.line)))


def _block_of(raw: Sequence[str]) -> list[str]:
    """The lines of the command's block as they were printed."""
    start = next((number for number, line in enumerate(raw) if line.startswith("```")), len(raw))
    return [*takewhile(lambda line: not line.startswith("```"), raw[start + 1 :])]


def _header(lines: Sequence[str]) -> int:
    """Where the result begins: the first header outside of the command's block, best one with a result's tags behind it."""
    outside: list[int] = []
    inside: list[int] = []
    is_open = False
    for number, line in enumerate(lines):
        if line.startswith("```"):
            is_open = not is_open
        elif line[:1] in {"U", "T", "E"} and _HEADER.match(line):
            (inside if is_open else outside).append(number)
    tagged = (number for number in [*outside, *inside] if _has_result(lines, number))
    return next(tagged, outside[0] if outside else len(lines))


def _has_result(lines: Sequence[str], header: int) -> bool:
    following = next((line for line in lines[header + 1 : header + 8] if line.strip()), "")
    return following.startswith(_RESULT)


def _result(lines: Sequence[str]) -> str:
    """The message behind a header: up to its last tag, or without what the program prints around messages."""
    for number in range(len(lines) - 1, -1, -1):
        if lines[number].rstrip().endswith(_ENDS):
            return "\n".join(lines[: number + 1]).strip("\n")
    return "\n".join([line for line in lines if not _is_around(line)]).strip("\n")


def _is_around(line: str) -> bool:
    is_rule = line.startswith("─") and not line.strip("─ ")
    return is_rule or _WAITING in line or line.startswith("Saved trajectory to ")
